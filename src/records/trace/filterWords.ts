import { filterFields, termsOf } from "./filter.ts";
import { oneOf, keysOf } from "../../base/guards.ts";

/** A completion in a filter: it replaces `from` to `to` of the text. */
export interface FilterWords {
	readonly from: number;
	readonly to: number;
	readonly words: readonly FilterWord[];
}

/** One of them. */
export interface FilterWord {
	/** The inserted text, with a blank after it if the word is complete. */
	readonly insert: string;
	readonly label: string;
	/** Its meaning, in a few words. */
	readonly description: string;
}

/** The values that occur in the trace, by the field that has them. */
export type KnownValues = Readonly<Partial<Record<keyof typeof filterFields, readonly string[]>>>;

/** A filter with a name, for frequent questions. */
export interface FilterPreset {
	readonly label: string;
	readonly filter: string;
}

export const filterPresets: readonly FilterPreset[] = [
	{ label: "Errors", filter: "status:error" },
	{ label: "Waiting", filter: "status:waiting" },
	{ label: "Slow", filter: ">1s" },
	{ label: "Sent Again", filter: "status:retried" },
	{ label: "Bursts", filter: "status:burst" },
	{ label: "What the Model Did", filter: "origin:model" },
	{ label: "Sign-In", filter: "status:sign-in" },
	{ label: "Apps", filter: "origin:app" },
];

/** The meanings of the values that always exist. */
const fixedValues: Readonly<Partial<Record<keyof typeof filterFields, Readonly<Record<string, string>>>>> = {
	status: {
		error: "anything that went wrong",
		ok: "completed without an error",
		waiting: "not answered yet",
		"tool-error": "the tool reported an error",
		cancelled: "cancelled before it ended",
		"timed-out": "no answer before the timeout",
		refused: "never sent: denied by a rule or by you",
		unanswered: "the connection ended before the answer",
		"sign-in": "related to sign-in",
		retried: "sent more than once",
		burst: "100 or more notifications of one kind",
	},
	origin: {
		user: "you",
		model: "a model, in the chat",
		app: "an app of a server",
		server: "the server asked MCP Host",
		host: "MCP Host",
	},
};

const sizes: readonly FilterWord[] = [
	{ insert: ">500ms ", label: ">500ms", description: "took longer, without the time that waited for you" },
	{ insert: ">100KB ", label: ">100KB", description: "more bytes, sent and received" },
];

/** Most words that are offered at once. */
const most = 50;

/** The completions at the caret of a filter: fields, and the values of the current field. */
export function completeFilter(text: string, caret: number, known: KnownValues): FilterWords {
	const before = text.slice(0, caret);
	const term = termsOf(before).at(-1);
	if (term === undefined || term.end < before.length) return { from: caret, to: caret, words: fieldWords("", "") };
	if (term.field === undefined) {
		const sign = term.isNegated ? "-" : "";
		const typed = before.slice(term.start + sign.length);
		return { from: term.start, to: caret, words: fieldWords(typed, sign) };
	}
	const field = oneOf(keysOf(filterFields), term.field);
	if (field === undefined) return { from: caret, to: caret, words: [] };
	const from = term.isQuoted ? term.valueStart : term.valueStart + before.slice(term.valueStart).lastIndexOf(",") + 1;
	const typed = before.slice(from).replaceAll('"', "").toLowerCase();
	const fixed = fixedValues[field] ?? {};
	const values = [...new Set([...Object.keys(fixed), ...(known[field] ?? [])])];
	const words = values
		.filter((value) => value.toLowerCase().includes(typed))
		.sort((a, b) => Number(b.toLowerCase().startsWith(typed)) - Number(a.toLowerCase().startsWith(typed)))
		.slice(0, most)
		.map((value): FilterWord => {
			const description = Object.hasOwn(fixed, value) ? (fixed[value] ?? "") : "";
			return { insert: `${quoted(value)} `, label: value, description };
		});
	return { from, to: caret, words };
}

function fieldWords(typed: string, sign: string): readonly FilterWord[] {
	const fields = Object.entries(filterFields).map(([field, description]): FilterWord => {
		return { insert: `${sign}${field}:`, label: `${field}:`, description };
	});
	const bounds = sizes.map(({ insert, label, description }): FilterWord => ({
		insert: sign + insert,
		label,
		description,
	}));
	const negation: readonly FilterWord[] =
		typed === "" && sign === "" ? [{ insert: "-", label: "-", description: "before a term: excludes matches" }] : [];
	const wanted = typed.toLowerCase();
	return [...fields, ...bounds, ...negation].filter(({ label }) => label.startsWith(wanted));
}

/** The filter that finds exactly the entries with these values. */
export function filterOf(values: Readonly<Partial<Record<keyof typeof filterFields, string>>>): string {
	return Object.entries(values)
		.map(([field, value]) => `${field}:${quoted(value)}`)
		.join(" ");
}

/** A value in the form that a filter reads. Quotes within cannot be written, and match any character. */
function quoted(value: string): string {
	const plain = value.replaceAll('"', "*");
	return /[\s,]/.test(plain) ? `"${plain}"` : plain;
}
