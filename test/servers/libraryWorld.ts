import { Emitter } from "../../src/base/event.ts";

/** The size of a library and its automatic changes. */
export interface LibraryOptions {
	/** How many resources are listed; those with a story of their own come first. */
	readonly resources: number;
	/** How many useless tools are listed beside the useful ones, and how many prompts. */
	readonly tools: number;
	readonly prompts: number;
	/** The number of items on a page of a list. */
	readonly pageSize: number;
}

export const defaultLibrary: LibraryOptions = { resources: 1204, tools: 0, prompts: 0, pageSize: 50 };

/** The news that a library sends to its clients. */
export type LibraryNews =
	| { readonly kind: "tools" | "prompts" | "resources" }
	/** A resource has a new content. */
	| { readonly kind: "resource"; readonly uri: string }
	/** The action that an elicitation by address waited for is done. */
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

	/** Changes the content of a resource silently. */
	bump(uri: string): void {
		this.versions.set(uri, this.version(uri) + 1);
	}

	/** Removes a resource, or restores it, silently. */
	setGone(uri: string, isGone: boolean): void {
		if (isGone) this.gone.add(uri);
		else this.gone.delete(uri);
	}

	/** Notifies the connections, which notify their subscribers. */
	announce(news: LibraryNews): void {
		this.announced.fire(news);
	}

	/** Finishes the action that an elicitation by address waited for. */
	finish(id: string): void {
		this.finished.add(id);
		this.announce({ kind: "elicitation", id });
	}
}
