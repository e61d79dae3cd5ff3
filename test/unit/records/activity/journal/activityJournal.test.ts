import {
	existsSync,
	symlinkSync,
	linkSync,
	readFileSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
	utimesSync,
} from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { newChain, takeLine } from "../../../../../src/records/activity/journal/chain.ts";
import { Chains } from "../../../../../src/records/activity/journal/chains.ts";
import { call, entriesOf, JournalScene, started } from "./scene.ts";

it("records events at once, and all windows read them in the order of time (JRN-01)", async () => {
	await using scene = await JournalScene.begin();
	const [one, two] = [scene.window(), scene.window()];
	one.note(started("a"));
	two.note(started("b"));
	one.note(call("asked"));
	expect(scene.linesOf(one)).toHaveLength(3);
	expect(await entriesOf(two)).toEqual([started("a"), started("b"), call("asked")]);
	expect(await entriesOf(one)).toEqual(await entriesOf(two));
	expect((await scene.verify(one)).findings).toEqual([]);
});

it("keeps no contents unless the setting allows it, texts only as their lengths when masked, and never a secret (JRN-02)", async () => {
	await using scene = await JournalScene.begin();
	scene.secrets = ["hunter2"];
	const window = scene.window();
	const contents = { city: "Barcelona", nights: 3, token: "hunter2" };
	for (const mode of ["none", "masked", "full"] as const) {
		scene.contents = mode;
		window.note(call("sent", { contents, reason: "with hunter2" }));
	}
	const [none, masked, full] = await entriesOf(window);
	expect(none).toEqual(call("sent", { reason: "with ⟦secret⟧" }));
	expect(masked).toMatchObject({ contents: { city: "(9 characters)", nights: 3 } });
	expect(full).toMatchObject({ contents: { city: "Barcelona", nights: 3, token: "⟦secret⟧" } });
	expect(scene.bytes).not.toContain("hunter2");
});

it("shortens long texts, and never throws for values that cannot be written (JRN-01)", async () => {
	await using scene = await JournalScene.begin();
	scene.contents = "full";
	const window = scene.window();
	window.note(call("sent", { contents: { big: 1n as never } }));
	window.note(call("sent", { target: "x".repeat(100_000), contents: "y".repeat(1_000_000) }));
	expect(scene.bytes.length).toBeLessThan(30_000);
	expect(scene.told).toHaveLength(1);
});

it("loses only a line that was being written, at whatever byte its process ends (JRN-03)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	for (let n = 0; n < 5; n++) window.note(started(`ü${n}`));
	const whole = scene.linesOf(window);
	const text = whole.map((line) => `${line}\n`).join("");
	const bytes = Buffer.from(text);
	for (let end = bytes.length; end >= 0; end--) {
		truncateSync(scene.fileOf(window), end);
		const [known] = await new Chains(scene.folder, () => true).read();
		const kept = bytes.subarray(0, end).toString("utf8").split("\n").length - 1;
		expect(known?.chain.lines.map((line) => line.text)).toEqual(whole.slice(0, kept));
		const isCut = end > 0 && bytes[end - 1] !== 0x0a;
		expect(known?.chain.faults.map(({ kind }) => kind)).toEqual(isCut ? ["cut"] : []);
	}
});

it("continues after a damaged line and reports its place (JRN-03, JRN-04)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	for (const name of ["a", "b", "c"]) window.note(started(name));
	scene.tamper(window, (lines) => lines.with(2, '{"v":1,"n":3,"prev":"\u0000'));
	expect(await entriesOf(window)).toEqual([started("a"), started("c")]);
	expect((await scene.verify(window)).findings).toEqual(["Entry 3 of window w1 cannot be read."]);
});

it("reports once when nothing can be written, and writes everything in order when possible again (JRN-05)", async () => {
	await using scene = await JournalScene.begin();
	// A file at the place of the journal's folder makes writing fail, like a full disk.
	rmSync(scene.folder, { recursive: true });
	writeFileSync(scene.folder, "");
	const window = scene.window();
	window.note(started("a"));
	window.note(started("b"));
	expect(scene.told).toEqual([
		expect.stringMatching(/^MCP Host cannot write the activity \(.+\)\. Your decisions still apply/),
	]);
	rmSync(scene.folder);
	window.note(started("c"));
	expect(window.fault).toBeUndefined();
	expect(await entriesOf(window)).toEqual([started("a"), started("b"), started("c")]);
	expect((await scene.verify(window)).findings).toEqual([]);
});

it.runIf(existsSync("/dev/full"))("reports once that the disk is full, and callers continue (JRN-05)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	// Every write there fails like on a disk without room.
	symlinkSync("/dev/full", scene.fileOf(window));
	for (const name of ["a", "b", "c"]) window.note(started(name));
	expect(scene.told).toEqual([expect.stringMatching(/ENOSPC.*Your decisions still apply/)]);
	expect(window.fault).toContain("ENOSPC");
});

it("continues when its file was deleted, and verifying reports the missing lines (JRN-04)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	window.note(started("a"));
	rmSync(scene.fileOf(window));
	window.note(started("b"));
	expect(await entriesOf(window)).toEqual([started("b")]);
	expect((await scene.verify(window)).findings).toEqual(["Entries 1 to 2 of window w1 are missing."]);
});

