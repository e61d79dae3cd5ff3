import { expect, it } from "vitest";
import type { ActivityRecord } from "../../../../../src/records/activity/journal/activityJournal.ts";
import { anchorLine, isCurrent, readAnchors } from "../../../../../src/records/activity/journal/anchors.ts";
import { activityLines, activityTable } from "../../../../../src/records/activity/journal/export.ts";
import { verifiedSentence, verifyReport } from "../../../../../src/records/activity/journal/verifyReport.ts";
import { call, JournalScene, started } from "./scene.ts";

const at = Date.UTC(2026, 10, 22, 9);
const record = (entry: ActivityRecord["entry"], n = 1): ActivityRecord => ({ window: "w1", n, at, entry });

it("exports one entry a line, whole (JRN-09)", () => {
	const text = activityLines([record(started("a")), record(call("asked"), 2)]);
	const lines = text.split("\n").slice(0, -1);
	expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
		{ time: "2026-11-22T09:00:00.000Z", window: "w1", n: 1, ...started("a") },
		{ time: "2026-11-22T09:00:00.000Z", window: "w1", n: 2, ...call("asked") },
	]);
});

it("exports a table in which no cell is a formula (JRN-09)", () => {
	const hostile = ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", '\t=1", "', "|calc"];
	const table = activityTable(hostile.map((target) => record(call("allowed", { target, by: "user" }))));
	const [head, ...rows] = table.split("\r\n").slice(0, -1);
	expect(head).toBe('"time","kind","server","subject","event","by","turn","id","window","number"');
	expect(rows).toHaveLength(hostile.length);
	for (const row of rows) {
		const cells = [...row.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell]) => cell);
		expect(cells).toHaveLength(10);
		expect(cells.every((text) => !/^\s*[=+\-@|]/.test(text ?? ""))).toBe(true);
	}
	expect(rows[0]).toContain('"allowed by you","you"');
});

it("anchors the ends of the chains, and reads anchors of a file with any content (JRN-08)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	expect(anchorLine(await window.look(), at)).toBe("");
	window.note(started("a"));
	const line = anchorLine(await window.look(), at);
	const hostile = ["x", "null", "{}", '{"mcpHostActivity":1,"at":"2026","heads":{"w1":3}}', '{"mcpHostActivity":2}'];
	const { anchors, damaged } = readAnchors(`${hostile.join("\n")}\n${line}`);
	expect(anchors).toEqual([{ at, heads: { w1: window.head } }]);
	expect(damaged).toBe(hostile.length);
	expect(isCurrent({ at, heads: {} }, 90, at)).toBe(true);
	expect(isCurrent({ at, heads: {} }, 1, at + 2 * 24 * 60 * 60 * 1000)).toBe(false);
});

it("explains plainly what a chain proves and what only an anchor does (JRN-08)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	window.note(started("a"));
	const whole = await scene.verify(window);
	expect(verifiedSentence(whole)).toBe(
		"The activity is complete: nothing was changed or removed in 2 records of 1 window.",
	);
	scene.tamper(window, (lines) => lines.slice(1));
	const report = verifyReport(await scene.verify(window), { anchors: undefined, damagedAnchors: 0 });
	expect(report).toContain("was changed: 1 item is wrong");
	expect(report).toContain("- Entry 1 of window w1 is missing.");
	expect(report).toContain("Only an anchor reveals this");
});
