import { afterEach, describe, expect, it, vi } from "vitest";
import { startInOrder } from "../../../src/servers/startOrder.ts";

describe("startInOrder", () => {
	afterEach(() => void vi.useRealTimers());

	it("starts the next one when one has come to its end", async () => {
		const ends = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
		const begun: number[] = [];
		const all = startInOrder(
			ends.map(({ promise }, index) => () => {
				begun.push(index);
				return promise;
			}),
			2,
		);
		expect(begun).toEqual([0, 1]);
		ends[1]?.resolve();
		await vi.waitFor(() => expect(begun).toEqual([0, 1, 2]));
		for (const { resolve } of ends) resolve();
		await all;
	});

	it("lets one that hangs hold up nobody, and resolves with the last", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
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
		).then(() => (isDone = true));
		expect(begun).toEqual([]);
		await vi.advanceTimersByTimeAsync(150);
		expect([begun, isDone]).toEqual([[1, 2, 3], false]);
		hang.resolve();
		await all;
	});
});
