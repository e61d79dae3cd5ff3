import type { RecordedEndKind } from "./samplingRecord.ts";

/** How an entry stands. */
export type LogStanding = RecordedEndKind | "open";

/** Which entries are looked for; every condition narrows it, and an empty text or an absent time is none. */
export interface LogQuery {
	/** Stands in any text of the entry, in whatever case. */
	readonly text: string;
	/** The id of a server. */
	readonly server: string;
	/** The name of a model of one of its attempts. */
	readonly model: string;
	readonly standing: LogStanding | "";
	/** Who decided, as the entry tells. */
	readonly by: string;
	/** When it arrived: milliseconds since the epoch, the second one excluded. */
	readonly from?: number;
	readonly to?: number;
}

/** An entry in the list. Every text of a server stands on one line, with its hidden characters made visible. */
export interface LogRow {
	readonly id: string;
	readonly at: number;
	readonly server: string;
	readonly standing: LogStanding;
	/** How it stands, in words of ours, with who decided. */
	readonly decision: string;
	/** The beginning of its last message, by which one is told from another. */
	readonly excerpt: string;
	/** The model, what was changed, tokens, cost. */
	readonly details: string;
}

/** What the entries of a list took together. */
export interface LogTotals {
	readonly requests: number;
	/** In words of ours: `12 requests · 3,400 tokens in, 900 out · $0.012`. */
	readonly sentence: string;
}

/** A choice of a filter. */
export interface LogChoice {
	readonly value: string;
	readonly label: string;
}

/** What was found. */
export interface LogList {
	readonly query: LogQuery;
	/** Newest first. */
	readonly rows: readonly LogRow[];
	readonly totals: LogTotals;
	/** How many entries there are in all. */
	readonly all: number;
	readonly servers: readonly LogChoice[];
	readonly models: readonly LogChoice[];
	readonly deciders: readonly LogChoice[];
	/** What the person should know of the record, in sentences of ours. */
	readonly notices: readonly string[];
	/** The entry that the extension was asked to show; the view shows it once. */
	readonly shown?: string;
}

/** A text of an entry. */
export interface LogText {
	readonly label: string;
	readonly original: string;
	/** Absent when nothing was changed; null when it was taken out. */
	readonly edited?: string | null;
	/** How much of it is kept, in words of ours, where that is not all. */
	readonly note?: string;
}

/** A name and what stands there. */
export interface LogFact {
	readonly name: string;
	readonly value: string;
	/** A hash or an id, in the font of code. */
	readonly isCode?: boolean;
}

/** One time that an entry's request went to a model, or was answered by hand. */
export interface LogAttempt {
	readonly title: string;
	readonly at: number;
	readonly facts: readonly LogFact[];
	/** What the person changed of the request. */
	readonly edits: readonly LogText[];
	readonly completion: readonly LogText[];
	readonly failure?: string;
}

/** One entry whole. Every text has its hidden characters made visible. */
export interface LogDetail {
	readonly id: string;
	readonly at: number;
	readonly server: string;
	readonly during?: string;
	readonly standing: LogStanding;
	readonly decision: string;
	readonly reason?: string;
	readonly endedAt?: number;
	/** What all attempts took together; empty when there was none. */
	readonly took: string;
	/** The request as it came: its texts, and its numbers and choices. */
	readonly request: readonly LogText[];
	readonly settings: readonly LogFact[];
	readonly media: readonly LogFact[];
	/** The parameters as JSON in which every character can be seen. */
	readonly parameters: string;
	readonly attempts: readonly LogAttempt[];
	readonly returned: readonly LogText[];
	/** What is not shown here, in sentences of ours. */
	readonly notes: readonly string[];
}

/** What the extension offers the view. All fail with a sentence that can be shown. */
export interface LogHostApi {
	/** What is found by the query of before, or by the one that the extension was asked for. */
	ready(): LogList;
	find(query: LogQuery): LogList;
	detail(id: string): LogDetail;
	/** Copies an entry as JSON, and tells it. */
	copy(id: string): string;
	/** Saves all entries, or those of the query, as JSON Lines; tells the outcome, empty when the person left. */
	export(scope: "all" | "found"): string;
	/** Asks, and then deletes all entries; tells the outcome, empty when the person left. */
	clear(): string;
}

/** What the view offers the extension. */
export interface LogViewApi {
	/** The record has changed, or something else is to be shown. */
	show(list: LogList): void;
}
