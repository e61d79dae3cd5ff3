/**
 * The hour of a working day with the editor's defaults: three servers, ten turns, thirty calls, two samplings, one
 * form, one reload, one lost server. The cost for the user is kept in `test-output/working-day.json`: clicks, keys,
 * notifications, and how soon the next question follows an answer. Nothing in the side bar may move and no field may
 * lose the focus automatically.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ScriptedToolCall } from "../servers/scriptedModel.ts";
import { answerCall, ChatStory, reviewPanel } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { type DayCounts, readDay, sawShift, watchDay } from "./fixtures/dayMonitor.ts";
import { demoEntry, loggedEntry, packageEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { repositoryRoot } from "./pages/workbench.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{
			travel: (log) => loggedEntry(demoEntry("--step", "1"), log),
			files: (log) => loggedEntry(packageEntry("@modelcontextprotocol/server-filesystem", path.dirname(log)), log),
			small: (log) => smallEntry(log, "--era", "modern"),
		},
		followsColorScheme,
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

const notes = ["hotel", "flights", "budget", "friends", "museums"];

/** The number of calls of all servers, each counted once even if it was sent again with an answer to a question. */
function received(): number {
	const calls = ["travel", "files", "small"].flatMap((server) =>
		story.received(server, "tools/call").map((message) => {
			const { name, arguments: args, inputResponses } = message["params"] as JsonObject;
			return inputResponses === undefined ? `${server} ${JSON.stringify([name, args])}` : undefined;
		}),
	);
	return calls.filter((call) => call !== undefined).length;
}

/** The text of the file that a note is in. */
function note(name: string): string {
	return path.join(story.editor.workspaceFolder, "notes", `${name}.md`);
}

function read(...names: readonly string[]): readonly ScriptedToolCall[] {
	return names.map((name) => ({ name: "files_read_text_file", arguments: { path: note(name) } }));
}

/** The user writes something, and the model calls tools; returns when the first question or the end is there. */
async function turn(said: string, calls: readonly ScriptedToolCall[], end: string): Promise<void> {
	const { editor, model } = story;
	model.next({ text: "Let me see. ", toolCalls: calls }, { text: end });
	await editor.chat.send(`@mcp ${said}`);
}

async function ended(words: string): Promise<void> {
	await story.editor.chat.waitForText(words);
	await story.editor.chat.waitUntilDone();
}

/** The user lets the model read with a tool of the first question for as long as the window lives. */
async function allowInSession(): Promise<void> {
	await answerCall(story.editor, 1, "Always…");
	await story.editor.palette.pick("This Tool in This Session");
}

/** A server requests a completion, which the user reviews. */
async function borrow(question: string, end: string): Promise<void> {
	const { editor, model } = story;
	model.next({ toolCalls: [{ name: "small_ask", arguments: { question } }] });
	await editor.chat.send(`@mcp ask: ${question}`);
	await answerCall(editor, 1, "Allow Once");
	const review = await reviewPanel(editor);
	model.next({ text: "A short answer." });
	await review.getByRole("button", { name: "Send to Model" }).click();
	await review.getByRole("textbox", { name: "Text that the server receives" }).waitFor();
	model.next({ text: end });
	await review.getByRole("button", { name: "Return to Server" }).click();
	await ended(end);
	await editor.webview.waitUntilClosed();
}

test("an hour of a working day moves nothing, keeps the focus in fields, and asks few questions (UI-27)", async () => {
	const { editor, model } = story;
	const { chat, page, webview } = editor;
	for (const name of notes) await writeContent(note(name), `# ${name}\n`);
	const days: DayCounts[] = [];
	await watchDay(page);

	const search = (date: string): ScriptedToolCall => ({
		name: "travel_searchFlights",
		arguments: { origin: "London", destination: "Barcelona", date, travelers: 2 },
	});
	await turn("find flights", ["2026-12-12", "2026-12-13", "2026-12-14"].map(search), "Three days compared.");
	await chat.click(chat.link("Allow All 3"));
	await ended("Three days compared.");

	await turn("read my notes on the hotel", read("hotel"), "The hotel is noted.");
	await allowInSession();
	await ended("The hotel is noted.");
	await turn("read all notes", read(...notes), "All notes are read.");
	await ended("All notes are read.");
	await takePictures(editor, "working-day-unasked");

	const written = note("plan");
	await turn(
		"write the plan",
		[{ name: "files_write_file", arguments: { path: written, content: "1. Fly\n2. Sleep\n" } }],
		"The plan is written.",
	);
	await answerCall(editor, 1, "Allow Once");
	await ended("The plan is written.");
	await borrow("A title for the trip?", "The trip has a title.");

	const booking = { city: "Barcelona", checkIn: "2026-12-12", nights: 3, guests: 2 };
	await turn("book the hotel", [{ name: "travel_bookHotel", arguments: booking }], "The hotel is booked.");
	await answerCall(editor, 1, "Allow Once");
	await chat.waitForText("Please complete the booking");
	await chat.clickLink("Answer…");
	const form = await webview.document("Please complete the booking");
	await form.getByRole("textbox", { name: /E-mail/ }).fill("ada@example.com");
	await form.getByRole("button", { name: "Send" }).click();
	await ended("The hotel is booked.");
	await takePictures(editor, "working-day-booked");
	days.push(await readDay(page));

	await story.beginAnew();
	// Content that arrives with the servers moves the rows of the tree.
	for (const server of ["travel", "files", "small"]) await editor.tree.waitForRunning(server);
	await watchDay(page);
	await turn("read my notes again", read(...notes), "All notes are read again.");
	await chat.click(chat.link("Allow All 5"));
	await ended("All notes are read again.");
	await borrow("A packing list?", "The list is made.");

	story.kill("files");
	await turn(
		"and the notes on museums",
		read("museums", "budget", "friends", "flights", "hotel"),
		"The server is back.",
	);
	await chat.click(chat.link("Allow All 5"));
	await ended("The server is back.");

	const echo = (text: string): ScriptedToolCall => ({ name: "small_echo", arguments: { text } });
	await turn("say goodbye", ["one", "two", "three", "four", "five", "six", "seven"].map(echo), "Goodbye.");
	await chat.click(chat.link("Allow All 7"));
	await ended("Goodbye.");
	await takePictures(editor, "working-day-end");
	days.push(await readDay(page));

	expect(received()).toBe(30);
	expect(model.requests.length).toBeGreaterThanOrEqual(22);
	const sum = (count: (day: DayCounts) => number): number => days.reduce((all, day) => all + count(day), 0);
	const counts = {
		clicks: sum((day) => day.clicks),
		keys: sum((day) => day.keys),
		notifications: sum((day) => day.notifications),
		shifts: days.flatMap(({ shifts }) => shifts),
		focusLosses: days.flatMap(({ focusLosses }) => focusLosses),
		nextQuestionMs: days.flatMap(({ nextQuestionMs }) => nextQuestionMs),
	};
	const output = path.join(repositoryRoot, "test-output");
	await mkdir(output, { recursive: true });
	await writeFile(path.join(output, "working-day.json"), `${JSON.stringify(counts, undefined, "\t")}\n`);
	expect(counts).toMatchObject({ shifts: [], focusLosses: [] });
	// The monitor works: a movement without an action of the user is seen.
	await expect.poll(() => sawShift(page), { timeout: patience }).toBe(true);
	await expect.poll(() => chat.isBusy(), { timeout: patience }).toBe(false);
});
