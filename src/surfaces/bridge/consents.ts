import type { Event } from "../../base/event.ts";
import { isFlag, isName, isText, listOf, shape } from "../../base/shape.ts";
import type { Journal } from "../../base/store/journal.ts";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { type ClientProgram, chainWords, nameOf, programKey } from "./program.ts";

/** A program that the user decided about. */
export interface KnownClient extends ClientProgram {
	readonly key: string;
	readonly isAllowed: boolean;
	/** ISO 8601. */
	readonly at: string;
}

/** The dependencies of the consents. */
export interface ConsentServices {
	/** Of all windows. */
	readonly journal: Journal;
	readonly notes: ActivityNotes;
	/** Asks the user about a program; undefined when they closed the question. */
	readonly ask: (program: ClientProgram) => Promise<boolean | undefined>;
	readonly home: string;
	/** In milliseconds, never going back. */
	readonly now: () => number;
}

/** The name of the journal. */
export const consentsName = "agents";
/** How many questions may wait: programs that start one after the other under new names do not fill the window. */
const mostAsked = 3;
/** For how long a question that was closed without an answer does not come again, in milliseconds. */
const closedMs = 600_000;
/** For how long other windows' decisions are not read again, in milliseconds: each call asks several times. */
const readMs = 20;
/** How many are kept, and how many closed questions are remembered. */
const mostKept = 200;

const hasShape = shape({ name: isText, chain: listOf(isName), isProven: isFlag, isAllowed: isFlag, at: isText });

/** Which programs of this machine may use servers: each is asked about once, and the answer can be revoked (GST-08). */
export class ClientConsents {
	private readonly services: ConsentServices;
	private readonly asked = new Map<string, ClientProgram>();
	private readonly closed = new Map<string, number>();
	/** When other windows' decisions were read last. */
	private readAt = Number.NEGATIVE_INFINITY;
	/** A decision was made or revoked, in any window. */
	readonly onDidChange: Event<void>;

	constructor(services: ConsentServices) {
		this.services = services;
		this.onDidChange = services.journal.onDidChange;
	}

	/** All that were decided about, the latest last. */
	get all(): readonly KnownClient[] {
		return this.services.journal.lines.flatMap(({ key, value }) => readKept(key, value));
	}

	/** Those that wait for the user. */
	get waiting(): readonly ClientProgram[] {
		return [...this.asked.values()];
	}

	/** Whether a program is allowed; undefined while nothing is decided. Reads other windows' decisions first. */
	of(program: ClientProgram): boolean | undefined {
		const { journal, now } = this.services;
		const at = now();
		if (at - this.readAt >= readMs) {
			this.readAt = at;
			journal.refresh();
		}
		const key = programKey(program);
		return readKept(key, journal.get(key)?.value)[0]?.isAllowed;
	}

	/** Asks about a program that nothing is decided about, unless its question waits already or was just closed. */
	async request(program: ClientProgram): Promise<void> {
		const key = programKey(program);
		const { ask, now } = this.services;
		const isClosed = now() - (this.closed.get(key) ?? Number.NEGATIVE_INFINITY) < closedMs;
		if (isClosed || this.asked.has(key) || this.asked.size >= mostAsked || this.of(program) !== undefined) return;
		this.asked.set(key, program);
		const answer = await ask(program).catch(() => undefined);
		this.asked.delete(key);
		if (answer !== undefined) return this.decide(program, answer);
		this.closed.set(key, now());
		const [oldest] = this.closed.keys();
		if (this.closed.size > mostKept && oldest !== undefined) this.closed.delete(oldest);
	}

	/** Keeps the user's decision. */
	decide(program: ClientProgram, isAllowed: boolean): void {
		const { journal, notes, home } = this.services;
		const { name, chain, isProven } = program;
		// Its question may still be on the screen, and counts no more.
		this.asked.delete(programKey(program));
		journal.put(programKey(program), { name, chain, isProven, isAllowed, at: new Date().toISOString() });
		const { lines } = journal;
		for (const { key } of lines.slice(0, Math.max(0, lines.length - mostKept))) journal.remove(key);
		const subject = `servers for ${nameOf(program)} (${chainWords(program, home)})`;
		notes.note({ kind: "permission", event: isAllowed ? "granted" : "refused", subject });
	}

	/** Forgets decisions: the programs are asked about again. */
	revoke(keys: readonly string[]): void {
		const { journal, notes } = this.services;
		for (const known of this.all.filter(({ key }) => keys.includes(key))) {
			journal.remove(known.key);
			notes.note({ kind: "permission", event: "revoked", subject: `servers for ${nameOf(known)}` });
		}
		this.closed.clear();
	}
}

function readKept(key: string, value: unknown): readonly KnownClient[] {
	return isKept(value) ? [{ ...value, key }] : [];
}

function isKept(value: unknown): value is Omit<KnownClient, "key"> {
	return hasShape(value);
}
