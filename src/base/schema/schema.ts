import type { SchemaDraft, ValidationResult, Validator as SchemaValidator } from "@cfworker/json-schema";
import { messageOf } from "../errors.ts";
import { isJsonObject, type Json, type JsonObject, jsonIn } from "../json.ts";
import { jsonObjectOf } from "../guards.ts";
import { lazy } from "../lazy.ts";
import { oneLine } from "../text.ts";
import { withinTime } from "../timeBudget.ts";
import { isQuicklyApplied } from "./plainSchema.ts";
import { soundSchema } from "./soundSchema.ts";
import { wordList } from "../wordList.ts";

/** Something in a value that does not fit its schema. */
export interface SchemaProblem {
	/** The place in the value; empty for the value itself. For a missing member it is the object that lacks it. */
	readonly path: readonly (string | number)[];
	/** On one line; it may quote the value and the schema, with hidden characters shown. */
	readonly message: string;
}

/** The result of applying a schema. A schema that cannot be applied says nothing about the value. */
export type SchemaVerdict =
	| { readonly kind: "applied"; readonly problems: readonly SchemaProblem[] }
	/** `why` continues "The schema": "cannot be applied: …". */
	| { readonly kind: "unusable"; readonly why: string };

/** The dialects that can be checked; a schema without `$schema` is of 2020-12 (specification 2025-11-25, "JSON Schema Usage"). */
const dialects: readonly { readonly pattern: RegExp; readonly draft: SchemaDraft }[] = [
	{ pattern: /draft\/2020-12\//, draft: "2020-12" },
	{ pattern: /draft\/2019-09\//, draft: "2019-09" },
	{ pattern: /draft-0[67]\//, draft: "7" },
	{ pattern: /draft-04\//, draft: "4" },
];

/** Keywords whose errors only say that something within them, or `false` itself, did not fit. */
const groups: ReadonlySet<string> = new Set(["properties", "items", "prefixItems", "allOf", "$ref", "false"]);

/** How long a schema may be applied, in milliseconds: enough for megabytes, too short to be felt as a freeze (TRN-53). */
const schemaTimeMs = 250;

/** More would not help anybody to correct the value. */
const mostProblems = 10;

/** The dialect in which a schema says that it is written; undefined for those that cannot be applied. */
export function draftOf(schema: JsonObject): SchemaDraft | undefined {
	const dialect = schema["$schema"];
	if (dialect === undefined) return "2020-12";
	return dialects.find(({ pattern }) => typeof dialect === "string" && pattern.test(dialect))?.draft;
}

/** Applies servers' schemas to values, without waiting: a call is checked twice, and has enough to wait for. */
export class SchemaChecks {
	private readonly Validator: typeof SchemaValidator;
	/** Those of schemas that are quickly applied, by the schema: a tool is called many times. */
	private readonly validators = new WeakMap<JsonObject, SchemaValidator>();

	/** The validator interprets a schema; it does not generate code. */
	constructor(Validator: typeof SchemaValidator) {
		this.Validator = Validator;
	}

	/**
	 * Applies the valid parts of a schema to a value. Never throws and never fetches anything; a schema that takes too
	 * long is abandoned.
	 */
	apply(schema: JsonObject, value: Json): SchemaVerdict {
		const draft = draftOf(schema);
		if (draft === undefined) {
			const named = oneLine(JSON.stringify(schema["$schema"]));
			return { kind: "unusable", why: `uses a dialect of JSON Schema that MCP Host does not know: ${named}` };
		}
		try {
			return verdictOf(this.validate(soundSchema(schema), draft, value), value);
		} catch (error) {
			// The error that the validator throws for a schema that contains itself at the same place of the value.
			const isEndless = error instanceof RangeError && error.message.includes("call stack");
			const why = isEndless ? "it refers to itself without end" : oneLine(messageOf(error));
			return { kind: "unusable", why: `cannot be applied: ${why}` };
		}
	}

	/**
	 * The problems of a tool's arguments by its input schema, one sentence each with the place; empty when they fit.
	 * Never throws: a schema that cannot be applied is a problem too, so nothing is called.
	 */
	checkArguments(schema: JsonObject, args: JsonObject): readonly string[] {
		const verdict = this.apply(schema, args);
		return verdict.kind === "applied"
			? verdict.problems.map(problemSentence)
			: [`The tool's input schema ${verdict.why}`];
	}

	private validate(schema: JsonObject, draft: SchemaDraft, value: Json): ValidationResult {
		const { Validator, validators } = this;
		if (isQuicklyApplied(schema, value)) {
			const validator = validators.get(schema) ?? new Validator({ ...schema }, draft, false);
			validators.set(schema, validator);
			return validator.validate(value);
		}
		// Expressions, references and comparisons of all items with each other can take for ever on a server's input.
		return withinTime(schemaTimeMs, () => new Validator({ ...schema }, draft, false).validate(value));
	}
}

/** Imported once: if VS Code has module hooks in a separate thread, each import asks that thread again. */
const checks = lazy(async () => new SchemaChecks((await import("@cfworker/json-schema")).Validator));

/** The checks, whose validator is loaded when they are first asked for. */
export function loadSchemaChecks(): Promise<SchemaChecks> {
	return checks.get();
}

/** See `SchemaChecks.apply`. */
export async function applySchema(schema: JsonObject, value: Json): Promise<SchemaVerdict> {
	return (await loadSchemaChecks()).apply(schema, value);
}

/** See `SchemaChecks.checkArguments`. */
export async function checkArguments(schema: JsonObject, args: JsonObject): Promise<readonly string[]> {
	return (await loadSchemaChecks()).checkArguments(schema, args);
}

function verdictOf({ valid, errors }: ValidationResult, value: Json): SchemaVerdict {
	if (valid) return allFits;
	// A group's error repeats the errors of its members, which are more specific.
	const precise = errors.filter(({ keyword }) => !groups.has(keyword));
	const chosen = precise.length > 0 ? precise : errors;
	const unique = new Map(chosen.map((one) => [`${one.instanceLocation}\n${one.error}`, one]));
	const problems = [...unique.values()]
		.slice(0, mostProblems)
		.map(({ instanceLocation, keyword, error }): SchemaProblem => ({
			path: pathOf(instanceLocation, value),
			message: oneLine(plainProblem(keyword, error), 300),
		}));
	return { kind: "applied", problems };
}

const allFits: SchemaVerdict = { kind: "applied", problems: [] };

/** The problems of a value by its schema; empty when it fits. An unusable schema is a problem of the whole value. */
export async function problemsOf(schema: JsonObject, value: Json): Promise<readonly SchemaProblem[]> {
	const verdict = await applySchema(schema, value);
	return verdict.kind === "applied" ? verdict.problems : [{ path: [], message: `The schema ${verdict.why}` }];
}

/** A problem with its place: `guests/0: "name" is missing.` */
export function problemSentence({ path, message }: SchemaProblem): string {
	return path.length === 0 ? message : `${oneLine(path.join("/"))}: ${message}`;
}

/** The place of an error, which the validator writes as a pointer in a URI's fragment: `#/a/b%20c`. */
function pathOf(location: string, value: Json): readonly (string | number)[] {
	let current: Json | undefined = value;
	return location
		.split("/")
		.slice(1)
		.map((token) => {
			const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
			const key = Array.isArray(current) ? Number(name) : name;
			current = Array.isArray(current) ? current[Number(name)] : jsonObjectOf(current)[name];
			return key;
		});
}

/** The object in a text edited by a user, or its problem. */
export function parseObject(text: string): { readonly value: JsonObject } | { readonly problem: string } {
	let value: Json;
	try {
		value = jsonIn(text);
	} catch (error) {
		return { problem: `This is not JSON: ${oneLine(messageOf(error))}` };
	}
	return isJsonObject(value) ? { value } : { problem: "The arguments of a tool are a JSON object: { … }" };
}

/** The names of JSON's types for users. */
const kinds: Readonly<Record<string, string>> = {
	string: "text",
	number: "a number",
	integer: "a whole number",
	boolean: "true or false",
	array: "a list",
	object: "an object",
};

type Words = (...parts: readonly string[]) => string;

const missing: Words = (name) => `${name} is missing.`;
const unlisted: readonly [RegExp, Words] = [
	/^Property ("[^]*") does not match/,
	(name) => `The schema does not allow this value for ${name}.`,
];

/** By the keyword that a value fails: how the validator's sentence begins, and the same in plain words. */
const sentences: Readonly<Record<string, readonly [pattern: RegExp, words: Words]>> = {
	type: [
		/^Instance type "(\w+)" is invalid\. Expected "([\w", ]+)"/,
		(is = "", wanted = "") => `Must be ${wordList(wanted.split('", "').map(kindOf), "or")}, but is ${kindOf(is)}.`,
	],
	required: [/^Instance does not have required property ("[^]*")\.$/, missing],
	enum: [/^Instance does not match any of \[([^]*)\]\.$/, (values) => `Must be one of these: ${values}.`],
	const: [/^Instance does not match ([^]*)\.$/, (value) => `Must be ${value}.`],
	minLength: [/\((\d+) < (\d+)\)/, (has, least) => `Must have at least ${count(least, "character")}, but has ${has}.`],
	maxLength: [/\((\d+) > (\d+)\)/, (has, most) => `Must have at most ${count(most, "character")}, but has ${has}.`],
	minItems: [/\((\d+) < (\d+)\)/, (has, least) => `Must have at least ${count(least, "item")}, but has ${has}.`],
	maxItems: [/\((\d+) > (\d+)\)/, (has, most) => `Must have at most ${count(most, "item")}, but has ${has}.`],
	pattern: [/^/, () => "Does not match the pattern in the schema."],
	format: [/format ("[^]*")/, (format) => `Does not have the format ${format}.`],
	uniqueItems: [
		/^Duplicate items at indexes (\d+) and (\d+)/,
		(one, other) => `Items ${one} and ${other} are the same.`,
	],
	anyOf: [/^/, () => "Must match at least one of the listed schemas, but matches none."],
	additionalProperties: unlisted,
	unevaluatedProperties: unlisted,
};

/** The validator's message for a keyword that fails, in plain words; other messages stay unchanged. */
function plainProblem(keyword: string, error: string): string {
	const [pattern, words] = sentences[keyword] ?? [];
	const match = pattern?.exec(error);
	return match == null || words === undefined ? error : words(...match.slice(1));
}

function count(number: string | undefined, noun: string): string {
	return `${number} ${noun}${number === "1" ? "" : "s"}`;
}

function kindOf(kind: string): string {
	return kinds[kind] ?? kind;
}
