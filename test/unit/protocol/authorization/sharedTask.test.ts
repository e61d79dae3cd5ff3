import { expect, test } from "vitest";
import { SharedTask } from "../../../../src/protocol/authorization/tokenKeeper.ts";

const { signal: patient } = new AbortController();

test("runs once for all simultaneous callers, and again for later ones", async () => {
	const task = new SharedTask();
	let starts = 0;
	const { promise, resolve } = Promise.withResolvers<void>();
	const start = (): Promise<void> => {
		starts++;
		return promise;
	};
	const joined = [task.join(start, patient), task.join(start, patient)];
	resolve();
	await Promise.all(joined);
	expect(starts).toBe(1);
	await task.join(start, patient);
	expect(starts).toBe(2);
});

test("fails for all, and can be tried again", async () => {
	const task = new SharedTask();
	const fail = (): Promise<void> => Promise.reject(new Error("no"));
	const joined = await Promise.allSettled([task.join(fail, patient), task.join(fail, patient)]);
	expect(joined.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
	await task.join(() => Promise.resolve(), patient);
});

test("is not started a second time while a cancelled one still runs", async () => {
	const task = new SharedTask();
	const given = new AbortController();
	const first = Promise.withResolvers<void>();
	let seen: AbortSignal | undefined;
	const one = task.join((signal) => {
		seen = signal;
		return first.promise;
	}, given.signal);
	given.abort(new Error("gone"));
	await expect(one).rejects.toThrow("gone");
	expect(seen?.aborted).toBe(true);
	const order: string[] = [];
	const two = task.join(() => {
		order.push("second");
		return Promise.resolve();
	}, patient);
	order.push("first ends");
	first.resolve();
	await two;
	expect(order).toEqual(["first ends", "second"]);
});
