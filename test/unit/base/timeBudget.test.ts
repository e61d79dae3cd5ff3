import { describe, expect, it } from "vitest";
import { withinTime } from "../../../src/base/timeBudget.ts";

describe("withinTime", () => {
	it("returns the action's result, and throws its error", () => {
		expect(withinTime(1000, () => ({ a: [1] }))).toEqual({ a: [1] });
		expect(withinTime(1000, () => undefined)).toBeUndefined();
		const error = new TypeError("odd");
		expect(() =>
			withinTime(1000, () => {
				throw error;
			}),
		).toThrow(error);
	});

	it("stops an expression that would not end, and works again afterwards", () => {
		const text = `${"a".repeat(100)}!`;
		expect(() => withinTime(20, () => /^(a+)+$/.test(text))).toThrow(expect.objectContaining({ code: "limit" }));
		expect(withinTime(1000, () => 2)).toBe(2);
	});

	it("retries an action that had no processor in its time, and gives up in the end", () => {
		const text = `${"a".repeat(100)}!`;
		let tries = 0;
		const endless = (): boolean => {
			tries++;
			return /^(a+)+$/.test(text);
		};
		const nothing = (): number => 0;
		expect(() => withinTime(20, endless, nothing)).toThrow(expect.objectContaining({ code: "limit" }));
		expect(tries).toBe(3);
		// The first try failed because other processes computed.
		tries = 0;
		expect(withinTime(200, () => (++tries === 1 ? endless() : "done"), nothing)).toBe("done");
		tries = 0;
		let computed = 0;
		expect(() => withinTime(20, endless, () => (computed += 10))).toThrow(expect.objectContaining({ code: "limit" }));
		expect(tries).toBe(1);
	});
});
