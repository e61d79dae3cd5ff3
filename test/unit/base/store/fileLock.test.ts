import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileLock } from "../../../../src/base/store/fileLock.ts";

let folder = "";
let file = "";
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "lock-"));
	file = path.join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a file with an old date. */
function leave(name: string, text: string): void {
	writeFileSync(name, text);
	utimesSync(name, 1000, 1000);
}

describe("an abandoned lock is taken over (EDT-09)", () => {
	it.each([
		["of a process that is gone", () => writeFileSync(file, "2147483646 x")],
		["of a number that another program has by now", () => leave(file, "1 x")],
		["that its process did not get to write into", () => leave(file, "")],
		["with what was left of taking it over", () => (leave(file, ""), leave(`${file}.second`, ""))],
	])("%s", async (_what, make) => {
		make();
		expect(await withFileLock(file, async () => "done")).toBe("done");
		expect(readdirSync(folder)).toEqual([]);
	});
});

it("a lock is held by one at a time, even if all of them find an abandoned one (EDT-09)", async () => {
	writeFileSync(file, "2147483646 x");
	let holders = 0;
	const seen: number[] = [];
	await Promise.all(
		Array.from({ length: 20 }, () =>
			withFileLock(file, async () => {
				seen.push(++holders);
				await new Promise((done) => setTimeout(done, 1));
				holders--;
			}),
		),
	);
	expect(seen).toEqual(Array.from({ length: 20 }, () => 1));
});
