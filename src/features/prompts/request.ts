import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { PromptArguments } from "./arguments.ts";
import type { PromptReference } from "./find.ts";
import { parsePromptQuery } from "./query.ts";

/** The request of the command `mcpHost.runPrompt`. */
export interface RunRequest {
	/** Absent when the user must choose among the prompts of `server`. */
	readonly prompt: PromptReference | undefined;
	/** The server's configured name or its unique id; absent where the prompt's id says it. */
	readonly server: string | undefined;
	/** Absent when the user must be asked for the arguments, as from the tree. */
	readonly arguments: PromptArguments | undefined;
}

/** A prompt by its server (configured name or unique id) and its name, as commands take it. */
export interface PromptAddress {
	readonly server: string;
	readonly prompt: string;
}

const usage = 'Run Prompt takes {"server": "…", "prompt": "…", "arguments": {…}} with strings.';

/**
 * Reads the argument of the command: `{server, prompt, arguments?}` from a key binding or another extension, `{server}`
 * for a choice among that server's prompts, a node of the tree with the same fields, or the text that one writes after
 * `@mcp /prompt`. Undefined when it names none.
 * Throws a HostError `invalid` for one that names a prompt badly.
 */
export function readRunRequest(value: unknown): RunRequest | undefined {
	if (typeof value === "string" && value !== "") {
		const query = parsePromptQuery(value);
		return { server: undefined, prompt: query.id, arguments: query.arguments };
	}
	if (!isJsonObject(value)) return undefined;
	const { server, prompt } = value;
	if (server === undefined && prompt === undefined) return undefined;
	if (typeof server !== "string" || (prompt !== undefined && typeof prompt !== "string")) {
		throw new HostError("invalid", usage);
	}
	const reference = prompt === undefined ? undefined : { server, prompt };
	return { server, prompt: reference, arguments: readArguments(value["arguments"]) };
}

/**
 * Reads `{server, prompt}`, the argument of commands on one prompt. Throws a HostError `invalid` for any other value.
 */
export function readPromptAddress(value: unknown): PromptAddress {
	if (isJsonObject(value) && typeof value["server"] === "string" && typeof value["prompt"] === "string") {
		return { server: value["server"], prompt: value["prompt"] };
	}
	throw new HostError("invalid", 'The command takes {"server": "…", "prompt": "…"} with strings.');
}

/** A prompt's arguments are texts; numbers and booleans, natural in a key binding, are taken as written. */
function readArguments(value: unknown): PromptArguments | undefined {
	if (value === undefined) return undefined;
	if (!isJsonObject(value)) throw new HostError("invalid", "The arguments of Run Prompt must be an object of strings.");
	const entries = Object.entries(value).map(([name, given]): [string, string] => {
		if (typeof given === "string" || typeof given === "number" || typeof given === "boolean")
			return [name, String(given)];
		throw new HostError("invalid", `The argument "${oneLine(name)}" of Run Prompt is not a string.`);
	});
	return Object.fromEntries(entries);
}
