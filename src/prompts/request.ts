import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import type { PromptArguments } from "./arguments.ts";

/** What the command `mcpHost.runPrompt` was asked to run. */
export interface RunRequest {
	/** The server's configured name or its unique id. */
	readonly server: string;
	readonly prompt: string;
	/** Absent when the arguments are to be asked for, as from the tree. */
	readonly arguments: PromptArguments | undefined;
}

/**
 * Reads the argument of the command: `{server, prompt, arguments?}` from a key binding or another extension, or a node
 * of the tree with the same fields. Undefined when it names no prompt, so that the person chooses one.
 * Throws a HostError `invalid` for one that names a prompt badly.
 */
export function readRunRequest(value: unknown): RunRequest | undefined {
	if (!isJsonObject(value)) return undefined;
	const { server, prompt } = value;
	if (prompt === undefined) return undefined;
	if (typeof server !== "string" || typeof prompt !== "string") {
		throw new HostError("invalid", 'Run Prompt takes {"server": "…", "prompt": "…", "arguments": {…}} with texts.');
	}
	return { server, prompt, arguments: readArguments(value["arguments"]) };
}

/** A prompt's arguments are texts; numbers and booleans, natural in a key binding, are taken as they are written. */
function readArguments(value: unknown): PromptArguments | undefined {
	if (value === undefined) return undefined;
	if (!isJsonObject(value)) throw new HostError("invalid", "The arguments of Run Prompt are an object of texts.");
	const entries = Object.entries(value).map(([name, given]): [string, string] => {
		if (typeof given === "string" || typeof given === "number" || typeof given === "boolean")
			return [name, String(given)];
		throw new HostError("invalid", `The argument "${name}" of Run Prompt is not a text.`);
	});
	return Object.fromEntries(entries);
}
