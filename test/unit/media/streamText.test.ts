import { describe, expect, it } from "vitest";
import { StreamText } from "../../../media/review/streamText.ts";

function taken(...shown: readonly string[]): string {
	const stream = new StreamText();
	for (const text of shown) stream.take(text);
	return stream.text;
}

describe("StreamText", () => {
	const answer = Array.from({ length: 500 }, (_, index) => `Line ${index}.\n`).join("");
	const end = (length: number): string => answer.slice(0, length).slice(-1000);

	it("is the answer as long as all of it arrives", () => {
		expect(taken("", "Pack", "Pack light", "Pack light")).toBe("Pack light");
	});

	it("joins the ends of a long answer", () => {
		expect(taken(...[400, 900, 1000, 1300, 1310, 2200, 3000].map(end))).toBe(answer.slice(0, 3000));
	});

	it("repeated ends are not duplicated", () => {
		const same = "x".repeat(1000);
		expect(taken(same, same, same)).toBe(same);
	});

	it("starts again if a part in between is missing", () => {
		expect(taken(end(900), end(4000))).toBe(end(4000));
	});
});
