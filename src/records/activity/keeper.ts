import { sha256 } from "../../base/hash.ts";
import type { Json } from "../../base/json.ts";
import { cap, oneLine } from "../../base/text.ts";
import { masked } from "./journal/contents.ts";
import type {
	RecordedAttempt,
	RecordedEnd,
	RecordedMedia,
	RecordedRequest,
	RecordedText,
	SamplingContents,
	WholeText,
} from "./samplingRecord.ts";

/** How much of each request is recorded: everything within the limits, all but the texts, or nothing. */
export type RecordMode = "full" | "without texts" | "off";

/** How much of one request is kept, in characters. */
export interface KeepLimits {
	readonly text: number;
	/** For all its texts together. */
	readonly entry: number;
	/** However much is used up, this much of the beginning of each text is kept. */
	readonly beginning: number;
	/** How many texts. */
	readonly texts: number;
	/** For labels, reasons and failures, each. */
	readonly words: number;
}

/** Most requests are kept whole; one of megabytes takes the space of a few. */
export const keepLimits: KeepLimits = { text: 50_000, entry: 500_000, beginning: 100, texts: 2000, words: 2000 };

/** The replacement for a failure's words if no texts are kept. */
const notKept = "(its text is not kept)";

/** Converts the data about one request into its stored size and form. */
export class Keeper {
	private readonly keepsTexts: boolean;
	private readonly limits: KeepLimits;
	private left: number;

	constructor(mode: Exclude<RecordMode, "off">, limits: KeepLimits = keepLimits) {
		this.keepsTexts = mode === "full";
		this.limits = limits;
		this.left = limits.entry;
	}

	/** The request as received. */
	received({ during, request, media = [], parameters }: RecordedRequest): RecordedRequest {
		const { texts } = this.limits;
		const more = Math.max(0, request.length - texts) + Math.max(0, media.length - texts);
		return {
			...(during === undefined || !this.keepsTexts ? {} : { during: this.words(during) }),
			request: this.texts(request),
			...(media.length === 0 ? {} : { media: media.slice(0, texts).map((medium) => this.medium(medium)) }),
			parameters: this.parameters(parameters),
			...(more === 0 ? {} : { moreTexts: more }),
		};
	}

	/** An attempt, with only those texts of its request that differ from the received ones. */
	attempt(attempt: RecordedAttempt): RecordedAttempt {
		const { why, request, completion, failure, stopReason, ...rest } = attempt;
		return {
			...rest,
			// It quotes the server's hints.
			...(why === undefined || !this.keepsTexts ? {} : { why: this.words(why) }),
			request: this.texts(request.filter((text) => text.edited !== undefined && text.edited !== text.original)),
			...(completion === undefined ? {} : { completion: this.texts(completion) }),
			...(stopReason === undefined ? {} : { stopReason: this.words(stopReason) }),
			// An endpoint's text about a failure may repeat the request.
			...(failure === undefined ? {} : { failure: this.keepsTexts ? this.words(failure) : notKept }),
		};
	}

	/** The end, besides its kind and who decided. */
	end({ reason, returned }: RecordedEnd): NonNullable<SamplingContents["end"]> {
		return {
			...(reason === undefined || !this.keepsTexts ? {} : { reason: this.words(reason) }),
			...(returned === undefined ? {} : { returned: this.texts(returned) }),
		};
	}

	private medium(medium: RecordedMedia): RecordedMedia {
		const { place, kind, mimeType, bytes } = medium;
		return this.keepsTexts ? medium : { place, kind, mimeType, bytes };
	}

	private texts(texts: readonly RecordedText[]): readonly RecordedText[] {
		return texts.slice(0, this.limits.texts).map((text) => this.recordedText(text));
	}

	private recordedText({ place, role, label, original, edited }: RecordedText): RecordedText {
		const came = this.text(original);
		const became = edited === undefined || edited === null ? undefined : this.text(edited);
		return {
			place: cap(place, 200),
			...(role === undefined ? {} : { role }),
			...(label === undefined || !this.keepsTexts ? {} : { label: this.words(label) }),
			original: came.text,
			...(came.whole === undefined ? {} : { originalWhole: came.whole }),
			...(edited === undefined ? {} : { edited: became?.text ?? null }),
			...(became?.whole === undefined ? {} : { editedWhole: became.whole }),
		};
	}

	private text(text: string): { readonly text: string; readonly whole?: WholeText } {
		if (!this.keepsTexts) return { text: "", whole: { length: text.length } };
		const room = Math.min(this.limits.text, Math.max(this.left, this.limits.beginning));
		this.left -= Math.min(text.length, room);
		if (text.length <= room) return { text };
		// A pair of surrogates is not cut in two.
		const end = /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) ? room - 1 : room;
		return { text: text.slice(0, end), whole: { length: text.length, sha256: sha256(text) } };
	}

	private parameters(parameters: Json): Json {
		const kept = this.keepsTexts ? parameters : masked(parameters);
		const json = JSON.stringify(kept);
		if (json.length <= this.limits.text) return kept;
		return this.text(json).text;
	}

	private words(text: string): string {
		return cap(text, this.limits.words);
	}
}

/** The record of an image or a recording at a place of a request: its type, size and hash, and no byte. */
export function recordedMedia(
	place: string,
	{ type, data, mimeType }: { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string },
): RecordedMedia {
	const bytes = Buffer.from(data, "base64");
	return {
		place,
		kind: type,
		mimeType: oneLine(mimeType, 100),
		bytes: bytes.length,
		sha256: sha256(bytes),
	};
}
