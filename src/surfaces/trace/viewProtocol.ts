import type { Fact } from "../../records/activity/samplingProtocol.ts";
import type { FilterPreset, FilterWords } from "../../records/trace/filterWords.ts";

/** How an exchange or a part of it stands, for its mark and its colour; the words of its outcome say which of them it is. */
export type TraceStanding = "ok" | "error" | "waiting" | "stopped" | "note";

/** A row: an exchange, or what came in between, below it. Texts of servers stand on one line, hidden characters shown. */
export interface TraceRow {
	/** The same as long as the exchange is in the trace. */
	readonly key: string;
	/** 1 for an exchange, 2 for what is below it. */
	readonly level: 1 | 2;
	/** Whether it is folded out; undefined when nothing is below it. */
	readonly isOpen?: boolean;
	readonly what: string;
	readonly server: string;
	/** Who asked, in words; empty for what is below an exchange. */
	readonly who: string;
	/** When it began, in milliseconds since the epoch. */
	readonly at: number;
	/** How long it took in all; undefined while it goes on, and for a moment. */
	readonly milliseconds?: number;
	/** How much of that was spent on a user. */
	readonly userMs: number;
	readonly bytesOut: number;
	readonly bytesIn: number;
	readonly standing: TraceStanding;
	/** How it ended, in words of ours. */
	readonly outcome: string;
}

/** What was found, as far as the view needs to know before it asks for rows. */
export interface TraceState {
	/** Another one with every change. */
	readonly revision: number;
	readonly filter: string;
	/** Why the filter cannot be read; the rows are then those of the filter before. */
	readonly problem?: string;
	/** How many rows there are, those below exchanges that are folded out among them. */
	readonly rows: number;
	/** How many exchanges were found, and how many there are in all. */
	readonly found: number;
	readonly total: number;
	/** The row that is chosen, and where it stands; absent when none is, or when it is not among the rows. */
	readonly chosen?: { readonly key: string; readonly index: number };
	readonly presets: readonly FilterPreset[];
	/** What the user should know of the trace, in sentences of ours. */
	readonly notices: readonly string[];
	/** The clock by which the times of the rows are told, in milliseconds since the epoch. */
	readonly now: number;
}

/** A stretch of rows. */
export interface TraceRows {
	readonly revision: number;
	readonly from: number;
	readonly rows: readonly TraceRow[];
}

/** Something that can be done with an exchange. */
export interface TraceAction {
	readonly id: string;
	readonly label: string;
}

/** One exchange whole. */
export interface TraceDetail {
	readonly key: string;
	readonly title: string;
	readonly standing: TraceStanding;
	readonly outcome: string;
	readonly facts: readonly Fact[];
	/** What the user should know of it: what does not fit a schema, what was cut. */
	readonly notes: readonly string[];
	/** Groups of facts with a title, such as the headers of an HTTP request. */
	readonly groups: readonly { readonly title: string; readonly facts: readonly Fact[] }[];
	/** Its messages, each with its beginning; in full they are documents of the editor. */
	readonly messages: readonly {
		readonly title: string;
		readonly excerpt: string;
		readonly actions: readonly TraceAction[];
	}[];
	readonly actions: readonly TraceAction[];
	readonly copies: readonly TraceAction[];
}

/** What the extension offers the view. All fail with a sentence that can be shown. */
export interface TraceHostApi {
	ready(): TraceState;
	/** Looks for something else; one that cannot be read leaves what was found. */
	filter(text: string): TraceState;
	/** What can follow at the caret. */
	complete(text: string, caret: number): FilterWords;
	rows(from: number, count: number): TraceRows;
	/** Folds what is below an exchange out or in. */
	fold(key: string, isOpen: boolean): TraceState;
	/** Chooses a row; gives where it stands by now, as states do. Its details are asked for apart. */
	choose(key: string): TraceState["chosen"];
	detail(key: string): TraceDetail;
	/** Does something with an exchange; tells the outcome, empty when there is none to tell. */
	act(key: string, action: string): string;
}

/** What the view offers the extension. */
export interface TraceViewApi {
	/** The trace has changed, or something else is to be shown; `isAsked` when the user is to be led to what is chosen. */
	show(state: TraceState, isAsked: boolean): void;
}
