/** A call that is about to be sent, as its review shows it. Texts of servers and files have their hidden characters shown. */
export interface ReviewedCall {
	readonly name: string;
	readonly place: string;
	readonly server: string;
	/** The requested item: `tool searchFlights`. */
	readonly target: string;
	/** The text of its annotations; nobody has checked them. */
	readonly badges: string;
	readonly isRisky: boolean;
	/** Exactly what would be sent, as JSON in which every character can be seen; secrets of the user are marks. */
	readonly arguments: string;
	/** The points that the user should check, in our sentences. */
	readonly notes: readonly string[];
}

/** All that the review of a run shows. */
export interface CallReviewState {
	readonly calls: readonly ReviewedCall[];
	/** How many of them could be allowed from now on; a rule asks about the others each time. */
	readonly grantable: number;
}

/** `always`: this time, and from now on in this workspace with exactly these arguments. */
export type CallReviewAnswer = "none" | "once" | "always";

/** The requests of the review to the host. */
export interface CallReviewHostApi {
	ready(): CallReviewState;
	/** Only the first counts. */
	answer(answer: CallReviewAnswer): void;
}
