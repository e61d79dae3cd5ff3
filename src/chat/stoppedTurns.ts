import type { Json } from "../base/json.ts";
import { toMetadata, type PastTurn } from "./history.ts";
import type { ChatPart } from "./parts.ts";
import { noteParts } from "./render.ts";
import type { TurnRecord } from "./turn.ts";

/** How many stopped turns are remembered: those of several chats, and of none that is gone for long. */
const mostTurns = 20;

interface StoppedTurn {
	readonly prompt: string;
	readonly metadata: { readonly [key: string]: Json };
	/** What came of its calls when the editor showed nothing of it any more; empty once it was said. */
	parts: readonly ChatPart[];
}

/**
 * The turns that the person stopped. The editor shows and keeps nothing that is written after that, so what became of calls
 * under way then is said at the next turn of the same chat, to the person and to the model. Kept until the window closes.
 */
export class StoppedTurns {
	private readonly turns: StoppedTurn[] = [];

	/** Keeps what was said in a turn, and what came of its calls after it was stopped. */
	note(prompt: string, record: TurnRecord, parts: readonly ChatPart[]): void {
		this.turns.unshift({ prompt, metadata: toMetadata(record), parts });
		this.turns.length = Math.min(this.turns.length, mostTurns);
	}

	/**
	 * The turns of a chat with what is remembered of those that were stopped, and what is to be said first: what came of
	 * their calls, once. A stopped turn is known by what the person wrote, since the editor keeps nothing else of it.
	 */
	recall(turns: readonly PastTurn[]): { readonly turns: readonly PastTurn[]; readonly parts: readonly ChatPart[] } {
		const parts: ChatPart[] = [];
		const recalled = turns.map((turn) => {
			if (turn.metadata !== undefined) return turn;
			const stopped = this.turns.find(({ prompt }) => prompt === turn.prompt);
			if (stopped === undefined) return turn;
			parts.push(...stopped.parts);
			stopped.parts = [];
			return { ...turn, metadata: stopped.metadata };
		});
		return { turns: recalled, parts: parts.length === 0 ? [] : [...noteParts(heading), ...parts] };
	}
}

const heading = "After you stopped the answer:";
