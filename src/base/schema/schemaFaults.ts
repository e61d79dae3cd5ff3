import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { oneLine } from "../text.ts";
import { draftOf } from "./schema.ts";
import { followPointer, subSchemas } from "./schemaPlaces.ts";

/** A larger schema costs more context than any tool is worth: some 25,000 tokens. Those of published servers have 10,000. */
const longestSchema = 100_000;
/** Deeper ones are no forms that anybody fills in, and everything that walks over schemas recurses. */
const deepest = 64;

const types: ReadonlySet<Json | undefined> = new Set("array boolean integer null number object string".split(" "));

/**
 * Why a tool with this input schema can never be called, or undefined. It goes on from "Not offered to models:". Takes a
 * bounded time whatever the schema is (TOL-20); recursive ones are fine. What is wrong with a schema in ways
 * that this does not see is told when it is applied.
 */
export function whyUnusable(schema: JsonObject): string | undefined {
	const size = new Size();
	if (!size.add(schema, 0)) return `its input schema is ${size.problem}`;
	if (draftOf(schema) === undefined) {
		return `its input schema uses a dialect of JSON Schema that MCP Host does not know: ${oneLine(JSON.stringify(schema["$schema"]), 100)}`;
	}
	const { type = "object" } = schema;
	if (type !== "object" && !(Array.isArray(type) && type.includes("object"))) {
		return "its input schema does not describe an object, as arguments are";
	}
	return whyMalformed(schema);
}

/** Counts about as many characters as a value has as JSON, and stops at the first that is too many. */
class Size {
	problem = "";
	private left = longestSchema;

	add(value: unknown, depth: number): boolean {
		if (depth > deepest) return this.refuse(`nested more than ${deepest} levels deep`);
		this.left -= typeof value === "string" ? value.length + 3 : 5;
		const isList = Array.isArray(value);
		if (this.left >= 0 && typeof value === "object" && value !== null) {
			for (const key in value) {
				this.left -= isList ? 0 : key.length + 4;
				if (this.left < 0) break;
				if (!this.add(Reflect.get(value, key), depth + 1)) return false;
			}
		}
		return this.left >= 0 || this.refuse(`too large (more than ${longestSchema.toLocaleString("en-US")} characters)`);
	}

	private refuse(problem: string): false {
		this.problem = problem;
		return false;
	}
}

/** A reference of a schema, and where it stands. */
interface Reference {
	readonly pointer: string;
	readonly to: string;
}

function whyMalformed(root: JsonObject): string | undefined {
	const references: Reference[] = [];
	/** What references by another way than a path can mean. */
	const names = new Set<string>();
	const queue: { readonly pointer: string; readonly schema: Json | undefined }[] = [{ pointer: "", schema: root }];
	for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
		const { pointer, schema } = item;
		if (typeof schema === "boolean") continue;
		const fault = isJsonObject(schema) ? faultOf(schema) : "it is not a schema";
		if (fault !== undefined || !isJsonObject(schema)) {
			return `its input schema is invalid at ${oneLine(pointer === "" ? "/" : pointer, 100)}: ${fault}`;
		}
		for (const key of ["$id", "id"]) if (typeof schema[key] === "string") names.add(schema[key]);
		for (const key of ["$anchor", "$dynamicAnchor"]) if (typeof schema[key] === "string") names.add(`#${schema[key]}`);
		if (typeof schema["$ref"] === "string") references.push({ pointer, to: schema["$ref"] });
		queue.push(...subSchemas(schema, pointer));
	}
	const ended = new Set<string>();
	for (const { to } of references) {
		const shown = oneLine(to, 100);
		if (followPointer(root, to) === undefined && !isNamed(to, names)) {
			return `its input schema refers to ${shown}, which is not in it; nothing is fetched`;
		}
		if (isEndless(root, to, ended)) return `its input schema refers to ${shown}, which refers to itself without end`;
	}
	return undefined;
}

/** Whether a reference means a schema by its `$id`, or something within that. Only looked at roughly. */
function isNamed(to: string, names: ReadonlySet<string>): boolean {
	if (names.has(to)) return true;
	const [base = ""] = to.split("#");
	return base === "" ? false : [...names].some((name) => name === base || name.endsWith(`/${base}`));
}

/** Whether following a reference leads from reference to reference in a ring; `ended` takes those that are known not to. */
function isEndless(root: JsonObject, reference: string, ended: Set<string>): boolean {
	const seen = new Set<string>();
	for (let to: Json | undefined = reference; typeof to === "string" && !ended.has(to);) {
		if (seen.has(to)) return true;
		seen.add(to);
		const target = followPointer(root, to);
		to = isJsonObject(target) ? target["$ref"] : undefined;
	}
	for (const to of seen) ended.add(to);
	return false;
}

/** What is wrong with the keywords of one schema that matter here. */
function faultOf(schema: JsonObject): string | undefined {
	const { type, required, enum: values, pattern, properties, patternProperties, $ref: reference } = schema;
	const wanted: readonly (Json | undefined)[] = Array.isArray(type) ? (type as readonly Json[]) : [type];
	if (type !== undefined && !wanted.every((one) => types.has(one))) {
		return `there is no type ${oneLine(JSON.stringify(type), 60)}`;
	}
	if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string"))) {
		return "`required` is not a list of names";
	}
	if (values !== undefined && !Array.isArray(values)) return "`enum` is not a list";
	if (properties !== undefined && !isJsonObject(properties)) return "`properties` are not schemas by name";
	if (reference !== undefined && typeof reference !== "string") return "`$ref` is not a string";
	const patterns = [...(pattern === undefined ? [] : [pattern]), ...keysOf(patternProperties)];
	const broken = patterns.find((one) => !isExpression(one));
	return broken === undefined ? undefined : `${oneLine(JSON.stringify(broken), 60)} is not a valid regular expression`;
}

function keysOf(value: Json | undefined): readonly string[] {
	return isJsonObject(value) ? Object.keys(value) : [];
}

function isExpression(pattern: Json): boolean {
	if (typeof pattern !== "string") return false;
	return ["u", ""].some((flags) => {
		try {
			return new RegExp(pattern, flags).flags === flags;
		} catch {
			return false;
		}
	});
}
