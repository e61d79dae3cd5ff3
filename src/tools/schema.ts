import type { SchemaDraft } from "@cfworker/json-schema";
import { messageOf } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { mayBeEndless, schemaTimeMs } from "../base/schemaCost.ts";
import { oneLine } from "../base/text.ts";
import { withinTime } from "../base/timeBudget.ts";

/** The dialects that can be checked; a schema without `$schema` is of 2020-12 (spec.md T6). */
const dialects: readonly { readonly pattern: RegExp; readonly draft: SchemaDraft }[] = [
	{ pattern: /draft\/2020-12\//, draft: "2020-12" },
	{ pattern: /draft\/2019-09\//, draft: "2019-09" },
	{ pattern: /draft-0[67]\//, draft: "7" },
	{ pattern: /draft-04\//, draft: "4" },
];

/** Keywords whose errors only say that something within them, or `false` itself, did not fit. */
const groups: ReadonlySet<string> = new Set(["properties", "items", "prefixItems", "allOf", "$ref", "false"]);

/** More would not help anybody to correct the arguments. */
const mostProblems = 10;

/**
 * What is wrong with a tool's arguments by its input schema, one sentence each with the place; empty when they fit.
 * Never throws and never fetches anything: a schema that cannot be applied is a problem too, and so nothing is called.
 * The validator interprets the schema (it makes no code of it) and is loaded by the first check.
 */
export async function checkArguments(schema: JsonObject, args: JsonObject): Promise<readonly string[]> {
	const dialect = schema["$schema"];
	const draft =
		dialect === undefined
			? "2020-12"
			: dialects.find(({ pattern }) => typeof dialect === "string" && pattern.test(dialect))?.draft;
	if (draft === undefined)
		return [
			`The tool's input schema is of a dialect that this host does not know: ${oneLine(JSON.stringify(dialect))}`,
		];
	try {
		const { Validator } = await import("@cfworker/json-schema");
		const validator = new Validator({ ...schema }, draft, false);
		const { valid, errors } = mayBeEndless(schema)
			? withinTime(schemaTimeMs, () => validator.validate(args))
			: validator.validate(args);
		if (valid) return [];
		// An error of a group repeats those of its members, which tell more.
		const precise = errors.filter(({ keyword }) => !groups.has(keyword));
		const chosen = precise.length > 0 ? precise : errors;
		const problems = new Set(chosen.map(({ instanceLocation, error }) => describe(instanceLocation, error)));
		return [...problems].slice(0, mostProblems);
	} catch (error) {
		return [`The tool's input schema cannot be applied: ${oneLine(messageOf(error))}`];
	}
}

/** An error of the validator, whose locations read `#/a/b`. */
function describe(location: string, error: string): string {
	const place = location.replace(/^#\/?/, "");
	return place === "" ? oneLine(error, 300) : `${oneLine(place)}: ${oneLine(error, 300)}`;
}

/** The object that a text edited by a person holds, or what is wrong with it. */
export function parseObject(text: string): { readonly value: JsonObject } | { readonly problem: string } {
	let value: Json;
	try {
		value = JSON.parse(text) as Json;
	} catch (error) {
		return { problem: `This is not JSON: ${oneLine(messageOf(error))}` };
	}
	return isJsonObject(value) ? { value } : { problem: "The arguments of a tool are a JSON object: { … }" };
}
