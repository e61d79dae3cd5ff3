import { expect, test } from "vitest";
import { describeProgress } from "../../../src/base/progress.ts";

test.each([
	[{ progress: 3 }, "3"],
	[{ progress: 3, total: 7 }, "3 of 7"],
	[{ progress: 3, total: 7, message: "Searching" }, "Searching (3 of 7)"],
	[{ progress: 3, message: "Searching" }, "Searching (3)"],
	[{ progress: 3, total: 7, message: "step 3 of 7" }, "step 3 of 7"],
	[{ progress: 0.5, total: 1, message: " " }, "0.5 of 1"],
	[{ progress: 1, total: 2, message: "a\u202E\nb" }, String.raw`a\u202E b (1 of 2)`],
])("%j is shown as %s", (progress, words) => {
	expect(describeProgress(progress)).toBe(words);
});
