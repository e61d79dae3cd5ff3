import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

const script = path.join(import.meta.dirname, "../servers/configurationWriter.ts");

function writerOf(file: string, label: string, count: number) {
	return spawn(process.execPath, [script, file, label, String(count)], { stdio: ["ignore", "ignore", "inherit"] });
}

test("two windows that add servers to one file at the same moment, 200 each, lose none (EDT-09)", async () => {
	const folder = mkdtempSync(path.join(tmpdir(), "writers-"));
	try {
		const file = path.join(folder, "mcp.json");
		// The lock of a killed window is no obstacle.
		writeFileSync(`${file}.lock`, "2147483646 gone");
		const codes = await Promise.all(
			["a", "b"].map(async (label) => (await once(writerOf(file, label, 200), "close"))[0] as number),
		);
		expect(codes).toEqual([0, 0]);
		const { servers } = JSON.parse(readFileSync(file, "utf8")) as { servers: Record<string, unknown> };
		const wanted = ["a", "b"].flatMap((label) =>
			Array.from({ length: 200 }, (_, n) => n)
				.filter((n) => n % 10 !== 9)
				.map((n) => `${label}-${n}`),
		);
		expect(Object.keys(servers).toSorted()).toEqual(wanted.toSorted());
		expect(readdirSync(folder)).toEqual(["mcp.json"]);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
