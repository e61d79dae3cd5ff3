import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import type { ConnectionHandlers, ServerFacts } from "../connection.ts";
import type { Tool } from "@modelcontextprotocol/client";

/** A header's name as RFC 9110 5.1 allows it. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerTypes = new Set<Json | undefined>(["string", "integer", "boolean"]);
/** Keywords that hold a schema, a list of schemas, or schemas by name; a header below one of them is never reached. */
const nested = [
	"items",
	"prefixItems",
	"contains",
	"additionalProperties",
	"unevaluatedProperties",
	"unevaluatedItems",
];
const combined = ["propertyNames", "oneOf", "anyOf", "allOf", "not", "if", "then", "else"];
const named = ["patternProperties", "dependentSchemas", "$defs", "definitions"];

/** Whether arguments of a tool may have to be sent as headers, too; see `headerFault`. */
export function mayHaveHeaders(inputSchema: JsonObject): boolean {
	return JSON.stringify(inputSchema).includes('"x-mcp-header"');
}

/**
 * Why a tool must not be offered over Streamable HTTP: an `x-mcp-header` of its input schema breaks the rules
 * (specification 2026-07-28, "Streamable HTTP", "Schema Extension"). Undefined when all is well.
 */
export function headerFault(inputSchema: JsonObject): string | undefined {
	const names = new Set<string>();
	return visit(inputSchema, [], true);

	function visit(schema: Json | undefined, path: readonly string[], isReachable: boolean): string | undefined {
		if (!isJsonObject(schema)) return undefined;
		const own = Object.hasOwn(schema, "x-mcp-header") ? checkHeader(schema, isReachable && path.length > 0) : undefined;
		if (own !== undefined) return `${path.join(".") || "the schema itself"}: ${own}`;
		for (const [key, child] of entries(schema["properties"])) {
			const fault = visit(child, [...path, key], isReachable);
			if (fault !== undefined) return fault;
		}
		for (const keyword of [...nested, ...combined]) {
			const value = schema[keyword];
			for (const child of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
				const fault = visit(child, [...path, `<${keyword}>`], false);
				if (fault !== undefined) return fault;
			}
		}
		for (const keyword of named) {
			for (const [, child] of entries(schema[keyword])) {
				const fault = visit(child, [...path, `<${keyword}>`], false);
				if (fault !== undefined) return fault;
			}
		}
		return undefined;
	}

	function checkHeader(schema: JsonObject, isReachable: boolean): string | undefined {
		const name = schema["x-mcp-header"];
		if (!isReachable) return "a header is declared in a place that is not an argument";
		if (typeof name !== "string" || !token.test(name))
			return `${JSON.stringify(name)} is not a valid name for a header`;
		if (!headerTypes.has(schema["type"])) return "only a string, an integer or a boolean can be a header";
		if (names.has(name.toLowerCase())) return `two arguments share the header ${name}`;
		names.add(name.toLowerCase());
		return undefined;
	}
}

/**
 * The tools that may be offered: over Streamable HTTP those with invalid headers are left out, and `handlers` receives
 * which and why (specification 2026-07-28, "Streamable HTTP": `x-mcp-header`).
 */
export function offeredTools(
	tools: readonly Tool[],
	{ era, transport }: Pick<ServerFacts, "era" | "transport">,
	handlers: Pick<ConnectionHandlers, "onTrouble">,
): readonly Tool[] {
	if (era === "legacy" || transport !== "http") return tools;
	return tools.filter(({ name, inputSchema }) => {
		const fault = headerFault(jsonObjectOf(inputSchema));
		const what = `The tool ${oneLine(name, 80)} is left out. ${fault}`;
		if (fault !== undefined) handlers.onTrouble(what, [{ rule: "left-out", what, message: "tools/list" }]);
		return fault === undefined;
	});
}

function entries(value: Json | undefined): readonly (readonly [string, Json | undefined])[] {
	return isJsonObject(value) ? Object.entries(value) : [];
}
