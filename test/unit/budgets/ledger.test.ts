import { describe, expect, it } from "vitest";
import { nothing, toNanodollars, toTokens, type Amount } from "../../../src/budgets/amount.ts";
import { dayOf, endOfDay } from "../../../src/budgets/day.ts";
import { Ledger } from "../../../src/budgets/ledger.ts";
import { Rate } from "../../../src/budgets/rate.ts";
import type { KeyValue } from "../../../src/base/storage.ts";
import { MemoryStore } from "../servers/fixtures.ts";

const key = "spent";
const day = "2026-11-22";
const noon = new Date(2026, 10, 22, 12).getTime();
const of = (tokens: number, nanodollars = 0): Amount => ({ requests: 1, tokens, nanodollars, unpriced: 0 });

function ledger(store: KeyValue, problems: string[] = [], window?: string): Ledger {
	const onProblem = (message: string): void => void problems.push(message);
	return new Ledger({ store, key, now: () => noon, onProblem, ...(window === undefined ? {} : { window }) });
}

describe("what is counted", () => {
	it.each([
		[NaN, undefined],
		[-1, undefined],
		[Infinity, undefined],
		["12", undefined],
		[0, 0],
		[1.2, 2],
		[1e300, 1_000_000_000],
	])("takes %s tokens for %s", (value, counted) => expect(toTokens(value)).toBe(counted));

	it("rounds money up, and never adds what floating point adds", () => {
		expect([0.1, 0.3, 0.1 + 0.2, 1.15, 1e-10].map(toNanodollars)).toEqual([
			100_000_000, 300_000_000, 300_000_000, 1_150_000_000, 1,
		]);
		expect([NaN, -1, Infinity].map(toNanodollars)).toEqual(Array(3).fill(toNanodollars(1e9)));
	});
});

