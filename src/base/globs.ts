import type * as glob from "./glob.ts";
import { hasHiddenCharacters } from "./text.ts";
import { decodePattern, readName, withoutFile, type Readings } from "./readings.ts";

/** The library of globs, which is loaded when there are rules. */
export type GlobLibrary = Pick<typeof glob, "compileGlob" | "countAlternatives">;

/**
 * How far a rule or a glob fits: in every reading of all values, in some, in none, or `unknown` when that cannot be
 * decided. A permission needs `all`; a denial or question needs less.
 */
export type Fit = "all" | "some" | "unknown" | "none";

/** A glob made ready: how it fits a text. */
export type Glob = (readings: Readings) => Fit;

/** A glob, or in a few words why it cannot be used. */
export type CompiledGlob = { readonly glob: Glob } | { readonly problem: string };

/** Longest pattern, in characters. */
const maxLength = 1000;
/** The maximum number of alternatives that the braces of a pattern may expand to. */
const maxAlternatives = 100;
/** Most `**` of one pattern. */
const maxGlobstars = 10;
/** Replaces a slash where slashes have no meaning. It is hidden, so no text that contains it is allowed. */
const flatSlash = "\u001F";

/**
 * Compiles a pattern. In a name, `*` matches any characters. A `value` is matched both as a path, where `*` stops at a
 * slash and `**` does not, and as plain text, where `*` does not stop; see `Fit` for the result. `*` and `**` alone
 * match anything. A leading `!` matches everything that the rest does not match.
 */
