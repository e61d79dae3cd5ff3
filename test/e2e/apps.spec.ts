/** Stories of apps: pages by which a server shows its results, in a frame that cannot act unseen. */
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

/** The page around the frame of the app, and what is in the frame. */
async function opened(): Promise<{ readonly around: FrameLocator; readonly app: FrameLocator }> {
	const around = await story.editor.webview.documentWith("#stage");
	return { around, app: around.frameLocator("#stage > iframe") };
}

/** What the extension remembers of the workspace while no app is open. */
const withoutApps = /^(?=[^]*mcpHost\.toolArguments)(?![^]*mcpHost\.openApps)/;

/** What the server was asked to spend. */
function spent(): readonly unknown[] {
	const calls = story.received("finance", "tools/call");
	return calls
		.map(({ params }) => params as { name: string; arguments: unknown })
		.filter(({ name }) => name === "spend");
}

test(
	"a result of the chat opens its app beside, which spends only what the user allows (APP-07, APP-08, APP-10, APP-12, APP-13, APP-15, APP-17, APP-25, JRN-19)",
	{ tags: "journey" },
	async () => {
		const { editor, model } = story;
		model.next(
			{ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2027 } }] },
			{ text: "That is the budget." },
		);
		await editor.chat.send("@mcp what is left?");
		await answerCall(editor, 1, "Allow Once");
		await editor.chat.waitForText("That is the budget.");
		await editor.chat.waitUntilDone();
		// The text stands in the chat, with or without an app.
		expect(await editor.chat.lastText()).toContain("750 of 1000 left");
		await editor.chat.clickLink("Open App");

		const { around, app } = await opened();
		await app.getByText("750 of 1000 left").waitFor({ timeout: patience });
		expect(await app.locator("h1").innerText()).toBe("Budget of 2027");
		// Nothing of the workbench can be reached from there, in a browser that gives it and its webviews one origin either.
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

		// What models are to know of it stands above, and goes with the next message alone.
		await around.getByText(/Adds about \d+ tokens to your next message to @mcp/).waitFor({ timeout: patience });
		const ask = async (): Promise<string> => {
			model.next({ text: "You have 550." });
			return editor.chat.ask("@mcp and now?");
		};
		const said = await ask();
		// What was painted a moment ago counts as seen only later: the answer says that it goes with the next message.
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

		// A file of the app's is where the user wants it, after they saw what it is.
		await app.getByRole("button", { name: "Save as CSV" }).click();
		await question.getByText("budget.csv (20 bytes)").waitFor({ timeout: patience });
		await question.getByRole("button", { name: "Save…" }).click();
		const { palette } = editor;
		await expect.poll(() => palette.input.inputValue(), { timeout: patience }).toMatch(/\/budget\.csv$/);
		const target = path.join(editor.workspaceFolder, "kept.csv");
		await palette.fill(target);
		// The editor takes no Enter while it looks for what is typed.
		await palette.acceptRow();
		await app.getByText("It was saved.").waitFor({ timeout: patience });
		expect(readFileSync(target, "utf8")).toBe("left,total\n750,1000\n");

		// The keys of an app are its own: the title of its editor has what can be done with it.
		await editor.page.getByRole("button", { name: "Show App Details" }).click();
		await around.getByText("No access outside its frame").waitFor({ timeout: patience });
		await takePictures(editor, "app-details");
		// What was allowed while it was open is asked about again.
		await editor.page.getByRole("button", { name: "Reload App" }).click();
		await app.getByText("750 of 1000 left").waitFor({ timeout: patience });
		await app.getByRole("button", { name: "Spend 100" }).click();
		await question.getByText("wants to run spend").waitFor({ timeout: patience });
		await question.getByRole("button", { name: "Deny" }).click();
		await app.getByText("The call was denied.").waitFor({ timeout: patience });
		expect(spent()).toHaveLength(2);

		// The page is another one since something was spent, and the editor shows where.
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

		// Into the side bar and back, by the title and by the app itself: with its call, and what it had stored.
		await app.getByRole("textbox", { name: "Note" }).fill("for May");
		await editor.page.getByRole("button", { name: "Move App to Side Bar" }).click();
		await editor.editors.waitUntilClosed("Budget · finance");
		const bar = await opened();
		await bar.app.getByText("750 of 1000 left").waitFor({ timeout: patience });
		await expect.poll(() => bar.app.getByRole("textbox", { name: "Note" }).inputValue()).toBe("for May");
		// The app could write any name into its page, and none here.
		expect(await bar.around.getByRole("heading", { name: "Budget · finance" }).count()).toBe(1);
		await takePictures(editor, "app-side-bar");
		await bar.app.getByRole("button", { name: "Larger" }).click();
		await editor.editors.activate("Budget · finance");
		const back = (await opened()).app;
		await back.getByRole("button", { name: "Smaller" }).waitFor({ timeout: patience });
		await expect.poll(() => back.getByRole("textbox", { name: "Note" }).inputValue()).toBe("for May");
		await editor.editors.close("Budget · finance");
	},
);

