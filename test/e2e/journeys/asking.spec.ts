/** Journeys of what servers want from the user: sampling requests, a form, and an app with its own questions. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, reviewPanel } from "../fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "../fixtures/colorScheme.ts";
import { answered, askUser, panels } from "../fixtures/elicitations.ts";
import { appEntry, samplingEntry, type ServerEntry, smallEntry } from "../fixtures/serverEntries.ts";
import { container } from "../fixtures/serverReview.ts";
import { TestFolder } from "../fixtures/testFolder.ts";
import { askAtOnce, foldServers, pendingRows, readyToAsk, refusals, toastCount } from "../fixtures/waitingRequests.ts";
import { patience } from "../pages/conditions.ts";

let story: ChatStory;
let folder: TestFolder;
beforeAll(async () => {
	folder = await TestFolder.create();
	const sampling = (log: string): ServerEntry => samplingEntry(log, "--era", "legacy");
	story = await ChatStory.start(
		{ weather: sampling, travel: sampling, files: sampling, small: smallEntry, finance: appEntry },
		followsColorScheme,
	);
	await foldServers(story.editor, true);
});
afterAll(async () => {
	await story?.[Symbol.asyncDispose]();
	await folder?.[Symbol.asyncDispose]();
});

/** The amounts that the server was asked to spend. */
function spent(): readonly unknown[] {
	const calls = story.received("finance", "tools/call");
	return calls
		.map(({ params }) => params as { name: string; arguments: unknown })
		.filter(({ name }) => name === "spend");
}

test("ten requests at once from three servers show one notification, a badge, the status bar and a list, and the user keeps typing (SMP-01, SMP-05, SMP-13, UI-09, UI-11, BLT-08, BLT-17)", async () => {
	const { editor, model } = story;
	const before = model.requests.length;
	const go = await readyToAsk(story, folder, { weather: 5, travel: 3, files: 2 }, "Which one");
	await editor.chat.type("@mcp my next");
	await go();
	// On a slow machine the first notification covers the requests so far, and one for all follows after it.
	await editor.dialogs.notification(/waiting for you: |asks for a completion/).waitFor({ timeout: patience });
	await editor.page.keyboard.type(" thought");
	await editor.chat.inputPart.locator(".view-line", { hasText: /my.next.thought/ }).waitFor();
	const text = await editor.dialogs.waitForNotification("10 requests are waiting for you: ");
	for (const part of ["weather (5)", "travel (3)", "files (2)"]) expect(text).toContain(part);
	expect(await toastCount(editor)).toBeLessThanOrEqual(1);
	expect(await editor.editors.titles()).toEqual([]);
	await expect.poll(() => editor.tree.badge(container)).toBe("10");
	const status = editor.page.getByRole("button", { name: /10 questions waiting for your answer/ });
	await status.waitFor({ timeout: patience });
	const sorted = async (): Promise<readonly string[]> => (await pendingRows(story.editor)).toSorted();
	await expect
		.poll(sorted, { timeout: patience })
		.toEqual([
			...Array.from({ length: 2 }, () => "files"),
			...Array.from({ length: 3 }, () => "travel"),
			...Array.from({ length: 5 }, () => "weather"),
		]);
	await takePictures(editor, "sampling-queue-ten");

	// Each one can be opened while another waits, and none is approved by that.
	const pending = editor.tree.view("Pending");
	expect(await pending.contextMenuItems("travel")).toEqual([
		"Review",
		"Reject",
		"Reject All from This Server",
		"Reject All from This Server for Ten Minutes",
	]);
	await editor.dialogs.answerNotification("10 requests", "Show Pending");
	await pending.inlineAction("files", "Reject");
	await expect.poll(() => refusals(story, "files"), { timeout: patience }).toEqual(['"code":-1']);
	await pending.contextMenu("weather", "Reject All from This Server");
	await expect.poll(() => refusals(story, "weather"), { timeout: patience }).toHaveLength(5);
	await expect.poll(sorted, { timeout: patience }).toEqual(["files", "travel", "travel", "travel"]);

	await pending.titleAction("Reject All from a Server…");
	await editor.palette.waitForRow(/travel/);
	await editor.screenshot("sampling-queue-reject-all");
	const rows = await editor.palette.rows();
	expect(rows.filter(({ label }) => label.includes("travel")).map(({ description }) => description)).toEqual([
		"reject 3 requests",
		"reject 3 requests and all new requests for ten minutes",
	]);
	await editor.palette.pickText("reject 3 requests and all new requests for ten minutes");
	await expect.poll(() => refusals(story, "travel"), { timeout: patience }).toHaveLength(3);
	// A request that is rejected for now is answered at once, without a notification.
	await askAtOnce(story, folder, { travel: 2 }, "And now");
	await expect.poll(() => refusals(story, "travel"), { timeout: patience }).toHaveLength(5);
	await expect.poll(() => pendingRows(story.editor), { timeout: patience }).toEqual(["files"]);

	await pending.click("files");
	const review = await reviewPanel(editor);
	await review.getByRole("button", { name: "Reject", exact: true }).click();
	await editor.webview.waitUntilClosed();
	await expect.poll(() => editor.tree.badge(container), { timeout: patience }).toBe("");
	// The chat's own two turns, of two requests each.
	expect(model.requests).toHaveLength(before + 4);
	await pending.titleAction("Reject All from a Server…");
	await editor.palette.pick(/travel/);
	await askAtOnce(story, folder, { travel: 1 }, "Once more");
	await editor.dialogs.waitForNotification("travel (server) asks for a completion");
	await pending.inlineAction("travel", "Reject");
	await editor.dialogs.clearNotifications();
});

