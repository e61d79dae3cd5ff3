import type { ServerReview } from "./reviewProtocol.ts";

/** A server among those that wait, shown in full. */
export interface BatchedServer {
	/** Identifies exactly the displayed definition. */
	readonly key: string;
	readonly review: ServerReview;
}

/** All that the view of waiting servers shows, by where they are configured. */
export interface BatchState {
	/** Whether approved servers start whenever a window opens, so that the user can choose it for these. */
	readonly startsWithWindow: boolean;
	/** Why a server starts only once the workspace is trusted, as long as it is not. */
	readonly trust?: string;
	/** The warnings that all servers have: they are shown once, and not with each. */
	readonly warnings: readonly string[];
	readonly groups: readonly { readonly origin: string; readonly servers: readonly BatchedServer[] }[];
}

/** The requests of the view of waiting servers to the host. */
export interface BatchHostApi {
	ready(): BatchState;
	/** Approves the servers with these keys, and no other; `isAutomatic` says whether they also start whenever a window opens. */
	approve(keys: readonly string[], isAutomatic: boolean): void;
	decline(): void;
	/** Opens VS Code's editor of Workspace Trust. */
	manageTrust(): void;
}

/** The messages of the host to the view. */
export interface BatchViewApi {
	/** Takes the place of what is shown; what is selected stays. */
	show(state: BatchState): void;
}
