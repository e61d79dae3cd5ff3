import { afterEach, describe, expect, it, vi } from "vitest";
import { startInOrder } from "../../../../src/servers/sessions/startOrder.ts";

/** A machine whose processors are busy. */
const busy = (): (() => number) => () => 0;

describe("startInOrder", () => {
	afterEach(() => void vi.useRealTimers());

	it("starts the next one when one has ended its start", async () => {
		const ends = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
		const begun: number[] = [];
		const all = startInOrder(
			ends.map(({ promise }, index) => () => {
				begun.push(index);
				return promise;
			}),
			2,
			busy,
		);
		expect(begun).toEqual([0, 1]);
		ends[1]?.resolve();
		await expect.poll(() => begun).toEqual([0, 1, 2]);
		for (const { resolve } of ends) resolve();
		await all;
	});

	it("is delayed by no hanging one, and resolves with the last", async () => {
		vi.useFakeTimers();
		const hang = Promise.withResolvers<void>();
		let isDone = false;
		const begun: number[] = [];
		const all = startInOrder(
			[
				() => hang.promise,
				...[1, 2, 3].map((index) => () => {
					begun.push(index);
					return Promise.resolve();
				}),
			],
			1,
			busy,
		).then(() => (isDone = true));
		await vi.advanceTimersByTimeAsync(120);
		expect(begun).toEqual([]);
		await vi.advanceTimersByTimeAsync(40);
		expect([begun, isDone]).toEqual([[1, 2, 3], false]);
		hang.resolve();
		await all;
	});

	it("starts the next one at once when the processors are idle, as when servers only wait", async () => {
		vi.useFakeTimers();
		const hang = Promise.withResolvers<void>();
		let begun = 0;
		const start = (): Promise<void> => {
			begun++;
			return hang.promise;
		};
		const all = startInOrder([start, start, start], 1, () => () => 0.6);
		await vi.advanceTimersByTimeAsync(80);
		expect(begun).toBe(3);
		hang.resolve();
		await all;
		expect(vi.getTimerCount()).toBe(0);
	});

	it("measures this machine on its own", async () => {
		let begun = 0;
		const start = async (): Promise<void> => void begun++;
		await startInOrder([start, start], 2);
		expect(begun).toBe(2);
	});
});
