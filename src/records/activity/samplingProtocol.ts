/** A name and its value, both fit to show as plain text. */
export interface Fact {
	readonly name: string;
	readonly value: string;
	/** It is to be read letter by letter, such as a hash: shown in the font of code. */
	readonly isCode?: boolean;
}

/** A text of a sampling request. */
export interface SamplingText {
	readonly label: string;
	readonly original: string;
	/** Absent when nothing was changed; null when it was taken out. */
	readonly edited?: string | null;
	/** How much of it is kept, in our words, if that is not all. */
	readonly note?: string;
}

/** One time that a request went to a model, or was answered by hand. */
export interface SamplingAttempt {
	readonly title: string;
	readonly at: number;
	readonly facts: readonly Fact[];
	/** The user's changes of the request. */
	readonly edits: readonly SamplingText[];
	readonly completion: readonly SamplingText[];
	readonly failure?: string;
}

/** The whole contents of a sampling request. Hidden characters of every text are visible. */
export interface SamplingDetail {
	/** The call that caused it, why it ended, its usage. */
	readonly facts: readonly Fact[];
	/** The request as received: its texts, and its numbers and choices. */
	readonly request: readonly SamplingText[];
	readonly settings: readonly Fact[];
	readonly media: readonly Fact[];
	/** The parameters as JSON in which every character can be seen. */
	readonly parameters: string;
	readonly attempts: readonly SamplingAttempt[];
	readonly returned: readonly SamplingText[];
	/** The parts that are not shown here, in our sentences. */
	readonly notes: readonly string[];
}
