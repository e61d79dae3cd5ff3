import type { ServerReview } from "./review.ts";

/** What the view of a server's review asks of the host. */
export interface ServerReviewHostApi {
	ready(): ServerReviewState;
	approve(): void;
	decline(): void;
}

/** What the host tells the view. */
export interface ServerReviewViewApi {
	show(state: ServerReviewState): void;
}

/** All that the view shows. */
export interface ServerReviewState {
	readonly review: ServerReview;
	/** How it ended; the buttons are dead then. */
	readonly outcome?: "approved" | "declined" | "lapsed";
}
