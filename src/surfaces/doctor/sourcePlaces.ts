import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The place of a name in a source file. Lines and characters count from 0, in UTF-16 units. */
export interface SourcePlace {
	readonly file: string;
	readonly line: number;
	readonly character: number;
	readonly length: number;
}

/** Bounds of a search: files and folders looked at, characters of one file and of all, and how deep folders are entered. */
const mostEntries = 20_000;
const mostFiles = 2000;
const longestFile = 500_000;
const longestTotal = 40_000_000;
const deepest = 10;

const source = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kts?|cs|swift|scala|exs?|lua)$/i;
/** Files that use names without defining them. */
const elsewhere = /\.d\.[cm]?ts$|(?:[._-](?:test|spec)s?|_test)\.\w+$|^test_/i;
/** Folders of installed, generated or testing code. */
const skipped =
	/^(?:\..*|node_modules|bower_components|vendor|venv|env|__pycache__|__tests__|site-packages|dist|build|out|target|bin|obj|coverage|tests?|specs?|e2e|fixtures|examples?)$/i;

/** A word in quotes on one line. */
const literal = /(["'`])([^"'`\r\n]{1,300})\1/g;
/** How much of the text before a name decides whether it is a definition. */
const mostBefore = 200;
/** A word of a call that defines a feature, and the beginning of one that uses it. */
const feature = /tool|prompt|resource|template/i;
const using = /^(?:call|run|invoke|find|get|has|is|use|read|test|assert|expect|list|remove|delete)/i;
const member = /^(?:name|uri|uri_?template)$/i;
/** A decorator or an attribute, such as `@mcp.tool()` or `#[tool]`; the function below has the name of the feature. */
const decorator = /^(?:@|#\[|\[)/;
const definition = /\b(?:def|fn|fun|func) (\w{1,200})[(<]/;
/** The most lines between a decorator and its function. */
const mostBetween = 12;

/** The places of one name. */
interface Found {
	readonly defining: SourcePlace[];
	readonly other: SourcePlace[];
}

/**
 * Where the source in a folder defines features, by their names or URIs: where the name is in quotes and looks like a
 * definition, or is that of a decorated function, or is in quotes at all. A name with several such places has none. Reads
 * source files only, follows no links, and stops at its bounds. Rejects with the signal's reason only.
 */
export async function sourcePlaces(
	folder: string,
	names: ReadonlySet<string>,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, SourcePlace>> {
	const found = new Map<string, Found>();
	let left = longestTotal;
	if (names.size === 0) return new Map();
	for await (const file of sourceFiles(folder, signal)) {
		const size = await stat(file).then(
			(one) => one.size,
			() => longestFile,
		);
		if (size >= longestFile) continue;
		if ((left -= size) < 0) break;
		const text = await readFile(file, "utf8").catch(() => "");
		signal.throwIfAborted();
		lookIn(text, file, names, found);
	}
	const places = new Map<string, SourcePlace>();
	for (const [name, { defining, other }] of found) {
		const candidates = defining.length > 0 ? defining : other;
		const [only] = candidates;
		if (only !== undefined && candidates.length === 1) places.set(name, only);
	}
	return places;
}

function lookIn(text: string, file: string, names: ReadonlySet<string>, found: Map<string, Found>): void {
	const lines = text.split("\n");
	const add = (name: string, line: number, character: number, isDefining: boolean): void => {
		const place = { file, line, character, length: name.length };
		const known = found.get(name) ?? { defining: [], other: [] };
		(isDefining ? known.defining : known.other).push(place);
		found.set(name, known);
	};
	let start = 0;
	for (const [number, line] of lines.entries()) {
		for (const { 2: name = "", index } of line.matchAll(literal))
			if (names.has(name)) {
				const at = start + index;
				add(name, number, index + 1, isDefinedAfter(text.slice(Math.max(0, at - mostBefore), at)));
			}
		start += line.length + 1;
		if (!decorator.test(line.trimStart()) || !feature.test(line)) continue;
		for (const [below, one] of lines.slice(number + 1, number + mostBetween).entries()) {
			const match = definition.exec(one);
			if (match === null) continue;
			const [whole, name = ""] = match;
			if (names.has(name)) add(name, number + 1 + below, match.index + whole.lastIndexOf(name), true);
			break;
		}
	}
}

/** Whether what follows this text in quotes is defined there: in a call such as `registerTool(`, or as a member such as `name:`. */
function isDefinedAfter(before: string): boolean {
	const text = before.trimEnd();
	const rest = text.slice(0, -1).trimEnd();
	if (text.endsWith("(")) {
		const called = lastWord(rest.endsWith(">") ? rest.slice(0, rest.lastIndexOf("<")) : rest);
		return feature.test(called) && !using.test(called);
	}
	if (!text.endsWith(":") && !text.endsWith("=")) return false;
	const key = /["'`]$/.test(rest) ? rest.slice(0, -1) : rest;
	const word = lastWord(key);
	return member.test(word) && !key.endsWith(`.${word}`);
}

function lastWord(text: string): string {
	let start = text.length;
	while (start > 0 && /\w/.test(text.charAt(start - 1))) start--;
	return text.slice(start);
}

/** The source files of a folder, those near its root first. */
async function* sourceFiles(folder: string, signal: AbortSignal): AsyncGenerator<string> {
	let files = 0;
	let entries = 0;
	let level = [folder];
	for (let depth = 0; depth < deepest && level.length > 0; depth++) {
		const below: string[] = [];
		for (const one of level) {
			const children = await readdir(one, { withFileTypes: true }).catch(() => []);
			signal.throwIfAborted();
			for (const child of children.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
				if (++entries > mostEntries) return;
				// A link is neither: it may lead out of the folder.
				if (child.isDirectory() && !skipped.test(child.name)) below.push(join(one, child.name));
				if (!child.isFile() || !source.test(child.name) || elsewhere.test(child.name)) continue;
				if (++files > mostFiles) return;
				yield join(one, child.name);
			}
		}
		level = below;
	}
}
