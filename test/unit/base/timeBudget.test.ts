import { describe, expect, it } from "vitest";
import { withinTime } from "../../../src/base/timeBudget.ts";

describe("withinTime", () => {
	it("gives what the action gives, and throws what it throws", () => {
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
});
