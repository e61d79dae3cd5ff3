import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { chosenTests } from "../windows/chosenTests.ts";
import { skipped } from "../windows/skipped.ts";

const root = path.resolve(import.meta.dirname, "../..");

it("Each test that does not run under Wine exists, and a unit test that runs there shows the same", () => {
	for (const { file, tests, shownBy } of skipped) {
		const [shown, name] = shownBy;
		expect([file, existsSync(path.join(root, file))]).toEqual([file, true]);
		expect(shown).toMatch(/^test\/unit\//);
		expect([shown, readFileSync(path.join(root, shown), "utf8").includes(name)]).toEqual([shown, true]);
		expect([file, tests?.test(name) ?? shown === file]).toEqual([file, false]);
		expect(skipped.some((other) => other.file === shown && other.tests === undefined)).toBe(false);
	}
});

it("Each test file that does not run under Wine is one of those that would", () => {
	const chosen = chosenTests();
	expect(skipped.map(({ file }) => file).filter((file) => !chosen.includes(file))).toEqual([]);
});
