import { translateShellVariables } from "../formats/variableStyles.ts";

/** The same value with the variables of all its texts as those of an `.mcp.json` are understood; names stay. */
export function withShellVariables<T>(value: T): T;
export function withShellVariables(value: unknown): unknown {
	if (typeof value === "string") return translateShellVariables(value);
	if (Array.isArray(value)) return value.map((part: unknown) => withShellVariables(part));
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, withShellVariables(part)]);
	return Object.fromEntries(entries);
}
