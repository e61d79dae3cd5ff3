import type { JsonPath } from "../../base/configText.ts";
import type { JsonObject } from "../../base/json.ts";
import { secretsIn } from "../../base/secrets/judge.ts";
import { idOf } from "../entryInputs.ts";
import type { NewServer } from "../newServer.ts";
import { valuesOf, type ValueRow } from "./valueRows.ts";

/** A part of a text of an entry that looks secret and is written in full. */
export interface SecretValue {
	/** The place of the text in the entry. */
	readonly path: JsonPath;
	/** The display name of the value, such as the name of its variable. */
	readonly label: string;
	/** The whole text, and its secret part: for a header without the word before a token. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
}

/** The values of an entry that look secret, by their names or their forms, and that are written in full. */
export function secretValuesOf(entry: JsonObject): readonly SecretValue[] {
	// Only the written value counts: it is written in full even if the environment has the same.
	const rows = valuesOf(entry, { inputs: [], hasVariable: () => false });
	return rows.flatMap((row) => {
		const isWritten = row.kind === "secret" && row.text.trim() !== "" && row.placeholder === undefined;
		return isWritten ? besideReferences(placed(row, entry)) : [];
	});
}

/** The server with these values as inputs: their references in the entry, and the values for the secret store. */
export function extractSecrets(server: NewServer, found = secretValuesOf(server.entry)): NewServer {
	const inputs = [...server.inputs];
	const values = new Map(server.values);
	const entry = structuredClone(server.entry);
	// From the end of each text to its beginning, so that places before stay where they are.
	for (const value of found.toSorted((a, b) => b.start - a.start)) {
		const { input, reference } = asInput(server.name, value.label, new Set(inputs.map(idOf)));
		inputs.push(input);
		values.set(idOf(input), value.text.slice(value.start, value.end));
		replace(entry, value, reference);
	}
	return { name: server.name, entry, inputs, values };
}

/** An input for a secret, and how an entry refers to it. */
export function asInput(
	server: string,
	label: string,
	taken: ReadonlySet<string>,
): { readonly input: JsonObject; readonly reference: string } {
	const id = freeId(`${server}-${label}`, taken);
	const input = { type: "promptString", id, description: `${label} of ${server}`, password: true };
	return { input, reference: `\${input:${id}}` };
}

function besideReferences(value: SecretValue): readonly SecretValue[] {
	const { text, label, path } = value;
	if (!text.slice(value.start, value.end).includes("${") || !["env", "headers"].includes(String(path[0])))
		return [value];
	return secretsIn(label, text, "entry").map((place) =>
		Object.assign({}, value, { start: place.start, end: place.end }),
	);
}

function placed({ holder, label, before, start, end }: ValueRow, entry: JsonObject): SecretValue {
	if (holder.kind === "text") return { path: holder.path, label, text: textAt(entry, holder.path), start, end };
	const path = [holder.kind === "env" ? "env" : "headers", holder.name];
	const text = textAt(entry, path);
	return { path, label, text, start: before.length, end: text.length };
}

function textAt(entry: JsonObject, path: JsonPath): string {
	let value: unknown = entry;
	for (const key of path) value = isHolder(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	return typeof value === "string" ? value : "";
}

function replace(entry: JsonObject, { path, start, end }: SecretValue, by: string): void {
	let outer: unknown = entry;
	for (const key of path.slice(0, -1)) outer = isHolder(outer) ? outer[key] : undefined;
	const key = path.at(-1);
	if (key === undefined || !isHolder(outer) || !Object.hasOwn(outer, key)) return;
	const text = textAt(entry, path);
	const value = text.slice(0, start) + by + text.slice(end);
	// As data, for every key.
	Object.defineProperty(outer, key, { value, enumerable: true, writable: true, configurable: true });
}

function isHolder(value: unknown): value is Readonly<Record<string | number, unknown>> {
	return typeof value === "object" && value !== null;
}

/** An id of letters, digits and dashes that is not taken. */
function freeId(wanted: string, taken: ReadonlySet<string>): string {
	const base =
		wanted
			.toLowerCase()
			.replace(/[^a-z\d]+/g, "-")
			.replace(/^-|-$/g, "") || "value";
	let id = base;
	for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
	return id;
}
