import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelMessage } from "../../models/model.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { checkArguments, requireArguments, withoutEmpty } from "./arguments.ts";
import { promptTitle, type PromptEntry } from "./catalog.ts";
import { readPrompt } from "./content.ts";
import { findPrompt } from "./find.ts";
import { formatPromptQuery, parsePromptQuery, type PromptQuery } from "./query.ts";
import { toModelMessages } from "./render.ts";

/** A prompt ready to be sent to a model. The title is fit for one line. */
export interface PromptTurn {
	readonly title: string;
	readonly messages: readonly ModelMessage[];
}

/**
 * How many previews are kept for a chat message that may never be sent, and how much they may hold in total, in
 * characters.
 */
const limits = { turns: 50, characters: 100_000_000 };

/** The longest query with the arguments in it that is put into the chat's input, in characters. */
const queryLimit = 500;

/** The end of a query that refers to exactly the previewed messages. */
const asPreviewed = /\sas-previewed-[0-9a-f]{8}$/;

/** The previewed messages, until the chat turn for which they were put into the input. */
export class PreparedPrompts {
	private readonly turns = new Map<string, PromptTurn>();

	/**
	 * Keeps a previewed turn and gives the query to put into the chat's input. It names the prompt with its arguments, as one
	 * would type it; or, where the user changed messages or the arguments are long, the prompt and these very messages.
	 */
	prepare(query: PromptQuery, turn: PromptTurn, isChanged: boolean): string {
		const typed = isChanged ? "" : formatPromptQuery(query);
		const isTypable = !isChanged && typed.length <= queryLimit;
		const name = formatPromptQuery({ id: query.id, arguments: {} });
		const line = isTypable ? typed : `${name} as-previewed-${crypto.randomUUID().slice(0, 8)}`;
		this.add(line, turn);
		return line;
	}

	/** Keeps a previewed turn for a query; replaces an earlier one of that query. */
	add(query: string, turn: PromptTurn): void {
		const key = query.trim();
		this.turns.delete(key);
		this.turns.set(key, turn);
		let characters = 0;
		for (const [index, [old, kept]] of [...this.turns].toReversed().entries()) {
			characters += sizeOf(kept);
			if (index > 0 && (index >= limits.turns || characters > limits.characters)) this.turns.delete(old);
		}
	}

	/**
	 * The messages that were previewed for exactly this query. A query with arguments returns them once: typed again
	 * later, it asks the server again.
	 */
	take(query: string): PromptTurn | undefined {
		const key = query.trim();
		const turn = this.turns.get(key);
		if (!asPreviewed.test(key)) this.turns.delete(key);
		return turn;
	}
}

function sizeOf({ messages }: PromptTurn): number {
	let size = 0;
	for (const { content } of messages) {
		for (const part of content) size += "data" in part ? part.data.length : "text" in part ? part.text.length : 0;
	}
	return size;
}

/** How a prompt is named to the user in the chat: `travel: Plan a Vacation`. */
export function turnTitle(entry: PromptEntry): string {
	return `${oneLine(entry.session.definition.name)}: ${promptTitle(entry.prompt)}`;
}

/** Which prompt a query names, without its arguments. */
export function promptNameOf(query: string): string {
	return query.trim().split(/\s/, 1)[0] ?? "";
}

/**
 * The messages for `@mcp /prompt <text>`: exactly those that were previewed for this text, or, when it was typed or
 * edited by hand, the server's current ones. Rejects with a HostError that says what to write (`invalid`), or with the
 * failure of the server.
 */
export async function resolvePromptTurn(
	prepared: PreparedPrompts,
	directory: SessionDirectory,
	text: string,
	signal: AbortSignal,
): Promise<PromptTurn> {
	const previewed = prepared.take(text);
	if (previewed !== undefined) return previewed;
	if (asPreviewed.test(text.trim())) {
		throw new HostError(
			"invalid",
			"The previewed messages are no longer kept, because the window was reloaded or too much time has passed. Run the prompt again.",
		);
	}
	const query = parsePromptQuery(text);
	const entry = await findPrompt(directory, query.id, signal);
	checkArguments(entry.prompt, query.arguments);
	requireArguments(entry.prompt, query.arguments);
	const result = await entry.session.getPrompt(entry.prompt.name, withoutEmpty(query.arguments), { signal });
	return { title: turnTitle(entry), messages: toModelMessages(readPrompt(result)) };
}
