import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { oneLine } from "../text.ts";
import { followPointer, schemaPlaces, subSchemas } from "./schemaPlaces.ts";

const types: ReadonlySet<Json | undefined> = new Set("array boolean integer null number object string".split(" "));
/** How much of a faulty keyword is repeated in words, in characters. */
const longestWords = 300;

const known = new WeakMap<JsonObject, JsonObject>();

/**
 * A server's schema without the keywords that have no meaning here: a pattern in the syntax of another language, a
 * reference to a missing target, values of the wrong kind. The description of the schema states each in words, where
 * user and model read it. The same object when nothing is wrong; takes time in proportion to the schema.
 */
export function soundSchema(schema: JsonObject): JsonObject {
	const before = known.get(schema);
	if (before !== undefined) return before;
	const references = new References(schema);
	const sound = soundOf(schema, references);
	known.set(schema, sound);
	known.set(sound, sound);
	return sound;
}

function soundOf(schema: JsonObject, references: References): JsonObject {
	const notes: string[] = [];
	const dropped = (keyword: string, value: Json, shown = value): undefined => {
		const words = typeof shown === "string" ? shown : JSON.stringify(shown);
		notes.push(`(Not checked, ${oneLine(keyword, 60)}: ${oneLine(words, longestWords)})`);
	};
	let isSame = true;
	const members = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
		if (value === undefined) return [];
		const place = schemaPlaces.get(keyword);
		const sound =
			place === undefined ? soundValue(keyword, value, references) : soundPlace(keyword, value, references, dropped);
		if (sound === undefined && place === undefined) dropped(keyword, value);
		isSame &&= sound === value;
		return sound === undefined ? [] : [[keyword, sound]];
	});
	if (isSame) return schema;
	const { description } = schema;
	const words = [...(typeof description === "string" && description !== "" ? [description] : []), ...notes].join("\n");
	return { ...Object.fromEntries(members), ...(notes.length === 0 ? {} : { description: words }) };
}

type Dropped = (keyword: string, value: Json, shown?: Json) => undefined;

/** The schemas under a keyword. Invalid ones are dropped; in a map, each one individually. */
function soundPlace(keyword: string, value: Json, references: References, dropped: Dropped): Json | undefined {
	const place = schemaPlaces.get(keyword);
	const isOne = (one: Json | undefined): one is JsonObject | boolean => isJsonObject(one) || typeof one === "boolean";
	const inner = (one: JsonObject | boolean): Json => (typeof one === "boolean" ? one : soundOf(one, references));
	if (place === "map") {
		if (!isJsonObject(value)) return dropped(keyword, value);
		const before = Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
		const after = before.flatMap(([name, one]): [string, Json][] => {
			const pattern = keyword === "patternProperties" ? soundPattern(name) : name;
			if (pattern !== undefined && isOne(one)) return [[pattern, inner(one)]];
			dropped(`${keyword} ${name}`, one);
			// The member may be given all the same.
			return keyword === "patternProperties" ? [] : [[name, {}]];
		});
		const isSame =
			before.length === after.length &&
			after.every(([name, one], index) => name === before[index]?.[0] && one === before[index]?.[1]);
		return isSame ? value : Object.fromEntries(after);
	}
	const list = Array.isArray(value) && place !== "schema" ? (value as readonly Json[]) : undefined;
	if (list !== undefined) {
		if (!list.every(isOne) || (place === "list" && list.length === 0)) return dropped(keyword, value);
		const after = list.map(inner);
		return after.every((one, index) => one === list[index]) ? value : after;
	}
	return place !== "list" && isOne(value) ? inner(value) : dropped(keyword, value);
}

const isLength = (value: Json): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;
const lengths = "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains".split(" ");

/** Which values a check accepts, by the keyword. */
const usable: ReadonlyMap<string, (value: Json) => boolean> = new Map<string, (value: Json) => boolean>([
	["enum", Array.isArray],
	["minimum", (value) => typeof value === "number"],
	["maximum", (value) => typeof value === "number"],
	["multipleOf", (value) => typeof value === "number" && value > 0],
	...lengths.map((keyword) => [keyword, isLength] as const),
]);

