/** A name and what stands there, both fit to show as plain text. */
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
	/** How much of it is kept, in words of ours, where that is not all. */
	readonly note?: string;
}

/** One time that a request went to a model, or was answered by hand. */
export interface SamplingAttempt {
	readonly title: string;
	readonly at: number;
	readonly facts: readonly Fact[];
	/** What the user changed of the request. */
	readonly edits: readonly SamplingText[];
	readonly completion: readonly SamplingText[];
	readonly failure?: string;
}

/** What a sampling request held, whole. Every text has its hidden characters made visible. */
export interface SamplingDetail {
	/** What it was asked during, why it ended so, what it took. */
	readonly facts: readonly Fact[];
	/** The request as it came: its texts, and its numbers and choices. */
	readonly request: readonly SamplingText[];
	readonly settings: readonly Fact[];
	readonly media: readonly Fact[];
	/** The parameters as JSON in which every character can be seen. */
	readonly parameters: string;
	readonly attempts: readonly SamplingAttempt[];
	readonly returned: readonly SamplingText[];
	/** What is not shown here, in sentences of ours. */
	readonly notes: readonly string[];
}
