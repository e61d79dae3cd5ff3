/**
 * Multi-server travel planning: the demo server, server-filesystem and server-everything, as npm delivers them, in one
 * turn. The screen is compared with the messages that each server and the model received.
 */
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ChatRequestBody, Script, ScriptedToolCall } from "../servers/scriptedModel.ts";
import { answerCall, ChatStory, questionCount, questionLink, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { demoEntry, loggedEntry, packageEntry } from "./fixtures/serverEntries.ts";
import { writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";

const everything = "@modelcontextprotocol/server-everything";
const filesystem = "@modelcontextprotocol/server-filesystem";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{
			travel: (log) => loggedEntry(demoEntry("--step", "1"), log),
			// The folder in its arguments counts until the host sends the roots.
			files: (log) => loggedEntry(packageEntry(filesystem, path.dirname(log)), log),
			everything: (log) => loggedEntry(packageEntry(everything, "stdio"), log),
		},
		{ ...followsColorScheme, "mcpHost.policy.rules": [{ decision: "allow", server: "everything", tool: "echo" }] },
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The calls that a server received, exactly as on the wire. */
function received(server: string): readonly unknown[] {
	return story.received(server, "tools/call").map(({ params }) => {
		const { name, arguments: args } = params as JsonObject;
		return { name, arguments: args };
	});
}

/** The texts of a value. */
function textsOf(value: unknown): readonly string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** A model that goes from step to step by the results it received last. */
function follow(...steps: readonly ((told: string) => readonly ScriptedToolCall[] | string)[]): Script {
	return (body: ChatRequestBody) => {
		const turn = body.messages.slice(body.messages.findLastIndex(({ role }) => role === "user"));
		const step = steps[turn.filter(({ role }) => role === "assistant").length];
		const told = toolResults({ body }).join("\n");
		const answer = step?.(told) ?? "There is nothing more to do.";
		return typeof answer === "string" ? { text: answer } : { toolCalls: answer };
	};
}

test("a trip is planned with three servers in one turn, and each receives exactly the shown calls", async () => {
	const { editor, model } = story;
	const { chat, palette, webview } = editor;
	const wishes = path.join(editor.workspaceFolder, "wishes.md");
	const friends = path.join(editor.workspaceFolder, "friends.md");
	await writeContent(wishes, "We want a quiet hotel, for 3 nights.\n");
	await writeContent(friends, "Ada and Grace\n");
	const date = "2026-12-12";
	const search = { origin: "London", destination: "Barcelona", date, travelers: 2 };
	const booking = { city: "Barcelona", checkIn: date, nights: 3, guests: 2 };
	const call = (name: string, args: object): ScriptedToolCall => ({ name, arguments: args });
	let flight = "";
	model.otherwise(
		follow(
			() => [call("travel_searchFlights", search)],
			(told) => {
				[flight = ""] = /\b[A-Z]{2}\d{3}\b/.exec(told) ?? [];
				return [call("files_read_text_file", { path: wishes })];
			},
			(told) => [
				call("everything_echo", { message: `Flight ${flight}: ${told}` }),
				call("files_read_text_file", { path: friends }),
			],
			() => [call("travel_bookHotel", booking)],
			(told) => `All is arranged: ${/reference [\w-]+/.exec(told)?.[0] ?? "nothing was booked"}.`,
		),
	);
	await chat.send("@mcp Plan our trip to Barcelona, see wishes.md");

	await questionLink(editor, 1, "Allow Once");
	for (const server of ["travel", "files", "everything"]) expect(received(server)).toEqual([]);
	await takePictures(editor, "travel-search");
	await answerCall(editor, 1, "Allow Once");
	// From here on the tool reads what the model asks for, in this session.
	await answerCall(editor, 2, "Always…");
	await palette.pick("This Tool in This Session");
	await chat.waitForText("Allowed by rule 1 of User Settings");
	await chat.waitForText("Allowed by your grant: read_text_file of files, in this session.");
	await chat.reveal(await questionLink(editor, 3, "Deny"));
	expect(received("travel")).toHaveLength(1);
	await takePictures(editor, "travel-booking");
	await answerCall(editor, 3, "Allow Once");
	await chat.waitForText("Please complete the booking");
	await chat.clickLink("Answer…");
	const form = await webview.document("Please complete the booking");
	await form.getByRole("textbox", { name: /E-mail/ }).fill("ada@example.com");
	await form.getByRole("button", { name: "Send" }).click();
	await chat.waitForText(/All is arranged: reference/);
	await chat.waitUntilDone();
	await takePictures(editor, "travel-arranged");

	// The wire: exactly what was shown, byte for byte.
	const echo = { message: `Flight ${flight}: We want a quiet hotel, for 3 nights.\n` };
	expect(flight).not.toBe("");
	expect(received("files")).toEqual([
		{ name: "read_text_file", arguments: { path: wishes } },
		{ name: "read_text_file", arguments: { path: friends } },
	]);
	expect(received("everything")).toEqual([{ name: "echo", arguments: echo }]);
	// A call of revision 2026-07-28 is sent again with the answer to the server's question.
	expect(received("travel")).toEqual([
		{ name: "searchFlights", arguments: search },
		{ name: "bookHotel", arguments: booking },
		{ name: "bookHotel", arguments: booking },
	]);
	const shown = await chat.lastText();
	for (const text of textsOf([search, wishes, friends, echo, booking])) {
		// Without quotes and escapes where it needs none.
		expect([text, JSON.stringify(text)].some((form) => shown.includes(form))).toBe(true);
	}
	expect(await questionCount(editor)).toBe(3);
	for (const name of ["travel · searchFlights", "files · read_text_file", "everything · echo", "travel · bookHotel"]) {
		expect(shown).toContain(name);
	}
	const told = toolResults(await model.request(3));
	expect(told).toEqual([expect.stringContaining(`Flight ${flight}`), expect.stringContaining("Ada and Grace")]);
	expect(await chat.lastText()).not.toMatch(/failed|not called/i);
	// Each server received only its own calls.
	expect(story.receivedText("everything")).not.toContain("bookHotel");
	expect(story.receivedText("files")).not.toContain("Barcelona");
	await expect.poll(() => chat.isBusy(), { timeout: patience }).toBe(false);
});
