import { describe, expect, it } from "vitest";
import { Emitter } from "../../../src/base/event.ts";
import { once } from "../../../src/base/once.ts";

describe("Emitter", () => {
	it("calls the listeners in order until they are disposed", () => {
		const emitter = new Emitter<number>();
		const seen: string[] = [];
		const first = emitter.event((value) => seen.push(`a${value}`));
		emitter.event((value) => seen.push(`b${value}`));
		emitter.fire(1);
		first.dispose();
		first.dispose();
		emitter.fire(2);
		expect(seen).toEqual(["a1", "b1", "b2"]);
	});

	it("accepts the same function twice and removes it once", () => {
		const emitter = new Emitter<number>();
		let count = 0;
		const listener = (): unknown => count++;
		emitter.event(listener);
		emitter.event(listener).dispose();
		emitter.fire(0);
		expect(count).toBe(1);
	});

	it("does not call a listener that another one disposed during the event", () => {
		const emitter = new Emitter<void>();
		let calls = 0;
		emitter.event(() => second.dispose());
		const second = emitter.event(() => calls++);
		emitter.fire();
		expect(calls).toBe(0);
	});

	it("calls the others when one throws, and lets the error surface", async () => {
		const emitter = new Emitter<void>();
		let calls = 0;
		emitter.event(() => {
			throw new Error("a listener's fault");
		});
		emitter.event(() => calls++);
		const others = process.listeners("uncaughtException");
		process.removeAllListeners("uncaughtException");
		const surfaced = new Promise((resolve) => process.once("uncaughtException", resolve));
		try {
			emitter.fire();
			expect(calls).toBe(1);
			expect(await surfaced).toEqual(new Error("a listener's fault"));
		} finally {
			for (const listener of others) process.on("uncaughtException", listener);
		}
	});

	it("is silent once disposed", () => {
		const emitter = new Emitter<void>();
		let calls = 0;
		emitter.event(() => calls++);
		emitter.dispose();
		emitter.fire();
		expect(calls).toBe(0);
	});
});

describe("once", () => {
	it("resolves with the next value only", async () => {
		const emitter = new Emitter<number>();
		const next = once(emitter.event);
		emitter.fire(1);
		emitter.fire(2);
		expect(await next).toBe(1);
	});

	it("rejects with the signal's reason and leaves no listener", async () => {
		const emitter = new Emitter<number>();
		const controller = new AbortController();
		const next = once(emitter.event, controller.signal);
		controller.abort(new Error("enough"));
		await expect(next).rejects.toThrow("enough");
		await expect(once(emitter.event, controller.signal)).rejects.toThrow("enough");
	});
});
