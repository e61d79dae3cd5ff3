import { translateShellVariables } from "../formats/variableStyles.ts";

/** The same value with the variables of all its texts as those of an `.mcp.json` are understood; names stay. */
export function withShellVariables<T>(value: T): T {
	if (typeof value === "string") return translateShellVariables(value) as T;
	if (Array.isArray(value)) return value.map((part: unknown) => withShellVariables(part)) as T;
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, withShellVariables(part)]);
	return Object.fromEntries(entries) as T;
}
