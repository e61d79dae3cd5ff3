/** The vacation story of the demo server and the demo model: every surface, offline and without an account. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, questionLink, reviewPanel } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let editor: RunningEditor;
beforeAll(async () => {
	editor = await startEditorWithVsix({
		workspace: "test/workspace/demo",
		settings: followsColorScheme,
		size: { width: 1440, height: 900 },
	});
});
afterAll(() => editor?.stop());

/** Keeps a picture of the same moment in the light, the dark and a high-contrast theme. */
async function takePicturesInThemes(name: string): Promise<void> {
	await takePictures(editor, name);
	await editor.page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
	await editor.page.locator(".monaco-workbench.hc-black").waitFor();
	await editor.screenshot(`${name}-high-contrast`);
	await editor.page.emulateMedia({ forcedColors: "none", colorScheme: "light" });
	await editor.page.locator(".monaco-workbench.vs").waitFor();
}

test("a vacation is planned with every primitive of the demo server", { tags: "journey" }, async () => {
	await editor.tree.open("MCP Host");
	await editor.tree.welcomeButton("Try the Demo Server").click();
	await editor.tree.waitForDescription(["travel"], /2026-07-28/);
	await editor.chat.open();
	await editor.chat.waitForModel(/Demo model/);
	await editor.chat.send("@mcp Plan a vacation in Barcelona for 2 people, 4 nights");
	await editor.chat.waitForText("I am the demo model: a script, not a language model.");

	await questionLink(editor, 1, "Deny");
	await takePicturesInThemes("chat-confirmation");
	await answerCall(editor, 1, "Allow Once");
	await answerCall(editor, 2, "Allow Once");
	await answerCall(editor, 3, "Allow Once");

	// The server asks for a completion: the request is changed before a model sees it, the answer before the server does.
	const review = await reviewPanel(editor);
	const request = review.getByRole("textbox", { name: /user/ });
	const flights = await request.inputValue();
	// Which flights there are depends on the day of the story.
	const [first = "no flight"] = /^[A-Z]{2}\d{2,4}\b/m.exec(flights) ?? [];
	expect(flights).toContain(first);
	await request.fill(flights.replace(new RegExp(`^${first}.*\\n`, "m"), ""));
	await takePicturesInThemes("review-request");
	await review.getByRole("button", { name: "Send to Model" }).click();
	const completion = review.getByRole("textbox", { name: "Text that the server gets" });
	await completion.waitFor();
	expect(await completion.inputValue()).not.toContain(first);
	await completion.fill(`${await completion.inputValue()}\nTake the first one.`);
	await editor.screenshot("review-completion");
	await review.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("Take the first one.");

	await answerCall(editor, 4, "Allow Once");
	await editor.chat.waitForText("Please complete the booking");
	await editor.chat.clickLink("Answer…");
	const form = await editor.webview.document("Please complete the booking");
	await form.getByRole("textbox", { name: /E-mail/ }).fill("ada@example.com");
	await form.getByRole("combobox", { name: /Beds/ }).selectOption({ label: "Two single beds (twin)" });
	await editor.screenshot("elicitation-form");
	await form.getByRole("button", { name: "Send" }).click();
	await editor.chat.waitForText(/Booked, reference/);
	await answerCall(editor, 5, "Allow Once");
	await editor.chat.waitForText("This is how the trip ended");
	await editor.chat.waitUntilDone();
	const answer = await editor.chat.lastText();
	for (const step of ["Flights", "Weather", "Best flight", "Hotel", "Calendar"]) expect(answer).toContain(`${step}: `);
	expect(answer).not.toMatch(/: (failed|left out)/);
	await editor.screenshot("chat-summary");

	await editor.tree.expand(["travel", "Resources"]);
	await editor.tree.click(["travel", "Resources", "Upcoming Events"]);
	await editor.editors.waitForText(/Dentist[^]*Trip to Barcelona/);
});
