import type { Json } from "../base/json.ts";

/** What became of a text: its place in the request or completion, how it came, and what the person made of it. */
export interface RecordedText {
	readonly place: string;
	readonly original: string;
	/** Absent when nothing was changed; null when it was taken out. */
	readonly edited?: string | null;
}

/** One time that a request went to a model, or was answered by hand. */
export interface RecordedAttempt {
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** Absent for an answer by hand. */
	readonly model?: { readonly id: string; readonly name: string };
	readonly why?: string;
	/** The request as it was sent. */
	readonly request: readonly RecordedText[];
	readonly completion?: readonly RecordedText[];
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly isEstimated?: boolean;
	/** US dollars. */
	readonly cost?: number;
	readonly durationMs?: number;
	readonly stopReason?: string;
	readonly failure?: string;
}

/** How a sampling request ended. */
export type RecordedEndKind = "returned" | "rejected" | "refused" | "lapsed" | "interrupted";

/** A sampling request from its arrival to its end; all texts with secrets as marks. */
export interface SamplingEntry {
	readonly id: string;
	readonly at: number;
	readonly server: string;
	readonly serverId: string;
	readonly during?: string;
	/** The request as it came. */
	readonly request: readonly RecordedText[];
	readonly parameters: Json;
	readonly attempts: readonly RecordedAttempt[];
	/** Absent while the review is open. */
	readonly end?: {
		readonly at: number;
		readonly kind: RecordedEndKind;
		/** Who decided: `you`, the label of a rule, or of a limit. */
		readonly by: string;
		/** The reason given to the server, or why it lapsed. */
		readonly reason?: string;
		readonly returned?: readonly RecordedText[];
	};
}

/** A review that is open, as the record sees it. Every change is kept at once, so that a reload loses nothing. */
export interface OpenEntry {
	attempt(attempt: RecordedAttempt): void;
	/** Ends the entry, once. */
	close(end: NonNullable<SamplingEntry["end"]>): void;
}

/** Where sampling requests are written down. Never throws: a fault of the disk is logged and said in the log view. */
export interface SamplingRecord {
	open(entry: Omit<SamplingEntry, "attempts" | "end">): OpenEntry;
}
