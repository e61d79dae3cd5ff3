import { expect, test } from "vitest";
import { TextRun } from "../../../src/chat/textRun.ts";

const line = `${"x".repeat(9)}\n`;

test("TOL-09: no text that the editor joins is longer than it shows, however much stands before it", () => {
	const run = new TextRun(100);
	const joined: string[] = [""];
	const show = (text: string): void => {
		for (const piece of run.take(text)) {
			if (piece.isApart) joined.push("");
			joined[joined.length - 1] += piece.text;
		}
	};
	// The model may write a lot just before a question.
	for (let index = 0; index < 50; index++) show(line);
	show("who, what, with which arguments");
	show(line.repeat(30));
	show("y".repeat(450));
	expect(joined.every(({ length }) => length <= 100)).toBe(true);
	const all = `${line.repeat(50)}who, what, with which arguments${line.repeat(30)}${"y".repeat(450)}`;
	expect(joined.join("").replaceAll("\n", "")).toBe(all.replaceAll("\n", ""));
});

test("short texts stay together, and what stands apart already is counted anew", () => {
	const run = new TextRun(100);
	expect([run.take("a"), run.take("b")]).toEqual([[{ text: "a", isApart: false }], [{ text: "b", isApart: false }]]);
	run.take("c".repeat(90));
	run.end();
	expect(run.take("d".repeat(90))).toEqual([{ text: "d".repeat(90), isApart: false }]);
	expect(run.take("e".repeat(90))).toEqual([{ text: "e".repeat(90), isApart: true }]);
	expect(run.take("")).toEqual([]);
});

test("a piece does not begin with blanks, which would make code of it", () => {
	const run = new TextRun(20);
	const [, second] = run.take("- one\n      - two is long enough");
	expect(second).toEqual({ text: "- two is long enough", isApart: true });
});
