import { type Json, isJsonObject, type JsonObject } from "../json.ts";
import { type FoundSecret, findForm, type Form, mergeFound } from "./finding.ts";
import { isPlaceholder } from "./placeholder.ts";
import { findPrivateKeys } from "./privateKeys.ts";
import { isSchemaMember, password, placedForms, secretValue } from "./placedForms.ts";
import { issuedForms, looseForm, machineMade, tokenForms, writtenForms } from "./secretForms.ts";
import { asksInWords, isConfiguredName, isMemberBelow, nameSort } from "./secretNames.ts";

/**
 * The place of a value. `text`: in prose, logs or programs, where only unmistakable secrets count. `data`: in a
 * message, as a member, an argument or a header, where names count as well. `entry`: in the configuration of a server,
 * where users put keys. `asked`: in a form, where the words of users count.
 */
export type SecretContext = "text" | "data" | "entry" | "asked";

/**
 * The places of a value that hold secrets, in order and without overlaps: by the name of the value, by names within it
 * (`token=…`, `"pin": …`, `Api-Key: …`), by addresses with passwords, and by the forms of keys and tokens. References
 * such as `${env:X}` are not secrets, unless their default is one. Everything that is stored, shown or sent is judged
 * here (SEC-02).
 */
export function secretsIn(name: string, value: string, context: SecretContext): readonly FoundSecret[] {
	if (value.length < 2 && name === "") return [];
	if (context === "text") return mergeFound(byForm(value));
	const { plain, secret: references } = withoutReferences(name, value, context);
	const found = [
		...byForm(plain),
		...findForm(looseForm, plain),
		...findForms(looselyPlaced, plain),
		...byPlace(plain, context),
		...byMachine(plain),
	];
	if (isNamed(name, context)) found.push(...wholeOf(plain));
	return mergeFound([...references, ...mergeFound(found).flatMap((place) => besideReferences(plain, place))]);
}

/** Whether a name says that its value is a secret, or a value holds one. A name alone is judged without a value. */
export function isSecret(name: string, value: string | undefined, context: SecretContext): boolean {
	return isNamed(name, context) || (value !== undefined && secretsIn("", value, context).length > 0);
}

/** Whether a text or the name of a member indicates that a value may hold a secret, at any depth. */
export function holdsSecrets(value: Json | undefined, context: SecretContext = "data"): boolean {
	if (typeof value === "string") return isSecret("", value, context);
	if (Array.isArray(value)) return (value as readonly Json[]).some((part) => holdsSecrets(part, context));
	if (!isJsonObject(value)) return false;
	return Object.entries(value).some(([name, part]) => {
		return (
			[name, judgedName(value, name, "", context)].some((one) => isSecret(one, one, context)) ||
			holdsSecrets(part, context)
		);
	});
}

const holder = /^@?(?:value|val|default)$/i;
const namer = /^@?(?:name|key|id|header|variable|field|env|parameter|setting)$/i;

/**
 * The name by which a member of an object is judged: its own; in a pair such as `{"name": "API_KEY", "value": …}` the value of
 * the other member; or that of the object itself, where it is a secret's and its members are parts of it.
 */
export function judgedName(object: JsonObject, key: string, owner: string, context: SecretContext): string {
	if (isNamed(key, context)) return key;
	const value = object[key];
	if (holder.test(key)) {
		for (const [other, name] of Object.entries(object)) {
			if (!namer.test(other) || typeof name !== "string" || name.length > 200 || !isNamed(name, context)) continue;
			// A label of several words may belong to an action, such as `reset_password`.
			if (!name.includes(" ") || typeof value !== "string" || /\d/.test(value)) return name;
		}
	}
	if (owner === "" || typeof value !== "string" || !isNamed(owner, context)) return key;
	if (!isMemberBelow(key, value) || Object.entries(object).some(([other, one]) => isSchemaMember(other, one)))
		return key;
	return owner;
}

/** Whether a property of a schema is meant for a secret by its format, or by its title or name, at any depth. */
export function asksForSecret(schema: Json | undefined): boolean {
	if (Array.isArray(schema)) return (schema as readonly Json[]).some(asksForSecret);
	if (!isJsonObject(schema)) return false;
	const { format, writeOnly, title, description } = schema;
	if (format === "password" || writeOnly === true) return true;
	if ([title, description].some((text) => typeof text === "string" && isNamed(text, "asked"))) return true;
	return Object.values(schema).some(asksForSecret);
}

