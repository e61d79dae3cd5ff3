/** One thing that may run, or that decides about it, in words fit to show. */
export interface MayRunLine {
	readonly name: string;
	/** The fact, in a few words. */
	readonly words: string;
	/** Why, and where that is configured. */
	readonly details: readonly string[];
	/** The action of its button; absent for a line without one. */
	readonly action?: { readonly key: string; readonly title: string };
}

/** Lines about one kind of thing. */
export interface MayRunSection {
	readonly title: string;
	/** The text that applies to all of them. */
	readonly note: string;
	readonly lines: readonly MayRunLine[];
	/** The text if there are none. */
	readonly none: string;
}

/** All that the page shows. */
export interface MayRunView {
	readonly sections: readonly MayRunSection[];
}

/** The requests of the page to the host. */
export interface MayRunHostApi {
	ready(): MayRunView;
	/** Resolves with a sentence on what became of it; empty for nothing to say. */
	act(key: string): string;
	copy(): string;
}

/** The messages of the host to the page. */
export interface MayRunViewApi {
	show(view: MayRunView): void;
}