export function compile(pattern: string, kind: "name" | "value", library: GlobLibrary): CompiledGlob {
	const problem = problemOf(pattern, library);
	if (problem !== undefined) return { problem };
	if (/^\*\*?$/.test(pattern)) {
		return { glob: ({ isClear }) => (isClear || kind === "value" ? "all" : "some") };
	}
	const isNegated = /^!(?!\()/.test(pattern);
	const body = isNegated ? pattern.slice(1) : pattern;
	// As paths are read: without a leading `./` and doubled slashes.
	const simple = body
		.normalize("NFC")
		.replace(/^(?:\.\/)+/, "")
		.replace(/\/{2,}/g, "/");
	try {
		const exact = testsOf(body, kind, false, library);
		const plain = testsOf(simple, kind, true, library);
		const file = withoutFile(simple);
		const path = testsOf(file === simple ? file : decodePattern(file), kind, true, library);
		const names = kind === "value" ? namesInPattern(simple) : [];
		const glob: Glob = (readings) => combine(readings, { exact, plain, path }, isNegated, names);
		return { glob: kind === "name" ? remembering(glob) : glob };
	} catch {
		return { problem: "it is not a valid pattern" };
	}
}

/**
 * Whether a pattern fits a name, in any reading of it. One that cannot be used fits every name: it may have been meant for
 * any. The reason is then reported.
 */
export function fitsName(
	pattern: string,
	library: GlobLibrary,
	report: (problem: string) => void,
): (name: string) => boolean {
	const compiled = compile(pattern, "name", library);
	if ("glob" in compiled) return (name) => compiled.glob(readName(name)) !== "none";
	report(compiled.problem);
	return () => true;
}

/** The same glob, which is held against the same names in every call. */
function remembering(glob: Glob): Glob {
	const known = new WeakMap<Readings, Fit>();
	return (readings) => {
		const fit = known.get(readings) ?? glob(readings);
		known.set(readings, fit);
		return fit;
	};
}

/** A pattern that matches exactly this name. */
export function escapeGlob(name: string): string {
	return name.replace(/[\\*?[\]{}()!+@|]/g, "\\$&");
}

type Test = (text: string) => boolean;

function testsOf(pattern: string, kind: "name" | "value", ignoresCase: boolean, library: GlobLibrary): readonly Test[] {
	// With a sign before it no text is empty, `.` or `..`, which a `*` would not match.
	const flat = library.compileGlob(`=${pattern.replaceAll("/", flatSlash)}`, ignoresCase);
	const asText: Test = (text) => flat(`=${text.replaceAll("/", flatSlash)}`);
	return kind === "name" ? [asText] : [asText, library.compileGlob(pattern, ignoresCase)];
}

function combine(
	readings: Readings,
	tests: Readonly<Record<"exact" | "plain" | "path", readonly Test[]>>,
	isNegated: boolean,
	names: readonly string[],
): Fit {
	let [hits, misses] = [0, 0];
	const count = (test: Test, read: string): void => {
		if (test(read) === isNegated) misses++;
		else hits++;
	};
	for (const test of tests.exact) count(test, readings.exact);
	for (const text of readings.plain) for (const test of tests.plain) count(test, text);
	for (const text of readings.paths) for (const test of tests.path) count(test, text);
	// Readings that only some programs use can only add to what the pattern matches, both for a denial and for a negated
	// permission.
	const read = [...readings.plain, ...readings.paths, ...readings.loose];
	const loose = [...readings.loose, ...withLongNames(read, names)];
	const isNamed = loose.some((text) => [...tests.plain, ...tests.path].some((test) => test(text)));
	if (isNamed && isNegated) misses++;
	else if (isNamed) hits++;
	if (hits === 0) return "none";
	return misses === 0 && readings.isClear ? "all" : "some";
}

function problemOf(pattern: string, library: GlobLibrary): string | undefined {
	if (pattern.length > maxLength) return `it has more than ${maxLength} characters`;
	if (hasHiddenCharacters(pattern) || /[\n\t]/.test(pattern)) return "it contains hidden characters";
	if (pattern.startsWith("!!") || pattern === "!") return "only one ! is allowed, at the start of the pattern";
	if (/^[A-Za-z]:\\/.test(pattern) || pattern.replace(/\\[^\p{L}\p{N}_]/gu, "").includes("\\"))
		return String.raw`a backslash only escapes characters such as \*; write paths with slashes, which match both`;
	if ((pattern.match(/\*\*/g) ?? []).length > maxGlobstars) return `it has more than ${maxGlobstars} **`;
	if (library.countAlternatives(pattern, maxAlternatives) > maxAlternatives)
		return `its braces expand to more than ${maxAlternatives} alternatives`;
	return undefined;
}

/** Most forms of one text, so that it costs no time. */
const mostForms = 100;
/** A name that Windows may have made for a longer one, such as `secret~1.txt`, in small letters. */
const shortName = /^([^/~. ]{1,6})~\d{1,6}(?:\.([^/. ]{1,3}))?$/;

/** The names of files and folders in a pattern that have no signs of a glob, in small letters. */
function namesInPattern(pattern: string): readonly string[] {
	const parts = pattern.toLowerCase().split(/(?<!\\)[/{},]/);
	const names = parts.filter((part) => !/(?<!\\)[*?[\]()!+@|]/.test(part)).map((part) => part.replaceAll("\\", ""));
	return [...new Set(names)].filter((name) => name !== "");
}

/**
 * Paths with the names of a pattern in place of short names of 8.3 that may mean them: Windows opens the same file
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). None for texts without a short name.
 */
function withLongNames(texts: readonly string[], names: readonly string[]): readonly string[] {
	return texts.flatMap((text) => {
		if (!text.includes("~")) return [];
		let forms = [""];
		let isChanged = false;
		for (const [index, name] of text.split("/").entries()) {
			const long = names.filter((one) => isShortFor(name, one));
			isChanged ||= long.length > 0;
			forms = forms
				.flatMap((start) => [name, ...long].map((one) => (index === 0 ? one : `${start}/${one}`)))
				.slice(0, mostForms);
		}
		return isChanged ? forms.filter((form) => form !== text) : [];
	});
}

/**
 * Whether Windows may have made a short name of a name: of its first six characters, or, where these are taken, of two
 * and of four that it computes.
 */
function isShortFor(short: string, name: string): boolean {
	const [, base, ending = ""] = shortName.exec(short) ?? [];
	if (base === undefined) return false;
	const bare = name.replace(/^\.+/, "");
	const dot = bare.lastIndexOf(".");
	const [stem, extension] = dot > 0 ? [bare.slice(0, dot), bare.slice(dot + 1)] : [bare, ""];
	if (allowed(extension).slice(0, 3) !== ending) return false;
	const computed = /^(.{1,2})[\da-f]{4}$/.exec(base)?.[1];
	return allowed(stem).startsWith(base) || (computed !== undefined && allowed(stem).startsWith(computed));
}

/** The characters of a name that its short name has. */
function allowed(name: string): string {
	return name.replace(/[ .]/g, "").replace(/[+,;=[\]]/g, "_");
}
