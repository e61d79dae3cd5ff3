import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { ResultTable } from "./resultProtocol.ts";

/** More than this is for the JSON view, or for another program. */
const mostRows = 500;
const mostColumns = 24;
const mostFacts = 100;
const longestCell = 300;

/**
 * Structured content as a table: a list of objects, an object that holds one such list among plain members, or an object
 * of plain members as names and values. Undefined for anything else, which JSON shows better.
 */
export function resultTable(value: Json): ResultTable | undefined {
	if (isRows(value)) return { facts: [], totalFacts: 0, ...rowsOf(value) };
	if (!isJsonObject(value)) return undefined;
	const members = Object.entries(value).filter((member): member is [string, Json] => member[1] !== undefined);
	const lists = members.filter(([, member]) => isRows(member));
	const others = members.filter(([, member]) => !isRows(member));
	// Deeper structures would be cells full of JSON.
	if (lists.length > 1 || others.some(([, member]) => !isPlain(member)) || members.length === 0) return undefined;
	const facts = (most: number) =>
		others.slice(0, most).map(([name, member]) => [oneLine(name, 100), cellOf(member)] as const);
	const [list] = lists;
	if (list !== undefined) {
		const rows = rowsOf(list[1] as readonly JsonObject[]);
		return { name: oneLine(list[0], 100), facts: facts(mostFacts), totalFacts: others.length, ...rows };
	}
	const columns = ["Name", "Value"];
	return { facts: [], totalFacts: 0, columns, totalColumns: 2, rows: facts(mostRows), total: others.length };
}

function rowsOf(items: readonly JsonObject[]): Pick<ResultTable, "columns" | "totalColumns" | "rows" | "total"> {
	const shown = items.slice(0, mostRows);
	const all = new Set(shown.flatMap((item) => Object.keys(item)));
	const keys = [...all].slice(0, mostColumns);
	return {
		columns: keys.map((key) => oneLine(key, 60)),
		totalColumns: all.size,
		rows: shown.map((item) => keys.map((key) => (Object.hasOwn(item, key) ? cellOf(item[key]) : ""))),
		total: items.length,
	};
}

function isRows(value: Json): value is readonly JsonObject[] {
	return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function isPlain(value: Json): boolean {
	return (
		typeof value !== "object" ||
		value === null ||
		(Array.isArray(value) && value.every((item) => typeof item !== "object"))
	);
}

function cellOf(value: Json | undefined): string {
	return oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), longestCell);
}
