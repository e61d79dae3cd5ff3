import { describe, expect, it } from "vitest";
import { HostError, messageOf } from "../../../src/base/errors.ts";
import { canonicalJson, isJsonObject } from "../../../src/base/json.ts";

describe("canonicalJson", () => {
	it("is equal for equal values in any order of keys", () => {
		const one = { b: [1, { d: null, c: "x" }], a: true };
		const two = { a: true, b: [1, { c: "x", d: null }] };
		expect(canonicalJson(one)).toBe(canonicalJson(two));
		expect(canonicalJson(one)).not.toBe(canonicalJson({ ...two, b: [{ c: "x", d: null }, 1] }));
	});

	it("leaves undefined members out and keeps __proto__ as data", () => {
		expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
		expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":2}'))).toBe('{"__proto__":{"x":1},"a":2}');
	});
});

describe("isJsonObject", () => {
	it.each([
		[{}, true],
		[Object.create(null), true],
		[[], false],
		[null, false],
		["{}", false],
		[undefined, false],
	])("of %j is %s", (value, expected) => expect(isJsonObject(value)).toBe(expected));
});

describe("HostError", () => {
	it("is recognised by its class and code", () => {
		const error = new HostError("timeout", "late", { cause: 1 });
		expect(HostError.is(error)).toBe(true);
		expect(HostError.is(error, "timeout")).toBe(true);
		expect(HostError.is(error, "denied")).toBe(false);
		expect(HostError.is(new Error("late"))).toBe(false);
		expect(HostError.is({ code: "timeout" })).toBe(false);
	});

	it("returns the message of any thrown value", () => {
		expect(messageOf(new Error("x"))).toBe("x");
		expect(messageOf("text")).toBe("text");
		expect(messageOf(undefined)).toBe("undefined");
	});
});
