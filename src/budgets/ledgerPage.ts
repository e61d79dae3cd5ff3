import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { later, readTally, type Tally } from "./tally.ts";

/** What was booked in one period by all windows. */
export interface LedgerPage {
	/** How often it was reset: what was booked before the last time does not count. */
	readonly epoch: number;
	/** When something of it was found unreadable: what was used is then not known. */
	readonly unknownAt?: number;
	/** By window and account. */
	readonly tallies: ReadonlyMap<string, ReadonlyMap<string, Tally>>;
}

export const emptyPage: LedgerPage = { epoch: 0, tallies: new Map() };

/** What two copies of a page know together; the one that was reset more often is the later. */
export function mergePages(a: LedgerPage, b: LedgerPage): LedgerPage {
	if (a.epoch !== b.epoch) return a.epoch > b.epoch ? a : b;
	const tallies = new Map<string, Map<string, Tally>>();
	for (const page of [a, b]) {
		for (const [window, accounts] of page.tallies) {
			const merged = tallies.get(window) ?? new Map<string, Tally>();
			tallies.set(window, merged);
			for (const [account, tally] of accounts) {
				const known = merged.get(account);
				merged.set(account, known === undefined ? tally : later(known, tally));
			}
		}
	}
	const times = [a.unknownAt, b.unknownAt].filter((time) => time !== undefined);
	return { epoch: a.epoch, ...(times.length === 0 ? {} : { unknownAt: Math.max(...times) }), tallies };
}

/** The page with another tally of a window. */
export function withTally(page: LedgerPage, window: string, account: string, tally: Tally): LedgerPage {
	const accounts = new Map(page.tallies.get(window)).set(account, tally);
	return { ...page, tallies: new Map(page.tallies).set(window, accounts) };
}

/** The page with those accounts alone. */
export function withAccounts(page: LedgerPage, isKept: (account: string) => boolean): LedgerPage {
	const tallies = new Map<string, ReadonlyMap<string, Tally>>();
	for (const [window, accounts] of page.tallies) {
		const kept = new Map([...accounts].filter(([account]) => isKept(account)));
		if (kept.size > 0) tallies.set(window, kept);
	}
	return { ...page, tallies };
}

/** The page as it is stored. */
export function writePage({ epoch, unknownAt, tallies }: LedgerPage): JsonObject {
	const rows: Json[] = [];
	for (const [window, accounts] of tallies)
		for (const [account, tally] of accounts) rows.push([window, account, ...tally]);
	return { epoch, ...(unknownAt === undefined ? {} : { unknownAt }), rows };
}

/** Whether a page holds something that its copy lacks. */
export function knowsMore(page: LedgerPage, copy: LedgerPage): boolean {
	if (page.epoch !== copy.epoch) return page.epoch > copy.epoch;
	return [...page.tallies].some(([window, accounts]) =>
		[...accounts].some(([account, tally]) => {
			const other = copy.tallies.get(window)?.get(account);
			return other === undefined || tally.some((value, index) => value > (other[index] ?? 0));
		}),
	);
}

/** A stored page, and whether all of it could be read; otherwise it is unknown since `now`. */
export function readPage(value: unknown, now: number): { readonly page: LedgerPage; readonly isWhole: boolean } {
	const broken = (page: LedgerPage) => ({ page: { ...page, unknownAt: now }, isWhole: false });
	if (!isJsonObject(value)) return broken(emptyPage);
	const { epoch, unknownAt, rows } = value as { readonly [key: string]: unknown };
	if (!Number.isSafeInteger(epoch) || (epoch as number) < 0 || !Array.isArray(rows)) return broken(emptyPage);
	let page: LedgerPage = { epoch: epoch as number, tallies: new Map() };
	let isWhole = true;
	for (const row of rows as readonly unknown[]) {
		const [window, account, ...numbers]: readonly unknown[] = Array.isArray(row) ? row : [];
		const tally = readTally(numbers as readonly Json[]);
		if (typeof window === "string" && typeof account === "string" && tally !== undefined)
			page = withTally(page, window, account, tally);
		else isWhole = false;
	}
	if (!isWhole) return broken(page);
	if (unknownAt === undefined) return { page, isWhole };
	if (typeof unknownAt !== "number" || !Number.isFinite(unknownAt)) return broken(page);
	return { page: { ...page, unknownAt }, isWhole };
}