test("a form is sent only when it is valid, and with exactly the entered values", async () => {
	const { editor, model } = story;
	await askUser(story, "small_elicit", { mode: "form" }, "Who is coming?");
	expect(await editor.chat.lastText()).toMatch(/Name: a text, required[^]*Nights: 2, required/);
	expect(await panels(editor)).toBe(0);
	await editor.chat.clickLink("Answer…");
	const form = await editor.webview.document("Who is coming?");
	expect(await form.locator("main").innerText()).toMatch(/small says:.*Who is coming\?/s);
	await form.getByRole("textbox", { name: /Name/ }).fill("A");
	await form.getByRole("textbox", { name: /E-mail/ }).fill("nobody");
	await form.getByRole("textbox", { name: /Nights/ }).fill("31");
	await form.getByRole("button", { name: "Send" }).click();
	await form.locator("#field-0:focus").waitFor();
	expect(await form.locator("[aria-invalid=true]").count()).toBe(3);
	await editor.screenshot("elicitation-problems");

	const name = "Ada \u{1F469}\u200D\u{1F680} Lovelace";
	await form.getByRole("textbox", { name: /Name/ }).fill(name);
	await form.getByRole("textbox", { name: /E-mail/ }).fill("ada@example.com");
	await form.getByRole("textbox", { name: /Nights/ }).fill("3");
	await form.getByRole("checkbox", { name: /Breakfast/ }).uncheck();
	await form.getByRole("combobox", { name: /Room/ }).selectOption("double");
	model.next({ text: "Guest noted." });
	await form.getByRole("button", { name: "Send" }).click();
	expect(await answered(story, "Guest noted.")).toEqual([
		"accept",
		{ name, email: "ada@example.com", nights: 3, breakfast: false, room: "double" },
	]);
	expect(await editor.chat.lastText()).toMatch(/You answered:[^]*nights 3/);
	await editor.webview.waitUntilClosed();
});

