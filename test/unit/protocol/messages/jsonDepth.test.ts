import { describe, expect, it } from "vitest";
import { JsonDepth } from "../../../../src/protocol/messages/jsonDepth.ts";

/** Whether a text stays within the limit, fed in pieces of `size` bytes. */
function accepts(text: string, limit: number, size = Number.MAX_SAFE_INTEGER): boolean {
	const depth = new JsonDepth(limit);
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) {
		if (!depth.accept(bytes.subarray(at, at + size))) return false;
	}
	return true;
}

const long = "x".repeat(100);

describe("JsonDepth", () => {
	it.each([
		["1", 0],
		["[]", 1],
		['{"a":[1,{"b":2}],"c":[[]]}', 3],
		['["[[[[{{{{"]', 1],
		[String.raw`["\"[[[[","\\",[]]`, 2],
		[JSON.stringify([`${long}"[[[[${long}\\`, []]), 2],
		[JSON.stringify([`${long}\\\\"[[[[`, `${"\\".repeat(99)}[[`]), 1],
		[JSON.stringify({ "[é漢😀": [[["😀"]]] }), 4],
	])("measures %j", (text, depth) => {
		for (const size of [1, 2, 3, 31, 32, 33, 64, undefined]) {
			expect(accepts(text, depth, size), `in pieces of ${size}`).toBe(true);
			if (depth > 0) expect(accepts(text, depth - 1, size), `in pieces of ${size}`).toBe(false);
		}
	});

	it("stops at once in an endless nesting", () => {
		expect(accepts("[".repeat(200_000), 256)).toBe(false);
	});

	it("restarts after a reset", () => {
		const depth = new JsonDepth(2);
		expect(depth.accept(Buffer.from('[["open'))).toBe(true);
		depth.reset();
		expect(depth.accept(Buffer.from("[[]]"))).toBe(true);
		expect(depth.accept(Buffer.from("[[[]]]"))).toBe(false);
	});
});
