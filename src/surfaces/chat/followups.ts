import { isJsonObject, type Json } from "../../base/json.ts";
import { demoModelInfo } from "../../models/demoModelInfo.ts";
import type { ModelInfo } from "../../models/model.ts";

/** A next line that is offered below an answer; the words are ours alone. */
export interface Followup {
	readonly label: string;
	readonly prompt: string;
	/** Its slash command. */
	readonly command?: "servers" | "tools";
}

/** The metadata of a list that is empty because no server with tools runs. */
export const nothingListed = { mcpHostNothingListed: true } as const;

/** The metadata of a turn beside its history: that the demo model answered. */
export function followupMetadata({ id }: ModelInfo): { readonly mcpHostDemo?: true } {
	return id === demoModelInfo.id ? { mcpHostDemo: true } : {};
}

const trip: Followup = sentence("Plan a long weekend in Barcelona for two");
const single: readonly Followup[] = [
	sentence("Check the weather in Lisbon"),
	sentence("Look for flights to Rome for two"),
];
const tools: Followup = { label: "Show the tools of all servers", prompt: "", command: "tools" };

/**
 * Suggestions for the next message, few and only where they help: going on after a limit, looking at the servers when
 * there are no tools, and the rest of the demo's script. After an answer of another model nothing is suggested: asking
 * a model for suggestions costs tokens and sends the conversation again, and our own words would not fit it. Never a
 * server's or model's words. `metadata` is that of the answer, unchecked.
 */
export function followupsOf(metadata: unknown): readonly Followup[] {
	if (!isJsonObject(metadata)) return [];
	const own = metadata["mcpHost"];
	const ending = isJsonObject(own) ? own["ending"] : undefined;
	if (ending === "limit") return [{ label: "Continue", prompt: "Continue." }];
	if (metadata["mcpHostDemo"] === true && ending === "complete") {
		return isJsonObject(own) && countCalls(own["messages"]) > 1 ? [...single, tools] : [trip, ...single];
	}
	return metadata["mcpHostNothingListed"] === true
		? [{ label: "Show the servers and their state", prompt: "", command: "servers" }]
		: [];
}

function sentence(text: string): Followup {
	return { label: text, prompt: text };
}

/** How many tools a turn called, by its stored history. */
function countCalls(messages: Json | undefined): number {
	const parts = (Array.isArray(messages) ? messages : []).flatMap((message: Json) =>
		isJsonObject(message) && Array.isArray(message["content"]) ? message["content"] : [],
	);
	return parts.filter((part) => isJsonObject(part) && part["type"] === "tool-call").length;
}
