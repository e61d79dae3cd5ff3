import type { Json } from "../../base/json.ts";
import { isFlag, isNumber, isText, listOf, shape } from "../../base/shape.ts";

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
	readonly kind: RecordedEndKind;
	/** Who decided: `you`, the label of a rule, or of a limit. */
	readonly by: string;
	/** The reason that was sent to the server, or why it ended without an answer. */
	readonly reason?: string;
	readonly returned?: readonly RecordedText[];
}

/** A sampling request as received; all texts with secrets as marks. */
export interface RecordedRequest {
	readonly during?: string;
	readonly request: readonly RecordedText[];
	readonly media?: readonly RecordedMedia[];
	readonly parameters: Json;
	/** Written by the record alone: how many texts of the request were too many to be kept. */
	readonly moreTexts?: number;
}

/** The contents of one step of a sampling request: its arrival, an attempt, or its end. */
export interface SamplingContents {
	readonly received?: RecordedRequest;
	readonly attempt?: RecordedAttempt;
	readonly end?: Pick<RecordedEnd, "reason" | "returned">;
}

/** The contents of a sampling request, as far as they are kept. */
export interface SamplingEntry extends RecordedRequest {
	readonly attempts: readonly RecordedAttempt[];
	readonly end?: NonNullable<SamplingContents["end"]>;
}

/** A sampling request when it arrives. */
export interface SamplingArrival extends Omit<RecordedRequest, "moreTexts"> {
	readonly id: string;
	readonly server: string;
	readonly serverId: string;
	/** The reference of its exchange in the trace. */
	readonly exchange?: string;
}

/** An open review, as the record sees it. Every change is stored immediately, so that a reload loses nothing. */
export interface OpenEntry {
	attempt(attempt: RecordedAttempt): void;
	/** Ends the entry, once. */
	close(end: RecordedEnd): void;
}

/** Where sampling requests are recorded. Never throws. */
export interface SamplingRecord {
	open(arrival: SamplingArrival): OpenEntry;
}

const isWhole = shape({ length: isNumber }, { sha256: isText });
const isTexts = listOf(
	shape(
		{ place: isText, original: isText },
		{
			role: (role) => role === "user" || role === "assistant",
			label: isText,
			edited: (text) => text === null || isText(text),
			originalWhole: isWhole,
			editedWhole: isWhole,
		},
	),
);
const isMedium = shape(
	{ place: isText, kind: (kind) => kind === "image" || kind === "audio", mimeType: isText, bytes: isNumber },
	{ sha256: isText },
);
const isRequest = shape(
	{ request: isTexts, parameters: (value) => value !== undefined },
	{ during: isText, media: listOf(isMedium), moreTexts: isNumber },
);
const isAttempt = shape(
	{ at: isNumber, request: isTexts },
	{
		model: shape({ id: isText, name: isText }),
		why: isText,
		completion: isTexts,
		inputTokens: isNumber,
		outputTokens: isNumber,
		isEstimated: isFlag,
		cost: isNumber,
		durationMs: isNumber,
		stopReason: isText,
		failure: isText,
	},
);

/** Whether a value of a file has the shape of the contents of a step. */
export const isSamplingContents = shape(
	{},
	{ received: isRequest, attempt: isAttempt, end: shape({}, { reason: isText, returned: isTexts }) },
);

/** The contents of a request, put together from those of its steps; undefined when none are kept. */
export function samplingOf(steps: readonly SamplingContents[]): SamplingEntry | undefined {
	if (steps.length === 0) return undefined;
	const end = steps.findLast((step) => step.end !== undefined)?.end;
	return {
		...(steps.find(({ received }) => received !== undefined)?.received ?? { request: [], parameters: {} }),
		attempts: steps.flatMap(({ attempt }) => attempt ?? []),
		...(end === undefined ? {} : { end }),
	};
}
