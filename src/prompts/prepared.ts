import { oneLine } from "../base/text.ts";
import type { ModelMessage } from "../models/model.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { checkArguments, requireArguments, withoutEmpty } from "./arguments.ts";
import { promptTitle, type PromptEntry } from "./catalog.ts";
import { readPrompt } from "./content.ts";
import { findPrompt } from "./find.ts";
import { parsePromptQuery } from "./query.ts";
import { toModelMessages } from "./render.ts";

/** A prompt ready to be said to a model. The title is fit for one line. */
export interface PromptTurn {
	readonly title: string;
	readonly messages: readonly ModelMessage[];
}

/** How many previews are kept for a chat that may never be sent. */
const limit = 50;

/** What the person saw in a preview, until the chat turn that it was put into the input for. */
export class PreparedPrompts {
	private readonly turns = new Map<string, PromptTurn>();

	/** Keeps a previewed turn for the query that stands in the chat's input; replaces an earlier one of that query. */
	add(query: string, turn: PromptTurn): void {
		const key = query.trim();
		this.turns.delete(key);
		this.turns.set(key, turn);
		const [oldest] = this.turns.keys();
		if (this.turns.size > limit && oldest !== undefined) this.turns.delete(oldest);
	}

	/** Hands out what was previewed for this very query, once: typed again later, the query asks the server anew. */
	take(query: string): PromptTurn | undefined {
		const key = query.trim();
		const turn = this.turns.get(key);
		this.turns.delete(key);
		return turn;
	}
}

/** How a prompt is named to the person in the chat: `travel: Plan a Vacation`. */
export function turnTitle(entry: PromptEntry): string {
	return `${oneLine(entry.session.definition.name)}: ${promptTitle(entry.prompt)}`;
}

/**
 * The messages for `@mcp /prompt <text>`: exactly those that were previewed for this text, or, when it was typed or
 * edited by hand, those that the server gives now.
 * Rejects with a HostError that says what to write (`invalid`), or with the failure of the server.
 */
export async function resolvePromptTurn(
	prepared: PreparedPrompts,
	directory: SessionDirectory,
	text: string,
	signal: AbortSignal,
): Promise<PromptTurn> {
	const previewed = prepared.take(text);
	if (previewed !== undefined) return previewed;
	const query = parsePromptQuery(text);
	const entry = await findPrompt(directory, query.id, signal);
	checkArguments(entry.prompt, query.arguments);
	requireArguments(entry.prompt, query.arguments);
	const result = await entry.session.getPrompt(entry.prompt.name, withoutEmpty(query.arguments), { signal });
	return { title: turnTitle(entry), messages: toModelMessages(readPrompt(result)) };
}
