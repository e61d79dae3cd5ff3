import { homedir } from "node:os";
import { hasHiddenCharacters } from "./text.ts";
import { domainToUnicode } from "node:url";

/**
 * A text in all the ways in which a program may interpret it. Rules are checked against each reading. An invisible
 * difference, such as `\u200B` in a name or `..` in a path, thus neither evades a denial nor gains a permission.
 */
export interface Readings {
	/** The text unchanged. */
	readonly exact: string;
	/** Without hidden characters and differences of case and form; paths with slashes and without detours. */
	readonly plain: readonly string[];
	/** The paths that it has as the URI of a file; empty for most. */
	readonly paths: readonly string[];
	/** Readings that only some programs use: enough for a denial, but no reason to withhold a permission. */
	readonly loose: readonly string[];
	/** Whether it is one line without hidden characters. */
	readonly isClear: boolean;
}

/** Characters that are invisible at any position. */
const invisible = /[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]--[\t\n]]/gv;

/** Names are few and read in every call. */
const names = new Map<string, Readings>();
const mostNames = 500;
const longestName = 300;

/** The readings of a name, of a server or a tool; often the same object for the same name. Slashes in it mean nothing. */
export function readName(name: string): Readings {
	const known = names.get(name);
	if (known !== undefined) return known;
	const read: Readings = { exact: name, plain: [simplify(name)], paths: [], loose: [], isClear: isClear(name) };
	if (names.size >= mostNames) names.clear();
	if (name.length <= longestName) names.set(name, read);
	return read;
}

/** How often an encoding is undone step by step, each step being a reading; the fully decoded text is one more. */
const decodings = 3;

/**
 * The readings of an argument: as a text, as a path, and as an address with encoded characters, encoded any number of
 * times, with and without the parts that programs drop: the text after an end of text, a fragment, a query of a path
 * (TOL-22). Takes a time that grows with the length only (TRN-56).
 */
export function readValue(value: string): Readings {
	const [firmTexts, looseTexts] = [new Set<string>(), new Set<string>()];
	const { certain, likely } = withAddresses(textsOf(value));
	for (const text of [...certain, ...likely]) {
		const { firm, vague } = withoutTails(text);
		if (certain.has(text)) for (const one of firm) firmTexts.add(one);
		for (const one of [...firm, ...vague]) for (const other of loosely(one)) looseTexts.add(other);
	}
	const firm = [...firmTexts];
	const plain = new Set(firm.map(normalize));
	const paths = new Set(firm.flatMap((one) => (withoutFile(one) === one ? [] : normalize(withoutFile(one)))));
	const loose = new Set([...looseTexts].flatMap((one) => (firmTexts.has(one) ? [] : normalize(one))));
	for (const one of [...plain, ...paths, ""]) loose.delete(one);
	// A path is held against patterns for files, too.
	for (const one of plain) if (one.startsWith("/") || isDrive(one)) loose.add(one);
	return { exact: value, plain: [...plain], paths: [...paths], loose: [...loose], isClear: isClear(value) };
}

/** The part after the scheme and host of a file's URI, or of a pattern for such URIs. */
export function withoutFile(uri: string): string {
	return uri.replace(/^file:(?:\/\/[^/]*)?(?=\/)/i, "");
}

/** The text of a pattern for files with its encoded characters as themselves. */
export function decodePattern(pattern: string): string {
	return decode(pattern);
}

/** A key as programs may take it that are not exact about names: without differences of case and form, and hidden characters. */
export function foldKey(key: string): string {
	return simplify(key);
}

/** A value with none to all of its encodings undone, each also up to an end of text within. */
function textsOf(value: string): ReadonlySet<string> {
	const texts = new Set<string>();
	let level: readonly string[] = [value, joinAddress(value)];
	for (let round = 0; round <= decodings + 1; round++) {
		const found = level.flatMap((one) => [one, upTo(one, one.indexOf("\0"))]).map(asPath);
		for (const text of found) texts.add(text);
		const next = found.map((text) => (round < decodings ? decode(text) : decodeWholly(text)));
		level = [...new Set(next)].filter((text) => !texts.has(text));
	}
	return texts;
}

