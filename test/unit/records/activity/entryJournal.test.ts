import { appendFile, readFile, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { Store } from "../../../../src/base/store/store.ts";
import { arrival, endsOf, finish, idsOf, RecordScene, review } from "./recordScene.ts";

test("every change is on the disk when the call returns, and a new window reads it all", async () => {
	await using scene = await RecordScene.begin();
	const before = scene.window();
	const done = review(before.log);
	const open = before.log.open(arrival());
	open.attempt({ at: 1, request: [] });
	scene.kill(before);
	const after = scene.window();
	const { entries, troubles } = await after.log.read();
	expect(troubles).toEqual([]);
	expect(entries.map(({ id }) => id)).toEqual([expect.any(String), done.id]);
	expect(entries[1]).toMatchObject({
		request: done.request,
		parameters: done.parameters,
		attempts: [{ model: { name: "small" }, inputTokens: 12, outputTokens: 5, cost: 0.001, durationMs: 1200 }],
		end: { kind: "returned", by: "you", returned: [{ original: "It is fine.", edited: "It is sunny." }] },
	});
	expect(entries[0]?.attempts).toHaveLength(1);
});

test("only the user may read the journals", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	review(window.log);
	expect((await stat(scene.fileOf(window))).mode & 0o777).toBe(0o600);
	expect((await stat(scene.folder)).mode & 0o777).toBe(0o700);
	// Also after a compaction.
	review(window.log);
	scene.bounds = { ...scene.bounds, entries: 1 };
	await window.log.tidy();
	expect(await idsOf(window)).toHaveLength(1);
	for (const file of await scene.files()) expect((await stat(path.join(scene.folder, file))).mode & 0o777).toBe(0o600);
});

test("reviews that a closed window left open end as interrupted, once, for any reader and number of reads", async () => {
	await using scene = await RecordScene.begin();
	const killed = scene.window();
	const left = arrival();
	killed.log.open(left).attempt({ at: 1, request: [] });
	const done = review(killed.log);
	scene.kill(killed);

	const [one, other] = [scene.window(), scene.window()];
	await Promise.all([one.log.read(), other.log.read()]);
	scene.now += 1000;
	await Promise.all([other.log.read(), one.log.tidy()]);
	const ends = { [left.id]: "interrupted", [done.id]: "returned" };
	expect([await endsOf(one), await endsOf(other)]).toEqual([ends, ends]);
	const [first, second] = [await one.log.read(), await other.log.read()];
	expect(first.entries).toEqual(second.entries);
	// The later reading does not move the end.
	expect(first.entries.find(({ id }) => id === left.id)?.end?.at).toBe(scene.now - 1000);
	expect(await scene.files()).not.toContain(path.basename(scene.fileOf(killed)));
});

test("the open review of another living window stays open, and its end is shown", async () => {
	await using scene = await RecordScene.begin();
	const [one, other] = [scene.window(), scene.window()];
	const entry = arrival();
	const open = one.log.open(entry);
	expect(await endsOf(other)).toEqual({ [entry.id]: "open" });
	await other.log.tidy();
	finish(open, entry.at);
	expect(await endsOf(other)).toEqual({ [entry.id]: "returned" });
	expect(await endsOf(one)).toEqual({ [entry.id]: "returned" });
});

test("a window that was wrongly taken as closed has the last word on its review", async () => {
	await using scene = await RecordScene.begin();
	const slow = scene.window();
	const entry = arrival();
	const open = slow.log.open(entry);
	scene.kill(slow);
	const other = scene.window();
	expect(await endsOf(other)).toEqual({ [entry.id]: "interrupted" });
	finish(open, entry.at);
	expect(await endsOf(other)).toEqual({ [entry.id]: "returned" });
});

test("an entry ends once: later ends are not written", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const open = window.log.open(arrival());
	open.close({ at: 5, kind: "rejected", by: "you", reason: "No." });
	const written = await scene.disk();
	open.close({ at: 6, kind: "returned", by: "you" });
	open.attempt({ at: 7, request: [] });
	expect(await scene.disk()).toBe(written);
	expect((await window.log.read()).entries[0]?.end).toEqual({ at: 5, kind: "rejected", by: "you", reason: "No." });
});

