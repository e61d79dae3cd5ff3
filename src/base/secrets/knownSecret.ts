/** A secret that the host knows. Not to be kept, logged or shown. */
export interface KnownSecret {
	readonly value: string;
	/** The kind, short and without names, for its mark: `API key`. */
	readonly name: string;
	/** The secret's description for the user: `API key of Ollama`. */
	readonly label: string;
}

const shortest = 4;
const longest = 20_000;
/** From this length on, a value of letters alone is not part of another word by chance. */
const telling = 12;

/** Values that nobody means to hide, although they are in places of secrets. */
const common = new Set(
	"test root admin user guest demo none null true false main data 1234 12345 password passwort passwd passphrase secret secrets token apikey default example changeme change-me undefined string number boolean object enabled disabled required optional development production staging testing localhost username administrator anonymous bearer public private unknown nothing never-mind please 123456 12345678 123456789 1234567890 000000 111111 qwerty letmein".split(
		" ",
	),
);

/** One way in which a secret may be written. */
export interface Writing {
	readonly text: string;
	/** Its encoding, such as `in base64`; empty for the secret itself. */
	readonly how: string;
	/** Counts only as a whole word, because it might be part of another word; see `standsAlone`. */
	readonly isWhole: boolean;
}

/**
 * The texts to look for where a secret may be: its value, and its spellings in JSON, in addresses and in base64. Empty
 * for a value that is too short or too common to be distinguished from other text.
 */
export function writingsOf(value: string): readonly Writing[] {
	const text = value.trim();
	if (!isRecognizable(text)) return [];
	const encoded = (forms: readonly string[], how: string): readonly Writing[] =>
		forms.map((form) => ({ text: form, how, isWhole: false }));
	const writings = [
		{ text, how: "", isWhole: isPlain(text) },
		...encoded(jsonForms(text), "in JSON"),
		...encoded(addressForms(text), "in an address"),
		...encoded(base64Forms(text), "in base64"),
	];
	const seen = new Set<string>();
	return writings.filter((one) => one.text.length >= shortest && !seen.has(one.text) && seen.add(one.text));
}

/** Whether a value can be looked for in texts without false matches. */
export function isRecognizable(text: string): boolean {
	const signs = Math.min(4, text.length - 1);
	return (
		text.length >= shortest && text.length <= longest && !common.has(text.toLowerCase()) && new Set(text).size >= signs
	);
}

/** Whether a value could be a part of other words. */
export function isPlain(text: string): boolean {
	return text.length < telling && (text.length < 8 || /^(?:\p{L}+|\d+)$/u.test(text));
}

/** Characters that JSON writers escape for web pages although they need not: Go; Gson; .NET; and others. */
const escapedSigns = [/[<>&]/g, /[<>&=']/g, /\\"|[<>&'+`]/g, /[<>&'+=]/g, /\\"|[<>&']/g];

function jsonForms(text: string): readonly string[] {
	const once = JSON.stringify(text).slice(1, -1);
	const ascii = once.replace(/[\u0080-\uffff]/g, unicodeEscape);
	const plain = [once, ascii];
	const escaped = plain.concat(
		escapedSigns.flatMap((signs) => plain.map((form) => form.replace(signs, (sign) => unicodeEscape(sign.slice(-1))))),
	);
	const upper = escaped.map((form) => form.replace(/(?<=\\u)[\da-f]{4}/g, (digits) => digits.toUpperCase()));
	const forms = [...escaped, ...upper];
	return [...forms, ...forms.map((form) => form.replaceAll("/", "\\/")), JSON.stringify(once).slice(1, -1)];
}

function unicodeEscape(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function addressForms(text: string): readonly string[] {
	const whole = text.toWellFormed();
	const component = encodeURIComponent(whole);
	const strict = component.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
	const forms = [
		component,
		strict,
		strict.replaceAll("%20", "+"),
		strict.replaceAll("%2F", "/"),
		encodeURI(whole),
		...parsedForms(whole),
	];
	const lower = (form: string): string => form.replace(/%[\dA-F]{2}/g, (triplet) => triplet.toLowerCase());
	return [...forms, ...forms.map(lower)];
}

/**
 * How a parser of addresses writes the text in each of their parts (WHATWG URL, 1.3): it leaves other characters than
 * `encodeURIComponent` does, and in addresses that are not of the web other ones again.
 */
function parsedForms(text: string): readonly string[] {
	return ["https://h/", "x://h/"].flatMap((start) => {
		const parsed = ["", "?", "#"].map((part) => new URL(`${start}${part}x${text}x`).href);
		const set = (["pathname", "search", "hash", "password"] as const).map(
			(part) => Object.assign(new URL(start), { [part]: `x${text}x` }).href,
		);
		// The parts that a parser leaves out, such as `/../`, change the text.
		return [...parsed, ...set].flatMap((href) => /^\w+:\/\/:?(?:h\/[?#]?)?x(.*)x(?:@h\/)?$/s.exec(href)?.[1] ?? []);
	});
}

/** The characters of base64 that encode only the text, at any offset in the encoded data. */
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

/**
 * The text that may precede a word: nothing, a character other than a letter or digit, or an escape of JSON or of an
 * address.
 */
const before = /(?:^|[^\p{L}\p{N}_]|\\[nrtbf]|%[\dA-F]{2}|\\u[\dA-F]{4})$/iu;
const behind = /^(?:$|[^\p{L}\p{N}_])/u;

/** Whether no letter or digit is beside a place in a text. */
export function standsAlone(text: string, start: number, end: number): boolean {
	return before.test(text.slice(Math.max(0, start - 6), start)) && behind.test(text.slice(end, end + 2));
}
