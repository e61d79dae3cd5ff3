import type { Json } from "../../base/json.ts";
import { toMetadata, type PastTurn } from "./history.ts";
import type { ChatPart } from "./parts.ts";
import { noteParts } from "./render.ts";
import type { TurnRecord } from "./turn.ts";

/** How many stopped turns are remembered: those of several chats, and of none that is gone for long. */
const mostTurns = 20;

interface StoppedTurn {
	/** What the user wrote in the chat up to this turn, each text at its place. */
	readonly prompts: string;
	readonly metadata: { readonly [key: string]: Json };
	/** What came of its calls when the editor showed nothing of it any more; empty once it was said. */
	parts: readonly ChatPart[];
}

/**
 * The turns that the user stopped. The editor shows and keeps nothing that is written after that, so what became of calls
 * under way then is said at the next turn of the same chat, to the user and to the model. Kept until the window closes.
 */
export class StoppedTurns {
	private readonly turns: StoppedTurn[] = [];

	/** Keeps what was said in a turn that came after others, and what came of its calls after it was stopped. */
	note(before: readonly PastTurn[], prompt: string, record: TurnRecord, parts: readonly ChatPart[]): void {
		this.turns.unshift({ prompts: promptsOf([...before, { prompt }]), metadata: toMetadata(record), parts });
		this.turns.length = Math.min(this.turns.length, mostTurns);
	}

	/**
	 * The turns of a chat with what is remembered of those that were stopped, and what is to be said first: what came of
	 * their calls, once. A stopped turn is known by what the user wrote up to it, and by its metadata where the editor keeps
	 * them; some versions keep none.
	 */
	recall(turns: readonly PastTurn[]): { readonly turns: readonly PastTurn[]; readonly parts: readonly ChatPart[] } {
		const parts: ChatPart[] = [];
		const recalled = turns.map((turn, index) => {
			const upToIt = promptsOf(turns.slice(0, index + 1));
			const stopped = this.turns.find((one) => one.prompts === upToIt && isOf(turn, one));
			if (stopped === undefined) return turn;
			parts.push(...stopped.parts);
			stopped.parts = [];
			return { ...turn, metadata: stopped.metadata };
		});
		return { turns: recalled, parts: parts.length === 0 ? [] : [...noteParts(heading), ...parts] };
	}
}

const heading = "After you stopped the answer:";

/** Whether a turn may be one that was stopped, and not one of another chat in which the user wrote the same. */
function isOf({ metadata }: PastTurn, stopped: StoppedTurn): boolean {
	return metadata === undefined || JSON.stringify(metadata) === JSON.stringify(stopped.metadata);
}

function promptsOf(turns: readonly { readonly prompt: string }[]): string {
	return JSON.stringify(turns.map(({ prompt }) => prompt));
}