test("a call that takes a while has its app opened meanwhile, which is told that the call was cancelled; its form has the same arguments, and the app can close itself (APP-16, APP-18, APP-19, APP-21)", async () => {
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

	// Whoever wants to try again has the form before them, and nothing is sent yet.
	const calls = story.received("finance", "tools/call").length;
	await editor.editors.titleAction("Run Again…");
	const form = await editor.webview.document("Run budget");
	await expect.poll(() => form.getByLabel("year").first().inputValue(), { timeout: patience }).toBe("2099");
	await editor.editors.close("Run budget");
	expect(story.received("finance", "tools/call")).toHaveLength(calls);

	// A completion that the app asks for is reviewed as one of its server.
	await app.getByRole("button", { name: "Sum Up" }).click();
	const review = await reviewPanel(editor);
	await review.getByText("its app “Budget”").first().waitFor({ timeout: patience });
	await review.getByRole("button", { name: "Reject", exact: true }).click();
	await app.getByText("User rejected sampling request").waitFor({ timeout: patience });

	await app.getByRole("button", { name: "Close", exact: true }).click();
	await editor.editors.waitUntilClosed("Budget · finance");
});

test("a tool that is run by hand opens its app from its result, without any model; after a reload it is there again with what was sent and what came, in the side bar as well (APP-12, APP-20)", async () => {
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
	// The commands of its title are there as before.
	await editor.page.getByRole("tab", { name: "Budget · finance" }).click();
	await editor.editors.titleAction("Move App to Side Bar");
	await editor.editors.waitUntilClosed("Budget · finance");
	await (await opened()).app.getByText("Budget of 2028").waitFor({ timeout: patience });

	// And where the editor brings nothing back by itself.
	await editor.remembered(/"title":"Budget · finance","server":[^]*"place":"sideBar"/);
	await editor.reload();
	const bar = await opened();
	await bar.app.getByText("Budget of 2028").waitFor({ timeout: patience });
	await bar.around.getByRole("heading", { name: "Budget · finance" }).waitFor({ timeout: patience });
	expect(story.received("finance", "tools/call")).toHaveLength(calls);
	await takePictures(editor, "app-side-bar-after-reload");
	await chooseInToolbar(editor.page.locator(".part.auxiliarybar"), "Close App");
	await bar.around.locator("#stage").waitFor({ state: "detached", timeout: patience });
	// Until that is written down the next window has it again, where the next story has its chat.
	await editor.remembered(withoutApps);
});

test("of a call that may hold a secret nothing is on the disk: after a reload the editor of its app says so, and leads to the form (APP-20)", async () => {
	const { editor, model } = story;
	await story.beginAnew();
	// What was closed right before may be back: a browser writes it down once a minute at most.
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
	// Nor of the app of before any more, which had the same title.
	await editor.remembered(withoutApps);
	await editor.reloadWithEditor("Budget · finance");
	const lost = await editor.webview.document("The window was reloaded");
	await takePictures(editor, "app-lost");
	await lost.getByRole("link", { name: "Run Tool…" }).click();
	await editor.palette.waitForRow(/budget/i);
});

test("a call of the trace is shown by its app as it was, and is not made again (TRC-47)", async () => {
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
