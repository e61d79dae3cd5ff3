/** One thing that may run, or that decides about it, in words fit to show. */
export interface MayRunLine {
	readonly name: string;
	/** What is so, in a few words. */
	readonly words: string;
	/** Why, and where that stands. */
	readonly details: readonly string[];
	/** What its button does; absent for a line without one. */
	readonly action?: { readonly key: string; readonly title: string };
}

/** Lines about one kind of thing. */
export interface MayRunSection {
	readonly title: string;
	/** What holds for all of them. */
	readonly note: string;
	readonly lines: readonly MayRunLine[];
	/** What is said where there are none. */
	readonly none: string;
}

/** All that the page shows. */
export interface MayRunView {
	readonly sections: readonly MayRunSection[];
}

/** What the page asks of the host. */
export interface MayRunHostApi {
	ready(): MayRunView;
	/** Resolves with a sentence on what became of it; empty for nothing to say. */
	act(key: string): string;
	copy(): string;
}

/** What the host tells the page. */
export interface MayRunViewApi {
	show(view: MayRunView): void;
}
