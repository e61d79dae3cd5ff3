import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { untilAborted } from "../../../src/base/untilAborted.ts";

/** Yields some values, then nothing ever again; records whether it was abandoned. */
function endless(count: number): AsyncIterable<number> & { isLetGo: boolean } {
	let given = 0;
	return {
		isLetGo: false,
		[Symbol.asyncIterator]() {
			return {
				next: () =>
					given < count
						? Promise.resolve({ done: false, value: given++ })
						: new Promise<IteratorResult<number>>(() => undefined),
				return: () => {
					this.isLetGo = true;
					return Promise.reject(new Error("It was gone already."));
				},
			};
		},
	};
}

describe("an iteration until a signal is aborted", () => {
	it("yields all values of one that ends, and its error", async () => {
		const { signal } = new AbortController();
		expect(await all(untilAborted(values(3), signal))).toEqual([0, 1, 2]);
		await expect(all(untilAborted(values(3, new Error("It broke.")), signal))).rejects.toThrow("It broke.");
		expect(getEventListeners(signal, "abort")).toHaveLength(0);
	});

	it("ends at once although the source never does, and releases it", async () => {
		const { signal, abort } = newAbort();
		const source = endless(2);
		const got: number[] = [];
		for await (const value of untilAborted(source, signal)) {
			got.push(value);
			if (got.length === 2) setImmediate(abort);
		}
		expect(got).toEqual([0, 1]);
		expect(source.isLetGo).toBe(true);
	});

	it("yields nothing when it was aborted before", async () => {
		expect(await all(untilAborted(endless(2), AbortSignal.abort()))).toEqual([]);
	});

	it("releases a source after the consumer stops", async () => {
		const { signal } = newAbort();
		const source = endless(2);
		for await (const _value of untilAborted(source, signal)) break;
		expect(source.isLetGo).toBe(true);
		expect(getEventListeners(signal, "abort")).toHaveLength(0);
	});
});

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
	const found: T[] = [];
	for await (const value of values) found.push(value);
	return found;
}

async function* values(count: number, failure?: Error): AsyncGenerator<number> {
	for (let value = 0; value < count; value++) yield value;
	if (failure !== undefined) throw failure;
}

function newAbort(): { readonly signal: AbortSignal; readonly abort: () => void } {
	const controller = new AbortController();
	return { signal: controller.signal, abort: () => controller.abort() };
}
