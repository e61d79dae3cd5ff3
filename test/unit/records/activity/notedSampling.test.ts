/** Sampling requests as entries of the activity: on the disk at once, in the chain, and ended with their window. */
import { expect, it } from "vitest";
import { clearable, clearItems } from "../../../../src/records/activity/journal/clear.ts";
import { itemsOf } from "../../../../src/records/activity/journal/items.ts";
import { notedSampling } from "../../../../src/records/activity/notedSampling.ts";
import { CollectedNotes } from "./collectedNotes.ts";
import { started } from "./journal/scene.ts";
import { arrival, endsOf, finish, idsOf, RecordScene, requestsIn, review } from "./recordScene.ts";

const day = 24 * 60 * 60 * 1000;

it("records each step of a sampling request with its contents (JRN-12)", async () => {
	await using scene = await RecordScene.begin();
	const notes = new CollectedNotes();
	const { id } = review(
		notedSampling(notes, () => "full"),
		{ exchange: "here-1" },
	);
	expect(notes.steps).toEqual(["sampling asked server", "sampling sent", "sampling returned user"]);
	expect(notes.entries[0]).toMatchObject({ exchange: "here-1", contents: { received: { request: [{}, {}] } } });
	expect(notes.entries[1]).toMatchObject({ id, model: "small", contents: { attempt: { inputTokens: 12 } } });
	expect(notes.entries[2]).toMatchObject({ contents: { end: { returned: [{ edited: "It is sunny." }] } } });
	const window = scene.window();
	review(window.log);
	expect((await scene.journals.verify(window.journal)).findings).toEqual([]);
	// A change of the contents is a change of the chain.
	window.journal.note(started("travel"));
	scene.journals.tamper(window.journal, (lines) => lines.map((line) => line.replace("It is sunny.", "It is snowy.")));
	expect((await scene.journals.verify(window.journal)).findings).toHaveLength(1);
});

it("records them while nothing is kept, and which rule decided (JRN-12)", () => {
	const notes = new CollectedNotes();
	const open = notedSampling(notes, () => "off").open(arrival());
	open.close({ kind: "refused", by: "rule for weather" });
	open.close({ kind: "refused", by: "rule for weather" });
	open.attempt({ at: 7, request: [] });
	expect(notes.steps).toEqual(["sampling asked server", "sampling refused rule"]);
	expect(notes.entries[1]).toMatchObject({ byLabel: "rule for weather" });
	expect(JSON.stringify(notes.entries)).not.toContain("contents");
});

it("writes every change before the call returns, and a new window reads it all (JRN-12)", async () => {
	await using scene = await RecordScene.begin();
	const before = scene.window();
	const done = review(before.log);
	before.log.open(arrival()).attempt({ at: 1, request: [] });
	scene.journals.kill(before.journal);
	const [open, first, ...others] = await requestsIn(scene.window().journal);
	expect(others).toEqual([]);
	expect(first).toMatchObject({
		id: done.id,
		request: done.request,
		parameters: done.parameters,
		attempts: [{ model: { name: "small" }, inputTokens: 12, outputTokens: 5, cost: 0.001, durationMs: 1200 }],
		end: { kind: "returned", by: "you", returned: [{ original: "It is fine.", edited: "It is sunny." }] },
	});
	expect(open?.attempts).toHaveLength(1);
});

it("ends requests that a closed window left open as interrupted, once, and no others (JRN-12)", async () => {
	await using scene = await RecordScene.begin();
	const [killed, living] = [scene.window(), scene.window()];
	const left = arrival();
	killed.log.open(left).attempt({ at: 1, request: [] });
	const done = review(killed.log);
	const entry = arrival();
	const open = living.log.open(entry);
	scene.journals.kill(killed.journal);
	const [one, other] = [scene.window(), scene.window()];
	await one.journal.tidy();
	await other.journal.read();
	await one.journal.tidy();
	const ends = { [left.id]: "interrupted", [done.id]: "returned" };
	expect([await endsOf(one), await endsOf(other)]).toEqual([
		{ ...ends, [entry.id]: "open" },
		{ ...ends, [entry.id]: "open" },
	]);
	expect(scene.disk.match(/"phase":"interrupted"/g)).toHaveLength(1);
	finish(open, entry.at);
	expect(await endsOf(other)).toEqual({ ...ends, [entry.id]: "returned" });
	expect((await scene.journals.verify(one.journal)).findings).toEqual([]);
});

it("gives a window that was wrongly taken as closed the last word on its review (JRN-12)", async () => {
	await using scene = await RecordScene.begin();
	const slow = scene.window();
	const entry = arrival();
	const open = slow.log.open(entry);
	scene.journals.kill(slow.journal);
	const other = scene.window();
	expect(await endsOf(other)).toEqual({ [entry.id]: "interrupted" });
	finish(open, scene.journals.now);
	expect(await endsOf(other)).toEqual({ [entry.id]: "returned" });
});

it("keeps open requests whatever the bounds, and removes the others as all entries are (JRN-07)", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const open = arrival();
	window.log.open(open);
	const text = "long ".repeat(2000);
	for (let index = 0; index < 40; index++)
		review(window.log, { request: [{ place: "message.0.part.0", original: text }] });
	scene.journals.bounds = { days: 90, bytes: 100_000 };
	await window.journal.tidy();
	expect(scene.disk.length).toBeLessThan(100_000);
	const left = await requestsIn(window.journal);
	expect(left.at(-1)).toMatchObject({ id: open.id, request: open.request });
	expect(left[0]?.request[0]?.original).toBe(text);
	// The user's decisions are removed last.
	expect(left.at(-2)).toMatchObject({ request: [], end: { kind: "returned", by: "you" } });
	scene.journals.now += 91 * day;
	await window.journal.tidy();
	expect(await idsOf(window)).toEqual([open.id]);
	expect((await scene.journals.verify(window.journal)).findings).toEqual([]);
});

it("clears all but the requests that are under review, in any window (JRN-06)", async () => {
	await using scene = await RecordScene.begin();
	const [one, other] = [scene.window(), scene.window()];
	const theirs = arrival();
	const open = other.log.open(theirs);
	open.attempt({ at: 1, request: [], failure: "no answer" });
	review(one.log);
	review(other.log);
	const items = clearable(itemsOf(await one.journal.read()));
	expect(items).toHaveLength(2);
	await clearItems(items, true, one.journal);
	expect(await endsOf(other)).toEqual({ [theirs.id]: "open" });
	finish(open, scene.journals.now);
	const [kept] = await requestsIn(one.journal);
	expect(kept).toMatchObject({ id: theirs.id, request: theirs.request, attempts: [{ failure: "no answer" }, {}] });
	await clearItems(itemsOf(await one.journal.read()), true, one.journal);
	await other.journal.settle();
	expect(scene.disk).not.toContain("What is request");
});

it("leaves out contents of a file that have another shape, and shows the others (JRN-03)", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const first = review(window.log);
	const sampling = { kind: "sampling", id: "strange", server: "a", serverId: "a", phase: "asked" } as const;
	window.journal.note({ ...sampling, contents: { received: { request: 7 } } as never });
	expect(await idsOf(window)).toEqual([first.id]);
	expect((await scene.journals.verify(window.journal)).findings).toEqual([]);
});
