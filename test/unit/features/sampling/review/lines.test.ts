import { expect, test } from "vitest";
import { usedLine } from "../../../../../src/features/sampling/review/lines.ts";

test("MDL-08: tokens from the provider's cache are shown with the usage of an answer", () => {
	const spent = { inputTokens: 1312, outputTokens: 85, cachedTokens: 1256, cost: 0.0012, isEstimated: false };
	expect(usedLine(spent, 2100)).toBe("1,312 tokens in (1,256 of them cached), 85 out · $0.0012 · 2.1 s");
});
