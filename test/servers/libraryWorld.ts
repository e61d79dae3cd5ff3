import { Emitter } from "../../src/base/event.ts";

/** How large a library is and what of it changes by itself. */
export interface LibraryOptions {
	/** How many resources are listed; those with a story of their own come first. */
	readonly resources: number;
	/** How many tools of no use are listed beside the useful ones, and how many prompts. */
	readonly tools: number;
	readonly prompts: number;
	/** How many items a page of a list holds. */
	readonly pageSize: number;
}

export const defaultLibrary: LibraryOptions = { resources: 1204, tools: 0, prompts: 0, pageSize: 50 };

/** What a library tells its clients of. */
export type LibraryNews =
	| { readonly kind: "tools" | "prompts" | "resources" }
	/** A resource has a new content. */
	| { readonly kind: "resource"; readonly uri: string }
	/** What an elicitation by address waited for is done. */
	| { readonly kind: "elicitation"; readonly id: string };

/** The state that all connections of one library share. */
export class LibraryWorld {
	readonly options: LibraryOptions;
	private readonly versions = new Map<string, number>();
	private readonly gone = new Set<string>();
	private readonly announced = new Emitter<LibraryNews>();
	readonly onNews = this.announced.event;
	/** How many items were added to each list since the start. */
	readonly added = { tools: 0, prompts: 0, resources: 0 };
	/** The ids of elicitations by address that are done. */
	readonly finished = new Set<string>();

	constructor(options: Partial<LibraryOptions> = {}) {
		this.options = { ...defaultLibrary, ...options };
	}

	/** How often a resource was changed. */
	version(uri: string): number {
		return this.versions.get(uri) ?? 0;
	}

	isGone(uri: string): boolean {
		return this.gone.has(uri);
	}

	/** Gives a resource a new content without a word. */
	bump(uri: string): void {
		this.versions.set(uri, this.version(uri) + 1);
	}

	/** Takes a resource away, or puts it back, without a word. */
	setGone(uri: string, isGone: boolean): void {
		if (isGone) this.gone.add(uri);
		else this.gone.delete(uri);
	}

	/** Tells the connections, which tell those who asked for it. */
	announce(news: LibraryNews): void {
		this.announced.fire(news);
	}

	/** Finishes what an elicitation by address waited for. */
	finish(id: string): void {
		this.finished.add(id);
		this.announce({ kind: "elicitation", id });
	}
}
