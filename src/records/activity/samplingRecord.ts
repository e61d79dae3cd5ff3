import type { Json } from "../../base/json.ts";

/** A text that is not kept whole: its length in characters and, unless no texts are kept at all, its SHA-256 (hex). */
export interface WholeText {
	readonly length: number;
	readonly sha256?: string;
}

/** What became of a text: its place in the request or completion, how it came, and what the user made of it. */
export interface RecordedText {
	readonly place: string;
	/** Who said it, for a part of a message. */
	readonly role?: "user" | "assistant";
	/** What it is, where its text alone does not tell: `Call of getWeather`, whose text is the arguments. */
	readonly label?: string;
	readonly original: string;
	/** Absent when nothing was changed; null when it was taken out. */
	readonly edited?: string | null;
	/** Written by the record alone: what stands in `original` or `edited` is only the beginning of this. */
	readonly originalWhole?: WholeText;
	readonly editedWhole?: WholeText;
}

/** An image or a recording of a request, of which no byte is kept. */
export interface RecordedMedia {
	readonly place: string;
	readonly kind: "image" | "audio";
	readonly mimeType: string;
	readonly bytes: number;
	/** Hex; absent when no texts are kept. */
	readonly sha256?: string;
}

/** One time that a request went to a model, or was answered by hand. */
export interface RecordedAttempt {
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** Absent for an answer by hand. */
	readonly model?: { readonly id: string; readonly name: string };
	readonly why?: string;
	/** The request as it was sent; what was sent as it came need not be there, and is not kept twice. */
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

/** The end of a sampling request. */
export interface RecordedEnd {
	readonly at: number;
	readonly kind: RecordedEndKind;
	/** Who decided: `you`, the label of a rule, or of a limit. */
	readonly by: string;
	/** The reason given to the server, or why it lapsed. */
	readonly reason?: string;
	readonly returned?: readonly RecordedText[];
}

/** A sampling request from its arrival to its end; all texts with secrets as marks. */
export interface SamplingEntry {
	readonly id: string;
	readonly at: number;
	readonly server: string;
	readonly serverId: string;
	readonly during?: string;
	/** What names the exchange in the trace in which it was asked. */
	readonly exchange?: string;
	/** The request as it came. */
	readonly request: readonly RecordedText[];
	readonly media?: readonly RecordedMedia[];
	readonly parameters: Json;
	readonly attempts: readonly RecordedAttempt[];
	/** Absent while the review is open. */
	readonly end?: RecordedEnd;
	/** Written by the record alone: how many texts of the request were too many to be kept. */
	readonly moreTexts?: number;
}

/** A review that is open, as the record sees it. Every change is kept at once, so that a reload loses nothing. */
export interface OpenEntry {
	attempt(attempt: RecordedAttempt): void;
	/** Ends the entry, once. */
	close(end: RecordedEnd): void;
}

/** Where sampling requests are written down. Never throws: a fault of the disk is logged and said in the log view. */
export interface SamplingRecord {
	open(entry: Omit<SamplingEntry, "attempts" | "end" | "moreTexts">): OpenEntry;
}
