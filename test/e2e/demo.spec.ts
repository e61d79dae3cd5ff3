/** The vacation story of the demo server and the demo model: every surface, offline and without an account. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, questionLink, reviewPanel } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures, useColorScheme } from "./fixtures/colorScheme.ts";
import { patience } from "./pages/conditions.ts";
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
	await useColorScheme(editor, "dark", "high contrast");
	await editor.screenshot(`${name}-high-contrast`);
	await useColorScheme(editor, "light");
}

test("four decisions lead to a tool's result, and further to a vacation with every primitive (FST-10)", async () => {
	let decisions = 0;
	const decide = async (act: () => Promise<unknown>): Promise<void> => {
		decisions++;
		await act();
	};
	await decide(() => editor.tree.open("MCP Host"));
	await takePictures(editor, "welcome");
	await decide(() => editor.tree.welcomeButton("Try the Demo Server").click());
	await editor.chat.waitForInput("@mcp Plan a long weekend in Barcelona for two");
	await editor.chat.waitForModel(/Demo model/);
	await takePictures(editor, "demo-first-question");
	await decide(() => editor.chat.submit());
	await editor.chat.waitForText("I am the demo model: a script, not a language model.");
	await editor.chat.waitForText("3 nights, 2 travelers");

	await questionLink(editor, 1, "Deny");
	await takePicturesInThemes("chat-confirmation");
	await decide(() => answerCall(editor, 1, "Allow Once"));
	await editor.chat.waitForText(/Flights from London to Barcelona on \S+ for 2 travelers, prices per person:/);
	expect(decisions).toBe(4);
	await answerCall(editor, 2, "Allow Once");
	await answerCall(editor, 3, "Allow Once");

	// The server requests a completion: the user edits the request before the model receives it, and the answer before
	// the server does.
	const review = await reviewPanel(editor);
	const request = review.getByRole("textbox", { name: /user/ });
	const flights = await request.inputValue();
	// The available flights depend on the day of the story.
	const [first = "no flight"] = /^[A-Z]{2}\d{2,4}\b/m.exec(flights) ?? [];
	expect(flights).toContain(first);
	await request.fill(flights.replace(new RegExp(`^${first}.*\\n`, "m"), ""));
	await takePicturesInThemes("review-request");
	await review.getByRole("button", { name: "Send to Model" }).click();
	const completion = review.getByRole("textbox", { name: "Text that the server receives" });
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
	await editor.chat.waitForText("Here is your trip");
	await editor.chat.waitUntilDone();
	// As the editor shows it, with the steps folded.
	await takePictures(editor, "chat-summary");
	const answer = await editor.chat.lastText();
	for (const step of ["Flights", "Weather", "Best flight", "Hotel", "Calendar"]) expect(answer).toContain(`${step}: `);
	expect(answer).not.toMatch(/: (failed|left out)/);
	expect(answer).toMatch(/Flights: .*for 2 travelers: \d+ found, €\d+ to €\d+ per person\./);

	// The next scenes of the script are one click away, without typing (FST-02).
	await editor.chat.clickFollowUp("Check the weather in Lisbon");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("Here is your trip");
	await editor.chat.waitUntilDone();

	await editor.tree.expand(["travel", "Resources"]);
	await editor.tree.click(["travel", "Resources", "Upcoming Events"]);
	await editor.editors.waitForText(/Dentist[^]*Trip to Barcelona/);
});

test("Get Started leads through the first steps, each with a picture and a button", async () => {
	// The picture of a step is beside it where there is room.
	await editor.palette.run("View: Hide Secondary Side Bar");
	await editor.palette.run("MCP Host: Get Started");
	const walkthrough = editor.page.locator(".gettingStartedContainer");
	const titles = walkthrough.locator(".getting-started-step .step-title");
	await titles.first().waitFor({ timeout: patience });
	expect((await titles.allInnerTexts()).map((text) => text.trim())).toEqual([
		"Try the Demo",
		"Add Your Servers",
		"Build a Server",
		"Connect a Model",
		"Run a Prompt",
		"Review a Sampling Request",
		"Make Rules",
		"Use It in the Agents Window",
	]);
	await takePictures(editor, "walkthrough");
	await titles.filter({ hasText: "Build a Server" }).click();
	await walkthrough.getByRole("button", { name: "New Server from Template…" }).waitFor({ timeout: patience });
	await takePictures(editor, "walkthrough-build");
	await titles.filter({ hasText: "Run a Prompt" }).click();
	await walkthrough.getByRole("button", { name: "Run Prompt…" }).click();
	await editor.palette.waitForRow("Plan a Vacation");
	await editor.palette.cancel();
	// The editor ticks a step after its command has run.
	const done = walkthrough
		.locator(".getting-started-step", { hasText: "Run a Prompt" })
		.locator(".codicon-getting-started-step-checked");
	await done.first().waitFor({ timeout: patience });
	await takePictures(editor, "walkthrough-prompt");
});
