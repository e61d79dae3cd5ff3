import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { TemplateValue } from "./template.ts";
import type { TemplateAddress } from "./templateResults.ts";

/** What the command that opens a resource from a template was asked for. */
export interface TemplateRequest extends TemplateAddress {
	/** Values from a key binding or another extension; absent when they are to be asked for, as from the tree. */
	readonly variables: ReadonlyMap<string, TemplateValue> | undefined;
}

/**
 * Reads the argument of the command: `{server, uriTemplate, variables?}`, or a node of the tree with the same fields;
 * `server` is a server's id or its configured name. Undefined when it names no template, so that the person chooses.
 * @throws HostError `invalid` for variables that are no texts, lists of texts, or objects of texts.
 */
export function readTemplateRequest(argument: unknown): TemplateRequest | undefined {
	if (!isJsonObject(argument)) return undefined;
	const { server, uriTemplate, variables } = argument;
	if (typeof server !== "string" || typeof uriTemplate !== "string") return undefined;
	return { server, uriTemplate, variables: readVariables(variables) };
}

function readVariables(value: unknown): TemplateRequest["variables"] {
	if (value === undefined) return undefined;
	if (!isJsonObject(value)) {
		throw new HostError("invalid", "The variables of Open Resource from Template are an object of texts.");
	}
	return new Map(Object.entries(value).map(([name, given]) => [name, readValue(name, given)]));
}

function readValue(name: string, value: unknown): TemplateValue {
	if (Array.isArray(value)) return value.map((item) => readText(name, item));
	if (isJsonObject(value)) return { pairs: Object.entries(value).map(([key, item]) => [key, readText(name, item)]) };
	return readText(name, value);
}

/** Numbers and booleans, natural in a key binding, are taken as they are written. */
function readText(name: string, value: unknown): string {
	if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
	throw new HostError(
		"invalid",
		`The variable "${oneLine(name)}" of Open Resource from Template is no text, list of texts, or object of texts.`,
	);
}
