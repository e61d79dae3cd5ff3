import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";

/** The values of a TOML text. */
type Values = Readonly<Record<string, unknown>>;

/**
 * A TOML text without some tables of `parent`, each with its inner tables, and with `added`, a text of tables, at its end. The
 * rest stays as it is.
 * @throws HostError `invalid` if the text cannot be read, or if a table is written in another way than under headings of
 * its own: nothing else may change.
 */
export function withTables(text: string, parent: string, names: readonly string[], added: string): string {
	const before = valuesOf(text);
	const eol = text.includes("\r\n") ? "\r\n" : "\n";
	let kept = text;
	for (const name of names) kept = withoutTable(kept, [parent, name]);
	const block = added.trim().replaceAll("\n", eol);
	const start = kept.trimEnd() === "" ? kept : `${kept.trimEnd()}${eol}${eol}`;
	const after = block === "" ? kept : `${start}${block}${eol}`;
	const tables = Object.entries(tablesIn(before, parent)).filter(([name]) => !names.includes(name));
	const wanted = { ...Object.fromEntries(tables), ...tablesIn(valuesOf(block), parent) };
	if (!isSame(after, before, parent, wanted)) {
		throw new HostError(
			"invalid",
			`It has tables that are not written as [${parent}.NAME]. Write them so, or change them there yourself.`,
		);
	}
	return after;
}

/** Whether a text has these tables of `parent`, and the other values as before. */
function isSame(text: string, former: Values, parent: string, tables: Values): boolean {
	try {
		const { [parent]: _now, ...rest } = valuesOf(text);
		const { [parent]: _before, ...restBefore } = former;
		return isDeepStrictEqual(rest, restBefore) && isDeepStrictEqual({ ...tablesIn(valuesOf(text), parent) }, tables);
	} catch {
		return false;
	}
}

function valuesOf(text: string): Values {
	try {
		return parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: true });
	} catch (cause) {
		throw new HostError("invalid", "It is not valid TOML. Fix it first.", { cause });
	}
}

function tablesIn(values: Values, parent: string): Values {
	const tables = values[parent];
	return isJsonObject(tables) ? tables : {};
}

/** The text without a table and its inner tables. Comments before the next heading belong to that one. */
function withoutTable(text: string, path: readonly string[]): string {
	const lines = text.split(/(?<=\n)/);
	const kept: string[] = [];
	let removed: string[] = [];
	let isInside = false;
	let quotes: string | undefined;
	for (const line of lines) {
		const heading = quotes === undefined ? headingOf(line) : undefined;
		quotes = openQuotes(line, quotes);
		if (heading !== undefined) {
			kept.push(...(isInside ? removed.slice(afterValues(removed)) : []));
			removed = [];
			isInside = path.every((key, index) => heading[index] === key);
		}
		(isInside ? removed : kept).push(line);
	}
	return kept.join("");
}

/** The number of lines up to the last one with a value, and the blank lines after it. */
function afterValues(lines: readonly string[]): number {
	let end = lines.findLastIndex((line) => !/^\s*(?:#|$)/.test(line)) + 1;
	while (lines[end]?.trim() === "") end++;
	return end;
}

/** The quotes of the text over several lines that is open after a line; `quotes` are those that are open before it. */
function openQuotes(line: string, quotes: string | undefined): string | undefined {
	let open = quotes;
	for (let at = 0; at < line.length; at++) {
		const sign = line[at] ?? "";
		if (open !== undefined) {
			if (sign === "\\" && open.startsWith('"')) at++;
			else if (line.startsWith(open, at)) {
				at += open.length - 1;
				open = undefined;
			}
		} else if (sign === "#") break;
		else if (sign === '"' || sign === "'") {
			open = line.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
			at += open.length - 1;
		}
	}
	// Other texts end with their line.
	return open?.length === 3 ? open : undefined;
}

/** The keys of a heading of a table; undefined for any other line. */
function headingOf(line: string): readonly string[] | undefined {
	if (!/^[ \t]*\[/.test(line)) return undefined;
	try {
		const keys: string[] = [];
		let values: unknown = parse(line.replace(/^\uFEFF/, ""));
		while (isJsonObject(values)) {
			const [key] = Object.keys(values);
			if (key === undefined) break;
			keys.push(key);
			values = values[key];
		}
		return keys;
	} catch {
		return undefined;
	}
}
