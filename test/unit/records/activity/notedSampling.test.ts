import { expect, it } from "vitest";
import { digestOfSampling, notedSampling } from "../../../../src/records/activity/notedSampling.ts";
import { CollectedNotes } from "./collectedNotes.ts";
import { arrival, RecordScene, review } from "./recordScene.ts";

it("records each step of a sampling request without its texts, and with the hash of its record (JRN-12)", async () => {
	await using scene = await RecordScene.begin();
	const { log } = scene.window();
	const notes = new CollectedNotes();
	const { id } = review(notedSampling(log, notes), { exchange: "here-1" });
	expect(notes.steps).toEqual(["sampling asked server", "sampling sent", "sampling returned user"]);
	expect(notes.entries[0]).toMatchObject({ exchange: "here-1" });
	expect(notes.entries[1]).toMatchObject({ id, model: "small" });
	const [entry] = (await log.read()).entries;
	if (entry === undefined) throw new Error("Nothing was recorded.");
	expect(notes.entries[2]).toMatchObject({ digest: digestOfSampling(entry) });
	expect(digestOfSampling({ ...entry, server: "other" })).not.toBe(digestOfSampling(entry));
	expect(entry.exchange).toBe("here-1");
	expect(JSON.stringify(notes.entries)).not.toContain("sunny");
});

it("records them while nothing is kept, and which rule decided (JRN-12)", async () => {
	await using scene = await RecordScene.begin();
	scene.mode = "off";
	const notes = new CollectedNotes();
	const open = notedSampling(scene.window().log, notes).open(arrival());
	open.close({ at: 1, kind: "refused", by: "rule for weather" });
	open.close({ at: 1, kind: "refused", by: "rule for weather" });
	expect(notes.steps).toEqual(["sampling asked server", "sampling refused rule"]);
	expect(notes.entries[1]).toMatchObject({ byLabel: "rule for weather" });
});

it("records requests that ended with their window (JRN-12)", async () => {
	await using scene = await RecordScene.begin();
	const gone = scene.window();
	const { id } = arrival();
	gone.log.open(arrival({ id }));
	scene.kill(gone);
	const here = scene.window();
	const notes = new CollectedNotes();
	notedSampling(here.log, notes);
	await here.log.tidy();
	expect(notes.steps).toEqual(["sampling interrupted host"]);
	expect(notes.entries[0]).toMatchObject({ id });
});
