import { describe, expect, it } from "vitest";
import { lazy, LateValue } from "../../../src/base/lazy.ts";

describe("A lazy value", () => {
	it("is created on first use, and then shared", async () => {
		let count = 0;
		const number = lazy(() => Promise.resolve(++count));
		expect(count).toBe(0);
		expect(await Promise.all([number.get(), number.get()])).toEqual([1, 1]);
		expect(await number.get()).toBe(1);
	});

	it("announces the value before the waiting callers get it", async () => {
		const order: string[] = [];
		const word = lazy(() => Promise.resolve("word"));
		word.onDidMake((made) => order.push(`announced ${made}`));
		order.push(`got ${await word.get()}`);
		await word.get();
		expect(order).toEqual(["announced word", "got word"]);
	});

	it("tries again after a failure, which all waiting callers receive", async () => {
		let attempts = 0;
		const word = lazy(() => (++attempts === 1 ? Promise.reject(new Error("no such file")) : Promise.resolve("word")));
		const first = [word.get(), word.get()];
		expect(await Promise.allSettled(first)).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
		expect(await word.get()).toBe("word");
		expect(attempts).toBe(2);
	});

	it("cannot be used before its factory is set", async () => {
		await expect(new LateValue().get()).rejects.toThrow("No factory");
	});
});