/** The texts with their forms as addresses: those that a permission must cover, and those for denials only. */
function withAddresses(texts: ReadonlySet<string>): {
	readonly certain: ReadonlySet<string>;
	readonly likely: ReadonlySet<string>;
} {
	const [certain, likely] = [new Set(texts), new Set<string>()];
	for (const text of texts) {
		const { firm, vague } = addressesOf(text);
		// The parser encodes characters that may have been written as themselves.
		for (const one of firm) certain.add(asPath(decode(one)));
		for (const one of [...firm, ...vague]) for (const form of [one, decode(one)]) likely.add(asPath(form));
	}
	for (const one of certain) likely.delete(one);
	return { certain, likely };
}

/**
 * A text without its fragment and query: those that a program drops for certain where it takes the text for a path, and
 * those that are part of an address or follow a blank in a sentence.
 */
function withoutTails(text: string): { readonly firm: readonly string[]; readonly vague: readonly string[] } {
	const [firm, vague] = [[text], [] as string[]];
	const fragment = text.indexOf("#");
	for (const end of new Set([fragment, text.search(/[?#]/)])) {
		if (end <= 0) continue;
		const isPart = end !== fragment && /^[a-z][a-z\d+.-]+:/.test(text) && !text.startsWith("file:");
		(isPart || text[end - 1] === " " ? vague : firm).push(text.slice(0, end).trim());
	}
	return { firm, vague };
}

/** Readings that some programs use: a path on Windows, a web server's path, the home folder, unusual file URIs. */
function loosely(text: string): readonly string[] {
	const short = text.replace(/^\/\/[?.]\/(?:unc(?=\/))?/, "");
	const file = /^(?:[a-z][a-z\d+.-]*:){0,3}?file:(?:\/\/)?/.exec(short)?.[0].length ?? 0;
	const path = short.slice(file);
	const home = /^(?:~|\$home|\$\{home\}|%userprofile%|%homepath%)(?=\/|$)/.exec(path)?.[0].length;
	const forms = [
		text,
		path,
		withoutFile(short.slice(short.startsWith("file:") ? 0 : file).replace(/^(?:\/\/)?/, "")),
		...(home === undefined ? [] : [asPath(homedir()) + path.slice(home)]),
	].flatMap((one) => (/^\/[a-z]:/.test(one) ? [one, one.slice(1)] : [one]));
	return forms.flatMap((one) => [one, one.replace(/;[^/]*/g, ""), asOfWindows(one)]);
}

/** A path as Windows opens it: without dots and blanks at the ends of its names, and without the name of a stream. */
function asOfWindows(path: string): string {
	const names = path.split("/");
	const last = names.length - 1;
	const stream = (names[last] ?? "").indexOf(":");
	if (stream > 0 && !(last === 0 && stream === 1)) names[last] = (names[last] ?? "").slice(0, stream);
	return names.map(withoutEnd).join("/");
}

function withoutEnd(name: string): string {
	let end = name.length;
	while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end--;
	return end === 0 ? name : name.slice(0, end);
}

function isDrive(text: string): boolean {
	return /^[a-z]:/.test(text);
}

function upTo(text: string, end: number): string {
	return end > 0 ? text.slice(0, end) : text;
}

function asPath(text: string): string {
	return simplify(text).replaceAll("\\", "/");
}

/** A path without detours and doubled slashes, as Node's `posix.normalize`, which takes far too long for many `../`. */
function normalize(text: string): string {
	const isAbsolute = text.startsWith("/");
	const names: string[] = [];
	for (const name of text.split("/")) {
		if (name === "" || name === ".") continue;
		if (name !== "..") names.push(name);
		else if (names.length > 0 && names.at(-1) !== "..") names.pop();
		else if (!isAbsolute) names.push(name);
	}
	if (text === "") return "";
	const path = names.join("/");
	if (isAbsolute) return path === "" || !text.endsWith("/") ? `/${path}` : `/${path}/`;
	return `${path === "" ? "." : path}${text.endsWith("/") ? "/" : ""}`;
}

function simplify(text: string): string {
	return text.replace(invisible, "").normalize("NFKC").toLowerCase().trim();
}

/** The text with its encoded characters decoded; bytes that are not UTF-8 become `\uFFFD`, as in lenient programs. */
function decode(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}

/** The text decoded until no encoding is left. It is decoded byte by byte, so that deep encodings take no longer. */
function decodeWholly(text: string): string {
	if (!text.includes("%")) return text;
	const bytes = Buffer.from(text);
	let length = 0;
	for (const byte of bytes) {
		bytes[length++] = byte;
		while (length >= 3 && bytes[length - 3] === 0x25) {
			const digits = bytes.toString("latin1", length - 2, length);
			if (!/^[\da-f]{2}$/i.test(digits)) break;
			length -= 2;
			bytes[length - 1] = Number.parseInt(digits, 16);
		}
	}
	return bytes.toString("utf8", 0, length);
}

function isClear(text: string): boolean {
	return !hasHiddenCharacters(text) && !text.includes("\n");
}

/** Readings by parsers of addresses: certain ones, and equivalent spellings. */
export interface Addresses {
	readonly firm: readonly string[];
	readonly vague: readonly string[];
}

/** No host has a longer name, even encoded; the parser's time would grow with the square of it. */
const longestHost = 1000;

/**
 * A text with a scheme in the form for address parsers: without tabs and line breaks (WHATWG URL, 4.4); other texts
 * unchanged.
 */
export function joinAddress(text: string): string {
	const joined = text.replace(/[\t\n\r]+/g, "");
	return joined !== text && hasScheme(joined) ? joined : text;
}

/**
 * A text as the address that the parser of browsers and Node reads (WHATWG URL): with missing slashes added, without
 * detours, its host in plain letters. A trailing slash, a default port and a user's name stay as written, so that a
 * permission that names them holds. Any other text before an `@` may be mistaken for the host (TOL-22).
 */
export function addressesOf(text: string): Addresses {
	const joined = joinAddress(text);
	if (!hasScheme(joined)) return { firm: [], vague: [] };
	const [begin = "", authority = ""] = /^[^:]*:[/\\]*([^/\\?#]*)/.exec(joined) ?? [];
	const isTooLong = authority.length - authority.lastIndexOf("@") > longestHost;
	if (isTooLong || !URL.canParse(joined)) return { firm: [], vague: [] };
	const { protocol, username, password, hostname, port, pathname, search, hash, href } = new URL(joined);
	if (hostname === "" && !pathname.startsWith("/")) return { firm: [], vague: [href] };
	const [user] = password === "" ? (/^[\w-]+$/.exec(username) ?? []) : [];
	const unicode = domainToUnicode(hostname) || hostname;
	// In other letters where it was written in them.
	const host = joined.includes(hostname) ? hostname : unicode;
	const written = hostname === "" ? undefined : /:\d+$/.exec(authority)?.[0];
	const path = hostname !== "" && begin.length === joined.length ? "" : pathname;
	const tail = `${search}${hash}`;
	const [ownPort, ownUser] = [port === "" ? "" : `:${port}`, user === undefined ? "" : `${user}@`];
	return {
		firm: [`${protocol}//${ownUser}${host}${ownPort || (written ?? "")}${path}${tail}`],
		vague: [hostname, unicode].map((one) => `${protocol}//${one}${ownPort}${pathname}${tail}`),
	};
}

/** At least two letters, because one letter is a drive of Windows. */
function hasScheme(text: string): boolean {
	return /^[a-z][a-z\d+.-]{1,40}:/i.test(text);
}