/** The value of a keyword that holds no schemas; undefined for a meaningless one. */
function soundValue(keyword: string, value: Json, references: References): Json | undefined {
	if (keyword === "pattern") return typeof value === "string" ? soundPattern(value) : undefined;
	if (keyword === "$ref") return typeof value === "string" && references.leadTo(value) ? value : undefined;
	if (keyword === "type") {
		if (!Array.isArray(value)) return types.has(value) ? value : undefined;
		return (value as readonly Json[]).length > 0 && (value as readonly Json[]).every((one) => types.has(one))
			? value
			: undefined;
	}
	if (keyword === "required") {
		if (!Array.isArray(value)) return undefined;
		const names = (value as readonly Json[]).filter((name) => typeof name === "string");
		return names.length === value.length ? value : names;
	}
	return usable.get(keyword)?.(value) === false ? undefined : value;
}

/** A regular expression as the check compiles it, with Unicode; undefined if it is not valid ECMA-262. */
function soundPattern(pattern: string): string | undefined {
	if (isExpression(pattern, "u")) return pattern;
	if (!isExpression(pattern, "")) return undefined;
	// Without Unicode a sign may be escaped that needs none.
	const plain = pattern.replaceAll(/\\(\\|[^\w\s^$\\.*+?()[\]{}|/-])/g, (whole, sign: string) =>
		sign === "\\" ? whole : sign,
	);
	const bare = plain.includes("[")
		? plain
		: plain.replaceAll(/\\(\\|-)/g, (whole, sign: string) => (sign === "-" ? sign : whole));
	return [plain, bare].find((one) => isExpression(one, "u"));
}

function isExpression(pattern: string, flags: string): boolean {
	try {
		return new RegExp(pattern, flags).flags === flags;
	} catch {
		return false;
	}
}

/** The targets of the references of one schema. Nothing is ever fetched. */
class References {
	private readonly root: JsonObject;
	private names: ReadonlySet<string> | undefined;
	/** Those that are known to be finite. */
	private readonly ended = new Set<string>();

	constructor(root: JsonObject) {
		this.root = root;
	}

	/** Whether a reference leads to a schema, and not from reference to reference in a ring. */
	leadTo(to: string): boolean {
		const target = followPointer(this.root, to);
		if (target === undefined) return this.isNamed(to);
		return (isJsonObject(target) || typeof target === "boolean") && !this.isEndless(to);
	}

	private isEndless(reference: string): boolean {
		const seen = new Set<string>();
		for (let to: Json | undefined = reference; typeof to === "string" && !this.ended.has(to);) {
			if (seen.has(to)) return true;
			seen.add(to);
			const target = followPointer(this.root, to);
			to = isJsonObject(target) ? target["$ref"] : undefined;
		}
		for (const to of seen) this.ended.add(to);
		return false;
	}

	/** Whether a reference means a schema by its `$id`, or a part of it. Only approximate. */
	private isNamed(to: string): boolean {
		const names = (this.names ??= namesIn(this.root));
		if (names.has(to)) return true;
		const [base = ""] = to.split("#");
		return base === "" ? false : [...names].some((name) => name === base || name.endsWith(`/${base}`));
	}
}

/** The targets of references that are not paths. */
function namesIn(root: JsonObject): ReadonlySet<string> {
	const names = new Set<string>();
	const queue: (Json | undefined)[] = [root];
	for (let schema = queue.pop(); schema !== undefined; schema = queue.pop()) {
		if (!isJsonObject(schema)) continue;
		for (const key of ["$id", "id"]) if (typeof schema[key] === "string") names.add(schema[key]);
		for (const key of ["$anchor", "$dynamicAnchor"]) if (typeof schema[key] === "string") names.add(`#${schema[key]}`);
		queue.push(...subSchemas(schema));
	}
	return names;
}
