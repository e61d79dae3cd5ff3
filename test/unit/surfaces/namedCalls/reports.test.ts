import { describe, expect, it } from "vitest";
import {
	junitReport,
	type ReportedCall,
	tapReport,
	textReport,
} from "../../../../src/surfaces/namedCalls/commandLine/reports.ts";

const failure = {
	path: ["text", "equals"],
	message: 'The text is "another" one.',
	difference: { expected: "a\n<b> & c", actual: "d\u202E\u0000" },
};
const calls: readonly ReportedCall[] = [
	{ file: "a.json", name: "good", verdict: { kind: "passed", milliseconds: 12, result: "{}" }, places: ["a.json:1:1"] },
	{
		file: "a.json",
		name: "bad # \\ \u001b[31m\nok 9 - forged",
		verdict: { kind: "failed", milliseconds: 1500, failures: [failure], result: "{}" },
		places: ["a.json:12:3"],
	},
	{ file: "b.json", name: "broken", verdict: { kind: "errored", message: "no server" }, places: ["b.json:2:1"] },
	{ file: "b.json", name: "refused", verdict: { kind: "refused", message: "not allowed" }, places: ["b.json:3:1"] },
	{ file: "b.json", name: "left out", verdict: { kind: "skipped" }, places: ["b.json:4:1"] },
];

describe("a report of named calls (CAL-10)", () => {
	it("for users has a line for each call, the place of a failure, both texts and the sum", () => {
		expect(textReport(calls)).toBe(
			[
				"ok  a.json › good (12 ms)",
				String.raw`FAILED  a.json › bad # \ \u001B[31m ok 9 - forged (1.5 s)`,
				'    The text is "another" one.',
				"    at a.json:12:3",
				"    expected:",
				"      a",
				"      <b> & c",
				"    actual:",
				String.raw`      d\u202E\u0000`,
				"ERROR  b.json › broken",
				"    no server",
				"    at b.json:2:1",
				"NOT ALLOWED  b.json › refused",
				"    not allowed",
				"    at b.json:3:1",
				"skipped  b.json › left out",
				"1 passed, 1 failed, 1 errors, 1 not allowed, 1 skipped",
				"",
			].join("\n"),
		);
	});

	it("is TAP, in which no name is a line or a directive of its own", () => {
		const lines = tapReport(calls).split("\n");
		expect(lines.slice(0, 2)).toEqual(["TAP version 14", "1..5"]);
		expect(lines.filter((line) => /^(?:not )?ok/.test(line))).toEqual([
			"ok 1 - a.json › good",
			String.raw`not ok 2 - a.json › bad \# \\ \\u001B[31m ok 9 - forged`,
			"not ok 3 - b.json › broken",
			"not ok 4 - b.json › refused",
			"ok 5 - b.json › left out # SKIP the run was stopped",
		]);
		expect(lines).toContain(String.raw`      expected: "a\n<b> & c"`);
		expect(lines).toContain('      at: "a.json:12:3"');
	});

	it("is JUnit's XML, well-formed for any texts of servers", () => {
		const xml = junitReport(calls);
		expect(xml).toContain('<testsuite name="a.json" tests="2" failures="1" errors="0" skipped="0" time="1.512">');
		expect(xml).toContain('<testsuite name="b.json" tests="3" failures="0" errors="2" skipped="1" time="0.000">');
		expect(xml).toContain(
			'<failure message="The text is &quot;another&quot; one.">at a.json:12:3&#10;expected:&#10;a&#10;&lt;b&gt; &amp; c',
		);
		expect(xml).toContain('<error message="no server">');
		expect(xml).toContain("<skipped/>");
		// XML 1.0, section 2.2: no control characters but tab and line breaks.
		expect(xml).not.toMatch(/[^\P{Cc}\n\t]/u);
		const tags = [...xml.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)];
		const open: string[] = [];
		for (const [, end, name = "", isEmpty] of tags) {
			if (end === "/") expect(open.pop()).toBe(name);
			else if (isEmpty === "") open.push(name);
		}
		expect(open).toEqual([]);
	});
});
