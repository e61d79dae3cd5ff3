import { expect, onTestFinished, test } from "vitest";
import { isActivityEntry } from "../../../../src/records/activity/journal/entry.ts";
import { eventOf, subjectOf } from "../../../../src/records/activity/journal/words.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { AppScene } from "./appScene.ts";

test("the requests of an app to the user and the answers are in the journal (JRN-19)", async () => {
	const notes = new CollectedNotes();
	const scene = await AppScene.begin({ notes, ui: { csp: { connectDomains: ["https://api.example"] } } });
	onTestFinished(() => scene.app.dispose());
	const opening = scene.app.open();
	await scene.answer("allow");
	await opening;
	const app = await scene.start();
	const link = app.openLink("https://example.com/a?token=1");
	await scene.answer("yes");
	await link;
	for (const _ of [1, 2, 3]) {
		const refused = app.sendMessage("please");
		await scene.answer("deny");
		await expect(refused).rejects.toThrow("The user declined");
	}
	await expect(app.sendMessage("please")).rejects.toThrow("The user declined");
	expect(notes.entries.map((entry) => [subjectOf(entry), eventOf(entry)])).toEqual([
		["App Budget Allocator", "you were asked (reach a domain: Connect to https://api.example)"],
		["App Budget Allocator", "allowed by you (reach a domain: Connect to https://api.example)"],
		["App Budget Allocator", "you were asked (open a page at example.com)"],
		["App Budget Allocator", "allowed by you (open a page at example.com)"],
		...[1, 2, 3].flatMap(() => [
			["App Budget Allocator", "you were asked (write into your chat)"],
			["App Budget Allocator", "declined by you (write into your chat)"],
		]),
		["App Budget Allocator", "rejected without asking you (write into your chat)"],
	]);
	expect(notes.entries.every(isActivityEntry)).toBe(true);
	expect(JSON.stringify(notes.entries)).not.toContain("token=1");
});

test("what an app asks again and again and is refused unseen is counted, in place of a list of it (JRN-13)", async () => {
	const notes = new CollectedNotes();
	const scene = await AppScene.begin({ notes });
	onTestFinished(() => scene.app.dispose());
	const app = await scene.start();
	for (const _ of [1, 2, 3]) {
		const refused = app.sendMessage("please");
		await scene.answer("deny");
		await expect(refused).rejects.toThrow();
	}
	const before = notes.entries.length;
	for (let count = 0; count < 1234; count++) await expect(app.sendMessage("please")).rejects.toThrow();
	expect(notes.entries).toHaveLength(before + 4);
	expect(notes.entries.at(-1)).toMatchObject({
		phase: "refused",
		reason: "1,000 such requests since the window began",
	});
});

test("context that an app added to a message of the user is shown by its name (JRN-19)", () => {
	const entry = {
		kind: "prompt",
		what: "context",
		target: "what the app “Budget” of finance shows",
		turn: "t",
	} as const;
	expect(isActivityEntry(entry)).toBe(true);
	expect([subjectOf(entry), eventOf(entry)]).toEqual([
		"Context: what the app “Budget” of finance shows",
		"sent to the model",
	]);
});
