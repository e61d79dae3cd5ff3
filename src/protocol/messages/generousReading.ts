import { ordinaryBase64 } from "../../base/base64.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** Called for lenient readings: the member's place, such as `tools[].title`, and the reading. */
export type NoteReading = (place: string, reading: string) => void;

/** How a value is treated if it contains null. */
type Kind = "protocol" | "capability" | "named" | "meta" | "schema" | "schemas";

/** Members of the protocol that hold data of others, in which null says something. */
const dataMembers: ReadonlySet<string> = new Set(["structuredContent", "input", "metadata", "data"]);
/** Members that may be null by the specification: how long a task is kept, and what a log message says. */
const nullable: ReadonlySet<string> = new Set(["ttl", "data"]);
const schemaMembers: ReadonlySet<string> = new Set(["inputSchema", "outputSchema", "requestedSchema"]);
/** Objects that some languages write as an empty list when they are empty. */
const objectMembers: ReadonlySet<string> = new Set(["_meta", "annotations", "capabilities"]);
/** Capabilities that may hold anything (specification, "Capability Negotiation"). */
const openCapabilities: ReadonlySet<string> = new Set(["logging", "completions"]);
const flags: ReadonlySet<string> = new Set(["listChanged", "subscribe"]);
/** Keywords of a schema whose values are data, and those that hold schemas by name. */
const schemaData: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);
const schemaNames: ReadonlySet<string> = new Set([
	"properties",
	"patternProperties",
	"$defs",
	"definitions",
	"dependentSchemas",
]);
/** Members of `_meta` that are the protocol's own. */
const ownMeta = "io.modelcontextprotocol/";
/** The blocks whose `data` is base64. */
const mediaBlocks: ReadonlySet<unknown> = new Set(["image", "audio"]);

/**
 * Params or a result as if each optional member that is null were absent, at any depth of what the protocol itself
 * defines, with capabilities that are true or false read as offered or not, and with base64 in the ordinary spelling, the
 * only one that the SDK's schemas take. Null stays in arguments, structured content, `_meta`, and in `default`, `const` and
 * `enum` of a schema. Gives the same object where nothing changed.
 */
export function readGenerously(value: Json, note: NoteReading): Json {
	return walk(value, "protocol", "", note);
}

function walk(value: Json, kind: Kind, place: string, note: NoteReading): Json {
	if (typeof value !== "object" || value === null) return value;
	if (!isJsonObject(value)) return walkList(value, kind, place, note);
	let changed: Record<string, Json | undefined> | undefined;
	for (const key of Object.keys(value)) {
		const member = value[key];
		if (member === undefined || !isRead(key, member, kind, value)) continue;
		const read = readMember(key, member, kind, place === "" ? key : `${place}.${key}`, note);
		if (read === member) continue;
		changed ??= { ...value };
		if (read === undefined) delete changed[key];
		else changed[key] = read;
	}
	return changed ?? value;
}

function walkList(list: readonly Json[], kind: Kind, place: string, note: NoteReading): Json {
	let changed: Json[] | undefined;
	for (const [index, item] of list.entries()) {
		const read = walk(item, kind, `${place}[]`, note);
		if (read === item) continue;
		changed ??= [...list];
		changed[index] = read;
	}
	return changed ?? list;
}

/** Whether a member may have to be read: most are texts and numbers, in lists of ten thousand. */
function isRead(key: string, member: Json, kind: Kind, holder: JsonObject): boolean {
	if (typeof member === "object" || kind === "capability" || kind === "named") return true;
	return kind === "protocol" && typeof member === "string" && isBase64(key, holder);
}

/** A member after reading; undefined for one that counts as absent. */
function readMember(key: string, value: Json, kind: Kind, place: string, note: NoteReading): Json | undefined {
	switch (kind) {
		case "capability":
			if (flags.has(key)) return typeof value === "boolean" ? value : absent(value, place, note);
			if (openCapabilities.has(key) && isJsonObject(value)) return value;
			if (isJsonObject(value))
				return walk(value, key === "experimental" || key === "extensions" ? "named" : kind, place, note);
			return offered(value, place, note);
		case "named":
			return isJsonObject(value) ? value : offered(value, place, note);
		case "meta":
			if (key !== "progressToken" && !key.startsWith(ownMeta)) return value;
			return value === null ? absent(value, place, note) : walk(value, "protocol", place, note);
		case "schemas":
			if (value !== null) return walk(value, "schema", place, note);
			note(place, "null read as a schema that allows everything");
			return {};
		case "schema":
			if (schemaData.has(key) || key.startsWith("x-")) return value;
			if (value === null) return absent(value, place, note);
			if (!schemaNames.has(key)) return walk(value, "schema", place, note);
			return walk(emptyObject(value, place, note), "schemas", place, note);
		case "protocol":
			if (value === null) return nullable.has(key) ? value : absent(value, place, note);
			if (typeof value === "string") return inOrdinaryBase64(value, place, note);
			if (dataMembers.has(key) || (key === "arguments" && !Array.isArray(value))) return value;
			if (schemaMembers.has(key)) return walk(value, "schema", place, note);
			if (!objectMembers.has(key)) return walk(value, "protocol", place, note);
			return walk(emptyObject(value, place, note), kindOf(key), place, note);
	}
}

/** Whether a text is base64 by the protocol: the blob of a resource, and the data of an image or a recording. */
function isBase64(key: string, { type, uri }: JsonObject): boolean {
	return key === "blob" ? typeof uri === "string" : key === "data" && mediaBlocks.has(type);
}

/** Text that is not base64 stays unchanged, for the check that follows. */
function inOrdinaryBase64(text: string, place: string, note: NoteReading): string {
	const ordinary = ordinaryBase64(text);
	if (ordinary === undefined || ordinary === text) return text;
	note(place, "base64 rewritten in its standard form");
	return ordinary;
}

function kindOf(key: string): Kind {
	return key === "_meta" ? "meta" : key === "capabilities" ? "capability" : "protocol";
}

function offered(value: Json, place: string, note: NoteReading): Json | undefined {
	if (value !== true && !(Array.isArray(value) && value.length === 0)) return absent(value, place, note);
	note(place, `${JSON.stringify(value)} read as {}`);
	return {};
}

function emptyObject(value: Json, place: string, note: NoteReading): Json {
	if (!Array.isArray(value) || value.length > 0) return value;
	note(place, "[] read as {}");
	return {};
}

function absent(value: Json, place: string, note: NoteReading): undefined {
	note(place, value === null || value === false ? `${value} read as absent` : "its value is ignored");
	return undefined;
}
