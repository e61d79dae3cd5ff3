import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../../../src/protocol/http/httpFetch.ts";

const now = Date.UTC(2026, 10, 21, 12, 0, 0);

describe("retryAfterMs", () => {
	it.each([
		[null, undefined],
		["", undefined],
		["soon", undefined],
		["5", 5000],
		[" 30 ", 30_000],
		["0", 1000],
		["-7", 1000],
		["99999999999", 99_999_999_999_000],
		["Sat, 21 Nov 2026 12:00:20 GMT", 20_000],
		["Sat, 21 Nov 2026 11:00:00 GMT", 1000],
		["Sun, 21 Nov 2027 12:00:00 GMT", 365 * 24 * 3600 * 1000],
	])("of %j is %j", (header, milliseconds) => {
		expect(retryAfterMs(header, now)).toBe(milliseconds);
	});
});
