import type { Fact, SamplingDetail } from "../samplingProtocol.ts";

/** The kinds of entries that users filter by. */
export type ActivityGroup =
	| "call"
	| "question"
	| "sampling"
	| "server"
	| "account"
	| "permission"
	| "configuration"
	| "prompt"
	| "turn"
	| "journal";

/** The state of an item: `open` is not settled yet, `unknown` may have taken effect. */
export type ActivityStanding = "done" | "open" | "denied" | "failed" | "unknown" | "noted";

/** The query; every condition narrows it, and an empty one matches all. */
export interface ActivityQuery {
	/** Occurs in any text of an entry, case-insensitive. */
	readonly text: string;
	readonly group: ActivityGroup | "";
	/** The id of a server. */
	readonly server: string;
	readonly standing: ActivityStanding | "";
	/** The name of a model that took part. */
	readonly model: string;
	/** Who settled it, in words. */
	readonly by: string;
	/** The id of a turn of the chat. */
	readonly turn: string;
	/** Only entries without a question. */
	readonly isUnasked: boolean;
	/** When it began: milliseconds since the epoch, the second one excluded. */
	readonly from?: number;
	readonly to?: number;
}

/** Something in the list: all steps of one call are one. Texts are fit for one line. */
export interface ActivityRow {
	readonly id: string;
	readonly at: number;
	readonly group: ActivityGroup;
	readonly server: string;
	readonly subject: string;
	readonly standing: ActivityStanding;
	/** Its state, with who decided. */
	readonly event: string;
	/** The user was not asked. */
	readonly isUnasked: boolean;
	/** For a sampling request the beginning of its last message, and its usage; empty for other items. */
	readonly excerpt: string;
	readonly details: string;
}

/** A choice of a filter. */
export interface Choice {
	readonly value: string;
	readonly label: string;
}

/** The results. */
export interface ActivityList {
	readonly query: ActivityQuery;
	/** Newest first; at most as many as are shown. */
	readonly rows: readonly ActivityRow[];
	/** How many were found, and how many there are. */
	readonly found: number;
	readonly all: number;
	/** The total usage of the found sampling requests, in words; empty for none. */
	readonly took: string;
	readonly servers: readonly Choice[];
	readonly models: readonly Choice[];
	readonly deciders: readonly Choice[];
	/** The turn of the query, in words; empty for none. */
	readonly turn: string;
	/** Notes for the user, in our sentences. */
	readonly notices: readonly string[];
	/** The item that the user was led to, until the view has it. */
	readonly chosen?: string;
}

/** One step of something. */
export interface ActivityStep {
	readonly at: number;
	readonly event: string;
	/** Arguments or a result as JSON in which every character can be seen. */
	readonly contents?: string;
}

/** Something whole. */
export interface ActivityDetail extends ActivityRow {
	readonly steps: readonly ActivityStep[];
	readonly facts: readonly Fact[];
	/** The turn that it belongs to, or is. */
	readonly turn?: string;
	/** The other items of the turn, in its order, if it is one. */
	readonly story: readonly ActivityRow[];
	/** Whether its exchange is in the trace of this window. */
	readonly isTraced: boolean;
	/** Whether it is a call whose arguments and result were not kept. */
	readonly isUnkept: boolean;
	/** The contents of a sampling request, if they are recorded. */
	readonly sampling?: SamplingDetail;
}

/** The extension's functions for the view. All fail with a sentence that can be shown. */
export interface ActivityHostApi {
	ready(): ActivityList;
	find(query: ActivityQuery): ActivityList;
	detail(id: string): ActivityDetail;
	/** Shows its exchange in the trace. */
	trace(id: string): void;
	/** Copies the entries of an item as JSON Lines, and reports it. */
	copy(id: string): string;
	/** Saves all, or the results; returns the outcome, empty when the user left. */
	export(scope: "all" | "found"): string;
	/** Asks, and then deletes all, or the results; returns the outcome, empty when the user left. */
	clear(scope: "all" | "found"): string;
	/** Opens the setting that says whether arguments and results are kept. */
	chooseContents(): void;
	/** Verifies, and returns the outcome. */
	verify(): string;
}

/** The view's functions for the extension. */
export interface ActivityViewApi {
	/** The activity has changed, or other content is to be shown. */
	show(list: ActivityList): void;
}
