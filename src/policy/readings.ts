import { posix } from "node:path";
import { hasHiddenCharacters } from "../base/text.ts";

/**
 * A text in all the ways in which a program may take it. Rules are held against each of them, so that one that people do
 * not see, such as `\u200B` in a name or `..` in a path, neither slips past a denial nor into a permission.
 */
export interface Readings {
	/** The text as it is. */
	readonly exact: string;
	/** Without hidden characters and differences of case and form; paths with slashes and without detours. */
	readonly plain: readonly string[];
	/** The paths that it has as the URI of a file; empty for most. */
	readonly paths: readonly string[];
	/** Whether it is one line without hidden characters. */
	readonly isClear: boolean;
}

/** What takes no place on the screen, wherever it stands. */
const invisible = /[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]--[\t\n]]/gv;

/** Names are few and read in every call. */
const names = new Map<string, Readings>();
const mostNames = 500;
const longestName = 300;

/** The readings of a name, of a server or a tool; often the same object for the same name. Slashes in it mean nothing. */
export function readName(name: string): Readings {
	const known = names.get(name);
	if (known !== undefined) return known;
	const read: Readings = { exact: name, plain: [simplify(name)], paths: [], isClear: isClear(name) };
	if (names.size >= mostNames) names.clear();
	if (name.length <= longestName) names.set(name, read);
	return read;
}

/** The readings of an argument: as a text, as a path, and as an address with encoded characters. */
export function readValue(value: string): Readings {
	const simple = simplify(value).replaceAll("\\", "/");
	const texts = [simple, decode(simple)];
	const paths = texts.flatMap((text) => (text.startsWith("file:") ? [normalize(withoutFile(text))] : []));
	return {
		exact: value,
		plain: [...new Set(texts.map(normalize))],
		paths: [...new Set(paths)],
		isClear: isClear(value),
	};
}

/** What is behind the scheme and the host of a file's URI, or of a pattern for such. */
export function withoutFile(uri: string): string {
	return uri.replace(/^file:(?:\/\/[^/]*)?(?=\/)/i, "");
}

function normalize(text: string): string {
	return text === "" ? "" : posix.normalize(text);
}

function simplify(text: string): string {
	return text.replace(invisible, "").normalize("NFKC").toLowerCase().trim();
}

function decode(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/g, (encoded) => {
		try {
			return decodeURIComponent(encoded);
		} catch {
			return encoded;
		}
	});
}

function isClear(text: string): boolean {
	return !hasHiddenCharacters(text) && !text.includes("\n");
}
