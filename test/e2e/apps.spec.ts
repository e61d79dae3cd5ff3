/** Stories of apps: pages in which a server shows its results, in a frame that cannot act without the user's knowledge. */
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

/** The state that the extension keeps for the workspace while no app is open. */
const withoutApps = /^(?=[^]*mcpHost\.toolArguments)(?![^]*mcpHost\.openApps)/;

test("a long call opens its app early and the app is notified of the cancellation; its form has the same arguments, and the app can close itself (APP-16, APP-18, APP-19, APP-21)", async () => {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2099 } }] }, { text: "There is none." });
	await editor.chat.send("@mcp what is left of 2099?");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.clickLink("Open App");
	const { around, app } = await editor.webview.app();
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
	const { app } = await editor.webview.app();
	await app.getByText("Budget of 2028").waitFor({ timeout: patience });
	expect(await editor.editors.activeTitle()).toBe("Tool: budget");
	await takePictures(editor, "app-beside-run");

	const calls = story.received("finance", "tools/call").length;
	const id = await editor.remembered(/"id":"([\w-]+)","title":"Budget · finance","server":[^{]*\{"year":2028\}/);
	await editor.reloadWithEditor("Budget · finance", id);
	const back = (await editor.webview.app()).app;
	await back.getByText("Budget of 2028").waitFor({ timeout: patience });
	await back.getByText(/\d+ of 1000 left/).waitFor({ timeout: patience });
	expect(story.received("finance", "tools/call")).toHaveLength(calls);
	await takePictures(editor, "app-after-reload");
	// The commands of its title are available as before.
	await editor.page.getByRole("tab", { name: "Budget · finance" }).click();
	await editor.editors.titleAction("Move App to Side Bar");
	await editor.editors.waitUntilClosed("Budget · finance");
	await (await editor.webview.app()).app.getByText("Budget of 2028").waitFor({ timeout: patience });

	// Also where the editor does not restore it automatically.
	await editor.remembered(/"title":"Budget · finance","server":[^]*"place":"sideBar"/);
	await editor.reload();
	const bar = await editor.webview.app();
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
	await (await editor.webview.app()).app.getByText("Budget of 2029").waitFor({ timeout: patience });
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
	const { app } = await editor.webview.app();
	await app.getByText("Budget of 2030").waitFor({ timeout: patience });
	await app.getByText(/\d+ of 1000 left/).waitFor({ timeout: patience });
	expect(story.received("finance", "tools/call")).toHaveLength(calls);
});
