import { expect, test } from "vitest";
import { usedLine } from "../../../../../src/features/sampling/review/lines.ts";

test("MDL-08: what was in the provider's cache stands with what an answer took", () => {
	const spent = { inputTokens: 1312, outputTokens: 85, cachedTokens: 1256, cost: 0.0012, isEstimated: false };
	expect(usedLine(spent, 2100)).toBe("1,312 tokens in (1,256 of them cached), 85 out · $0.0012 · 2.1 s");
});
