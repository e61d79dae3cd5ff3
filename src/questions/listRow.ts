/** The texts of a row. They hold words of servers and files, on one line. */
export interface RowTexts {
	readonly label: string;
	readonly description: string;
	readonly detail: string;
}

/** The text of a list's row. */
export interface RowWords extends RowTexts {
	/** A codicon of ours. */
	readonly icon: string;
}

/** A row of a list in which a user manages their decisions, and its entry. */
export interface ListRow<T> extends Omit<RowWords, "description" | "detail"> {
	readonly kind: "row";
	readonly description?: string;
	readonly detail?: string;
	/** Absent for a row that only says something. */
	readonly of?: T;
	/** The button beside it. Opening is the same as choosing it. */
	readonly button?: "open" | "revoke";
}

/** A line of such a list. */
export type ListLine<T> = { readonly kind: "heading"; readonly label: string } | ListRow<T>;

/** A row that says these words. */
export function rowOf<T>(words: RowWords, of: T, button?: ListRow<T>["button"]): ListRow<T> {
	return { kind: "row", ...words, of, ...(button === undefined ? {} : { button }) };
}

/** Rows under a heading; no heading without rows. */
export function section<T>(label: string, rows: readonly ListRow<T>[]): readonly ListLine<T>[] {
	return rows.length === 0 ? [] : [{ kind: "heading", label }, ...rows];
}
