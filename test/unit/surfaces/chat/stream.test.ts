import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { JoinedWrites, linkWords, ProgressPace, TextRun } from "../../../../src/surfaces/chat/stream.ts";

const line = `${"x".repeat(9)}\n`;

test("TOL-09: no text that the editor joins is longer than it shows, for any text before it", () => {
	const run = new TextRun(100);
	const joined: string[] = [""];
	const show = (text: string): void => {
		for (const piece of run.take(text)) {
			if (piece.isApart) joined.push("");
			joined[joined.length - 1] += piece.text;
		}
	};
	// The model may write a long text just before a question.
	for (let index = 0; index < 50; index++) show(line);
	show("who, what, with which arguments");
	show(line.repeat(30));
	show("y".repeat(450));
	expect(joined.every(({ length }) => length <= 100)).toBe(true);
	const all = `${line.repeat(50)}who, what, with which arguments${line.repeat(30)}${"y".repeat(450)}`;
	expect(joined.join("").replaceAll("\n", "")).toBe(all.replaceAll("\n", ""));
});

test("short texts stay together, and separate ones are counted again", () => {
	const run = new TextRun(100);
	expect([run.take("a"), run.take("b")]).toEqual([[{ text: "a", isApart: false }], [{ text: "b", isApart: false }]]);
	run.take("c".repeat(90));
	run.end();
	expect(run.take("d".repeat(90))).toEqual([{ text: "d".repeat(90), isApart: false }]);
	expect(run.take("e".repeat(90))).toEqual([{ text: "e".repeat(90), isApart: true }]);
	expect(run.take("")).toEqual([]);
});

test("a piece does not begin with blanks, which would turn it into code", () => {
	const run = new TextRun(20);
	const [, second] = run.take("- one\n      - two is long enough");
	expect(second).toEqual({ text: "- two is long enough", isApart: true });
});

/** The times, in seconds, at which messages are shown that arrive ten times in a second. */
function shown(pace: ProgressPace, from: number, to: number): number[] {
	const times: number[] = [];
	for (let now = from * 1000; now <= to * 1000; now += 100) if (pace.take(now)) times.push(now / 1000);
	return times;
}

test("the first message is shown at once, the others after ever longer pauses", () => {
	expect(shown(new ProgressPace(), 5, 120)).toEqual([5, 6, 8, 12, 20, 36, 66, 96]);
});

test("after other contents the first message is shown at once again", () => {
	const pace = new ProgressPace();
	shown(pace, 0, 60);
	pace.reset();
	expect(shown(pace, 60, 70)).toEqual([60, 61, 63, 67]);
});

describe("writes that are drawn together", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	test("are carried out before the next one if they wait, in their order, and once", () => {
		const written: string[] = [];
		const joined = new JoinedWrites();
		joined.follow(() => written.push("nothing waits"));
		expect(written).toEqual(["nothing waits"]);
		joined.hold(() => written.push("allowed"));
		joined.follow(() => written.push("called"));
		expect(written).toEqual(["nothing waits"]);
		joined.release();
		expect(written).toEqual(["nothing waits", "allowed", "called"]);
		vi.runAllTimers();
		expect(written).toHaveLength(3);
	});

	test("wait at most a moment, for any number of waiting ones, and leave no timer", () => {
		const written: string[] = [];
		const joined = new JoinedWrites();
		joined.hold(() => written.push("first"));
		vi.advanceTimersByTime(40);
		joined.hold(() => written.push("second"));
		expect(written).toEqual([]);
		vi.advanceTimersByTime(10);
		expect(written).toEqual(["first", "second"]);
		joined.hold(() => written.push("last"));
		joined.release();
		expect(written.at(-1)).toBe("last");
		expect(vi.getTimerCount()).toBe(0);
	});
});

test("the words of a short link stay together in a narrow chat, those of a long one wrap", () => {
	expect(linkWords("Deny with Reason…")).toBe("Deny\u00A0with\u00A0Reason…");
	expect(linkWords("x ".repeat(16))).toBe("x ".repeat(16));
});
