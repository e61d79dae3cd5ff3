import { isJsonObject, type Json } from "../../base/json.ts";
import type { CallTarget } from "./namedCall.ts";

/** `${input:id}`, the one variable of named calls. Other similar text is literal: servers may give it a meaning. */
const inputVariable = /\$\{input:([^{}]+)\}/g;

/** The inputs that a call uses, each once. */
export function inputsIn(target: CallTarget): readonly string[] {
	const found = new Set<string>();
	mapTexts(target.kind === "resource" ? target.uri : target.arguments, (text) => {
		for (const [, id = ""] of text.matchAll(inputVariable)) found.add(id);
		return text;
	});
	return [...found];
}

/**
 * The call with the values of its inputs; an input without a value stays as written. Names of members are not replaced.
 */
export function withInputs(target: CallTarget, values: ReadonlyMap<string, string>): CallTarget {
	const fill = (text: string): string =>
		text.replace(inputVariable, (variable, id: string) => values.get(id) ?? variable);
	if (target.kind === "resource") return { ...target, uri: fill(target.uri) };
	return { ...target, arguments: mapTexts(target.arguments, fill) };
}

function mapTexts<T extends Json>(value: T, map: (text: string) => string): T;
function mapTexts(value: Json, map: (text: string) => string): Json {
	if (typeof value === "string") return map(value);
	if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, map));
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).map(([key, inner]): [string, Json | undefined] => [
		key,
		inner === undefined ? inner : mapTexts(inner, map),
	]);
	return Object.fromEntries(entries);
}
