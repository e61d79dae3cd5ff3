import { Emitter, type Event } from "../../base/event.ts";
import type { Journal } from "../../base/store/journal.ts";
import { type Line, makeKey, readKey } from "../../base/store/line.ts";
import {
	type Amount,
	nothing,
	sum,
	amountOf,
	booked,
	emptyTally,
	givenBack,
	readTally,
	type Tally,
} from "../grants/amount.ts";
import { type Day, dayOf, isDay } from "./dayBudget.ts";

/** The period: a day, or as long as the account lives. */
export type Period = Day | "life";

/** The booking, for settling it. */
export interface Booking {
	readonly period: Period;
	readonly account: string;
	/** When the account was reset last before, on the clock of the journal. */
	readonly reset: number;
	readonly amount: Amount;
}

/** The dependencies of a counter. */
export interface UsageServices {
	/** Where the numbers of all windows are. */
	readonly journal: Journal;
	/** Distinguishes this counter from others in the journal. */
	readonly name: string;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
	/** Called, with a sentence, when damaged numbers are found. */
	readonly onProblem: (message: string) => void;
}

/** The journal of counters. */
export const usageName = "samplingUse";
/** How many days are kept beside today: the clock may be set back, and a day ends at another time where another window is. */
const keptDays = 3;
const dayMs = 24 * 60 * 60 * 1000;

/** The useful part of the journal at a time, in milliseconds since the epoch: without past days. */
export function isUseKept({ key }: Line, now: number): boolean {
	const [period = ""] = readKey(key);
	return !isDay(period) || period >= dayOf(now - keptDays * dayMs);
}

/** The usage of all windows together. */
interface Usage {
	readonly version: number;
	readonly amounts: ReadonlyMap<string, ReadonlyMap<string, Amount>>;
	readonly unknown: ReadonlyMap<string, number>;
}

/**
 * The usage, by period and account, written immediately (SMP-01). Every window counts separately, in its own growing
 * numbers, and the usage is the sum: nothing is lost or counts twice when windows write, read or rewrite the files at
 * the same moment. Unreadable numbers count as unknown (SEC-08).
 */
export class UsageCounter {
	private readonly services: UsageServices;
	private known: Usage | undefined;
	private seenDamage = 0;
	private readonly changed = new Emitter<void>();
	/** Fired when this window or another one changed something. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: UsageServices) {
		this.services = services;
		services.journal.onDidChange(() => this.changed.fire());
	}

	/** The usage on an account in a period, by all windows. */
	of(period: Period, account: string): Amount {
		return this.usage.amounts.get(period)?.get(account) ?? nothing;
	}

	/** The usage in a period on all accounts together. */
	total(period: Period): Amount {
		return [...(this.usage.amounts.get(period)?.values() ?? [])].reduce(sum, nothing);
	}

	/** The accounts on which something was used in a period. */
	accounts(period: Period): readonly string[] {
		return [...(this.usage.amounts.get(period)?.keys() ?? [])];
	}

	/** Since when the usage of a period is not fully known; undefined when it is known. */
	unknownAt(period: Period): number | undefined {
		const { unknown } = this.usage;
		return this.services.journal.isUnreadable ? this.services.now() : unknown.get(period);
	}

	/** Books an amount. */
	book(period: Period, account: string, amount: Amount): Booking {
		const reset = this.change(period, account, (tally) => booked(tally, amount));
		return { period, account, reset, amount };
	}

	/** Replaces the booked amount by the usage. Must be called once for each booking. */
	settle({ period, account, reset, amount }: Booking, used: Pick<Amount, "tokens" | "nanodollars">): void {
		const { journal } = this.services;
		journal.refresh();
		// Bookings before a reset are gone, and cannot be given back.
		const before = journal.removedAt(this.keyOf(period, account)) === reset ? amount : nothing;
		const more = (key: "tokens" | "nanodollars"): number => Math.max(0, used[key] - before[key]);
		const back = (key: "tokens" | "nanodollars"): number => Math.max(0, before[key] - used[key]);
		const excess = { ...nothing, tokens: more("tokens"), nanodollars: more("nanodollars") };
		const rest = { tokens: back("tokens"), nanodollars: back("nanodollars") };
		this.change(period, account, (tally) => givenBack(booked(tally, excess), rest));
	}

	/** Resets a period to no usage, in all windows. */
	reset(period: Period): void {
		this.remove((line) => line.period === period);
	}

	/** Forgets accounts that no longer exist. */
	forget(accounts: ReadonlySet<string>): void {
		this.remove(({ account }) => account !== undefined && accounts.has(account));
	}

	private remove(isGone: (line: { readonly period: string; readonly account: string | undefined }) => boolean): void {
		const { journal, name } = this.services;
		journal.refresh();
		const gone = journal.lines.filter(({ key }) => {
			const [period = "", counter, account] = readKey(key);
			return counter === name && isGone({ period, account });
		});
		journal.write(gone.map(({ key }) => ({ key })));
	}

	private get usage(): Usage {
		const { journal, name } = this.services;
		journal.refresh();
		this.noteDamage();
		if (this.known?.version === journal.version) return this.known;
		const amounts = new Map<string, Map<string, Amount>>();
		const unknown = new Map<string, number>();
		for (const { key, at, value } of journal.lines) {
			const [period = "", counter, account, window] = readKey(key);
			if (counter !== name) continue;
			const tally = account === undefined || window === undefined ? undefined : readTally(value);
			if (tally === undefined || account === undefined) {
				unknown.set(period, Math.max(unknown.get(period) ?? 0, typeof value === "number" ? value : at / 1000));
				continue;
			}
			const accounts = amounts.get(period) ?? new Map<string, Amount>();
			amounts.set(period, accounts.set(account, sum(accounts.get(account) ?? nothing, amountOf(tally))));
		}
		this.known = { version: journal.version, amounts, unknown };
		return this.known;
	}

	/** A damaged line of any kind may have been this one. */
	private noteDamage(): void {
		const { journal, name, now, onProblem } = this.services;
		const { length } = journal.damaged;
		const isNew = length > this.seenDamage;
		this.seenDamage = length;
		if (!isNew) return;
		journal.write(["life", dayOf(now())].map((period) => ({ key: makeKey(period, name), value: now() })));
		onProblem("The usage of your models by servers could not be read. It counts as unknown.");
	}

	/** Changes the counts of this window, and returns when the account was reset last before. */
	private change(period: Period, account: string, change: (tally: Tally) => Tally): number {
		const { journal } = this.services;
		journal.refresh();
		const key = this.keyOf(period, account);
		const reset = journal.removedAt(key);
		journal.put(key, change(readTally(journal.get(key)?.value) ?? emptyTally));
		return reset;
	}

	private keyOf(period: Period, account: string): string {
		const { journal, name } = this.services;
		return makeKey(period, name, account, journal.options.window);
	}
}
