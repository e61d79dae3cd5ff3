import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";

/**
 * The headers by which a call over Streamable HTTP names its tool, and the arguments that the tool's input schema wants
 * in headers as well (`x-mcp-header`; specification 2026-07-28, "Streamable HTTP"; spec.md H3).
 */
export function parameterHeaders(tool: string, schema: JsonObject, args: JsonObject): readonly string[] {
	return [`Mcp-Name: ${headerValue(tool)}`, ...parametersOf(schema, args)];
}

function parametersOf(schema: Json | undefined, value: Json | undefined): readonly string[] {
	const properties = isJsonObject(schema) ? schema["properties"] : undefined;
	if (!isJsonObject(properties) || !isJsonObject(value)) return [];
	return Object.entries(properties).flatMap(([name, property]) => {
		const given = Object.hasOwn(value, name) ? value[name] : undefined;
		if (!isJsonObject(property) || given === undefined || given === null) return [];
		const header = property["x-mcp-header"];
		const isPlain = typeof given === "string" || typeof given === "number" || typeof given === "boolean";
		if (typeof header === "string" && isPlain) return [`Mcp-Param-${header}: ${headerValue(String(given))}`];
		return parametersOf(property, given);
	});
}

/** A text as a header's value; what a header cannot carry stands in base64. */
function headerValue(text: string): string {
	const isPlain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
	return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