test("a damaged line is left out and reported, once; the others stay", async () => {
	await using scene = await RecordScene.begin();
	const killed = scene.window();
	const first = review(killed.log);
	await appendFile(scene.fileOf(killed), '\u0000\u0000 half\n{"version":1,"window":"1","entry":{"id":7}}\n[]\n');
	const second = review(killed.log);
	scene.kill(killed);
	const window = scene.window();
	const sentence = "3 damaged lines of the record of sampling requests are left out.";
	for (const _ of [1, 2, 3]) {
		const { entries, troubles } = await window.log.read();
		expect(entries.map(({ id }) => id)).toEqual([second.id, first.id]);
		expect(troubles).toEqual([sentence]);
	}
	expect(window.told).toEqual([sentence]);
	// The damage disappears when the files are compacted.
	expect(await idsOf(scene.window())).toEqual([second.id, first.id]);
	expect(await scene.disk()).not.toContain("half");
});

test("a crash at any byte loses at most the line that was being written", async () => {
	await using scene = await RecordScene.begin();
	const writer = scene.window();
	const entries = Array.from({ length: 5 }, () => review(writer.log, { server: "Zürich \u{1F600}" }));
	const file = scene.fileOf(writer);
	const whole = await readFile(file);
	const ends = [...whole.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index + 1] : []));
	expect(ends).toHaveLength(15);
	scene.kill(writer);
	const points = Array.from({ length: 60 }, () => Math.floor(Math.random() * (whole.length + 1)));
	for (const cut of [0, whole.length, ...ends.slice(0, 4), ...points]) {
		await writeFile(file, whole);
		await truncate(file, cut);
		const window = scene.window();
		const lines = ends.filter((end) => end <= cut || end === cut + 1).length;
		const finished = entries.slice(0, Math.floor(lines / 3)).map(({ id }) => id);
		const begun = entries.slice(finished.length, Math.ceil(lines / 3)).map(({ id }) => id);
		expect(await endsOf(window), `cut at ${cut}`).toEqual({
			...Object.fromEntries(finished.map((id) => [id, "returned"])),
			...Object.fromEntries(begun.map((id) => [id, "interrupted"])),
		});
		await window.log.clear();
		scene.kill(window);
	}
});

test("a line of which only a part reached the disk damages no other", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const first = review(window.log);
	// A disk that was full in the middle of a line, and is not any more.
	await appendFile(scene.fileOf(window), '{"v":1,"at":17');
	window.journal.files?.use(window.journal.files.nextFile());
	const second = review(window.log);
	expect(await idsOf(window)).toEqual([second.id, first.id]);
	expect((await window.log.read()).troubles).toEqual([]);
});

test("the oldest are removed first when there are too many, too large or too old ones; the disk forgets them as well", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const entries = Array.from({ length: 30 }, () => review(window.log));
	const ids = entries.map(({ id }) => id).toReversed();
	scene.bounds = { ...scene.bounds, entries: 7 };
	expect(await idsOf(window)).toEqual(ids.slice(0, 7));
	await window.log.tidy();
	expect(await scene.disk()).not.toContain(`What is request ${ids.at(-1)?.slice("entry-".length)}?`);

	const { length } = (await scene.disk()).split("\n")[0] ?? "";
	scene.bounds = { ...scene.bounds, bytes: length * 3.5 };
	expect(await idsOf(window)).toEqual(ids.slice(0, 3));

	scene.now += 31 * 24 * 60 * 60 * 1000;
	const young = review(window.log, { at: scene.now });
	const open = arrival({ at: 5 });
	window.log.open(open);
	// Open ones stay, at any age.
	expect(await idsOf(window)).toEqual([young.id, open.id]);
});