test("a result in the chat opens its app beside it, and the app spends only what the user allows (APP-07, APP-08, APP-10, APP-12, APP-13, APP-15, APP-17, APP-25, JRN-19)", async () => {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2027 } }] }, { text: "That is the budget." });
	await editor.chat.send("@mcp what is left?");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("That is the budget.");
	await editor.chat.waitUntilDone();
	// The text is shown in the chat, with or without an app.
	expect(await editor.chat.lastText()).toContain("750 of 1000 left");
	await editor.chat.clickLink("Open App");

	const { around, app } = await editor.webview.app();
	await app.getByText("750 of 1000 left").waitFor({ timeout: patience });
	expect(await app.locator("h1").innerText()).toBe("Budget of 2027");
	// The app cannot reach the workbench, even in a browser where the workbench and its webviews share one origin.
	expect(await app.locator("html").evaluate("self.origin")).toBe("null");
	const reach = "(() => { try { return String(parent.document) } catch (error) { return error.name } })()";
	expect(await app.locator("html").evaluate(reach)).toBe("SecurityError");
	await takePictures(editor, "app");
	await app.locator("html[data-theme=light]").waitFor({ timeout: patience });

	await app.getByRole("button", { name: "Spend 100" }).click();
	const question = around.getByRole("region", { name: "Question" });
	await question.getByText("The app “Budget” of finance wants to run spend").waitFor({ timeout: patience });
	expect(spent()).toEqual([]);
	await takePictures(editor, "app-question");
	await question.getByRole("button", { name: "Allow While Open" }).click();
	await app.getByText("650 of 1000 left").waitFor({ timeout: patience });
	await app.getByRole("button", { name: "Spend 100" }).click();
	await app.getByText("550 of 1000 left").waitFor({ timeout: patience });
	expect(spent()).toHaveLength(2);

	// The context for models is shown above the app, and is sent with the next message only.
	await around.getByText(/Adds about \d+ tokens to your next message to @mcp/).waitFor({ timeout: patience });
	const ask = async (): Promise<string> => {
		model.next({ text: "You have 550." });
		return editor.chat.ask("@mcp and now?");
	};
	const said = await ask();
	// Painted content counts as seen only after a moment; the answer confirms that the context goes with the next
	// message.
	expect(said.includes("Not added:") ? await ask() : said).toContain("Added: what the app “Budget” of finance shows");
	const { body } = await model.request(model.requests.length - 1);
	expect(JSON.stringify(body.messages.at(-1))).toMatch(/what the app “Budget” of finance shows.*550 of 1000 left/);
	await around.getByText(/Adds about/).waitFor({ state: "hidden", timeout: patience });
	const journals = globSync(path.join(editor.userDataFolder, "**/activity/activity-*.jsonl"));
	const noted = journals.map((file) => readFileSync(file, "utf8")).join("");
	expect(noted).toMatch(/"what":"context","target":"what the app “Budget” of finance shows"/);

	await app.getByRole("button", { name: "Ask in Chat" }).click();
	await question.getByText("wants to write into your chat").waitFor({ timeout: patience });
	await question.getByRole("button", { name: "Deny" }).click();
	await question.waitFor({ state: "hidden", timeout: patience });

	// A file of the app is saved where the user wants it, after they saw its content.
	await app.getByRole("button", { name: "Save as CSV" }).click();
	await question.getByText("budget.csv (20 bytes)").waitFor({ timeout: patience });
	await question.getByRole("button", { name: "Save…" }).click();
	const { palette } = editor;
	await expect.poll(() => palette.input.inputValue(), { timeout: patience }).toMatch(/\/budget\.csv$/);
	const target = path.join(editor.workspaceFolder, "kept.csv");
	await palette.fill(target);
	// The editor ignores Enter while it searches for the typed text.
	await palette.acceptRow();
	await app.getByText("It was saved.").waitFor({ timeout: patience });
	expect(readFileSync(target, "utf8")).toBe("left,total\n750,1000\n");

	// The app receives its own keys; the actions for it are in the title of its editor.
	await editor.page.getByRole("button", { name: "Show App Details" }).click();
	await around.getByText("No access outside its frame").waitFor({ timeout: patience });
	await takePictures(editor, "app-details");
	// A call that was allowed while the app was open is asked about again.
	await editor.page.getByRole("button", { name: "Reload App" }).click();
	await app.getByText("750 of 1000 left").waitFor({ timeout: patience });
	await app.getByRole("button", { name: "Spend 100" }).click();
	await question.getByText("wants to run spend").waitFor({ timeout: patience });
	await question.getByRole("button", { name: "Deny" }).click();
	await app.getByText("The call was denied.").waitFor({ timeout: patience });
	expect(spent()).toHaveLength(2);

	// The page has changed since the last payment, and the editor shows where.
	const notice = around.locator(".app-notice", {
		hasText: "Its page has changed. The previous page was shown since",
	});
	await notice.getByRole("button", { name: "Show Difference" }).click({ timeout: patience });
	const difference = /^Budget · finance \(Shown Since .* ↔ Now\)$/;
	await editor.editors.waitForActive(difference);
	await editor.page.locator(".monaco-diff-editor .char-insert").first().waitFor({ timeout: patience });
	await takePictures(editor, "app-difference");
	await editor.editors.close(difference);
	await editor.editors.waitForActive("Budget · finance");

	// Moved into the side bar and back, by the title and by the app: its call and its stored data are kept.
	await app.getByRole("textbox", { name: "Note" }).fill("for May");
	await editor.page.getByRole("button", { name: "Move App to Side Bar" }).click();
	await editor.editors.waitUntilClosed("Budget · finance");
	const bar = await editor.webview.app();
	await bar.app.getByText("750 of 1000 left").waitFor({ timeout: patience });
	await expect.poll(() => bar.app.getByRole("textbox", { name: "Note" }).inputValue()).toBe("for May");
	// The app could write any name into its page; here it writes none.
	expect(await bar.around.getByRole("heading", { name: "Budget · finance" }).count()).toBe(1);
	await takePictures(editor, "app-side-bar");
	await bar.app.getByRole("button", { name: "Larger" }).click();
	await editor.editors.activate("Budget · finance");
	const back = (await editor.webview.app()).app;
	await back.getByRole("button", { name: "Smaller" }).waitFor({ timeout: patience });
	await expect.poll(() => back.getByRole("textbox", { name: "Note" }).inputValue()).toBe("for May");
	await editor.editors.close("Budget · finance");
});
