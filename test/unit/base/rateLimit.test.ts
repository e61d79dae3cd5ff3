import { expect, test } from "vitest";
import { RateLimit } from "../../../src/base/rateLimit.ts";

test("an app that calls continuously is slowed down (APP-09)", () => {
	let now = 0;
	const limit = new RateLimit({ burst: 3, perSecond: 1 }, () => now);
	expect([1, 2, 3, 4].map(() => limit.take())).toEqual([true, true, true, false]);
	now = 2000;
	expect([1, 2, 3].map(() => limit.take())).toEqual([true, true, false]);
});