/** The value with the result of `mark` in place of each secret. */
export function withoutSecrets(
	name: string,
	value: string,
	context: SecretContext,
	mark: (secret: string, kind: FoundSecret["kind"], name: string | undefined) => string,
): string {
	let shown = "";
	let end = 0;
	for (const place of secretsIn(name, value, context)) {
		shown += value.slice(end, place.start) + mark(value.slice(place.start, place.end), place.kind, place.name);
		end = place.end;
	}
	return shown + value.slice(end);
}

/** A sender's words with `(secret)` in place of keys and tokens that are recognized by their form. */
export function wordsWithoutSecrets(text: string): string {
	return withoutSecrets("", text, "text", () => "(secret)");
}

function isNamed(name: string, context: SecretContext): boolean {
	if (name === "" || context === "text") return false;
	if (context === "entry") return isConfiguredName(name);
	return nameSort(name) !== undefined || (context === "asked" && asksInWords(name));
}

/** All beginnings of tokens in one expression: most texts have none. */
const allForms = [...tokenForms, ...issuedForms, ...writtenForms];
const hints = new RegExp(
	[...new Set(allForms.flatMap((form) => form.hints ?? []))]
		.map((hint) => hint.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
		.join("|"),
);

function byForm(text: string): readonly FoundSecret[] {
	if (text.length < 8) return [];
	return [...findForms(allForms, text), ...(text.includes("-----BEGIN ") ? findPrivateKeys(text) : [])];
}

function findForms(forms: readonly Form[], text: string): readonly FoundSecret[] {
	const isHinted = hints.test(text);
	return forms.flatMap((form) => {
		if (form.hints !== undefined && (!isHinted || !form.hints.some((hint) => text.includes(hint)))) return [];
		return findForm(form, text);
	});
}

/** A run of base64 characters; one that is longer than any key is data. */
const runs = /[\w+/=-]{24,}/g;
const longestKey = 1024;

function byMachine(text: string): readonly FoundSecret[] {
	const found: FoundSecret[] = [];
	for (const { index, 0: run } of text.matchAll(runs)) {
		if (run.length > longestKey) continue;
		for (const part of run.matchAll(/[\w+]{24,}={0,2}/g)) {
			const start = index + part.index;
			if (machineMade(part[0])) found.push({ start, end: start + part[0].length, kind: secretValue });
		}
	}
	return found;
}

/** The words before the secret itself, as in `Bearer …`. */
const scheme = /^\s*(?:(?:bearer|basic|token|api-?key|bot|dpop)[ \t]+)?/i;
/** Values that only say whether there is a secret, or how it is used. */
const telling =
	/^(?:true|false|yes|no|on|off|null|none|undefined|include|omit|same-origin|oauth|basic|bearer|string|number|boolean|required|optional)$/i;
const timeCode = /^\d{1,2}:\d{2}(?::\d{2})*$/;
const places =
	/^(?:\/[\w.-]+(?:\/[\w.-]+)+\/?$|\/(?:home|Users|usr|run|var|tmp|etc|opt|private|mnt|root|srv|workspaces?)\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|[a-z][a-z\d+.-]*:\/\/)/;

/** Whether the value under a secret's name is harmless: a switch, a place, or text that the user is to replace. */
function isNothing(value: string): boolean {
	if (value === "" || telling.test(value) || places.test(value) || timeCode.test(value)) return true;
	return isPlaceholder(value) && (new Set(value).size >= 4 || /^(?:[<$%{*._-]|x{3})/i.test(value));
}

/** Secrets apart from their names, in data, where a name alone is enough. */
const looselyPlaced = placedForms((_sort, value) => !isNothing(value));

/** The whole of a value whose name is one of a secret, after its scheme; nothing where it says nothing. */
function wholeOf(plain: string): readonly FoundSecret[] {
	const start = scheme.exec(plain)?.[0].length ?? 0;
	const rest = plain.slice(start).trimEnd();
	if (isNothing(rest)) return [];
	return [{ start, end: start + rest.length, kind: secretValue }];
}

/** The password of an address, also of one within another one. */
const addresses = [
	/:\/\/[^\s/?#@:"'`<>\u27E6]{0,200}:(?<secret>[^\s/?#"'`<>\u27E6]{1,1000})(?=@)/g,
	/%3A%2F%2F[^\s/?#@:%]{0,200}%3A(?<secret>(?:(?!%40|%2F|%3A)[^\s/?#@:]){1,1000})(?=%40)/gi,
].map((pattern) => ({
	kind: password,
	pattern,
	accepts: (_match: RegExpExecArray, secret: string) =>
		!/^(?:\d{1,5}|pass(?:word|wd)?|pwd|secret|token|user)$/i.test(secret) || secret === "",
}));
const separator = /[=:]|%3[AD]/gi;
/** The text between a name and its value: blanks, and a quote that may be escaped. */
const opening = /[ \t]{0,3}(?:\\{0,3}["'`])?/y;
const bare = /[^\s&;#"'`<>,(){}[\]|\\\u27E6\u27E7]{1,2000}/y;
const assigned = /(?:(?!%26|%3B|%23)[^\s&;#"'`<>{}\\\u27E6\u27E7]){1,2000}/iy;
const line = /[^\r\n"'`\\\u27E6\u27E7]{1,4000}/y;
const restOfValue = /[^\s&;#"'`<>,(){}[\]|\\\u27E6\u27E7]*/y;
const restOfLine = /[^\r\n"'`\\\u27E6\u27E7]*/y;
const code = /^[A-Za-z_]+(?:\.[A-Za-z_]\w*)+$/;
const pathPart = /[/](?<secret>[\w~+=-]{20,})(?=[/?#]|$)/g;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Secrets by the text around them: a name with its value, or an address. */
function byPlace(text: string, context: SecretContext): readonly FoundSecret[] {
	const found = text.includes("://") || /%2F%2F/i.test(text) ? addresses.flatMap((form) => findForm(form, text)) : [];
	if (context === "entry" && /^[a-z][a-z\d+.-]*:\/\//i.test(text))
		found.push(...findForm({ kind: secretValue, pattern: pathPart, accepts: (_match, part) => isKeyLike(part) }, text));
	separator.lastIndex = 0;
	for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
		const place = valueAt(text, match.index, match[0], context);
		if (place === undefined) continue;
		found.push(place);
		separator.lastIndex = place.end;
	}
	return found;
}

function isKeyLike(part: string): boolean {
	return (
		!uuid.test(part) && part.split(/[-_~]/).some((one) => one.length >= 16 && /[a-z]/i.test(one) && /\d\D*\d/.test(one))
	);
}

/** The value behind a separator, where the name before it is one of a secret. */
function valueAt(text: string, at: number, sign: string, context: SecretContext): FoundSecret | undefined {
	const { name, isQuoted, before } = nameBefore(text, at);
	if (name === "" || !isNamed(name, context === "asked" ? "data" : context)) return undefined;
	const isColon = sign === ":" || sign.toUpperCase() === "%3A";
	// With a colon, only headers count, at the beginning of a line or after a quote.
	const isHeader = isColon && !isQuoted;
	if (
		isHeader &&
		!(
			(/-|^(?:authorization|cookie)$/i.test(name) || context === "entry") &&
			/^$|[\r\n"'`=]/.test(before) &&
			text[at + 1] !== "/"
		)
	)
		return undefined;
	opening.lastIndex = at + sign.length;
	const open = opening.exec(text)?.[0] ?? "";
	const start = at + sign.length + open.length;
	const quote = /["'`]$/.exec(open)?.[0];
	const value =
		quote === undefined
			? match(isHeader ? line : isColon ? bare : assigned, text, start)
			: quotedAt(text, start, open.trimStart());
	const shift = isHeader ? (scheme.exec(value)?.[0].length ?? 0) : 0;
	const secret = value.slice(shift).trimEnd();
	if (isNothing(secret)) return undefined;
	const next = text.charAt(start + value.length);
	if (
		quote === undefined &&
		!isHeader &&
		(/[([{<$]/.test(next) || code.test(secret) || (open.length > 0 && sign === "=" && /^[a-z]+$/i.test(secret)))
	)
		return undefined;
	// For a longer value the rest as well. It is scanned once, because the following text is searched from its end.
	const isCut = value.length >= (isHeader ? 4000 : 2000);
	const rest = isCut ? match(isHeader ? restOfLine : restOfValue, text, start + value.length) : "";
	const end = rest === "" ? start + shift + secret.length : start + value.length + rest.length;
	return {
		start: start + shift,
		end,
		kind: nameSort(name) === "password" ? password : secretValue,
		name,
	};
}

function match(pattern: RegExp, text: string, at: number): string {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0] ?? "";
}

/** The text between a quote at a place and the next quote that is written alike. */
function quotedAt(text: string, start: number, open: string): string {
	let end = text.indexOf(open, start);
	// One more escape before a quote makes it a part of the value.
	while (end > start && text[end - 1] === "\\" && end - start < 20_000) end = text.indexOf(open, end + open.length);
	return text.slice(start, end === -1 ? undefined : end);
}

const otherNameSign = /[\p{L}\p{N}_.-]/u;
const longestName = 100;

/** The name before a separator, of at most two words, and the text before that. */
function nameBefore(
	text: string,
	at: number,
): { readonly name: string; readonly isQuoted: boolean; readonly before: string } {
	let end = at;
	while (end > 0 && at - end < 3 && /[ \t]/.test(text.charAt(end - 1))) end--;
	const isQuoted = /["'`]/.test(text.charAt(end - 1));
	if (isQuoted) end--;
	while (end > 0 && at - end < 6 && text[end - 1] === "\\") end--;
	const first = wordStart(text, end);
	const second = !isQuoted && text[first - 1] === " " ? wordStart(text, first - 1) : first;
	const name = text.slice(second < first - 1 ? second : first, end);
	// The end of an address's escape is not part of the name.
	const start = second < first - 1 ? second : first;
	const escape = text[start - 1] === "%" ? (/^[\dA-F]{2}/i.exec(name)?.[0].length ?? 0) : 0;
	const escaped = text[start - 1] === "\\" && /^[nrt]/.test(name) ? 1 : 0;
	return { name: name.slice(Math.max(escape, escaped)).replace(/^-+/, ""), isQuoted, before: text.charAt(start - 1) };
}

function isNameSign(text: string, at: number): boolean {
	const sign = text.charCodeAt(at);
	if (sign > 127) return otherNameSign.test(text.charAt(at));
	const isLetter = (sign | 32) >= 97 && (sign | 32) <= 122;
	return isLetter || (sign >= 48 && sign <= 57) || sign === 95 || sign === 46 || sign === 45;
}

function wordStart(text: string, end: number): number {
	let start = end;
	while (start > 0 && end - start < longestName && isNameSign(text, start - 1)) start--;
	return start;
}

const reference = /\$\{([^{}$]{0,2000})\}/g;
/** The placeholder for a reference while its surroundings are judged. */
const filler = "\u0000";

/** The text with its references blanked out, and those of them whose default is a secret. */
function withoutReferences(
	name: string,
	value: string,
	context: SecretContext,
): { readonly plain: string; readonly secret: readonly FoundSecret[] } {
	if (!value.includes("${")) return { plain: value, secret: [] };
	const secret: FoundSecret[] = [];
	const blank = (whole: string, inside: string, start: number): string => {
		const [, variable = "", fallback = ""] = /^(?:env:)?([^:]*):-([^]*)$/.exec(inside) ?? [];
		const isOwn =
			secretsIn(isNamed(variable, context) ? variable : name, fallback.replaceAll(filler, ""), context).length > 0;
		if (fallback !== "" && isOwn) secret.push({ start, end: start + whole.length, kind: secretValue });
		return filler.repeat(whole.length);
	};
	// Twice, for a reference in the default of another one.
	return { plain: value.replace(reference, blank).replace(reference, blank), secret };
}

/**
 * The parts of a place beside references. In a value that consists of references, a word or a sign between them is not
 * a secret.
 */
function besideReferences(plain: string, place: FoundSecret): readonly FoundSecret[] {
	const text = plain.slice(place.start, place.end);
	if (!text.includes(filler)) return [place];
	return [...text.matchAll(/[^\p{Cc}]+/gu)].flatMap(({ index, 0: part }) => {
		if (part.length < 6 || !/\d/.test(part) || part.endsWith("=")) return [];
		return [{ ...place, start: place.start + index, end: place.start + index + part.length }];
	});
}
