import type { JsonObject } from "../../base/json.ts";

/** The remark for the user about a server that requests a sandbox. */
export const noSandbox =
	"The entry asks for a sandbox, but MCP Host does not have one. The server runs with all your permissions.";

/**
 * The key by which an entry asks for a sandbox, as VS Code's own host knows it (`sandboxEnabled`, and `sandbox` with the rules
 * of one); undefined where it asks for none.
 */
export function sandboxKey(entry: JsonObject): "sandboxEnabled" | "sandbox" | undefined {
	if (Object.hasOwn(entry, "sandboxEnabled") && Boolean(entry["sandboxEnabled"])) return "sandboxEnabled";
	return hasSandboxRules(entry) ? "sandbox" : undefined;
}

/** Whether an entry, or a whole file, has rules of a sandbox. */
export function hasSandboxRules(object: JsonObject): boolean {
	return Object.hasOwn(object, "sandbox") && Boolean(object["sandbox"]);
}
