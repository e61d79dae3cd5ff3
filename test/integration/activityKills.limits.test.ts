/** The journal with processes that are killed while they write. */
import { Seal } from "../../src/records/activity/journal/seal.ts";
import { knowsNone } from "../../src/base/secrets/writer.ts";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ActivityJournal } from "../../src/records/activity/journal/activityJournal.ts";
import { verify } from "../../src/records/activity/journal/verify.ts";

test(
	"100 windows that are killed while they write, remove and compact lose no entry that they reported as recorded (JRN-03)",
	{ timeout: 900_000 },
	async () => {
		const folder = mkdtempSync(path.join(tmpdir(), "activity-"));
		try {
			const script = path.join(import.meta.dirname, "../servers/activityWriter.ts");
			const said = new Map<string, readonly string[]>();
			const kill = (name: string, wanted: number): Promise<void> =>
				new Promise((done) => {
					const writer = spawn(process.execPath, [script, folder, name], { stdio: ["ignore", "pipe", "inherit"] });
					let out = "";
					writer.stdout.on("data", (data: Buffer) => {
						out += data.toString();
						if (out.split("\n").length > wanted + 1) writer.kill("SIGKILL");
					});
					writer.once("close", () => {
						said.set(name, out.split("\n").slice(0, -1));
						done();
					});
				});
			for (let round = 0; round < 50; round++) {
				// Two at a time; each compacts the other's file as soon as that one is gone.
				const names = [`a${round}`, `b${round}`];
				await Promise.all(names.map((name, index) => kill(name, 3 + ((round * 7 + index * 5) % 40))));
			}
			const seal = new Seal("key");
			const journal = new ActivityJournal({
				folder,
				window: "reader",
				isGone: () => true,
				bounds: () => ({ days: 90, bytes: 10_000_000 }),
				contents: () => "none",
				redactor: knowsNone,
				seal: async () => seal,
				now: Date.now,
				version: "1.0.0",
				onFault: () => undefined,
			});
			const chains = await journal.look();
			const { findings } = verify({ chains, anchors: [], seal });
			expect(findings).toEqual([]);
			const records = await journal.read();
			const texts = new Set(
				records.flatMap(({ entry }) => (entry.kind === "server" ? [entry.server.split(" ", 2).join(" ")] : [])),
			);
			for (const [name, [window = "", ...numbers]] of said) {
				expect(numbers.length).toBeGreaterThan(0);
				const missing = numbers.filter((n) => !n.endsWith("0") && !texts.has(`${name} ${n}`));
				expect(missing, `${name}: ${window}`).toEqual([]);
			}
			expect(records.length).toBeGreaterThan(100);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
);
