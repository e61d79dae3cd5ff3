/**
 * A window that records endlessly, until it is killed: `node activityWriter.ts FOLDER LABEL`. Prints the name of its
 * window, then each number once it is recorded; of all windows it removes every tenth entry from time to time, and
 * compacts their files.
 */
import { Seal } from "../../src/records/activity/journal/seal.ts";
import { knowsNone } from "../../src/base/secrets/writer.ts";
import { writeSync } from "node:fs";
import { ActivityJournal } from "../../src/records/activity/journal/activityJournal.ts";
import { isWindowGone, nameWindow } from "../../src/records/activity/windows.ts";

const [, , folder = "", label = ""] = process.argv;
const window = nameWindow();
writeSync(1, `${window}\n`);
const journal = new ActivityJournal({
	folder,
	window,
	isGone: isWindowGone,
	bounds: () => ({ days: 90, bytes: 50_000_000 }),
	contents: () => "full",
	redactor: knowsNone,
	seal: async () => new Seal("key"),
	now: Date.now,
	version: "1.0.0",
	onFault: (message) => {
		throw new Error(message);
	},
});
for (let n = 0; ; n++) {
	const text = `${label} ${n} ${"ü".repeat(n % 300)}`;
	journal.note({ kind: "server", server: text, serverId: "user:x", event: "started" });
	writeSync(1, `${n}\n`);
	if (n % 20 !== 19) continue;
	await journal.remove(({ entry }) => entry.kind === "server" && /0 ü*$/.test(entry.server));
	await journal.tidy();
}
