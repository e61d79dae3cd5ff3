import type { ToolBox } from "../../src/features/agentTools/toolBox.ts";
import type { TraceLevel } from "../../src/records/trace/exchange.ts";
import type { ShownTree } from "./tree.ts";

/** The ways to talk to a server that are compared, the floor first. */
export const sideNames = ["raw", "SDK v1", "SDK v2", "MCP Host"] as const;
export type SideName = (typeof sideNames)[number];

/** Where a server is. */
export type Reach =
	/** The arguments of Node that start it. */
	{ readonly kind: "stdio"; readonly args: readonly string[] } | { readonly kind: "http"; readonly url: string };

/** How to connect. */
export interface ConnectOptions {
	/** Whether the server is asked which era it speaks, by sides that support both; it always speaks the legacy one. */
	readonly asksEra?: boolean;
	/** Called for every log message of the server that reaches the side's listener. */
	readonly onLog?: () => void;
}

/** The operations of one side for each server. The results of calls are dropped: only their arrival counts. */
export interface Client {
	callTool(name: string, args: Readonly<Record<string, number | string>>): Promise<unknown>;
	/** Resolves with the length of the resource's text. */
	readText(uri: string): Promise<number>;
	/** Reads the list to its end and resolves with its length; `onPage` is called when another page can be shown. */
	list(kind: ListName, onPage: () => void): Promise<number>;
	/** Opens a tree of the server's lists, and reads the lists for it; `onPage` is called when a page has come. */
	openTree?(onPage: (kind: ListName) => void): ShownTree;
	/**
	 * The tools of a turn with a model, which may cost this many tokens before they are loaded on demand; 0: always
	 * all.
	 */
	openToolBox?(budgetTokens: number): ToolBox;
	/**
	 * Has a sampling request of this many characters answered by equally many, unseen and by a model that takes no
	 * time, `times` times; returns the time of each, in milliseconds.
	 */
	sample?(characters: number, times: number): Promise<readonly number[]>;
	/** Sets how much the trace keeps from now on; metadata by default. */
	setTrace?(level: TraceLevel): void;
	/** Another agent that reaches the server through the side, if the side offers that. */
	openBridge?(): Promise<Pick<Client, "callTool"> & { close(): Promise<void> }>;
	/** The layers between a model and the server, if the side has any. */
	readonly loop?: ModelLoop;
}

/** The way from a model to a server and back. */
export interface ModelLoop {
	/** Resolves once all background work on the tools is done. */
	prepared(): Promise<void>;
	/** A call as a model requests it, by the tool's own name. */
	call(name: string, args: Readonly<Record<string, number | string>>): Promise<unknown>;
	/** The time of a turn to its first text, in milliseconds, with a model that takes no time. */
	firstText(): Promise<number>;
}

export type ListName = "tools" | "resources";

/** Servers that were started together. */
export interface Group {
	/** In the order of the request; each resolves when its server can be called. */
	readonly clients: readonly Promise<Client>[];
	/** Stops the servers. */
	close(): Promise<void>;
}

/** One way to talk to servers: compared with the others. */
export interface Side {
	/** Starts servers together, in the side's own way. */
	connect(servers: readonly Reach[], options?: ConnectOptions): Group;
	/** Whether a page of a server is shown as its app, in a frame that cannot act without the user's knowledge. */
	readonly showsApps?: true;
}

/** Reads all pages of a list, one after the other. */
export async function readPages(
	readPage: (
		cursor: string | undefined,
	) => Promise<{ readonly count: number; readonly nextCursor?: string | undefined }>,
	onPage: () => void,
): Promise<number> {
	let count = 0;
	let cursor: string | undefined;
	do {
		const page = await readPage(cursor);
		count += page.count;
		cursor = page.nextCursor;
		onPage();
	} while (cursor !== undefined);
	return count;
}

/** Starts each server separately: for a side without support for several. */
export function connectEach<T extends { close(): Promise<void>; readonly client: Client }>(
	servers: readonly Reach[],
	connectOne: (server: Reach) => Promise<T>,
): Group {
	const opened = servers.map(connectOne);
	return {
		clients: opened.map(async (one) => (await one).client),
		async close() {
			await Promise.all(opened.map(async (one) => (await one).close()));
		},
	};
}
