import type { Fact } from "../../records/activity/samplingProtocol.ts";
import type { FilterPreset, FilterWords } from "../../records/trace/filterWords.ts";

/** The state of an exchange or a part of it, for its mark and its colour; the words of its outcome name it. */
export type TraceStanding = "ok" | "error" | "waiting" | "stopped" | "note";

/**
 * A row: an exchange, or an intermediate event, below it. Texts of servers are on one line, hidden characters shown.
 */
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
	/** Its total duration; undefined while it continues, and for an event. */
	readonly milliseconds?: number;
	/** How much of that was spent on a user. */
	readonly userMs: number;
	readonly bytesOut: number;
	readonly bytesIn: number;
	readonly standing: TraceStanding;
	/** How it ended, in our words. */
	readonly outcome: string;
}

/** The search result, as far as the view needs it before it requests rows. */
export interface TraceState {
	/** Another one with every change. */
	readonly revision: number;
	readonly filter: string;
	/** Why the filter cannot be read; the rows are then those of the filter before. */
	readonly problem?: string;
	/** How many rows there are, those below exchanges that are folded out among them. */
	readonly rows: number;
	/** How many exchanges were found, and how many there are in total. */
	readonly found: number;
	readonly total: number;
	/** The selected row, and its index; absent when there is none, or when it is not among the rows. */
	readonly chosen?: { readonly key: string; readonly index: number };
	readonly presets: readonly FilterPreset[];
	/** Notes for the user about the trace, in our sentences. */
	readonly notices: readonly string[];
	/** The reference clock for the times of the rows, in milliseconds since the epoch. */
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
	/** Notes for the user about it: deviations from a schema, cut parts. */
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

/** The extension's functions for the view. All fail with a sentence that can be shown. */
export interface TraceHostApi {
	ready(): TraceState;
	/** Starts another search; an unreadable one keeps the former result. */
	filter(text: string): TraceState;
	/** The completions at the caret. */
	complete(text: string, caret: number): FilterWords;
	rows(from: number, count: number): TraceRows;
	/** Folds what is below an exchange out or in. */
	fold(key: string, isOpen: boolean): TraceState;
	/** Selects a row; returns its current index, as states do. Its details are requested separately. */
	choose(key: string): TraceState["chosen"];
	detail(key: string): TraceDetail;
	/** Runs an action on an exchange; returns the outcome, empty when there is none to report. */
	act(key: string, action: string): string;
}

/** The view's functions for the extension. */
export interface TraceViewApi {
	/**
	 * The trace has changed, or other content is to be shown; `isAsked` when the selection is to be revealed to the user.
	 */
	show(state: TraceState, isAsked: boolean): void;
}
