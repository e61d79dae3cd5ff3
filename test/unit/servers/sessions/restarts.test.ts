import { describe, expect, it } from "vitest";
import { Restarts } from "../../../../src/servers/sessions/restarts.ts";

describe("Restarts", () => {
	it("waits twice as long after each end, and gives up after five within two minutes", () => {
		const restarts = new Restarts();
		const delays = [0, 1000, 3000, 7000, 15_000].map((now) => restarts.next(now, 0, false));
		expect(delays).toEqual([1000, 2000, 4000, 8000, undefined]);
	});

	it("continues with a server that rarely ends, at most a minute later", () => {
		const restarts = new Restarts();
		const delays = Array.from({ length: 10 }, (_, index) => restarts.next(index * 40_000, 30_000, false));
		expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
	});

	it("forgets ends before a long run, or before a user's start", () => {
		const restarts = new Restarts();
		for (let now = 0; now < 4; now++) restarts.next(now, 0, false);
		expect(restarts.next(5, 60_000, false)).toBe(1000);
		for (let now = 6; now < 9; now++) restarts.next(now, 0, false);
		restarts.reset();
		expect(restarts.next(10, 0, false)).toBe(1000);
	});

	it("retries a remote server for ever, at other times than others", () => {
		const restarts = new Restarts();
		for (let count = 0; count < 50; count++) {
			const base = Math.min(1000 * 2 ** count, 60_000);
			const delay = restarts.next(count, 0, true);
			expect(delay).toBeGreaterThanOrEqual(base);
			expect(delay).toBeLessThan(base * 1.25);
		}
	});
});
