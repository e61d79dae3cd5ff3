import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { jsonObjectOf } from "../base/guards.ts";
import { variable, variablesIn } from "../servers/definitions/variableNames.ts";
import type { NewServer } from "./newServer.ts";

/**
 * The same server with inputs of ids that no other input of its new place has. If another input has an id, the server's
 * own is renamed, and so is each use of it. An identical input that is there already counts as its own.
 */
export function withOwnInputs(server: NewServer, present: readonly unknown[]): NewServer {
	const taken = new Map(present.filter(isJsonObject).map((input) => [idOf(input), canonicalJson(input)]));
	const names = new Map<string, string>();
	for (const input of server.inputs) {
		const id = idOf(input);
		let name = id;
		const isOther = (): boolean => taken.has(name) && taken.get(name) !== canonicalJson({ ...input, id: name });
		for (let number = 2; isOther(); number++) name = `${id}-${number}`;
		taken.set(name, canonicalJson({ ...input, id: name }));
		names.set(id, name);
	}
	const nameOf = (id: string): string => names.get(id) ?? id;
	return {
		name: server.name,
		entry: jsonObjectOf(renamed(server.entry, nameOf)),
		inputs: server.inputs.map((input) => ({ ...input, id: nameOf(idOf(input)) })),
		values: new Map([...server.values].map(([id, value]) => [nameOf(id), value])),
	};
}

/** The inputs among `present` that an entry refers to. */
export function inputsUsedBy(entry: unknown, present: readonly unknown[]): readonly JsonObject[] {
	const used = new Set(variablesIn(entry));
	return present.filter(isJsonObject).filter((input) => used.has(`input:${idOf(input)}`));
}

/** The id by which an input is referred to; empty if it has none. */
export function idOf(input: JsonObject): string {
	const { id } = input;
	return typeof id === "string" ? id : "";
}

function renamed(value: Json | undefined, nameOf: (id: string) => string): Json | undefined {
	if (typeof value === "string") {
		return value.replace(variable, (found, expression: string) =>
			expression.startsWith("input:") ? `\${input:${nameOf(expression.slice("input:".length))}}` : found,
		);
	}
	if (Array.isArray(value)) return value.map((item: Json) => renamed(item, nameOf) ?? null);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, renamed(member, nameOf)]));
}
