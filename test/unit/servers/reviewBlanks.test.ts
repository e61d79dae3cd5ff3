import { describe, expect, it } from "vitest";
import { approvalOf } from "../../../src/servers/approval/keptApproval.ts";
import { reviewServer } from "../../../src/servers/review/review.ts";
import type { ServerReview } from "../../../src/servers/review/reviewProtocol.ts";
import { definition, stdioConfig } from "./fixtures.ts";

/** The rows of a review by label. */
function rowsOf(review: ServerReview): Record<string, readonly string[]> {
	return Object.fromEntries(review.rows.map(({ label, values }) => [label, values]));
}

const unseen = "It contains hidden characters; they are shown as escapes.";

describe("The review of a server", () => {
	it.each([
		["two blanks in a row", "a  b", "a\\u0020{2}b"],
		["many blanks", `safe${" ".repeat(300)}; evil`, "safe\\u0020{300}; evil"],
		["blanks at its ends", " a ", "\\u0020a\\u0020"],
		["a blank alone", " ", "\\u0020"],
		["line breaks", `safe${"\n".repeat(200)}evil`, "safe\\u000A{200}evil"],
		["one line break", "a\nb", "a\\u000Ab"],
		["line breaks with blanks", "a\n\n  b\tc", "a\\u000A{2}\\u0020{2}b\\u0009c"],
		["blanks that are not the usual one", "a\u00A0b\u3000\u3000c", "a\\u00A0b\\u3000{2}c"],
		["carriage returns", "a\r\r\rb", "a\\u000D{3}b"],
		["characters of no width", `a${"\u200B".repeat(90)}b`, "a\\u200B{90}b"],
	])("names %s in an argument, so that nothing is hidden and no two look alike (CFG-07)", (_what, text, shown) => {
		const review = reviewServer(definition("a", stdioConfig({ args: [text] })), undefined);
		expect(rowsOf(review)["Arguments"]).toEqual([shown]);
		expect(review.warnings).toContain(unseen);
	});

	it("does not hide anything by a mixture of blanks and line breaks either (CFG-07)", () => {
		const gap = " \n".repeat(500);
		const review = reviewServer(definition("a", stdioConfig({ args: [`safe${gap}evil`] })), undefined);
		expect(rowsOf(review)["Arguments"]).toEqual(["safe(500 blanks and 500 line breaks)evil"]);
	});

	it("shows single blanks unchanged", () => {
		const review = reviewServer(definition("a", stdioConfig({ args: ["a b c", ""] })), undefined);
		expect([rowsOf(review)["Arguments"], review.warnings]).toEqual([["a b c", ""], []]);
	});

	it("names blanks in every row, and shows a change of only them (CFG-07)", () => {
		const changes = { command: "my  tool", cwd: "/a  b", envFile: "x  y", env: { PATH: "/a  b", "N  M": "${env:X}" } };
		const entry = definition("a", stdioConfig({ args: ["a  b"], ...changes }));
		expect(rowsOf(reviewServer(entry, undefined))).toEqual({
			Command: ["my\\u0020{2}tool"],
			Arguments: ["a\\u0020{2}b"],
			"Working directory": ["/a\\u0020{2}b"],
			Environment: ["PATH=/a\\u0020{2}b", "N\\u0020{2}M=${env:X}"],
			"Environment file": ["x\\u0020{2}y"],
			"Reads from your environment": ["X"],
		});
		const review = reviewServer(entry, approvalOf("former", stdioConfig({ args: ["a b"], ...changes })));
		expect(review.rows.find(({ label }) => label === "Arguments")).toEqual({
			label: "Arguments",
			values: ["a\\u0020{2}b"],
			former: ["a b"],
		});
	});
});
