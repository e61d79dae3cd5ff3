import type { ResultView } from "../../features/tools/results/resultProtocol.ts";

/** The state of a run, as a word by which the view chooses its look; the sentence beside it is for users. */
export type RunStanding = "running" | "done" | "tool-error" | "failed" | "cancelled" | "denied" | "unknown";

/** The source of the raw view and the copies. */
export type RunText = "request" | "result" | "structured";

/** One call of a tool as its panel shows it. Every text of a server has its hidden characters made visible. */
export interface RunView {
	readonly id: string;
	/** The server's configured name. */
	readonly server: string;
	/** The tool's name, by which it is called. */
	readonly tool: string;
	/** The server's display name for it; it proves nothing. */
	readonly title?: string;
	readonly badges: string;
	/** Which call of the user's it was part of; absent for a run of their own. */
	readonly during?: string;
	readonly standing: RunStanding;
	/** Its state, in our sentence: what happened and, if there is a remedy, what to do. */
	readonly sentence: string;
	/** The server's latest word on a running call. */
	readonly progress?: { readonly text: string; readonly done?: number; readonly total?: number };
	/** The last lines of the server's log and standard error during the run. */
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
	/** The changes since then, in our sentences. */
	readonly notes: readonly string[];
	/** The name of a source file of the server that changed since it started; absent where none did. */
	readonly changedFile?: string;
	/** Buttons that this call does not support are absent. */
	readonly canRunAgain: boolean;
	readonly canCopyCommand: boolean;
	/** Whether what passed for it was recorded. */
	readonly isTraced: boolean;
	/** The result can be shown by an app of its server. */
	readonly hasApp: boolean;
}

/** The user's actions on a run. Nothing else leaves the panel. */
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

/** The extension's functions for the view. All fail with a sentence that can be shown. */
export interface RunHostApi {
	ready(): RunView;
	/** Runs the chosen action and returns the outcome in a sentence, empty if the panel shows it. */
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

/** The view's functions for the extension. */
export interface RunViewApi {
	show(run: RunView): void;
}
