import type { Json, JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** The text in the braces of a variable of an `mcp.json`. */
const own =
	/^(?:(?:env|input):[^{}]+|(?:workspaceFolder|workspaceRoot|workspaceFolderBasename)(?::[^{}]+)?|userHome|pathSeparator|\/)$/;
const shells = /^([A-Za-z_]\w*)(:-[^{}]*)?$/;

/** Whether a text, such as `env:TOKEN`, is the content of the braces of a variable of an `mcp.json`. */
export function isOwnVariable(expression: string): boolean {
	return own.test(expression);
}

/**
 * An entry whose `${NAME}` and `${NAME:-default}`, as shells and other hosts write variables of the environment, are
 * converted to those of an `mcp.json`. A text instead of it says why that is not possible: other text in braces would
 * be read as a variable.
 */
export function inOwnWords(entry: JsonObject): JsonObject | string {
	let fault: string | undefined;
	const translate = (value: Json | undefined): Json | undefined => {
		if (typeof value === "string") {
			return value.replace(/\$\{([^{}]*)\}/g, (whole, expression: string) => {
				if (own.test(expression)) return whole;
				const [, name, fallback = ""] = shells.exec(expression) ?? [];
				if (name !== undefined) return `\${env:${name}${fallback}}`;
				fault ??= `“${whole.slice(0, 80)}” looks like a variable, but MCP Host has no such variable`;
				return whole;
			});
		}
		if (Array.isArray(value)) return value.map((part: Json) => translate(part) ?? null);
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, translate(part)]));
	};
	const translated = jsonObjectOf(translate(entry));
	return fault ?? translated;
}
