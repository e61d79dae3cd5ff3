import { describe, expect, test, vi } from "vitest";
import { Emitter } from "../../../../../src/base/event.ts";
import { WindowKey } from "../../../../../src/surfaces/bridge/windows/windowKey.ts";

/** A secret store that windows share. */
function storeOf(values: Map<string, string>): ConstructorParameters<typeof WindowKey>[0] {
	return { get: async (key) => values.get(key), store: async (key, value) => void values.set(key, value) };
}

describe("the key of the windows of one VS Code (GST-17)", () => {
	test("is made once, and two windows with the same store know each other by it", async () => {
		const values = new Map<string, string>();
		const [one, other] = [new WindowKey(storeOf(values)), new WindowKey(storeOf(values))];
		const digest = await one.sign("asking", "address", "nonce");
		expect(await other.verify(digest, "asking", "address", "nonce")).toBe(true);
		expect([...values.values()].map(({ length }) => length)).toEqual([64]);
		expect(digest).not.toContain([...values.values()][0]);
	});

	test("is the one that was stored last when two windows make it at the same moment", async () => {
		const values = new Map<string, string>();
		const changed = new Emitter<{ readonly key: string }>();
		const store = {
			get: async (key: string) => values.get(key),
			store: async (key: string, value: string) => {
				values.set(key, value);
				changed.fire({ key });
			},
			onDidChange: changed.event,
		};
		const [one, other] = [new WindowKey(store), new WindowKey(store)];
		const heard: string[] = [];
		one.onDidChange(() => void heard.push("one"));
		await Promise.all([one.sign("application"), other.sign("application")]);
		expect(await one.sign("application")).toBe(await other.sign("application"));
		expect(heard).toContain("one");
	});

	test("makes a digest that is good for one purpose, one address and one connection", async () => {
		const key = new WindowKey(storeOf(new Map()));
		const digest = await key.sign("asking", "address", "nonce");
		for (const [purpose = "", ...texts] of [
			["asked", "address", "nonce"],
			["asking", "another", "nonce"],
			["asking", "address", "other"],
			["asking", "addressnonce"],
			["asking", "address", "nonce", ""],
		])
			expect(await key.verify(digest, purpose, ...texts)).toBe(false);
		expect(await key.verify("", "asking", "address", "nonce")).toBe(false);
		expect(await new WindowKey(storeOf(new Map())).verify(digest, "asking", "address", "nonce")).toBe(false);
	});

	test("is no key where the store keeps nothing, or something else", async () => {
		const forgetful = { get: async () => undefined, store: async () => undefined };
		await expect(new WindowKey(forgetful).sign("asking")).rejects.toThrow("keeps nothing");
		const wrong = { get: async () => "00", store: async () => undefined };
		await expect(new WindowKey(wrong).verify("00", "asking")).rejects.toThrow("keeps nothing");
		vi.useFakeTimers();
		const silent = { get: () => new Promise<never>(() => undefined), store: async () => undefined };
		const asked = expect(new WindowKey(silent).sign("asking")).rejects.toThrow("does not answer");
		await vi.advanceTimersByTimeAsync(60_000);
		await asked;
		vi.useRealTimers();
	});
});
