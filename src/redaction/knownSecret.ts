import { ranks } from "./finding.ts";
import type { SecretWord } from "./wordSearch.ts";

/** A secret that the host knows. Not to be kept, logged or shown. */
export interface KnownSecret {
	readonly value: string;
	/** What it is, short and without names, for its mark: `API key`. */
	readonly name: string;
	/** What it is, for the person: `API key of Ollama`. */
	readonly label: string;
}

const shortest = 6;
const longest = 20_000;
/** From this length on a value of letters alone is no part of another word by chance. */
const telling = 12;

/** What values may be that no one means to hide, although they stand where secrets do. */
const common = new Set(
	"password passwort passwd passphrase secret secrets token apikey default example changeme change-me undefined string number boolean object enabled disabled required optional development production staging testing localhost username administrator anonymous bearer public private unknown nothing never-mind please 123456 12345678 123456789 1234567890 000000 111111 qwerty letmein".split(
		" ",
	),
);

/**
 * What to look for where a secret may stand: its value, and how that is written in JSON, in addresses and in base64.
 * Nothing for what is too short or too common to be told from other text.
 */
export function wordsOf({ value, name, label }: KnownSecret): readonly SecretWord[] {
	const text = value.trim();
	if (!canBeTold(text)) return [];
	const word = (form: string, how: string): SecretWord => ({
		text: form,
		kind: { name, label: how === "" ? label : `${label}, ${how}`, rank: ranks.known },
		isWhole: how === "" && isPlain(text),
	});
	const words = [word(text, "")];
	for (const form of jsonForms(text)) words.push(word(form, "in JSON"));
	for (const form of addressForms(text)) words.push(word(form, "in an address"));
	for (const form of base64Forms(text)) words.push(word(form, "in base64"));
	const seen = new Set<string>();
	return words.filter((one) => one.text.length >= shortest && !seen.has(one.text) && seen.add(one.text));
}

/** Whether a value can be looked for in texts without finding what is none. */
export function canBeTold(text: string): boolean {
	return (
		text.length >= shortest && text.length <= longest && !common.has(text.toLowerCase()) && new Set(text).size >= 4
	);
}

/** Whether a value could be a part of other words. */
export function isPlain(text: string): boolean {
	return text.length < telling && (text.length < 8 || /^(?:\p{L}+|\d+)$/u.test(text));
}

function jsonForms(text: string): readonly string[] {
	const once = JSON.stringify(text).slice(1, -1);
	const ascii = once.replace(
		/[\u0080-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
	return [once, JSON.stringify(once).slice(1, -1), ascii, once.replaceAll("/", "\\/")];
}

function addressForms(text: string): readonly string[] {
	const component = encodeURIComponent(text.toWellFormed());
	const strict = component.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
	const forms = [component, strict, strict.replaceAll("%20", "+")];
	const lower = (form: string): string => form.replace(/%[\dA-F]{2}/g, (triplet) => triplet.toLowerCase());
	return [...forms, ...forms.map(lower)];
}

/** The characters of base64 that stand for the text alone, wherever in the encoded data it begins. */
function base64Forms(text: string): readonly string[] {
	const bytes = Buffer.from(text);
	return [0, 1, 2].flatMap((offset) => {
		const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
		const first = Math.ceil((offset * 8) / 6);
		const last = Math.floor(((offset + bytes.length) * 8) / 6);
		const form = encoded.slice(first, last);
		return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
	});
}
