/** One line of what a server would do, in the order in which it is shown. */
export interface ReviewRow {
	readonly label: string;
	/** Ready to show: in full, each on one line, with hidden characters as escapes. */
	readonly values: readonly string[];
	/** The values that were approved before, when they differ. */
	readonly former?: readonly string[];
}

/** All that a user needs to decide whether a server may start (SEP-1024; CFG-07, CFG-08). */
export interface ServerReview {
	readonly name: string;
	readonly origin: string;
	/** The command with its arguments, or the address, on one line that is ready to show. */
	readonly summary: string;
	readonly rows: readonly ReviewRow[];
	readonly warnings: readonly string[];
	/** The consequences of an approval, in sentences: what a program may do here, or what is sent to an address. */
	readonly meaning: readonly string[];
	/** Whether it is reached by an address, so that nothing of it is started on this machine. */
	readonly isRemote: boolean;
	readonly isChange: boolean;
}

/** The requests of a server's review to the host. */
export interface ServerReviewHostApi {
	ready(): ServerReviewState;
	/** Approves the server; `isAutomatic` says whether it also starts whenever a window opens. */
	approve(isAutomatic: boolean): void;
	decline(): void;
	/** Opens VS Code's editor of Workspace Trust. */
	manageTrust(): void;
}

/** The messages of the host to the view. */
export interface ServerReviewViewApi {
	show(state: ServerReviewState): void;
}

/** All that the view shows. */
export interface ServerReviewState {
	readonly review: ServerReview;
	/** Whether approved servers start whenever a window opens, so that the user can choose it for this one. */
	readonly startsWithWindow: boolean;
	/** Why a server starts only once the workspace is trusted, as long as it is not. */
	readonly trust?: string;
	/** How it ended; the buttons are dead then. */
	readonly outcome?: "approved" | "declined" | "lapsed";
}
