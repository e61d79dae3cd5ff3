import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";

/** A part of a schema that providers refuse, if nobody rewrites it for them. */
interface RefusedPart {
	/** From the schema on, such as `.properties.ids`. */
	readonly path: string;
	readonly what: string;
	/** Who refuses it. */
	readonly families: string;
}

/** How many of them are named, and how deep and how much of a schema is looked at. */
const mostNamed = 10;
const deepest = 12;
const mostNodes = 5000;

/**
 * The parts of a tool's schema that model families refuse. Sources: platform.openai.com, "Function calling"; docs.anthropic.com, "Tool
 * use"; ai.google.dev, "Schema".
 */
export function refusedSchemas(schema: JsonObject): readonly RefusedPart[] {
	const found: RefusedPart[] = [];
	let left = mostNodes;
	for (const keyword of ["oneOf", "anyOf", "allOf", "enum", "not"])
		if (schema[keyword] !== undefined)
			add("", `The schema has “${keyword}” at its top.`, "OpenAI and Anthropic models");
	visit(schema, "", 0);
	return found.slice(0, mostNamed);

	function add(path: string, what: string, families: string): void {
		found.push({ path: oneLine(path, 200), what, families });
	}

	function visit(part: Json | undefined, path: string, depth: number): void {
		if (!isJsonObject(part) || depth > deepest || left-- <= 0) return;
		const { type, items, properties } = part;
		if (type === "array" && items === undefined && part["prefixItems"] === undefined)
			add(path, "A list does not say what its items are.", "OpenAI and Gemini models");
		if (type === "array" && Array.isArray(items))
			add(path, "“items” is a list of schemas.", "OpenAI and Gemini models");
		const { $ref: reference } = part;
		if (typeof reference === "string" && !reference.startsWith("#"))
			add(path, `A reference leads out of the schema: ${oneLine(reference, 80)}.`, "All models");
		if (isJsonObject(properties))
			for (const [key, value] of Object.entries(properties)) {
				if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
					add(
						`${path}.properties`,
						`The name of a parameter has characters that are not allowed: “${oneLine(key, 80)}”.`,
						"Anthropic models",
					);
				visit(value, `${path}.properties.${key}`, depth + 1);
			}
		visit(items, `${path}.items`, depth + 1);
		for (const keyword of ["oneOf", "anyOf", "allOf"]) {
			const branches = part[keyword];
			if (Array.isArray(branches))
				for (const [index, branch] of (branches as readonly Json[]).entries())
					visit(branch, `${path}.${keyword}[${index}]`, depth + 1);
		}
	}
}