it("lets one window remove another's entries, while both continue (JRN-06)", async () => {
	await using scene = await JournalScene.begin();
	const [one, two] = [scene.window(), scene.window()];
	for (const name of ["a", "b", "c"]) one.note(started(name));
	two.note(started("d"));
	expect(await two.remove(({ entry }) => entry.kind === "server" && entry.server === "b")).toBe(1);
	const left = [started("a"), started("c"), started("d")];
	expect(await entriesOf(one)).toEqual(left);
	expect(await entriesOf(two)).toEqual(left);
	one.note(started("e"));
	await one.settle();
	one.note(started("f"));
	expect(scene.bytes).not.toContain('"server":"b"');
	expect(await entriesOf(two)).toEqual([...left, started("e"), started("f")]);
	expect((await scene.verify(two)).findings).toEqual([]);
});

it("reads a file from its beginning when it was compacted, although it may have the same inode (JRN-06)", async () => {
	await using scene = await JournalScene.begin();
	const [one, two] = [scene.window(), scene.window()];
	for (const name of ["a", "b", "c"]) one.note(started(name));
	expect(await entriesOf(two)).toHaveLength(3);
	const file = scene.fileOf(one);
	const former = `${file}.former`;
	linkSync(file, former);
	await one.remove(({ entry }) => entry.kind === "server" && entry.server === "b");
	for (const name of ["d", "e", "f"]) one.note(started(name));
	await one.settle();
	// A file system reuses the inode of a deleted file.
	writeFileSync(former, readFileSync(file));
	renameSync(former, file);
	expect(await entriesOf(two)).toEqual(["a", "c", "d", "e", "f"].map(started));
	expect((await scene.verify(two)).findings).toEqual([]);
});

it("clears everything, files of closed windows as well, and verifies afterwards (JRN-06)", async () => {
	await using scene = await JournalScene.begin();
	const [gone, here] = [scene.window(), scene.window()];
	gone.note(started("a"));
	here.note(started("b"));
	await here.tidy();
	scene.kill(gone);
	await here.tidy();
	await here.remove(() => true);
	expect(await entriesOf(here)).toEqual([]);
	expect(scene.bytes).not.toContain("started");
	here.note(started("c"));
	await here.remove(() => true);
	here.note(started("d"));
	expect(await entriesOf(here)).toEqual([started("d")]);
	expect((await scene.verify(here)).findings).toEqual([]);
	// One record lists everything that was removed, despite earlier removals.
	expect(scene.linesOf(here).filter((line) => line.includes('"event":"removed"'))).toHaveLength(1);
	// The rest of the closed window contains only the removal, and is deleted when that is old.
	expect(scene.linesOf(gone)).toHaveLength(1);
	utimesSync(scene.fileOf(gone), 0, 0);
	await here.tidy();
	expect(scene.files).toEqual([path.basename(scene.fileOf(here))]);
	expect((await scene.verify(here)).findings).toEqual([]);
});

it("clears damaged lines as well (JRN-06)", async () => {
	await using scene = await JournalScene.begin();
	const [gone, here] = [scene.window(), scene.window()];
	for (const name of ["a", "b", "c"]) gone.note(started(name));
	scene.tamper(gone, (lines) => lines.with(1, "damaged and private"));
	scene.kill(gone);
	here.note(started("d"));
	await here.remove(({ window }) => window === gone.name);
	expect(scene.bytes).not.toContain("private");
});

it("keeps the configured number of days and bytes (JRN-07)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	window.note(started("old"));
	scene.now += 91 * 24 * 60 * 60 * 1000;
	window.note(started("new"));
	await window.tidy();
	expect(await entriesOf(window)).toEqual([started("new")]);
	for (let n = 0; n < 100; n++) window.note(started(`s${n}`));
	scene.bounds = { days: 90, bytes: 10_000 };
	await window.tidy();
	const entries = await entriesOf(window);
	expect(entries.length).toBeLessThan(60);
	expect(entries.at(-1)).toEqual(started("s99"));
	expect(scene.bytes.length).toBeLessThan(12_000);
	expect((await scene.verify(window)).findings).toEqual([]);
});

it("removes a server's records before the user's decisions, however old those are, and verifies (JRN-07)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	const granted = { kind: "permission", event: "granted", subject: "book of travel" } as const;
	window.note(granted);
	const refused = (id: string) =>
		({ kind: "question", server: "evil", serverId: "evil", id, phase: "refused", what: "form", by: "host" }) as const;
	for (let n = 0; n < 50; n++) window.note(refused(`a${n}`));
	window.note({ ...granted, event: "revoked" });
	for (let n = 0; n < 50; n++) window.note(refused(`b${n}`));
	scene.bounds = { days: 90, bytes: 10_000 };
	await window.tidy();
	const entries = await entriesOf(window);
	expect(entries.length).toBeLessThan(60);
	expect(entries.filter(({ kind }) => kind === "permission").map((entry) => "event" in entry && entry.event)).toEqual([
		"granted",
		"revoked",
	]);
	expect((await scene.verify(window)).findings).toEqual([]);
});

it("ignores lines of another shape in a file (JRN-04)", () => {
	const chain = newChain("w1");
	for (const entry of [{ kind: "server" }, { kind: "other" }, { ...started("a"), server: 3 }, "x"])
		takeLine(chain, JSON.stringify({ v: 1, n: chain.n + 1, prev: chain.hash, at: 1, entry }));
	expect(chain.lines).toEqual([]);
	expect(chain.faults).toEqual([]);
	expect(chain.n).toBe(4);
	for (const text of ["", "[]", "null", '{"v":1}', '{"v":1,"removed":[3,1],"hash":""}']) takeLine(chain, text);
	expect(chain.faults).toHaveLength(5);
});
