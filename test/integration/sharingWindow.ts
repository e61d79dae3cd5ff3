/**
 * A window of the editor that shares its servers, as a process of its own: `sharingWindow.ts FOLDER SECRET`. It takes
 * wishes from its parent and answers each.
 */
import { SharedProcesses } from "../../src/surfaces/bridge/windows/sharedProcesses.ts";
import { BridgeListener } from "../../src/surfaces/bridge/listener.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { TestHost, factsOf } from "./testHost.ts";

/** A wish of the parent: servers are configured, one is started, called, read, stopped, or described; or a folder opened. */
export type Wish =
	| { readonly kind: "configure"; readonly servers: JsonObject; readonly folder: string }
	| { readonly kind: "start" | "stop" | "restart" | "state"; readonly name: string }
	| { readonly kind: "call"; readonly name: string; readonly tool: string; readonly args: JsonObject }
	| { readonly kind: "roots"; readonly folder: string }
	| { readonly kind: "unshare" };

/** A window's view of a server. */
export interface Sight {
	readonly kind: string;
	readonly pid?: number | undefined;
	readonly isElsewhere?: boolean | undefined;
	readonly log: readonly string[];
	/** The questions of its servers to the user. */
	readonly asked: number;
	/** How many tools it lists. */
	readonly tools: number;
}

/** A window with servers, whose processes it shares through a folder. */
export class SharingWindow implements AsyncDisposable {
	readonly host: TestHost;
	readonly log: string[] = [];
	shared: SharedProcesses | undefined;
	private listener: BridgeListener | undefined;

	private constructor(secret: string) {
		this.host = new TestHost({ secrets: new Map([["mcpHost.windowsKey", secret]]) });
		this.host.sharing = () => this.shared;
	}

	static async open(folder: string, secret: string): Promise<SharingWindow> {
		const window = new SharingWindow(secret);
		const log = { info: (line: string) => window.log.push(line), error: (line: string) => window.log.push(line) };
		const { secrets } = window.host.host;
		window.shared = new SharedProcesses({ folder, secrets, version: "1", log });
		window.listener = await BridgeListener.open({
			folder,
			calls: { handle: async () => ({}), leave: () => undefined, mayNotify: () => false },
			windows: window.shared,
			workspaceFolders: async () => [],
		});
		return window;
	}

	/** Stops sharing. */
	unshare(): void {
		this.listener?.dispose();
		this.shared?.dispose();
		this.shared = undefined;
	}

	/** Configures servers in a window with this folder. */
	async configure(servers: JsonObject, folder: string): Promise<void> {
		this.openFolder(folder);
		await this.host.configure(servers);
	}

	openFolder(folder: string): void {
		this.host.show({ name: "work", scheme: "file", path: folder });
	}

	sight(name: string): Sight {
		const session = this.host.session(name);
		const log = [...this.log, ...this.host.log];
		const tools = session.tools.items.length;
		const common = { kind: session.state.kind, log, asked: this.host.user.asked.length, tools };
		if (session.state.kind !== "running") return common;
		const { pid, isElsewhere } = factsOf(session);
		return { ...common, pid, isElsewhere };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.host[Symbol.asyncDispose]();
		this.unshare();
	}
}

async function grant(window: SharingWindow, wish: Wish): Promise<unknown> {
	switch (wish.kind) {
		case "configure":
			return window.configure(wish.servers, wish.folder);
		case "start":
			await window.host.session(wish.name).start();
			return window.sight(wish.name);
		case "stop":
			return window.host.session(wish.name).stop();
		case "restart":
			await window.host.session(wish.name).restart();
			return window.sight(wish.name);
		case "state":
			return window.sight(wish.name);
		case "call":
			return window.host.session(wish.name).callTool(wish.tool, wish.args);
		case "roots":
			return window.openFolder(wish.folder);
		case "unshare":
			return window.unshare();
	}
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
	const [, , folder = "", secret = ""] = process.argv;
	const window = await SharingWindow.open(folder, secret);
	process.on("message", ({ id, wish }: { readonly id: number; readonly wish: Wish }) => {
		grant(window, wish).then(
			(answer) => process.send?.({ id, answer }),
			(error: unknown) => process.send?.({ id, problem: String(error) }),
		);
	});
	process.on("disconnect", () => void window[Symbol.asyncDispose]());
	process.send({ ready: true });
}
