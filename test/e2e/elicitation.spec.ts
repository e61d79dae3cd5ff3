/**
 * Stories of elicitation: the server receives exactly the user's answer, decline or cancel; the chat asks in the turn,
 * and no page opens automatically (BLT-34 to BLT-36, ELC-01 to ELC-08).
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { answered, askUser, panels } from "./fixtures/elicitations.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";
import { startLibraryServer, type LibraryHttpServer } from "../servers/libraryHttp.ts";

let library: LibraryHttpServer;
let story: ChatStory;
beforeAll(async () => {
	library = await startLibraryServer({ speaks: "legacy", resources: 100 });
	story = await ChatStory.start(
		{ small: smallEntry, library: () => ({ type: "http", url: library.url }) },
		followsColorScheme,
	);
});
afterAll(async () => {
	await story?.[Symbol.asyncDispose]();
	await library?.[Symbol.asyncDispose]();
});

test("a yes or no is answered by a link in the turn, without a panel", async () => {
	const { editor, model } = story;
	await askUser(story, "library_elicit", { form: "one" }, "Shall the book be held for you?");
	const shown = await editor.chat.lastText();
	expect(shown).toMatch(/library \(server\) asks for your input[^]*Yes sends hold: true[^]*No sends hold: false/);
	expect(await panels(story.editor)).toBe(0);
	await takePictures(editor, "elicitation-inline-choice");
	model.next({ text: "Not held." });
	await editor.chat.clickLink(/^No$/);
	expect(await answered(story, "Not held.")).toMatchObject([{ action: "accept", content: { hold: false } }]);
	expect(await editor.chat.lastText()).toMatch(/You answered:\s*hold false/);
	expect(await panels(story.editor)).toBe(0);

	// The links stay in the transcript, and do nothing any more.
	await editor.chat.clickLink(/^Yes$/);
	expect(await editor.dialogs.waitForNotification("You answered.")).toBe("You answered.");
	await editor.dialogs.clearNotifications();
});

test("a form can be filled in by keyboard, and a screen reader announces each control", async () => {
	const { editor, model } = story;
	await askUser(story, "small_elicit", { mode: "form" }, "Who is coming?");
	await editor.chat.clickLink("Answer…");
	const form = await editor.webview.document("Who is coming?");
	const { keyboard } = editor.page;
	// Opened because the user wants it, the form has the focus.
	await form.locator("#field-0:focus").waitFor({ timeout: patience });
	/** The name and required state of the focused control, as screen readers receive them. */
	const heard = async (): Promise<string> => {
		const [line = ""] = (await form.locator(":focus").ariaSnapshot()).split("\n");
		return line;
	};
	expect(await heard()).toMatch(/textbox "Name/);
	await keyboard.type("Grace");
	await keyboard.press("Tab");
	expect(await heard()).toMatch(/textbox "E-mail/);
	await keyboard.press("Tab");
	expect(await heard()).toMatch(/textbox "Nights/);
	await keyboard.press("Tab");
	expect(await heard()).toMatch(/checkbox "Breakfast/);
	await keyboard.press("Space");
	await keyboard.press("Tab");
	await keyboard.type("double");
	const focused: string[] = [];
	for (let count = 0; count < 3; count++) {
		await keyboard.press("Tab");
		focused.push(await heard());
	}
	expect(focused).toEqual([/Send/, /Decline/, /Cancel/].map((name) => expect.stringMatching(name)));
	model.next({ text: "Grace noted." });
	await keyboard.press("ControlOrMeta+Enter");
	expect(await answered(story, "Grace noted.")).toEqual([
		"accept",
		{ name: "Grace", nights: 2, breakfast: false, room: "double" },
	]);
	await editor.webview.waitUntilClosed();
});

test("declining and cancelling are distinguished, and a closed form stays open in the chat", async () => {
	const { editor, model } = story;
	await askUser(story, "small_elicit", { mode: "form" }, "Who is coming?");
	await editor.chat.clickLink("Answer…");
	await editor.webview.document("Who is coming?");
	await editor.editors.close(/small \(server\)/);
	await editor.webview.waitUntilClosed();
	expect(await editor.chat.isBusy()).toBe(true);
	model.next({ text: "Declined, then." });
	await editor.chat.clickLink(/^Decline$/);
	expect(await answered(story, "Declined, then.")).toEqual(["decline", null]);
	expect(await editor.chat.lastText()).toContain("You declined.");

	await askUser(story, "small_elicit", { mode: "form" }, "Who is coming?");
	model.next({ text: "Cancelled, then." });
	await editor.chat.clickLink(/^Cancel$/);
	expect(await answered(story, "Cancelled, then.")).toEqual(["cancel", null]);

	// An answer, so that the server does not count as one that asks again and again.
	await askUser(story, "library_elicit", { form: "one" }, "Shall the book be held for you?");
	model.next({ text: "Held." });
	await editor.chat.clickLink(/^Yes$/);
	await answered(story, "Held.");
});

test("a web address is shown in full, and opens only when the user agrees", async () => {
	const { editor, model } = story;
	const opened: string[] = [];
	editor.page.context().on("page", (page) => opened.push(page.url()));
	await askUser(story, "small_elicit", { mode: "url" }, "https://shop.example/sign-in?from=small");
	expect(await editor.chat.lastText()).toContain("small (server) asks you to open a web page");
	// The URL itself is no link.
	expect(
		await editor.chat.lastResponse().locator("a[href*='shop.example'], a[data-href*='shop.example']").count(),
	).toBe(0);
	await takePictures(editor, "elicitation-inline-url");
	model.next({ text: "No sign-in." });
	await editor.chat.clickLink(/^Decline$/);
	expect(await answered(story, "No sign-in.")).toEqual(["decline", null]);
	expect(opened).toEqual([]);

	// The editor asks once more before it opens a site for the first time.
	await askUser(story, "small_elicit", { mode: "url" }, "https://shop.example/sign-in?from=small");
	model.next({ text: "Changed my mind." });
	await editor.chat.clickLink("Open in Browser");
	expect(await editor.dialogs.waitForModal()).toContain("https://shop.example/sign-in?from=small");
	await editor.dialogs.answerModal("Cancel");
	expect(await answered(story, "Changed my mind.")).toEqual(["cancel", null]);
	expect(await editor.chat.lastText()).toContain("The page was not opened.");
	expect(opened).toEqual([]);

	// From the pending list, the question opens as a panel.
	await askUser(story, "small_elicit", { mode: "url" }, "https://shop.example/sign-in?from=small");
	const pending = editor.tree.view("Pending");
	// The row of the allowed call has the same name, and remains for a moment.
	await pending.waitForDescription("small", "Sign in at the shop");
	await pending.click("small");
	const question = await editor.webview.document("Sign in at the shop");
	await editor.palette.run("MCP Host: Review Pending…");
	expect(await question.locator("#url").innerText()).toBe("https://shop.example/sign-in?from=small");
	await editor.screenshot("elicitation-url");
	model.next({ text: "Signed in." });
	const page = editor.page.context().waitForEvent("page", { timeout: patience });
	await question.getByRole("button", { name: "Open in Browser" }).click();
	await editor.dialogs.answerModal("Open");
	await page;
	expect(await answered(story, "Signed in.")).toEqual(["accept", null]);
	expect(opened).toHaveLength(1);
});

test("a call that needs a page first continues when the server reports that the user is done there", async () => {
	const { editor, model } = story;
	const url = `${library.url}/consent`;
	await askUser(story, "library_needs-page", { id: "consent", url }, "asks you to open a web page");
	expect(await editor.chat.lastText()).toContain("the connection is not encrypted");
	const page = editor.page.context().waitForEvent("page", { timeout: patience });
	await editor.chat.clickLink("Open in Browser");
	await (await page).close();
	await editor.chat.waitForText(/library \(server\) is waiting until you are done at 127\.0\.0\.1/);
	await editor.screenshot("elicitation-inline-waiting");
	model.next({ text: "Come in." });
	library.world.finish("another");
	expect(await editor.chat.isBusy()).toBe(true);
	library.world.finish("consent");
	await editor.chat.waitForText("Come in.");
	expect(await editor.chat.lastText()).toMatch(/library reports that this is done\.[^]*the page was visited/);
});

test("the status bar waits for an open page until its server reports completion", async () => {
	const { editor, model } = story;
	const url = `${library.url}/status`;
	model.next({ toolCalls: [{ nameEndsWith: "library_elicit-url", arguments: { id: "status", url } }] });
	await editor.chat.send("@mcp let it ask me");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("asks you to open a web page");
	const page = editor.page.context().waitForEvent("page", { timeout: patience });
	model.next({ text: "Opened." });
	await editor.chat.clickLink("Open in Browser");
	await (await page).close();
	await editor.chat.waitForText("Opened.");
	const waiting = editor.page.locator(".part.statusbar").getByText("Waiting for library to confirm");
	await waiting.waitFor({ timeout: patience });
	library.world.finish("status");
	await waiting.waitFor({ state: "hidden", timeout: patience });
});

test("a server that dies removes its question from the chat and the form", async () => {
	const { editor, model } = story;
	await askUser(story, "small_elicit", { mode: "form" }, "Who is coming?");
	await editor.chat.clickLink("Answer…");
	const form = await editor.webview.document("Who is coming?");
	model.next({ text: "It is gone." });
	story.kill("small");
	await form.getByText(/small stopped before you answered/).waitFor({ timeout: patience });
	expect(await form.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
	await editor.chat.waitForText("small stopped before you answered. Nothing was sent to the server.");
	await editor.screenshot("elicitation-server-gone");
	await editor.chat.waitForText("It is gone.");
	await editor.editors.close(/small \(server\)/);
});

test("a server that asks repeatedly can be declined as a whole", async () => {
	const { editor, model } = story;
	for (let count = 1; count <= 2; count++) {
		await askUser(story, "library_elicit", { form: "card" }, "Your library card");
		expect(await editor.chat.link("Decline All from This Server for Now").count()).toBe(0);
		model.next({ text: `No, ${count}.` });
		await editor.chat.clickLink(/^Decline$/);
		await answered(story, `No, ${count}.`);
	}
	await askUser(story, "library_elicit", { form: "card", count: 5 }, "Your library card");
	model.next({ text: "No more." });
	await editor.chat.clickLink("Decline All from This Server for Now");
	const decline = { kind: "elicit", action: "decline" };
	expect(await answered(story, "No more.")).toEqual(Array.from({ length: 5 }, () => decline));
	await editor.screenshot("elicitation-decline-all");

	model.next({ toolCalls: [{ nameEndsWith: "library_elicit", arguments: { form: "card" } }] }, { text: "Not asked." });
	await editor.chat.send("@mcp once more");
	await answerCall(editor, 1, "Allow Once");
	expect(await answered(story, "Not asked.")).toEqual([decline]);
	const said = await editor.chat.lastText();
	expect(said).toContain("The request was declined, because you declined all its requests for now.");
	expect(said).not.toContain("asks for your input");
});
