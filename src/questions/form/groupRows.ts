import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { exactName } from "../../base/exactJson.ts";
import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import { distinct } from "./leaf.ts";
import type { JsonPath } from "./jsonPath.ts";
import type { MemberAdding, NodeAction } from "./formProtocol.ts";
import type { Shape } from "./schemaShape.ts";

/** A place in a group that is shown, whether there is a value or not. */
export interface GroupRow {
	readonly path: JsonPath;
	readonly schema: Json;
	readonly label: string;
	readonly isRequired: boolean;
	/** It is shown although there is neither a value nor a need for one, as the first item of a list. */
	readonly isFirst?: boolean;
	/** The actions on a value because it is in this group. */
	readonly actions: readonly NodeAction[];
}

/** The content of a group. */
export interface GroupRows {
	readonly rows: readonly GroupRow[];
	/** How much there is, in our words. */
	readonly size: string;
	readonly canAddItem: boolean;
	readonly adding?: MemberAdding;
}

/** Limits on the rows of one group: absent members beyond the first ones are offered by name (TOL-20). */
const limits = { rows: 200, absent: 40, names: 500 };

/** The rows of an object or a list; undefined when there are more than a form can show. */
export function groupRows(
	path: JsonPath,
	shape: Shape,
	schema: JsonObject,
	value: JsonObject | readonly Json[],
): GroupRows | undefined {
	const rows =
		shape.kind === "list" && Array.isArray(value)
			? listRows(path, shape, schema, value as readonly Json[])
			: shape.kind === "object" && isJsonObject(value)
				? objectRows(path, shape, value)
				: undefined;
	return rows !== undefined && rows.rows.length <= limits.rows ? rows : undefined;
}

function objectRows(path: JsonPath, shape: Extract<Shape, { kind: "object" }>, value: JsonObject): GroupRows {
	const present = Object.keys(value).filter((name) => value[name] !== undefined);
	const isPresent = new Set(present);
	const names: string[] = [];
	const shown: string[] = [];
	let absent = 0;
	for (const name of shape.members.keys()) {
		if (isPresent.has(name) || shape.required.has(name) || absent++ < limits.absent) shown.push(name);
		else names.push(name);
	}
	const known = new Set(shape.members.keys());
	shown.push(...[...shape.required, ...present].filter((name) => !known.has(name) && known.add(name)));
	const takesAnyName = shape.rest !== false;
	const schemaOf = (name: string): Json => shape.members.get(name) ?? shape.rest;
	const rows = shown.slice(0, limits.rows + 1);
	const labels = distinct(rows.map((name) => memberLabel(name, schemaOf(name))));
	const offered = names.slice(0, limits.names);
	const offers = distinct(offered.map((name) => exactName(name, 60)));
	return {
		rows: rows.map((name, index) => {
			const isRequired = shape.required.has(name);
			return {
				path: [...path, name],
				schema: schemaOf(name),
				label: labels[index] ?? "",
				isRequired,
				actions: isRequired ? [] : ["remove"],
			};
		}),
		size: counted(present.length, "member"),
		canAddItem: false,
		...(names.length > 0 || takesAnyName
			? {
					adding: {
						names: offered.map((name, index) => ({ value: name, label: offers[index] ?? "" })),
						left: Math.max(0, names.length - limits.names),
						takesAnyName,
					},
				}
			: {}),
	};
}

function listRows(
	path: JsonPath,
	{ first, rest }: Extract<Shape, { kind: "list" }>,
	{ maxItems }: JsonObject,
	items: readonly Json[],
): GroupRows {
	const isFull = typeof maxItems === "number" && items.length >= maxItems;
	return {
		// The first items of a tuple have their own places: only those behind them move.
		rows: items.slice(0, limits.rows + 1).map((_item, index) => {
			const schema = first[index] ?? rest;
			const isFree = index >= first.length;
			const actions: NodeAction[] = isFree || index === items.length - 1 ? ["remove"] : [];
			if (isFree && index > first.length) actions.push("up");
			if (isFree && index < items.length - 1) actions.push("down");
			return { path: [...path, index], schema, label: itemLabel(index, schema, !isFree), isRequired: false, actions };
		}),
		size: counted(items.length, "item"),
		canAddItem: !isFull && (first[items.length] ?? rest) !== false,
	};
}

/** The name under which a value is sent, after the schema's title if that differs. */
function memberLabel(name: string, schema: Json): string {
	const shown = exactName(name, 200);
	const title = isJsonObject(schema) && typeof schema["title"] === "string" ? oneLine(schema["title"]) : "";
	return title === "" || plain(title) === plain(name) ? shown : `${title} (${shown})`;
}

function plain(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[\s_-]/g, "");
}

function itemLabel(index: number, schema: Json, isNamed: boolean): string {
	const title = isNamed && isJsonObject(schema) && typeof schema["title"] === "string" ? oneLine(schema["title"]) : "";
	return `Item ${index + 1}${title === "" ? "" : ` (${title})`}`;
}
