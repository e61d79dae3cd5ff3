import type { ListName } from "./side.ts";

/** How a user wants to see a group. */
export interface Wish {
	readonly filter?: string;
	readonly sort?: "server" | "name" | "priority";
	readonly layout?: "list" | "tree";
}

/** The tree of one server's lists, as a side shows it. Only rows that a window would request are requested. */
export interface ShownTree {
	/** The texts of the rows that a window would show of a group when it is opened; none while nothing is there yet. */
	rows(kind: ListName): readonly string[];
	/** How many items of a group are known, and whether that is all of them. */
	progress(kind: ListName): { readonly count: number; readonly isWhole: boolean };
	/** Shows one more page of the group. */
	showMore(kind: ListName): void;
	/** Shows the resources in another way; absent members mean the server's order, in one list. */
	arrange(wish: Wish): void;
	/** Calls back when rows may have changed, until disposed. */
	onDidChange(listener: () => void): { dispose(): void };
	dispose(): void;
}
