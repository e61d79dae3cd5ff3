import { isJsonObject } from "../../../base/json.ts";
import { oneLine } from "../../../base/text.ts";
import type { ModelInfo, ModelStopReason } from "../../../models/model.ts";
import type { RecordedText } from "../../../records/activity/samplingRecord.ts";
import type { Completion, CompletionPart } from "../answer.ts";
import { completionFields, parseCompletionDraft, readCompletion } from "./completionDraft.ts";
import type { DraftProblem } from "../fields.ts";
import { shownField } from "./reviewDocument.ts";
import type { CompletionDraft, CompletionView, ReviewField, ReviewState } from "./reviewProtocol.ts";

/** The model name for the server if a user answers by hand. */
const byHand = "human";

/** A completion of a model, as received. */
export interface NewAttempt {
	readonly model: ModelInfo;
	/** The model's name for the server: as the endpoint reports it. */
	readonly modelName: string;
	readonly parts: readonly CompletionPart[];
	readonly stopReason: ModelStopReason | undefined;
	/** The model's thoughts; empty if it reported none. */
	readonly thoughts: string;
	/** Why it ended, for users. */
	readonly note: string;
	/** Its cost, for users. */
	readonly used: string;
}

interface Attempt extends Omit<NewAttempt, "model" | "used"> {
	readonly number: number;
	/** Undefined for an answer by hand. */
	readonly model: ModelInfo | undefined;
	readonly used: string | undefined;
	readonly fields: readonly ReviewField[];
	draft: CompletionDraft;
}

/**
 * The completions of one review: each is kept with the user's changes, and one is under review. A text is one field and
 * each tool call another; an answer without any text has an empty one, which the user may fill.
 */
export class Attempts {
	private readonly all: Attempt[] = [];
	private current: Attempt | undefined;

	/** Puts another completion under review. */
	add(attempt: NewAttempt): void {
		this.current = this.keep(attempt);
	}

	/** Keeps another completion to look at; an earlier one stays under review. */
	addAside(attempt: NewAttempt): void {
		const added = this.keep(attempt);
		this.current ??= added;
	}

	/** Puts a completion that the user writes under review: an empty one, or the one begun before. */
	addByHand(): void {
		const begun = this.all.find(({ model }) => model === undefined);
		const note = "You write this answer. No model is used.";
		const empty = { model: undefined, modelName: byHand, parts: [], stopReason: "endTurn", thoughts: "", note };
		this.current = begun ?? this.keep({ ...empty, used: undefined });
	}

	/** Whether the completion under review is the user's own. */
	get isByHand(): boolean {
		return this.current !== undefined && this.current.model === undefined;
	}

	/** The completion under review. */
	get view(): CompletionView | undefined {
		if (this.current === undefined) return undefined;
		const { number, model, modelName, fields, draft, thoughts, note, used } = this.current;
		return {
			attempt: number,
			model: model === undefined ? undefined : modelName,
			fields,
			draft,
			...(thoughts !== "" && { thoughts }),
			note,
			...(used !== undefined && { used }),
		};
	}

	/** The completions to go back to, in the order of their arrival. */
	get labels(): ReviewState["attempts"] {
		return this.all.map(({ number, model, fields, draft }) => {
			const text = oneLine(draft.changes["text"] ?? fields[0]?.original ?? "", 40);
			const label = `${number} · ${model === undefined ? "by hand" : oneLine(model.name, 60)}`;
			return { attempt: number, label: text === "" ? label : `${label} · ${text}` };
		});
	}

	/** Brings an earlier completion back under review; false when there is none with that number. */
	show(number: unknown): boolean {
		const found = this.all.find((attempt) => attempt.number === number);
		if (found !== undefined) this.current = found;
		return found !== undefined;
	}

	/** Keeps the user's draft of a completion; an invalid draft changes nothing (UI-06). */
	edit(raw: unknown): void {
		const number: unknown = isJsonObject(raw) ? raw["attempt"] : undefined;
		const attempt = this.all.find((one) => one.number === number);
		const draft = attempt && parseCompletionDraft(raw, attempt.parts);
		if (attempt !== undefined && draft !== undefined) attempt.draft = draft;
	}

	/**
	 * The completion under review with this draft's changes, or what must be changed first. Undefined for a draft of
	 * another completion, which cannot be returned.
	 */
	read(raw: unknown): Completion | DraftProblem | undefined {
		const draft = this.current && parseCompletionDraft(raw, this.current.parts);
		if (this.current === undefined || draft?.attempt !== this.current.number) return undefined;
		this.current.draft = draft;
		const { parts, modelName: model, stopReason } = this.current;
		const read = readCompletion(parts, draft);
		return "problem" in read ? read : { parts: read, model, stopReason };
	}

	/** The completion under review with the user's changes, for the record; `mask` hides secrets. */
	recorded(mask: (text: string) => string): readonly RecordedText[] {
		if (this.current === undefined) return [];
		const { fields, draft } = this.current;
		return recordedFields(fields, draft, mask);
	}

	private keep(attempt: Omit<Attempt, "number" | "fields" | "draft">): Attempt {
		const number = this.all.length + 1;
		const fields = completionFields(attempt.parts).map((field) => shownField(field, field.original));
		const added = { ...attempt, number, fields, draft: { attempt: number, changes: {}, removed: [] } };
		this.all.push(added);
		return added;
	}
}

/** A completion as received, for the record; `mask` hides secrets. */
export function recordedParts(
	parts: readonly CompletionPart[],
	mask: (text: string) => string,
): readonly RecordedText[] {
	return recordedFields(completionFields(parts), { changes: {}, removed: [] }, mask);
}

function recordedFields(
	fields: readonly ReviewField[],
	{ changes, removed }: Pick<CompletionDraft, "changes" | "removed">,
	mask: (text: string) => string,
): readonly RecordedText[] {
	return fields.map(({ place, kind, label, original }): RecordedText => {
		const edited = removed.includes(place) ? null : changes[place];
		const came = { place, ...(kind === "json" && { label: mask(label) }), original: mask(original) };
		return edited === undefined ? came : { ...came, edited: edited === null ? null : mask(edited) };
	});
}