describe("a ledger", () => {
	it("counts today even after the clock stood days ahead (SMP-01)", () => {
		const dayMs = 24 * 3_600_000;
		let now = noon;
		const ledger = new Ledger({ store: new MemoryStore(), key, now: () => now, onProblem: () => undefined });
		for (const ahead of [30, 31, 32]) {
			now = noon + ahead * dayMs;
			ledger.book(dayOf(now), "weather", of(5));
		}
		now = noon;
		ledger.book(dayOf(now), "weather", of(5));
		ledger.book(dayOf(now), "weather", of(5));
		expect(ledger.of(dayOf(now), "weather")).toMatchObject({ requests: 2, tokens: 10 });
	});

	it("has what it booked at once in the store, and after a reload (SMP-01)", () => {
		const store = new MemoryStore();
		ledger(store).book(day, "a", of(100, 7));
		expect(ledger(store).of(day, "a")).toEqual(of(100, 7));
	});

	it("puts what was used in the place of what was booked, more or less", () => {
		const book = ledger(new MemoryStore());
		book.settle(book.book(day, "a", of(100, 50)), { tokens: 30, nanodollars: 80 });
		expect(book.of(day, "a")).toEqual(of(30, 80));
		expect(book.total(day)).toEqual(of(30, 80));
	});

	it("keeps what a window booked that did not live to settle it", () => {
		const store = new MemoryStore();
		ledger(store).book(day, "a", of(100));
		const next = ledger(store);
		next.settle(next.book(day, "a", of(10)), { tokens: 5, nanodollars: 0 });
		expect(next.of(day, "a").tokens).toBe(105);
	});

	it("sums what windows side by side booked, in whatever order they read and wrote", () => {
		const store = new MemoryStore();
		const windows = [ledger(store), ledger(store), ledger(store)];
		for (let round = 0; round < 5; round++) for (const window of windows) window.book(day, "a", of(1));
		for (const window of windows) expect(window.of(day, "a")).toMatchObject({ requests: 15, tokens: 15 });
	});

	it("writes again what a window overwrote that had not heard of it", () => {
		const store = new MemoryStore();
		const window = ledger(store);
		window.book(day, "a", of(100));
		// As another window writes that read the store before.
		store.values.delete(key);
		ledger(store).book(day, "a", of(1));
		expect(window.of(day, "a").tokens).toBe(101);
		expect(ledger(store).of(day, "a").tokens).toBe(101);
	});

	it("loses nothing where windows hear of each other late and the last to write wins (SMP-01)", () => {
		let seed = 7;
		const random = (most: number): number => {
			seed = (seed * 48_271) % 2_147_483_647;
			return seed % most;
		};
		for (let run = 0; run < 30; run++) {
			const profile = new MemoryStore();
			// What each window's store has heard of; a write replaces the whole for those that hear of it later.
			const heard = [0, 1, 2].map(() => new MemoryStore());
			const hear = (index: number): void => {
				const stored = profile.values.get(key);
				if (stored !== undefined) heard[index]?.values.set(key, stored);
			};
			const windows = heard.map((store) => {
				const update = async (name: string, value: unknown): Promise<void> => {
					await Promise.all([store.update(name, value), profile.update(name, value)]);
				};
				return ledger({ get: (name) => store.get(name), update });
			});
			let total = 0;
			for (let step = 0; step < 40; step++) {
				const index = random(3);
				const tokens = random(50);
				if (random(2) === 0) hear(index);
				else {
					total += tokens;
					windows[index]?.book(day, "a", of(tokens));
				}
			}
			for (const [index, window] of [...windows.entries(), ...windows.entries()]) {
				hear(index);
				window.of(day, "a");
			}
			expect([...windows, ledger(profile)].map((window) => window.of(day, "a").tokens)).toEqual(Array(4).fill(total));
		}
	});

	it("begins anew in all windows when it is reset, and gives back nothing of before", () => {
		const store = new MemoryStore();
		const [one, other] = [ledger(store), ledger(store)];
		const before = one.book(day, "a", of(100));
		expect(other.of(day, "a").tokens).toBe(100);
		other.reset(day);
		expect(one.of(day, "a")).toEqual(nothing);
		one.settle(before, { tokens: 40, nanodollars: 0 });
		expect(one.of(day, "a").tokens).toBe(40);
		other.book(day, "a", of(1));
		expect([one, other, ledger(store)].map((window) => window.of(day, "a").tokens)).toEqual([41, 41, 41]);
	});

	it("keeps the last days apart and no more of them", () => {
		const store = new MemoryStore();
		const book = ledger(store);
		for (const one of ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"]) book.book(one, "a", of(1));
		book.book("life", "rule", of(3));
		expect(Object.keys(store.get<object>(key) ?? {}).toSorted()).toEqual([
			"2026-11-20",
			"2026-11-21",
			"2026-11-22",
			"life",
		]);
	});

	it("takes names of servers for data", () => {
		const store = new MemoryStore();
		ledger(store).book(day, "__proto__", of(5));
		const again = ledger(store);
		expect([again.of(day, "__proto__").tokens, again.of(day, "constructor").tokens]).toEqual([5, 0]);
		expect(({} as { tokens?: unknown }).tokens).toBeUndefined();
	});

	const row = (...cells: readonly unknown[]): unknown => ({ [day]: { epoch: 0, rows: [cells] } });
	it.each<[string, unknown]>([
		["a text", "nonsense"],
		["null", null],
		["a list", []],
		["another key", { "22 November": { epoch: 0, rows: [] } }],
		["no page", { [day]: 7 }],
		["no epoch", { [day]: { rows: [] } }],
		["no rows", { [day]: { epoch: 0, rows: {} } }],
		["a short row", row("w", "a", 1, 2)],
		["a negative number", row("w", "a", 1, -5, 0, 0, 0, 0)],
		["a fraction", row("w", "a", 1, 0.5, 0, 0, 0, 0)],
		["more given back than booked", row("w", "a", 1, 5, 0, 0, 6, 0)],
		["a row of nothing", row()],
		["a time of no time", { [day]: { epoch: 0, rows: [], unknownAt: "now" } }],
	])(
		"that was damaged (%s) is unknown, kept aside, told once, and known again when reset (SEC-08)",
		(_what, stored) => {
			const store = new MemoryStore();
			void store.update(key, stored);
			const problems: string[] = [];
			const book = ledger(store, problems);
			expect(book.unknownAt(day)).toBe(noon);
			book.book(day, "a", of(5));
			expect(book.unknownAt(day)).toBe(noon);
			expect(store.get(`${key}.damaged`)).toEqual(stored);
			expect(problems).toHaveLength(1);
			expect(ledger(store, problems).unknownAt(day)).toBe(noon);
			expect(problems).toHaveLength(1);
			book.reset(day);
			expect([book.unknownAt(day), ledger(store).unknownAt(day)]).toEqual([undefined, undefined]);
			expect(book.unknownAt("2026-11-23")).toBeUndefined();
		},
	);

	it("keeps what it can read of a damaged page", () => {
		const store = new MemoryStore();
		void store.update(key, { [day]: { epoch: 0, rows: [["w", "a", 1, 5, 0, 0, 0, 0], "b"] } });
		expect(ledger(store).of(day, "a").tokens).toBe(5);
	});

	it("says so when it cannot be written", async () => {
		const problems: string[] = [];
		const store: KeyValue = { get: () => undefined, update: () => Promise.reject(new Error("disk full")) };
		ledger(store, problems).book(day, "a", of(1));
		await expect.poll(() => problems).toEqual([expect.stringContaining("could not be written down")]);
	});
});

describe("a rate", () => {
	it("counts the last minute, whenever it began, and says when there is room", () => {
		let now = noon;
		const rate = new Rate(() => now);
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
		const rate = new Rate(() => now);
		rate.note("a");
		now = noon - 3_600_000;
		expect(rate.count("a")).toBe(0);
	});
});

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
