import type { RecordedText } from "../../records/activity/samplingRecord.ts";
import type { FindSecrets, Redaction } from "./redaction/redaction.ts";
import { callTexts, fieldsOf, removableOf } from "./fields.ts";
import type { SamplingRequest } from "./request.ts";
import { shownField } from "./review/reviewDocument.ts";
import type { ReviewPlace, RedactionView, RequestDraft, ReviewField } from "./review/reviewProtocol.ts";

/** The place of the context of servers. */
export const contextPlace: ReviewPlace = "context";

type Edits = Pick<RequestDraft, "changes" | "removed">;
const unchanged: Edits = { changes: {}, removed: [] };

/**
 * The places of numbers and choices: never secret, even if a pattern of the user matches; masked, they could not be
 * sent.
 */
const plain = new Set([
	"maxTokens",
	"temperature",
	"toolChoice",
	"costPriority",
	"speedPriority",
	"intelligencePriority",
]);

/** How many secrets are listed; a hostile server may send very many, and all of them are masked. */
const mostListed = 200;

/**
 * The texts of one request as they are shown: with secrets as marks, except those that the user revealed. Exactly these
 * texts are sent.
 */
export class RequestTexts {
	/** Where something can be taken out. */
	readonly removable: ReadonlySet<ReviewPlace>;
	private readonly request: SamplingRequest;
	private readonly fields: readonly ReviewField[];
	private readonly redaction: Redaction;
	private readonly shown = new Set<string>();
	private context: ReviewField | undefined;
	private current: ReadonlyMap<ReviewPlace, ReviewField>;
	/** The texts as received, with every secret as its mark. */
	private readonly came: ReadonlyMap<ReviewPlace, string>;

	/** Looks for secrets in the texts of a request, and in its context. Rejects when that is not possible. */
	static async of(
		request: SamplingRequest,
		during: string | undefined,
		findSecrets: FindSecrets,
	): Promise<RequestTexts> {
		const texts = fieldsOf(request).flatMap(({ place, original }) => (plain.has(place) ? [] : [original]));
		texts.push(...callTexts(request).values());
		return new RequestTexts(request, await findSecrets(during === undefined ? texts : [...texts, during]));
	}

	private constructor(request: SamplingRequest, redaction: Redaction) {
		this.request = request;
		this.fields = fieldsOf(request);
		this.removable = removableOf(request);
		this.redaction = redaction;
		this.current = this.masked();
		this.came = this.originals;
	}

	/** The searches that were not possible in the texts, and why; such a request must be reviewed. */
	get problems(): readonly string[] {
		return this.redaction.problems;
	}

	/** A text with every secret as its mark: the form that may be recorded. */
	mask(text: string): string {
		return this.redaction.mask(text);
	}

	/** All fields as they are shown, by place. */
	get byPlace(): ReadonlyMap<ReviewPlace, ReviewField> {
		return this.current;
	}

	/** The places of the texts that may be edited. */
	get places(): ReadonlySet<ReviewPlace> {
		return new Set([...this.current.keys(), contextPlace]);
	}

	/** The texts as they are shown, by place, and the names and ids of tool calls as they are sent. */
	get originals(): ReadonlyMap<ReviewPlace, string> {
		const texts = Array.from(this.current, ([place, { original }]) => [place, original] as const);
		const calls = Array.from(callTexts(this.request), ([place, text]) => [place, this.maskAt(place, text)] as const);
		return new Map([...texts, ...calls]);
	}

	/** The masked secrets, in the order of the texts. */
	get redactions(): readonly RedactionView[] {
		return this.redaction.marks
			.slice(0, mostListed)
			.map(({ id, label, mark, count }) => ({ id, label, mark, count, isShown: this.shown.has(id) }));
	}

	/**
	 * Adds the text of the context that the user ticked, with its secrets masked, or takes it away. Changes nothing when
	 * the signal is aborted before its secrets are found: the user has chosen another one meanwhile.
	 */
	async setContext(text: string | undefined, signal: AbortSignal): Promise<void> {
		if (text !== undefined) await this.redaction.take([text]);
		if (signal.aborted) return;
		this.context =
			text === undefined
				? undefined
				: { place: contextPlace, kind: "text", label: "Context of servers", original: text };
		this.current = this.masked();
	}

	/**
	 * Reveals a secret in its places, or hides it again; returns the edits with the same change, or undefined when there
	 * is no such secret.
	 */
	show(id: string, isShown: boolean, changes: RequestDraft["changes"]): RequestDraft["changes"] | undefined {
		if (this.shown.has(id) === isShown || !this.redaction.marks.some((mark) => mark.id === id)) return undefined;
		if (isShown) this.shown.add(id);
		else this.shown.delete(id);
		this.current = this.masked();
		const only = new Set([id]);
		return Object.fromEntries(
			Object.entries(changes).map(([place, text]) => [
				place,
				isShown ? this.redaction.unmask(text, only) : this.maskAt(place, text),
			]),
		);
	}

	/** The received texts and the final ones, all with every secret as its mark: the form for the record. */
	recorded({ changes, removed }: Edits = unchanged): readonly RecordedText[] {
		const isWithin = (place: ReviewPlace, whole: ReviewPlace): boolean =>
			place === whole || place.startsWith(`${whole}.`);
		const fields = this.all();
		const texts = fields.map(({ place, kind, label, original }): RecordedText => {
			// The context is the host's: it was not in the request.
			const left = changes[place] ?? (place === contextPlace ? original : undefined);
			const isRemoved = removed.some((whole) => isWithin(place, whole));
			const role = this.roleAt(place);
			return {
				place,
				...(role !== undefined && { role }),
				// For a tool call the text is its arguments alone.
				...(role !== undefined && kind === "json" && { label: this.mask(label) }),
				original: this.came.get(place) ?? "",
				...(isRemoved ? { edited: null } : left !== undefined && { edited: this.mask(left) }),
			};
		});
		const others = removed.filter((whole) => !fields.some(({ place }) => isWithin(place, whole)));
		return [...texts, ...others.map((place): RecordedText => ({ place, original: "", edited: null }))];
	}

	private roleAt(place: ReviewPlace): "user" | "assistant" | undefined {
		const index = /^message\.(\d+)/.exec(place)?.[1];
		return index === undefined ? undefined : this.request.messages[Number(index)]?.role;
	}

	private all(): readonly ReviewField[] {
		return this.context === undefined ? this.fields : [...this.fields, this.context];
	}

	private maskAt(place: ReviewPlace, text: string): string {
		return plain.has(place) ? text : this.redaction.mask(text, this.shown);
	}

	private masked(): ReadonlyMap<ReviewPlace, ReviewField> {
		return new Map(
			this.all().map((field) => [field.place, shownField(field, this.maskAt(field.place, field.original))]),
		);
	}
}
