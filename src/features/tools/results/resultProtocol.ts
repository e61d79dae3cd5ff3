/** A part of a result as it is shown. All texts are the server's with hidden characters shown, and bounded. */
export type ResultBlock = { readonly audience?: string } & (
	| { readonly kind: "text"; readonly text: string; readonly total: number }
	/** `source` is a `data:` URI of a type that its bytes prove. */
	| { readonly kind: "image" | "audio"; readonly source: string; readonly label: string }
	/** Bytes that no panel shows: too large, of another type than declared, or unsupported. They can be saved. */
	| { readonly kind: "media"; readonly label: string }
	| { readonly kind: "link"; readonly uri: string; readonly label: string; readonly isOpenable: boolean }
	| {
			readonly kind: "resource";
			readonly uri: string;
			readonly label: string;
			readonly text?: string;
			readonly total?: number;
			readonly isOpenable: boolean;
	  }
	/** Our words, such as how many more blocks there are. */
	| { readonly kind: "note"; readonly text: string }
);

/** A block and its place in the result's content, by which the host finds the bytes or the URI again. */
export interface PlacedBlock {
	readonly index: number;
	readonly block: ResultBlock;
}

/** Structured content laid out in rows. The totals include omitted rows. */
export interface ResultTable {
	/** The member of the structured content that holds the rows; absent for the whole. */
	readonly name?: string;
	/** The other members, name and value. */
	readonly facts: readonly (readonly [string, string])[];
	readonly totalFacts: number;
	readonly columns: readonly string[];
	/** Of the shown rows. */
	readonly totalColumns: number;
	readonly rows: readonly (readonly string[])[];
	readonly total: number;
}

/** A result as panels show it: plain data, every part bounded. */
export interface ResultView {
	readonly isError: boolean;
	readonly blocks: readonly PlacedBlock[];
	readonly structured?: {
		readonly json: string;
		/** The length of the whole JSON. */
		readonly total: number;
		readonly table?: ResultTable;
	};
	/** The problems of the structured content by the tool's output schema, in our sentences. */
	readonly problems: readonly string[];
	/** Their heading. */
	readonly problemTitle: string;
	/** The result as the server sent it, indented. */
	readonly raw: string;
	readonly rawTotal: number;
}
