/** Stories of apps: pages in which a server shows its results, in a frame that cannot act without the user's knowledge. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, reviewPanel } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { appEntry } from "./fixtures/serverEntries.ts";
import { chooseInToolbar, clicks, patience, succeeds, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ finance: appEntry }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The page around the app's frame, and the content of the frame. */
async function opened(): Promise<{ readonly around: FrameLocator; readonly app: FrameLocator }> {
	const around = await story.editor.webview.documentWith("#stage");
	return { around, app: around.frameLocator("#stage > iframe") };
}

/** The state that the extension keeps for the workspace while no app is open. */
const withoutApps = /^(?=[^]*mcpHost\.toolArguments)(?![^]*mcpHost\.openApps)/;

/** The amounts that the server was asked to spend. */
function spent(): readonly unknown[] {
	const calls = story.received("finance", "tools/call");
	return calls
		.map(({ params }) => params as { name: string; arguments: unknown })
		.filter(({ name }) => name === "spend");
}

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

	const { around, app } = await opened();
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
	const bar = await opened();
	await bar.app.getByText("750 of 1000 left").waitFor({ timeout: patience });
	await expect.poll(() => bar.app.getByRole("textbox", { name: "Note" }).inputValue()).toBe("for May");
	// The app could write any name into its page; here it writes none.
	expect(await bar.around.getByRole("heading", { name: "Budget · finance" }).count()).toBe(1);
	await takePictures(editor, "app-side-bar");
	await bar.app.getByRole("button", { name: "Larger" }).click();
	await editor.editors.activate("Budget · finance");
	const back = (await opened()).app;
	await back.getByRole("button", { name: "Smaller" }).waitFor({ timeout: patience });
	await expect.poll(() => back.getByRole("textbox", { name: "Note" }).inputValue()).toBe("for May");
	await editor.editors.close("Budget · finance");
});

test("a long call opens its app early and the app is notified of the cancellation; its form has the same arguments, and the app can close itself (APP-16, APP-18, APP-19, APP-21)", async () => {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2099 } }] }, { text: "There is none." });
	await editor.chat.send("@mcp what is left of 2099?");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.clickLink("Open App");
	const { around, app } = await opened();
	await app.getByText("Budget of 2099").waitFor({ timeout: patience });
	await around.getByText("The tool is still running.").waitFor({ timeout: patience });
	await takePictures(editor, "app-running");
	await editor.chat.clickLink("Cancel Call");
	await around.getByText("The user cancelled the call while it ran.").waitFor({ timeout: patience });
	await editor.chat.waitForText("There is none.");
	await editor.chat.waitUntilDone();

	// The form is open for another try, and nothing has been sent yet.
	const calls = story.received("finance", "tools/call").length;
	await editor.editors.titleAction("Run Again…");
	const form = await editor.webview.document("Run budget");
	await expect.poll(() => form.getByLabel("year").first().inputValue(), { timeout: patience }).toBe("2099");
	await editor.editors.close("Run budget");
	expect(story.received("finance", "tools/call")).toHaveLength(calls);

	// A completion requested by the app is reviewed like one requested by its server.
	await app.getByRole("button", { name: "Sum Up" }).click();
	const review = await reviewPanel(editor);
	await review.getByText("its app “Budget”").first().waitFor({ timeout: patience });
	await review.getByRole("button", { name: "Reject", exact: true }).click();
	await app.getByText("User rejected sampling request").waitFor({ timeout: patience });

	await app.getByRole("button", { name: "Close", exact: true }).click();
	await editor.editors.waitUntilClosed("Budget · finance");
});

