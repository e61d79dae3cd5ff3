import type { ResultView } from "../../features/tools/results/resultProtocol.ts";

/** How a run stands, in a word by which the view chooses its look; the sentence beside it tells people. */
export type RunStanding = "running" | "done" | "tool-error" | "failed" | "cancelled" | "denied" | "unknown";

/** What the raw view and the copies are of. */
export type RunText = "request" | "result" | "structured";

/** One call of a tool as its panel shows it. Every text of a server has its hidden characters made visible. */
export interface RunView {
	readonly id: string;
	/** The server's configured name. */
	readonly server: string;
	/** The tool's name, by which it is called. */
	readonly tool: string;
	/** What the server calls it for people; it proves nothing. */
	readonly title?: string;
	readonly badges: string;
	/** Which call of the user's it was part of; absent for a run of their own. */
	readonly during?: string;
	readonly standing: RunStanding;
	/** How it stands, in a sentence of ours: what happened and, where something can be done, what. */
	readonly sentence: string;
	/** The server's latest word on a running call. */
	readonly progress?: { readonly text: string; readonly done?: number; readonly total?: number };
	/** What the server wrote into its log and its standard error meanwhile, the last lines. */
	readonly log: readonly string[];
	/** Milliseconds since the epoch; absent where it is not known. */
	readonly startedAt?: number;
	/** From sending the request to its result. */
	readonly milliseconds?: number;
	/** The arguments as they were sent: JSON in which every character can be seen. */
	readonly arguments: string;
	/** The request's method and parameters, as JSON; the connection adds an id and its own metadata. */
	readonly request: string;
	readonly result?: ResultView;
	/** What has changed since, in sentences of ours. */
	readonly notes: readonly string[];
	/** The name of a source file of the server that changed since it started; absent where none did. */
	readonly changedFile?: string;
	/** Absent buttons stand for what this call does not allow. */
	readonly canRunAgain: boolean;
	readonly canCopyCommand: boolean;
	/** Whether what passed for it was recorded. */
	readonly isTraced: boolean;
	/** The result can be shown by an app of its server. */
	readonly hasApp: boolean;
}

/** What the user may do with a run. Nothing else leaves the panel. */
export type RunAction =
	| "cancel"
	| "run-again"
	| "restart-and-run"
	| "edit"
	| "copy-json-rpc"
	| "copy-command"
	| "copy-result"
	| "save-call"
	| "trace"
	| "open-app";

/** What the extension offers the view. All fail with a sentence that can be shown. */
export interface RunHostApi {
	ready(): RunView;
	/** Does what was chosen and tells the outcome in a sentence, empty where the panel shows it by itself. */
	act(run: string, action: RunAction): string;
	/** Opens the whole of a text in an editor. */
	openText(run: string, text: RunText): void;
	/** Opens the resource that a block of the result names, read from its server; or saves the block's bytes. */
	openBlock(run: string, index: number): void;
	saveBlock(run: string, index: number): string;
	/** Copies the address that a block of the result names, exactly as the server wrote it. */
	copyAddress(run: string, index: number): string;
	close(): void;
}

/** What the view offers the extension. */
export interface RunViewApi {
	show(run: RunView): void;
}
