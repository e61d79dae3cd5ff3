import { followPointer } from "../../base/schema/schemaPlaces.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** A schema without references and `allOf`, or why a form cannot be made from it, as the end of "It …". */
export type PlainSchema = { readonly schema: JsonObject } | { readonly why: string };

/** Why there is no form of the schema `false`: for a member that an object must not have. */
export const forbidden = "does not allow this";

/** How far references may lead to references. */
const longestChain = 20;

/** How many schemas a form reads in total: a schema can contain more than anybody could wait for. */
const mostReadings = 20_000;

/** Descriptive keywords; where two schemas meet, the outer one's value counts. */
const annotations: ReadonlySet<string> = new Set(
	"title description default examples deprecated readOnly writeOnly $comment $id $anchor $schema $defs definitions".split(
		" ",
	),
);

/** Parts that a form cannot show: conditions on the value that are not part of its shape. */
const unshowable = "not if then else patternProperties dependentSchemas dependencies $dynamicRef $recursiveRef".split(
	" ",
);

/**
 * Reads the schemas of one root: follows references within it and joins the parts of `allOf`. Bounded in all it does.
 */
export class SchemaReader {
	private readonly root: JsonObject;
	private readonly known = new WeakMap<JsonObject, PlainSchema>();
	private left = mostReadings;

	constructor(root: JsonObject) {
		this.root = root;
	}

	/** The plain form of a schema; for `true` and for a missing one, a schema that allows everything. */
	read(schema: Json | undefined): PlainSchema {
		return this.readAt(schema, 0);
	}

	/** Both schemas in one, if that is possible without changing their meaning. */
	join(outer: JsonObject, inner: Json | undefined): PlainSchema {
		const read = this.readAt(inner, 0);
		return "why" in read ? read : merge(outer, read.schema);
	}

	private readAt(schema: Json | undefined, depth: number): PlainSchema {
		if (schema === undefined || schema === true) return { schema: {} };
		if (schema === false) return { why: forbidden };
		if (!isJsonObject(schema)) return { why: "is not a JSON Schema here" };
		const known = this.known.get(schema);
		if (known !== undefined) return known;
		if (depth > longestChain) return { why: "refers to itself without end" };
		if (--this.left < 0) return { why: "is too large to be shown" };
		const plain = this.plain(schema, depth);
		this.known.set(schema, plain);
		return plain;
	}

	private plain(schema: JsonObject, depth: number): PlainSchema {
		const word = unshowable.find((keyword) => Object.hasOwn(schema, keyword));
		if (word !== undefined) return { why: `has rules that a form cannot show (${word})` };
		const { $ref, allOf, ...rest } = schema;
		const parts: Json[] = [];
		if ($ref !== undefined) {
			const target = typeof $ref === "string" ? this.find($ref) : undefined;
			if (target === undefined) return { why: "refers to a schema outside of it" };
			parts.push(target);
		}
		if (Array.isArray(allOf)) parts.push(...(allOf as readonly Json[]));
		if (parts.length > 100) return { why: "is too large to be shown" };
		let joined: PlainSchema = { schema: rest };
		for (const part of parts) {
			const inner = this.readAt(part, depth + 1);
			if ("why" in inner) return inner;
			if (!("why" in joined)) joined = merge(joined.schema, inner.schema);
		}
		return joined;
	}

	/** The schema that a reference within the root points to. Nothing is ever fetched. */
	private find(reference: string): Json | undefined {
		const isPointer = reference === "#" || reference.startsWith("#/");
		return isPointer ? followPointer(this.root, reference) : this.findAnchor(reference);
	}

	/** Anchors are looked for in definitions, where they are in practice. */
	private findAnchor(reference: string): Json | undefined {
		if (!reference.startsWith("#")) return undefined;
		return ["$defs", "definitions"]
			.flatMap((name) => Object.values(isJsonObject(this.root[name]) ? this.root[name] : {}))
			.find((schema) => isJsonObject(schema) && schema["$anchor"] === reference.slice(1));
	}
}

function merge(outer: JsonObject, inner: JsonObject): PlainSchema {
	const members = new Map<string, Json | undefined>(Object.entries(inner));
	for (const [keyword, value] of Object.entries(outer)) {
		const other = members.get(keyword);
		if (other === undefined || annotations.has(keyword)) members.set(keyword, value);
		else if (value !== undefined && canonicalJson(value) !== canonicalJson(other)) {
			const both = joined(keyword, value, other);
			if (both === undefined) return { why: `combines rules that a form cannot show (${keyword})` };
			members.set(keyword, both);
		}
	}
	return { schema: Object.fromEntries(members) };
}

/** The combined meaning of two values of one keyword; undefined if one value cannot express it. */
function joined(keyword: string, one: Json, other: Json): Json | undefined {
	if (keyword === "required" && Array.isArray(one) && Array.isArray(other)) return [...new Set([...other, ...one])];
	if (keyword === "properties" && isJsonObject(one) && isJsonObject(other)) {
		const members = new Map<string, Json | undefined>(Object.entries(other));
		for (const [name, schema] of Object.entries(one)) {
			const known = members.get(name);
			members.set(name, known === undefined || schema === undefined ? schema : { allOf: [schema, known] });
		}
		return Object.fromEntries(members);
	}
	if (keyword === "type") return narrower(one, other);
	if (typeof one !== "number" || typeof other !== "number") return undefined;
	if (/^(?:exclusiveM|m)inimum$|^min/.test(keyword)) return Math.max(one, other);
	return /^(?:exclusiveM|m)aximum$|^max/.test(keyword) ? Math.min(one, other) : undefined;
}

function narrower(one: Json, other: Json): Json | undefined {
	const [these, those] = [one, other].map((type) => (Array.isArray(type) ? (type as readonly Json[]) : [type]));
	const both = (these ?? []).filter(
		(type) => those?.includes(type) || (type === "integer" && those?.includes("number")),
	);
	if ((those ?? []).includes("integer") && (these ?? []).includes("number")) both.push("integer");
	return both.length === 1 ? both[0] : both.length === 0 ? undefined : both;
}
