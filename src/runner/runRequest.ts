import { HostError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";

/** What the command `mcpHost.runTool` was asked to run. Nothing runs before the person has seen and confirmed it. */
export interface ToolRunRequest {
	/** The server's configured name or its unique id. */
	readonly server: string;
	/** Absent when the person is to choose among the tools of the server. */
	readonly tool: string | undefined;
	/** What the form starts with; absent when it is empty. */
	readonly arguments: JsonObject | undefined;
}

const usage = 'Run Tool takes {"server": "…", "tool": "…", "arguments": {…}}.';

/**
 * Reads the argument of the command: `{server, tool, arguments?}` from a key binding or another extension, `{server}` for
 * a choice among that server's tools, or a node of the tree with the same fields. Undefined when it names none.
 * @throws HostError `invalid` for one that names a tool badly.
 */
export function readToolRunRequest(value: unknown): ToolRunRequest | undefined {
	if (!isJsonObject(value)) return undefined;
	const { server, tool } = value;
	const name = toolName(tool);
	const args = value["arguments"];
	if (server === undefined && tool === undefined) return undefined;
	if (typeof server !== "string" || (tool !== undefined && name === undefined)) throw new HostError("invalid", usage);
	if (args !== undefined && !isJsonObject(args)) throw new HostError("invalid", usage);
	return { server, tool: name, arguments: args };
}

/** A node of the tree holds the tool itself. */
function toolName(tool: unknown): string | undefined {
	if (typeof tool === "string") return tool;
	return isJsonObject(tool) && typeof tool["name"] === "string" ? tool["name"] : undefined;
}
