import type { KeyValue } from "../../base/storage.ts";
import type { Session } from "../sessions/session.ts";
import { definitionKey, namesOf } from "./waiting.ts";

const storageKey = "mcpHost.waitingTold";
/** So many definitions are remembered as told of. */
const mostTold = 1000;

/** What a notification says of servers that wait. */
export interface WaitingNotice {
	readonly message: string;
	/** The servers that it is about: all that wait, also those that were told of before. */
	readonly sessions: readonly Session[];
}

/**
 * Remembers for a workspace of which waiting definitions the user was told, so that each set of them is told of once:
 * never again at a reload for the same ones, and again when another definition waits.
 */
export class WaitingNotices {
	private readonly store: KeyValue;

	constructor(store: KeyValue) {
		this.store = store;
	}

	/** What is to be told of the servers that wait now; undefined when the user was told of all of them. */
	noticeOf(waiting: readonly Session[]): WaitingNotice | undefined {
		const told = new Set(this.told());
		if (waiting.every(({ definition }) => told.has(definitionKey(definition)))) return undefined;
		const names = namesOf(waiting);
		const [verb, pronoun] = waiting.length === 1 ? ["waits", "it starts"] : ["wait", "they start"];
		const message = `${names} ${verb} for your approval before ${pronoun}. Nothing has run yet.`;
		return { message, sessions: waiting };
	}

	/** Notes that the user was told of these, or looks at them. Never rejects: what is not remembered is told again. */
	async note(sessions: readonly Pick<Session, "definition">[]): Promise<void> {
		const keys = sessions.map(({ definition }) => definitionKey(definition));
		await this.keep([...new Set([...this.told(), ...keys])].slice(-mostTold));
	}

	/** Forgets that the user was told of these, since they no longer wait: when they wait again it is for another reason. */
	async forget(sessions: readonly Pick<Session, "definition">[]): Promise<void> {
		const keys = new Set(sessions.map(({ definition }) => definitionKey(definition)));
		const told = this.told();
		const kept = told.filter((key) => !keys.has(key));
		if (kept.length < told.length) await this.keep(kept);
	}

	private async keep(kept: readonly string[]): Promise<void> {
		try {
			await this.store.update(storageKey, kept);
		} catch {
			// The next window tells once more.
		}
	}

	private told(): readonly string[] {
		const told = this.store.get<unknown>(storageKey);
		return Array.isArray(told) ? told.filter((key) => typeof key === "string") : [];
	}
}
