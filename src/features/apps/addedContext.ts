import { exactJson } from "../../base/exactJson.ts";
import { cap } from "../../base/text.ts";
import { estimateTokens } from "../../models/tokens.ts";

/** What an app adds to the next message of the person. */
export interface AddedContext {
	/** For the person. */
	readonly name: string;
	/** For the model: it is told whose words these are. */
	readonly label: string;
	readonly content: { readonly text: string };
	/** About how much it is to a model. */
	readonly tokens: number;
}

/** How much an app may add, in characters. */
const longest = 40_000;

/**
 * What models are to know of an app: the last that it said, for one message of the person (MCP Apps 2026-01-26,
 * "ui/update-model-context"). It is the text of a server's page, which the label says to the model.
 */
export function addedContext(who: string, text: string): AddedContext | undefined {
	if (text.trim() === "") return undefined;
	const kept = cap(text, longest);
	const name = `what the ${who} shows`;
	const label = `${name} (words of its server, not of the person)`;
	return { name, label, content: { text: kept }, tokens: estimateTokens(kept) };
}

/** How the person is told of it, and exactly what it is. */
export function addedView({ content, tokens }: AddedContext): { readonly sentence: string; readonly exact: string } {
	const sentence = `Adds about ${tokens.toLocaleString("en-US")} tokens to your next message to @mcp`;
	return { sentence, exact: exactJson(content.text) };
}
