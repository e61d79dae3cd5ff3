import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Amount, nothing, toNanodollars, toTokens } from "../../../../src/permissions/grants/amount.ts";
import { dayOf } from "../../../../src/permissions/budgets/dayBudget.ts";
import { compact } from "../../../../src/base/store/compact.ts";
import { LastMinute } from "../../../../src/permissions/budgets/budgetPolicy.ts";
import { isUseKept, UsageCounter, usageName } from "../../../../src/permissions/budgets/usageCounter.ts";
import { StoreFolder } from "../../base/store/storeFolder.ts";

const day = "2026-11-22";
const noon = new Date(2026, 10, 22, 12).getTime();
const of = (tokens: number, nanodollars = 0): Amount => ({ requests: 1, tokens, nanodollars, unpriced: 0 });

/** The counter of another window, which opens now. */
function counter(
	folder = new StoreFolder(() => noon),
	{ problems = [] as string[], now = () => noon } = {},
): UsageCounter {
	const journal = folder.open().journal(usageName, { isKept: (line) => isUseKept(line, now()) });
	return new UsageCounter({ journal, name: "spent", now, onProblem: (message) => void problems.push(message) });
}

describe("the counted usage", () => {
	it.each([
		[NaN, undefined],
		[-1, undefined],
		[Infinity, undefined],
		["12", undefined],
		[0, 0],
		[1.2, 2],
		[1e300, 1_000_000_000],
	])("treats %s tokens as %s", (value, counted) => expect(toTokens(value)).toBe(counted));

	it("rounds money up, and never adds floating point errors", () => {
		expect([0.1, 0.3, 0.1 + 0.2, 1.15, 1e-10].map(toNanodollars)).toEqual([
			100_000_000, 300_000_000, 300_000_000, 1_150_000_000, 1,
		]);
		expect([NaN, -1, Infinity].map(toNanodollars)).toEqual(Array(3).fill(toNanodollars(1e9)));
	});
});

