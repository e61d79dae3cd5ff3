import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { skipped } from "../windows/skipped.ts";

const root = path.resolve(import.meta.dirname, "../..");

it("Each test that does not run under Wine exists, and a unit test shows the same", () => {
	for (const { file, shownBy } of skipped) {
		expect([file, existsSync(path.join(root, file))]).toEqual([file, true]);
		expect(shownBy).toMatch(/^test\/unit\//);
		expect(readFileSync(path.join(root, shownBy), "utf8")).toContain("expect(");
	}
});
