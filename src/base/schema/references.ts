import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { showHidden } from "../text.ts";
import { followPointer, schemaPlaces } from "./schemaPlaces.ts";

/**
 * For these keywords the schema's own value applies beside a reference: they demand nothing, or are the same for all
 * arguments.
 */
const ownFirst: ReadonlySet<string> = new Set(
	"$comment $defs $id $schema definitions description title type".split(" "),
);

/** How much may be written in place of references, in characters: definitions that hold each other double at each step. */
const mostInlined = 60_000;
/** Through how many references one is followed. */
const deepest = 16;

/**
 * The target of a reference, merged with the keywords beside it. A keyword in both becomes a part of `allOf`, which
 * means the same (JSON Schema 2020-12, 8.2.3.1: keywords beside `$ref` count as well).
 */
export function besideReference(target: JsonObject, own: JsonObject): JsonObject {
	const isApart = Object.keys(target).every((keyword) => !Object.hasOwn(own, keyword) || ownFirst.has(keyword));
	if (isApart && target["$ref"] === undefined) return { ...target, ...own };
	const { allOf } = own;
	return { ...own, allOf: [...(Array.isArray(allOf) ? (allOf as readonly Json[]) : []), target] };
}

/**
 * A schema with each reference replaced by its target. Where the target is recursive, missing, or larger than models
 * should receive, the description says so in words, with its `type` if there is one. Runs in bounded time for any
 * schema.
 */
export function inlineReferences(root: JsonObject): JsonObject {
	let left = mostInlined;
	const lengths = new Map<string, number>();
	const lengthOf = (reference: string, target: JsonObject): number => {
		const length = lengths.get(reference) ?? JSON.stringify(target).length;
		lengths.set(reference, length);
		return length;
	};
	const inline = (schema: JsonObject, within: readonly string[]): JsonObject => {
		const { $ref: reference, $defs: _defs, definitions: _definitions, ...rest } = schema;
		const own = mapSchemas(rest, (inner) => inline(inner, within));
		if (typeof reference !== "string") return own;
		const target = followPointer(root, reference);
		if (!isJsonObject(target)) return inWords(reference, {}, own);
		const length = lengthOf(reference, target);
		if (within.includes(reference) || within.length > deepest || length > left) return inWords(reference, target, own);
		left -= length;
		return besideReference(inline(target, [...within, reference]), own);
	};
	return inline(root, ["#"]);
}

/** A copy of a schema whose schemas directly within are others. */
export function mapSchemas(schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject {
	const changed = (one: Json | undefined): Json | undefined => (isJsonObject(one) ? change(one) : one);
	const entries = Object.entries(schema).map(([keyword, value]): [string, Json | undefined] => {
		const place = schemaPlaces.get(keyword);
		if (place === undefined) return [keyword, value];
		if (Array.isArray(value)) return [keyword, (value as readonly Json[]).map((one) => changed(one) ?? {})];
		if (place !== "map" || !isJsonObject(value)) return [keyword, changed(value)];
		return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one)]))];
	});
	return Object.fromEntries(entries);
}

/** The replacement for a reference that cannot be followed to its end. */
function inWords(reference: string, { type }: JsonObject, own: JsonObject): JsonObject {
	const name = showHidden(reference.slice(reference.lastIndexOf("/") + 1).slice(0, 60));
	const which = name === "#" ? "the arguments as a whole" : `"${name}"`;
	const words = `Has the same schema as ${which}. A value that does not match is rejected with the reason.`;
	const { description } = own;
	const said = typeof description === "string" && description !== "" ? [description] : [];
	return { ...(type === undefined ? {} : { type }), ...own, description: [...said, words].join("\n") };
}