describe("a counter", () => {
	it("counts today even after the clock was days ahead (SMP-01)", async () => {
		const dayMs = 24 * 3_600_000;
		let now = noon;
		const folder = new StoreFolder(() => now);
		const book = counter(folder, { now: () => now });
		for (const ahead of [30, 31, 32]) {
			now = noon + ahead * dayMs;
			book.book(dayOf(now), "weather", of(5));
		}
		now = noon;
		book.book(dayOf(now), "weather", of(5));
		book.book(dayOf(now), "weather", of(5));
		expect(book.of(dayOf(now), "weather")).toMatchObject({ requests: 2, tokens: 10 });
		await compactAll(folder);
		expect(counter(folder).of(dayOf(now), "weather")).toMatchObject({ requests: 2, tokens: 10 });
	});

	it("stores its reservations at once on the disk, and after a reload (SMP-01)", () => {
		const folder = new StoreFolder(() => noon);
		counter(folder).book(day, "a", of(100, 7));
		expect(counter(folder).of(day, "a")).toEqual(of(100, 7));
	});

	it("replaces a reservation by the actual usage, more or less", () => {
		const book = counter();
		book.settle(book.book(day, "a", of(100, 50)), { tokens: 30, nanodollars: 80 });
		expect(book.of(day, "a")).toEqual(of(30, 80));
		expect(book.total(day)).toEqual(of(30, 80));
	});

	it("keeps a reservation of a window that ended before settling it", () => {
		const folder = new StoreFolder(() => noon);
		counter(folder).book(day, "a", of(100));
		const next = counter(folder);
		next.settle(next.book(day, "a", of(10)), { tokens: 5, nanodollars: 0 });
		expect(next.of(day, "a").tokens).toBe(105);
	});

	it("sums the reservations of several windows, in any order of reads, writes and compactions", async () => {
		const folder = new StoreFolder(() => noon);
		const windows = [counter(folder), counter(folder), counter(folder)];
		for (let round = 0; round < 5; round++) {
			for (const window of windows) window.book(day, "a", of(1));
			await compactAll(folder);
		}
		for (const window of windows) expect(window.of(day, "a")).toMatchObject({ requests: 15, tokens: 15 });
	});

	it("restarts in all windows when it is reset, and releases nothing of before", () => {
		const folder = new StoreFolder(() => noon);
		const [one, other] = [counter(folder), counter(folder)];
		const before = one.book(day, "a", of(100));
		expect(other.of(day, "a").tokens).toBe(100);
		other.reset(day);
		expect(one.of(day, "a")).toEqual(nothing);
		one.settle(before, { tokens: 40, nanodollars: 0 });
		expect(one.of(day, "a").tokens).toBe(40);
		other.book(day, "a", of(1));
		expect([one, other, counter(folder)].map((window) => window.of(day, "a").tokens)).toEqual([41, 41, 41]);
	});

	it("keeps the last days separate, and in its files no more of them", async () => {
		const folder = new StoreFolder(() => noon);
		const book = counter(folder);
		for (const one of ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"])
			book.book(one, "a", of(1));
		book.book("life", "rule", of(3));
		await compactAll(folder);
		const periods = folder.disk
			.trim()
			.split("\n")
			.map((line) => /2026-11-\d\d|life/.exec(line)?.[0]);
		expect(new Set(periods)).toEqual(new Set(["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22", "life"]));
	});

	it("treats names of servers as data", () => {
		const folder = new StoreFolder(() => noon);
		counter(folder).book(day, "__proto__", of(5));
		const again = counter(folder);
		expect([again.of(day, "__proto__").tokens, again.of(day, "constructor").tokens]).toEqual([5, 0]);
		expect(({} as { tokens?: unknown }).tokens).toBeUndefined();
	});

	it("with a damaged line is unknown, reported once, and known again when reset (SEC-08)", async () => {
		const folder = new StoreFolder(() => noon);
		const problems: string[] = [];
		const book = counter(folder, { problems });
		book.book(day, "a", of(5));
		for (const file of folder.files) appendFileSync(file, "damage\n");
		expect([book.unknownAt(day), book.of(day, "a").tokens]).toEqual([noon, 5]);
		book.book(day, "a", of(5));
		expect(problems).toHaveLength(1);
		await compactAll(folder);
		expect([counter(folder, { problems }).unknownAt(day), problems.length]).toEqual([noon, 1]);
		expect(readFileSync(`${folder.folder}/${usageName}.damaged`, "utf8")).toBe("damage\n");
		book.reset(day);
		expect([book.unknownAt(day), counter(folder).unknownAt(day)]).toEqual([undefined, undefined]);
		expect(book.unknownAt("2026-11-23")).toBeUndefined();
	});

	it.each<[string, unknown]>([
		["no list", 7],
		["a short list", [1, 2]],
		["a negative number", [1, -5, 0, 0, 0, 0]],
		["a fraction", [1, 0.5, 0, 0, 0, 0]],
		["more given back than booked", [1, 5, 0, 0, 6, 0]],
	])("whose numbers are %s is unknown in that period (SEC-08)", (_what, numbers) => {
		const folder = new StoreFolder(() => noon);
		folder
			.open()
			.journal(usageName)
			.put(JSON.stringify([day, "spent", "a", "w"]), numbers);
		const book = counter(folder);
		expect([book.unknownAt(day) !== undefined, book.unknownAt("2026-11-23")]).toEqual([true, undefined]);
		book.reset(day);
		expect(book.unknownAt(day)).toBeUndefined();
	});
});

/** Compacts the files like a window that opens now. */
async function compactAll(folder: StoreFolder): Promise<void> {
	const journal = folder.open().journal(usageName);
	await compact(journal, { isKept: (line) => isUseKept(line, noon), keepsDamage: true });
}

describe("a rate", () => {
	it("counts the last minute, whenever it began, and shows when there is room", () => {
		let now = noon;
		const rate = new LastMinute(() => now);
		for (const seconds of [0, 10, 50]) {
			now = noon + seconds * 1000;
			rate.note("a");
		}
		expect([rate.count("a"), rate.count("b"), rate.waitMs("a", 3), rate.waitMs("a", 4)]).toEqual([3, 0, 10_000, 0]);
		now = noon + 60_000;
		expect([rate.count("a"), rate.waitMs("a", 3), rate.waitMs("a", 2)]).toEqual([2, 0, 10_000]);
		expect(rate.waitMs("a", 0)).toBeGreaterThan(0);
	});

	it("does not wait for a clock that was set back", () => {
		let now = noon;
		const rate = new LastMinute(() => now);
		rate.note("a");
		now = noon - 3_600_000;
		expect(rate.count("a")).toBe(0);
	});
});

/** Midnight at the user's place. */
function endOfDay(time: number): number {
	const date = new Date(time);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

describe("a day", () => {
	const zones = ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "UTC"];
	it.each(zones)("in %s ends at midnight there, all days of a year one after the other", (zone) => {
		const before = process.env["TZ"];
		process.env["TZ"] = zone;
		try {
			let time = new Date(2026, 0, 1, 12).getTime();
			const days = new Set<string>();
			const lengths = new Set<number>();
			for (let count = 0; count < 365; count++) {
				const end = endOfDay(time);
				expect(dayOf(end - 1)).toBe(dayOf(time));
				expect(dayOf(end)).not.toBe(dayOf(time));
				days.add(dayOf(time));
				lengths.add((endOfDay(end) - end) / 3_600_000);
				time = end;
			}
			expect([days.size, dayOf(time)]).toEqual([365, "2027-01-01"]);
			// Where clocks change a day is an hour shorter and one an hour longer.
			expect([...lengths].toSorted((a, b) => a - b)).toEqual(zone === "UTC" ? [24] : [23, 24, 25]);
		} finally {
			if (before === undefined) delete process.env["TZ"];
			else process.env["TZ"] = before;
		}
	});
});
