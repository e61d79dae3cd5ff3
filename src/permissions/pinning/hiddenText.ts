import { isJsonObject } from "../../base/json.ts";
import { hiddenCharactersOf } from "../../base/text.ts";
import type { Tool } from "../../servers/sessions/session.ts";

/** How many characters of a definition's texts are searched, and how many values of its schemas. */
const mostText = 200_000;
const mostValues = 20_000;

/** The name of a text's hidden characters, the narrowest name first. */
const kinds: readonly (readonly [word: string, pattern: RegExp])[] = [
	["tag", /^[\u{E0000}-\u{E007F}]$/u],
	["bidirectional", /^\p{Bidi_Control}$/u],
	// Where a terminal would begin to obey.
	["escape", new RegExp(`^[${String.fromCharCode(0x1b, 0x9b)}]$`, "u")],
	["control", /^\p{Cc}$/u],
	["zero-width", /^[\u200B-\u200D\u2060\uFEFF]$/u],
	["private-use", /^\p{Co}$/u],
	["invisible", /^/u],
];
/** Most texts contain nothing else, which is checked much faster than the rest. */
const everyday = /^[\t\n -~]*$/;
const privateUse = /\p{Co}/gu;

/** The findings in the texts of a definition. */
export interface HiddenText {
	/** How many characters of which kind: `12 tag, 3 zero-width`; empty without any. */
	readonly counts: string;
	/** The names of the fields that hold them. */
	readonly fields: readonly string[];
	/** Whether the search was incomplete. */
	readonly isIncomplete: boolean;
}

/**
 * The characters in a tool's texts that are invisible, or that look different everywhere (TOL-08): those of its name,
 * titles, description and schemas, names of properties included. Searches a bounded part of them.
 */
export function hiddenTextOf(tool: Tool): HiddenText {
	const { name, title, annotations, description, inputSchema, outputSchema } = tool;
	const counts = new Map<string, number>();
	const fields = new Set<string>();
	let left = mostText;
	let isIncomplete = false;
	const look = (field: string, text: string): void => {
		if (text.length > left) isIncomplete = true;
		const part = text.slice(0, left);
		left -= part.length;
		const found = hiddenIn(part);
		if (found.length > 0) fields.add(field);
		for (const character of found) {
			const kind = kinds.find(([, pattern]) => pattern.test(character))?.[0] ?? "";
			counts.set(kind, (counts.get(kind) ?? 0) + 1);
		}
	};
	look("name", name);
	look("title", `${title ?? ""}\n${annotations?.title ?? ""}`);
	look("description", description ?? "");
	for (const [field, schema] of [
		["input schema", inputSchema],
		["output schema", outputSchema],
	] as const) {
		const { texts, isAll } = textsIn(schema);
		isIncomplete ||= !isAll;
		for (const text of texts) look(field, text);
	}
	const words = kinds.flatMap(([kind]) =>
		counts.has(kind) ? [`${(counts.get(kind) ?? 0).toLocaleString("en-US")} ${kind}`] : [],
	);
	return { counts: words.join(", "), fields: [...fields], isIncomplete };
}

function hiddenIn(text: string): readonly string[] {
	// Ends of lines as Windows writes them hide nothing.
	const lines = text.replaceAll("\r\n", "\n");
	if (everyday.test(lines)) return [];
	return [...hiddenCharactersOf(lines), ...(lines.match(privateUse) ?? [])];
}

/** The texts in a JSON value, names of members included, up to the search limit. */
function textsIn(value: unknown): { readonly texts: readonly string[]; readonly isAll: boolean } {
	const texts: string[] = [];
	const waiting = [value];
	for (let seen = 0; waiting.length > 0; seen++) {
		if (seen >= mostValues) return { texts, isAll: false };
		const one = waiting.pop();
		if (typeof one === "string") texts.push(one);
		else if (Array.isArray(one)) waiting.push(...(one as readonly unknown[]).slice(0, mostValues));
		else if (isJsonObject(one)) {
			const members = Object.entries(one).slice(0, mostValues);
			texts.push(...members.map(([name]) => name));
			waiting.push(...members.map(([, inner]) => inner));
		}
	}
	return { texts, isAll: true };
}
