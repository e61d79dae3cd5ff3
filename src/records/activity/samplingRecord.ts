import type { Json } from "../../base/json.ts";

/** A text that is not kept whole: its length in characters and, unless no texts are kept at all, its SHA-256 (hex). */
export interface WholeText {
	readonly length: number;
	readonly sha256?: string;
}

/** The history of a text: its place in the request or completion, its received form, and the user's change. */
export interface RecordedText {
	readonly place: string;
	/** The role, for a part of a message. */
	readonly role?: "user" | "assistant";
	/** Its kind, if its text alone does not show it: `Call of getWeather`, whose text is the arguments. */
	readonly label?: string;
	readonly original: string;
	/** Absent when nothing was changed; null when it was taken out. */
	readonly edited?: string | null;
	/** Written by the record only: `original` or `edited` is only the beginning of this. */
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
	/** The request as it was sent; unchanged texts may be left out, and are not kept twice. */
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
	/** The reason that was sent to the server, or why it ended without an answer. */
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
	/** The reference of its exchange in the trace. */
	readonly exchange?: string;
	/** The request as received. */
	readonly request: readonly RecordedText[];
	readonly media?: readonly RecordedMedia[];
	readonly parameters: Json;
	readonly attempts: readonly RecordedAttempt[];
	/** Absent while the review is open. */
	readonly end?: RecordedEnd;
	/** Written by the record alone: how many texts of the request were too many to be kept. */
	readonly moreTexts?: number;
}

/** An open review, as the record sees it. Every change is stored immediately, so that a reload loses nothing. */
export interface OpenEntry {
	attempt(attempt: RecordedAttempt): void;
	/** Ends the entry, once. */
	close(end: RecordedEnd): void;
}

/** Where sampling requests are recorded. Never throws: a fault of the disk is logged and shown in the log view. */
export interface SamplingRecord {
	open(entry: Omit<SamplingEntry, "attempts" | "end" | "moreTexts">): OpenEntry;
}
