import type { FilledField } from "./formFill.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { silentLog } from "../../base/log.ts";
import { cap, showHidden } from "../../base/text.ts";
import { CompletionFeed, type CompletionQuery } from "../completion/feed.ts";
import type { FieldInput, FieldSuggestions, FormField, Suggestion } from "./formProtocol.ts";
import type { FormQuestion } from "./formQuestion.ts";

/** A longer value is not offered: it could not be recognized by its row. */
const valueLimit = 10_000;

/** How many of the earlier values precede the others. */
const recentLimit = 10;

/** How much of a value its row shows. */
const labelLimit = 200;

const lineBreak = /\r\n|\r|\n/;

/** A field whose list is open: its id, the name of its value, its kind, and the content of its control. */
export interface OpenField extends FilledField {
	readonly input: FieldInput;
}

/** The subject of suggestions. */
interface Wish extends OpenField {
	/** All that is entered. */
	readonly value: JsonObject;
	/** The reference to complete. */
	readonly text: string;
}

/**
 * The suggestions for the field whose list is open: the user's earlier values there, then the question's suggestions
 * for the current text. Only the answer to the latest request is ever shown.
 */
export class FormSuggestions implements Disposable {
	private readonly question: FormQuestion;
	private readonly feed: CompletionFeed;
	private wish: Wish | undefined;
	/** The input of each question to the feed. */
	private readonly wishes = new WeakMap<CompletionQuery, Wish>();
	private readonly changed = new Emitter<FieldSuggestions>();
	readonly onDidChange: Event<FieldSuggestions> = this.changed.event;

	constructor(question: FormQuestion) {
		this.question = question;
		this.feed = new CompletionFeed(async (query, signal) => {
			const wish = this.wishes.get(query);
			const answer = wish && (await question.complete?.(wish.name, wish.value, signal, wish.text));
			return answer ?? { values: [] };
		}, question.log ?? silentLog);
		this.feed.onDidChange(() => this.announce());
	}

	/** Asks for the suggestions for a field, or for one line of a list. Ignored for a field that has none. */
	request(open: OpenField, value: JsonObject, line: unknown): void {
		const { id, name, field, input } = open;
		if (field.kind !== "text" && field.kind !== "number") return;
		if (!(this.canAsk(field) || field.recent !== undefined)) return;
		const text = textToComplete(field, input, line);
		if (text === undefined) {
			// The earlier suggestions were for another text, and so is a pending answer.
			this.wish = undefined;
			this.changed.fire({ field: id, groups: [], isBusy: false });
			return;
		}
		this.wish = { ...open, value, text };
		if (this.canAsk(field)) {
			const known = Object.entries(value).map(([member, entered]) => [member, JSON.stringify(entered)] as const);
			const query = { name, value: text, known: Object.fromEntries(known) };
			this.wishes.set(query, this.wish);
			this.feed.request(query);
		} else {
			this.announce();
		}
	}

	dispose(): void {
		this.feed.dispose();
		this.changed.dispose();
	}

	private announce(): void {
		if (this.wish === undefined) return;
		const { id, field, text } = this.wish;
		const isAsked = this.canAsk(field);
		const sought = text.toLowerCase();
		const fits = (value: string): boolean => value.toLowerCase().includes(sought);
		// In place of one line of a list, a value of several lines would be several values.
		const isOffered = (value: string): boolean => value !== text && !(isList(field) && lineBreak.test(value));
		const recent = (field.recent ?? []).filter((value) => isOffered(value) && fits(value)).slice(0, recentLimit);
		// Which values suit the text is the server's affair; those of its last answer are old while the next is awaited.
		const answer = isAsked ? this.feed.values.filter((value) => !this.feed.isBusy || fits(value)) : [];
		const values = answer.filter((value) => isOffered(value) && !recent.includes(value));
		// The note counts the whole answer: it would be wrong about a part of it.
		const note = isAsked && answer.length === this.feed.values.length ? this.feed.note : undefined;
		this.changed.fire({
			field: id,
			groups: [
				{ label: "Recently used", rows: rowsOf(recent) },
				{ label: "Suggestions", rows: rowsOf(values) },
			].filter(({ rows }) => rows.length > 0),
			...(note === undefined ? {} : { note }),
			isBusy: isAsked && this.feed.isBusy,
		});
	}

	private canAsk(field: FormField): boolean {
		return field.suggests === true && this.question.complete !== undefined;
	}
}

function isList(field: FormField): boolean {
	return field.kind === "text" && field.isList === true;
}

/** The line of a list, or all of another text; undefined where there is nothing to complete: in a text of several lines. */
function textToComplete(field: FormField, value: FieldInput, line: unknown): string | undefined {
	if (typeof value !== "string") return undefined;
	const lines = value.split(lineBreak);
	if (isList(field)) return typeof line === "number" ? lines[line] : undefined;
	return lines.length === 1 ? value : undefined;
}

function rowsOf(values: readonly string[]): readonly Suggestion[] {
	return [...new Set(values)]
		.filter((value) => value !== "" && value.length <= valueLimit)
		.map((value) => ({ value, label: cap(showHidden(value.replace(/\n/g, "⏎")), labelLimit) }));
}
