import type { Json } from "../../base/json.ts";
import { toMetadata, type PastTurn } from "./history.ts";
import type { ChatPart } from "./parts.ts";
import { noteParts } from "./render.ts";
import type { TurnRecord } from "./turn.ts";

/** How many stopped turns are remembered: enough for several chats. */
const mostTurns = 20;

interface StoppedTurn {
	/** The user's messages in the chat up to this turn, each at its place. */
	readonly prompts: string;
	readonly metadata: { readonly [key: string]: Json };
	/** The outcome of its calls after VS Code stopped showing it; empty once it was shown. */
	parts: readonly ChatPart[];
}

/**
 * The turns that the user stopped. VS Code neither shows nor stores text that is written after that. So the outcome of
 * calls that were running then is reported at the next turn of the same chat, to the user and to the model. Kept until
 * the window closes.
 */
export class StoppedTurns {
	private readonly turns: StoppedTurn[] = [];

	/** Stores the text of a turn that followed others, and the outcome of its calls after it was stopped. */
	note(before: readonly PastTurn[], prompt: string, record: TurnRecord, parts: readonly ChatPart[]): void {
		this.turns.unshift({ prompts: promptsOf([...before, { prompt }]), metadata: toMetadata(record), parts });
		this.turns.length = Math.min(this.turns.length, mostTurns);
	}

	/**
	 * The turns of a chat with the stored text of the stopped ones, and the text to show first: the outcome of their
	 * calls, once. A stopped turn is identified by the user's messages up to it, and by its metadata if VS Code stores
	 * them; some versions do not.
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