test("the journal does not grow over time: it is compacted meanwhile", async () => {
	await using scene = await RecordScene.begin();
	scene.bounds = { ...scene.bounds, entries: 10 };
	const window = scene.window();
	const text = "long ".repeat(2000);
	for (let index = 0; index < 300; index++) {
		review(window.log, { request: [{ place: "message.0.part.0", original: text }] });
	}
	await window.log.tidy();
	expect((await stat(scene.fileOf(window))).size).toBeLessThan(150_000);
	expect(await idsOf(window)).toHaveLength(10);
});

test("lines written during a compaction are not lost", async () => {
	await using scene = await RecordScene.begin();
	scene.bounds = { ...scene.bounds, entries: 50 };
	const window = scene.window();
	for (let index = 0; index < 80; index++) review(window.log);
	const tidying = window.log.tidy();
	const during: string[] = [];
	// More than enough turns of the event loop for the compaction to end among them.
	for (let turn = 0; turn < 200; turn++) {
		during.push(review(window.log).id);
		await new Promise(setImmediate);
	}
	await tidying;
	const kept = await idsOf(window);
	expect(kept).toEqual(during.toReversed().slice(0, 50));
});

test("clearing empties the disk in all windows; open reviews stay, and end", async () => {
	await using scene = await RecordScene.begin();
	const [one, other, killed] = [scene.window(), scene.window(), scene.window()];
	for (const { log } of [one, other, killed]) review(log);
	scene.kill(killed);
	const entry = arrival();
	const open = one.log.open(entry);
	const theirs = arrival();
	const openThere = other.log.open(theirs);
	await one.log.clear();
	expect(await endsOf(one)).toEqual({ [entry.id]: "open", [theirs.id]: "open" });
	expect((await scene.disk()).match(/"id"/g)).toHaveLength(2);
	expect(await endsOf(other)).toEqual(await endsOf(one));
	finish(open, entry.at);
	finish(openThere, theirs.at);
	expect(await endsOf(one)).toEqual({ [theirs.id]: "returned", [entry.id]: "returned" });
	expect(await endsOf(other)).toEqual(await endsOf(one));
});

test("a review that was open in another window when the record was cleared is not lost with that window", async () => {
	await using scene = await RecordScene.begin();
	const [one, other] = [scene.window(), scene.window()];
	const theirs = arrival();
	const openThere = other.log.open(theirs);
	openThere.attempt({ at: theirs.at + 1, request: [], failure: "no answer" });
	await one.log.clear();
	await one.log.clear();
	expect(await endsOf(one)).toEqual({ [theirs.id]: "open" });
	scene.kill(other);
	expect(await endsOf(one)).toEqual({ [theirs.id]: "interrupted" });
	await one.log.clear();
	expect(await scene.disk()).toBe("");
});

test("entries that another window cleared during a compaction of this one do not return", async () => {
	await using scene = await RecordScene.begin();
	const [one, other, killed] = [scene.window(), scene.window(), scene.window()];
	for (let index = 0; index < 40; index++) {
		review(one.log);
		review(killed.log);
	}
	scene.kill(killed);
	const reading = one.log.tidy();
	await other.log.clear();
	await reading;
	expect(await idsOf(other)).toEqual([]);
	expect(await idsOf(one)).toEqual([]);
});

test("a fault of the disk reaches no review, is logged once and reported with the contents", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	// A file where the folder should be.
	await writeFile(scene.folder, "");
	const entry = arrival();
	const open = window.log.open(entry);
	open.attempt({ at: 1, request: [] });
	const { entries, troubles } = await window.log.read();
	expect(entries.map(({ id }) => id)).toEqual([entry.id]);
	expect(troubles).toEqual([expect.stringContaining("could not be written or read")]);
	open.close({ at: 2, kind: "returned", by: "you" });
	expect(window.told.filter((line) => line.includes("has a fault")).length).toBeLessThanOrEqual(3);
	expect(window.told.length).toBeGreaterThan(0);
});

test("a folder that cannot be watched only sends no updates", async () => {
	await using scene = await RecordScene.begin();
	await writeFile(scene.folder, "");
	const store = new Store({ folder: path.join(scene.folder, "below"), onProblem: () => undefined });
	store.dispose();
});
