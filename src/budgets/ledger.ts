import { Emitter, type Event } from "../base/event.ts";
import { isJsonObject } from "../base/json.ts";
import type { KeyValue } from "../base/storage.ts";
import { nothing, sum, type Amount } from "./amount.ts";
import { dayOf, isDay, type Day } from "./day.ts";
import {
	emptyPage,
	knowsMore,
	mergePages,
	readPage,
	withAccounts,
	withTally,
	writePage,
	type LedgerPage,
} from "./ledgerPage.ts";
import { amountOf, booked, emptyTally, givenBack, type Tally } from "./tally.ts";

/** What is counted together: a day, or as long as the account lives. */
export type Period = Day | "life";

/** What was booked, for settling it. */
export interface Booking {
	readonly period: Period;
	readonly account: string;
	readonly epoch: number;
	readonly amount: Amount;
}

/** What a ledger needs. */
export interface LedgerServices {
	readonly store: KeyValue;
	/** The key under which it is kept. */
	readonly key: string;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
	/** Told when what is stored cannot be read, or cannot be written, in a sentence. */
	readonly onProblem: (message: string) => void;
	/** Tells this window from the others. */
	readonly window?: string;
}

/** How many days are kept beside today: the clock may be set back, and a day ends at another time where another window is. */
const keptDays = 3;

/**
 * What was used, by period and account, written down at once (SMP-01). Every window writes numbers of its own that only grow, and
 * what it has read of others; reading takes the larger. So nothing is lost that reached the store, whoever writes last,
 * as long as one window that has read it lives. Two windows that write in the same moment learn of each other when VS Code
 * tells their stores; until then each knows its own alone. What cannot be read is kept aside and counts as unknown
 * (security.md SEC-08).
 */
export class Ledger {
	private readonly services: LedgerServices;
	private readonly window: string;
	private pages: ReadonlyMap<Period, LedgerPage> = new Map();
	/** What the store handed out last, which is merged already. */
	private merged: unknown;
	private readonly changed = new Emitter<void>();
	/** Fired when this window changed something. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: LedgerServices) {
		this.services = services;
		this.window = services.window ?? crypto.randomUUID().slice(0, 8);
	}

	/** What was used on an account in a period, by all windows. */
	of(period: Period, account: string): Amount {
		let amount = nothing;
		for (const accounts of this.page(period).tallies.values())
			amount = sum(amount, amountOf(accounts.get(account) ?? emptyTally));
		return amount;
	}

	/** What was used in a period on all accounts together. */
	total(period: Period): Amount {
		return this.accounts(period)
			.map((account) => this.of(period, account))
			.reduce(sum, nothing);
	}

	/** The accounts on which something was used in a period. */
	accounts(period: Period): readonly string[] {
		const all = new Set<string>();
		for (const accounts of this.page(period).tallies.values()) for (const account of accounts.keys()) all.add(account);
		return [...all];
	}

	/** Since when what was used in a period is not known in full; undefined when it is known. */
	unknownAt(period: Period): number | undefined {
		return this.page(period).unknownAt;
	}

	/** Books an amount. */
	book(period: Period, account: string, amount: Amount): Booking {
		const { epoch } = this.page(period);
		this.change(period, account, (tally) => booked(tally, amount));
		return { period, account, epoch, amount };
	}

	/** Puts what was used in the place of what was booked. To be called once for each booking. */
	settle({ period, account, epoch, amount }: Booking, used: Pick<Amount, "tokens" | "nanodollars">): void {
		const isCurrent = this.page(period).epoch === epoch;
		// What was booked before a reset is gone, and cannot be given back.
		const before = isCurrent ? amount : nothing;
		const more = (key: "tokens" | "nanodollars"): number => Math.max(0, used[key] - before[key]);
		const back = (key: "tokens" | "nanodollars"): number => Math.max(0, before[key] - used[key]);
		const excess = { ...nothing, tokens: more("tokens"), nanodollars: more("nanodollars") };
		const rest = { tokens: back("tokens"), nanodollars: back("nanodollars") };
		this.change(period, account, (tally) => givenBack(booked(tally, excess), rest));
	}

	/** Begins a period anew with nothing used, in all windows. */
	reset(period: Period): void {
		const { epoch } = this.page(period);
		this.write(new Map(this.pages).set(period, { ...emptyPage, epoch: epoch + 1 }));
	}

	/** Whether something was used on an account that is none of those. */
	hasOther(accounts: ReadonlySet<string>): boolean {
		this.read();
		return [...this.pages.keys()].some((period) => this.accounts(period).some((one) => !accounts.has(one)));
	}

	/** Forgets the accounts that are none any more. */
	retain(isKept: (account: string) => boolean): void {
		this.read();
		this.write(new Map([...this.pages].map(([period, page]) => [period, withAccounts(page, isKept)])));
	}

	private page(period: Period): LedgerPage {
		this.read();
		return this.pages.get(period) ?? emptyPage;
	}

	private change(period: Period, account: string, change: (tally: Tally) => Tally): void {
		const page = this.page(period);
		const tally = change(page.tallies.get(this.window)?.get(account) ?? emptyTally);
		this.write(new Map(this.pages).set(period, withTally(page, this.window, account, tally)));
	}

	/** Merges what other windows have written, and writes again what one of them has overwritten. */
	private read(): void {
		const { store, key, now } = this.services;
		const stored = store.get<unknown>(key);
		if (stored === this.merged) return;
		this.merged = stored;
		const { pages, isWhole } = readPages(stored, now());
		const merged = new Map(this.pages);
		for (const [period, page] of pages) merged.set(period, mergePages(merged.get(period) ?? emptyPage, page));
		const isAhead = [...merged].some(([period, page]) => knowsMore(page, pages.get(period) ?? emptyPage));
		this.pages = merged;
		if (isAhead || !isWhole) this.write(merged);
		if (isWhole) return;
		this.keep(`${key}.damaged`, stored);
		this.services.onProblem("What servers have used of your models could not be read, and counts as unknown.");
	}

	private write(pages: ReadonlyMap<Period, LedgerPage>): void {
		const { store, key, now } = this.services;
		const days = [...pages.keys()].filter(isDay).toSorted().toReversed();
		const kept = new Set<string>(["life", dayOf(now()), ...days.slice(0, keptDays)]);
		this.pages = new Map([...pages].filter(([period]) => kept.has(period)));
		this.keep(key, Object.fromEntries([...this.pages].map(([period, page]) => [period, writePage(page)])));
		this.merged = store.get<unknown>(key);
		this.changed.fire();
	}

	private keep(key: string, value: unknown): void {
		const failed = (): void => this.services.onProblem("What servers use of your models could not be written down.");
		Promise.resolve(this.services.store.update(key, value)).catch(failed);
	}
}

function readPages(
	stored: unknown,
	now: number,
): { readonly pages: ReadonlyMap<Period, LedgerPage>; readonly isWhole: boolean } {
	const pages = new Map<Period, LedgerPage>();
	if (stored === undefined) return { pages, isWhole: true };
	let isWhole = isJsonObject(stored);
	let isNamed = isWhole;
	for (const [period, value] of Object.entries(isJsonObject(stored) ? stored : {})) {
		if (period === "life" || isDay(period)) {
			const read = readPage(value, now);
			pages.set(period, read.page);
			isWhole &&= read.isWhole;
		} else isNamed = false;
	}
	if (isNamed) return { pages, isWhole };
	// Whatever it was about may have been this.
	for (const period of ["life", dayOf(now)]) pages.set(period, { ...(pages.get(period) ?? emptyPage), unknownAt: now });
	return { pages, isWhole: false };
}
