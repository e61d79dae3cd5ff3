import { describe, expect, it } from "vitest";
import { DisposableStore, toDisposable } from "../../../src/base/lifecycle.ts";

describe("toDisposable", () => {
	it("runs its function once", () => {
		let count = 0;
		const disposable = toDisposable(() => count++);
		disposable.dispose();
		disposable.dispose();
		expect(count).toBe(1);
	});
});

describe("DisposableStore", () => {
	it("disposes in reverse order, once, and later additions at once", () => {
		const order: number[] = [];
		const store = new DisposableStore();
		store.add(toDisposable(() => order.push(1)));
		store.add(toDisposable(() => order.push(2)));
		store.dispose();
		store.dispose();
		store.add(toDisposable(() => order.push(3)));
		expect(order).toEqual([2, 1, 3]);
		expect(store.isDisposed).toBe(true);
	});

	it("stays usable after clear", () => {
		const store = new DisposableStore();
		let count = 0;
		store.add(toDisposable(() => count++));
		store.clear();
		store.add(toDisposable(() => count++));
		expect(count).toBe(1);
		store.dispose();
		expect(count).toBe(2);
	});

	it("disposes all of them although one throws, and throws the error", () => {
		const store = new DisposableStore();
		let count = 0;
		store.add(toDisposable(() => count++));
		store.add({
			dispose() {
				throw new Error("stuck");
			},
		});
		expect(() => store.dispose()).toThrow("stuck");
		expect(count).toBe(1);
	});
});
