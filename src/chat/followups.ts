import { isJsonObject } from "../base/json.ts";

/** A next line that is offered below an answer; the words are ours alone. */
export interface Followup {
	readonly label: string;
	readonly prompt: string;
	/** The slash command that it goes to. */
	readonly command?: "servers" | "tools";
}

/** What the result of a list carries that shows nothing, because no server with tools runs. */
export const nothingListed = { mcpHostNothingListed: true } as const;

/**
 * What may be said next, few and only where it helps: going on after a limit, and looking at the servers when there are no
 * tools. Never a word of a server or a model. `metadata` is what the answer left, unchecked.
 */
export function followupsOf(metadata: unknown): readonly Followup[] {
	if (!isJsonObject(metadata)) return [];
	const own = metadata["mcpHost"];
	if (isJsonObject(own) && own["ending"] === "limit") return [{ label: "Continue", prompt: "Continue." }];
	return metadata["mcpHostNothingListed"] === true
		? [{ label: "Show the servers and their state", prompt: "", command: "servers" }]
		: [];
}