test("a tool that the user runs opens its app from the result, without a model; after a reload it is restored with its arguments and result, in the side bar as well (APP-12, APP-20)", async () => {
	const { editor } = story;
	await editor.tree.expand(["finance", "Tools"]);
	await editor.tree.click(["finance", "Tools", "Budget"]);
	await editor.editors.waitForActive("Run budget");
	const form = await editor.webview.document("Run budget");
	await form
		.getByRole("spinbutton", { name: "year" })
		.or(form.getByRole("textbox", { name: "year" }))
		.fill("2028");
	await form.locator("#submit").click();
	const panel = await editor.webview.document("Done.");
	await panel.getByRole("button", { name: "Open App" }).click();
	const { app } = await opened();
	await app.getByText("Budget of 2028").waitFor({ timeout: patience });
	expect(await editor.editors.activeTitle()).toBe("Tool: budget");
	await takePictures(editor, "app-beside-run");

	const calls = story.received("finance", "tools/call").length;
	const id = await editor.remembered(/"id":"([\w-]+)","title":"Budget · finance","server":[^{]*\{"year":2028\}/);
	await editor.reloadWithEditor("Budget · finance", id);
	const back = (await opened()).app;
	await back.getByText("Budget of 2028").waitFor({ timeout: patience });
	await back.getByText(/\d+ of 1000 left/).waitFor({ timeout: patience });
	expect(story.received("finance", "tools/call")).toHaveLength(calls);
	await takePictures(editor, "app-after-reload");
	// The commands of its title are available as before.
	await editor.page.getByRole("tab", { name: "Budget · finance" }).click();
	await editor.editors.titleAction("Move App to Side Bar");
	await editor.editors.waitUntilClosed("Budget · finance");
	await (await opened()).app.getByText("Budget of 2028").waitFor({ timeout: patience });

	// Also where the editor does not restore it automatically.
	await editor.remembered(/"title":"Budget · finance","server":[^]*"place":"sideBar"/);
	await editor.reload();
	const bar = await opened();
	await bar.app.getByText("Budget of 2028").waitFor({ timeout: patience });
	await bar.around.getByRole("heading", { name: "Budget · finance" }).waitFor({ timeout: patience });
	expect(story.received("finance", "tools/call")).toHaveLength(calls);
	await takePictures(editor, "app-side-bar-after-reload");
	await chooseInToolbar(editor.page.locator(".part.auxiliarybar"), "Close App");
	await bar.around.locator("#stage").waitFor({ state: "detached", timeout: patience });
	// Until the state is saved, the next window restores the app where the next story has its chat.
	await editor.remembered(withoutApps);
});

test("a call that may hold a secret is not stored; after a reload the editor of its app reports this and links to the form (APP-20)", async () => {
	const { editor, model } = story;
	await story.beginAnew();
	// An editor that was closed just before may be restored: a browser saves its state once a minute at most.
	await editor.closeEverything();
	model.next(
		{ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2029, note: "password=hunter-two" } }] },
		{ text: "That is the budget." },
	);
	await editor.chat.send("@mcp what is left of 2029?");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("That is the budget.");
	await editor.chat.waitUntilDone();
	await editor.chat.clickLink("Open App");
	await (await opened()).app.getByText("Budget of 2029").waitFor({ timeout: patience });
	// The earlier app, which had the same title, is not restored either.
	await editor.remembered(withoutApps);
	await editor.reloadWithEditor("Budget · finance");
	const lost = await editor.webview.document("The window was reloaded");
	await takePictures(editor, "app-lost");
	await lost.getByRole("link", { name: "Run Tool…" }).click();
	await editor.palette.waitForRow(/budget/i);
});

test("a call of the trace is shown in its app as it was, and is not repeated (TRC-47)", async () => {
	const { editor, model } = story;
	await story.beginAnew({ "mcpHost.trace": "bodies" });
	await editor.closeEverything();
	model.next({ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2030 } }] }, { text: "That is the budget." });
	await editor.chat.send("@mcp what is left of 2030?");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("That is the budget.");
	await editor.chat.waitUntilDone();
	const calls = story.received("finance", "tools/call").length;
	await editor.palette.run("MCP Host: Show Trace");
	const trace = await editor.webview.documentWith("#grid");
	const detail = trace.locator("#detail").getByRole("button", { name: "Open App" });
	await waitForCondition("The call in the trace", async () => {
		await clicks(trace.locator(".line", { hasText: "tools/call budget" }).last());
		return succeeds(detail.waitFor({ timeout: 3000 }));
	});
	await takePictures(editor, "app-trace");
	await detail.click();
	const { app } = await opened();
	await app.getByText("Budget of 2030").waitFor({ timeout: patience });
	await app.getByText(/\d+ of 1000 left/).waitFor({ timeout: patience });
	expect(story.received("finance", "tools/call")).toHaveLength(calls);
});
