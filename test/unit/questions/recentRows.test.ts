import { describe, expect, it } from "vitest";
import { RecentRows } from "../../../src/questions/recentRows.ts";

describe("RecentRows: a choice is never taken for another row than the one that was seen (UI-14)", () => {
	it("is sure of a row that stands where it stood, and of none where another one has just been", () => {
		let now = 0;
		const rows = new RecentRows(() => now);
		rows.show(["a", "b", "c"]);
		expect([0, 1, 2].map((place) => rows.isCertain(place))).toEqual([true, true, true]);
		now = 10_000;
		rows.show(["a", "new", "b", "c"]);
		expect([0, 1, 2, 3].map((place) => rows.isCertain(place))).toEqual([true, false, false, false]);
		now += 249;
		expect(rows.isCertain(1)).toBe(false);
		now += 1;
		expect([0, 1, 2, 3].map((place) => rows.isCertain(place))).toEqual([true, true, true, true]);
	});

	it("remembers every list of the time in doubt, also one that was shown for a moment only", () => {
		let now = 0;
		const rows = new RecentRows(() => now);
		rows.show(["a"]);
		now = 1000;
		rows.show(["b"]);
		now = 1100;
		rows.show(["a"]);
		now = 1300;
		expect(rows.isCertain(0)).toBe(false);
		now = 1350;
		expect(rows.isCertain(0)).toBe(true);
	});

	it("is sure of rows that the person asked for by typing", () => {
		const rows = new RecentRows(() => 0);
		rows.show(["a"]);
		rows.ask();
		rows.show(["b"]);
		expect(rows.isCertain(0)).toBe(true);
	});

	it("knows no row beyond the end, such as one of a list that was longer", () => {
		const rows = new RecentRows();
		expect(rows.isCertain(0)).toBe(false);
		rows.show(["a"]);
		expect(rows.isCertain(1)).toBe(false);
		expect(rows.isCertain(-1)).toBe(false);
	});
});
