/** Stories of running tools as a user, without any model: from the tree, the palette and the chat. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { answerCall, questionLink } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { shopEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { callsIn, runForm, runPanel } from "./fixtures/toolRuns.ts";
import { clicks, patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import type { PickRow } from "./pages/palette.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;
beforeAll(async () => {
	folder = await TestFolder.create();
	const shop = {
		...shopEntry(folder.file("shop.log"), "--token", "s3cr3t-canary"),
		env: { SHOP_KEY: "s3cr3t-canary" },
	};
	editor = await startEditorWithVsix({
		settings: { ...followsColorScheme, "mcpHost.servers": { shop, small: smallEntry(folder.file("small.log")) } },
		size: { width: 1440, height: 900 },
	});
	await editor.tree.open(container);
	await approve(editor, "shop");
	await approve(editor, "small");
});
afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/** The calls that a server received so far: tool and arguments. */
function calls(server: "shop" | "small"): readonly JsonObject[] {
	return callsIn(folder.file(`${server}.log`));
}

/** Runs the search for flights from the tree, with this origin, and gives the panel with its result. */
async function searchFlights(from: string): Promise<FrameLocator> {
	const before = calls("shop").length;
	await editor.tree.expand(["shop", "Tools"]);
	await editor.tree.click(["shop", "Tools", "Search Flights"]);
	const shown = await runForm(editor, "searchFlights");
	await shown.getByRole("textbox", { name: "from" }).fill(from);
	await shown.locator("#submit").click();
	await expect.poll(() => calls("shop").length).toBe(before + 1);
	const result = await runPanel(editor, "searchFlights", "Done.");
	// The panel shows the previous run until it is updated.
	await result
		.getByRole("group", { name: "Arguments" })
		.filter({ hasText: `"${from}"` })
		.waitFor({ timeout: patience });
	return result;
}

/** Copies a part of a run. The panel reports the copy until it shows something new, such as the end of the run. */
async function copy(result: FrameLocator, button: string, said: string): Promise<string> {
	await waitForCondition(said, async () => {
		await clicks(result.getByRole("button", { name: button, exact: true }));
		return succeeds(result.getByText(said).waitFor({ timeout: 3000 }));
	});
	return editor.page.evaluate<string>("navigator.clipboard.readText()");
}

test("Run Again repeats the same call, Edit and Run fills the form in, copies hold no secrets", async () => {
	const result = await searchFlights("MAD");
	const before = calls("shop").length;
	await result.getByRole("button", { name: "Run Again" }).click();
	await expect.poll(() => calls("shop").length, { timeout: patience }).toBe(before + 1);
	expect(calls("shop").at(-1)).toEqual(calls("shop").at(-2));
	await runPanel(editor, "searchFlights", "Done.");

	const message = JSON.parse(await copy(result, "Copy as JSON-RPC", "Copied as JSON-RPC.")) as JsonObject;
	expect(message).toMatchObject({ method: "tools/call", params: { name: "searchFlights" } });
	const command = await copy(result, "Copy as Command", "Copied as a command");
	expect(command).toContain("--token '<token>'");
	expect(command).toContain("SHOP_KEY='<SHOP_KEY>'");
	expect(command).not.toContain("s3cr3t-canary");
	expect(await copy(result, "Copy Result", "Copied the result.")).toContain("2 flights.");

	await result.getByRole("button", { name: "Edit and Run…" }).click();
	const shown = await runForm(editor, "searchFlights");
	await expect.poll(() => shown.getByRole("textbox", { name: "from" }).inputValue()).toBe("MAD");
	await shown.getByRole("textbox", { name: "from" }).fill("BCN");
	await shown.locator("#submit").click();
	await expect.poll(() => calls("shop").length, { timeout: patience }).toBe(before + 2);
	expect(calls("shop").at(-1)).toMatchObject({ searchFlights: { from: "BCN" } });
	await runPanel(editor, "searchFlights", "Done.");
});

test("a tool that destroys and takes no arguments runs by no stray click or Enter, and is repeated as it was run", async () => {
	const before = calls("shop").length;
	// The list is redrawn when the last run is known, and closed by a panel that takes the focus late.
	await waitForCondition("The tools, the one that ran last first", async () => {
		if ((await editor.palette.rows())[0]?.label === "searchFlights") return true;
		if (!(await editor.palette.input.isVisible())) await editor.palette.run("MCP Host: Run Tool…");
		return false;
	});
	await editor.screenshot("runner-pick");
	await editor.palette.runAndPick("MCP Host: Run Tool…", "emptyTrash");
	// The safe answer has the focus; before it is there, a key would go elsewhere.
	await (await runForm(editor, "emptyTrash")).locator("#cancel:focus").waitFor();
	await editor.page.keyboard.press("Enter");
	await editor.editors.waitUntilClosed("Run emptyTrash");
	expect(calls("shop")).toHaveLength(before);

	await editor.palette.runAndPick("MCP Host: Run Tool…", "emptyTrash");
	const shown = await runForm(editor, "emptyTrash");
	await editor.screenshot("runner-no-arguments");
	await shown.locator("#submit").click();
	const result = await runPanel(editor, "emptyTrash", "Done.");
	expect(calls("shop")).toHaveLength(before + 1);
	await result.getByRole("button", { name: "Run Again" }).click();
	await expect.poll(() => calls("shop").length, { timeout: patience }).toBe(before + 2);
	expect(await editor.dialogs.modal.isVisible()).toBe(false);
});

test("a server may ask the user during a run", async () => {
	await editor.palette.runAndPick("MCP Host: Run Tool…", "elicit");
	await (await runForm(editor, "elicit")).locator("#submit").click();
	const question = await editor.webview.document("asks for your input");
	await question.getByRole("textbox", { name: /name/i }).fill("Ada");
	await editor.screenshot("runner-asked");
	await question.locator("#submit").click();
	const result = await runPanel(editor, "elicit", "Done.");
	expect(await result.locator("main").innerText()).toContain("Ada");
});

test("a running tool is cancelled, and is listed in the history with the others", async () => {
	// The runs of other stories.
	await editor.tree.titleAction("Clear Tool Runs");
	await editor.dialogs.waitForNotification("Cleared the tool runs");
	await editor.dialogs.clearNotifications();
	for (const from of ["BCN", "LIS"]) await searchFlights(from);
	await editor.tree.inlineAction(["shop", "Tools", "wait"], "Run Tool…");
	await (await runForm(editor, "wait")).locator("#submit").click();
	const running = await runPanel(editor, "wait", "Running…");
	await running.getByRole("button", { name: "Cancel" }).click();
	await runPanel(editor, "wait", "You cancelled this call.");

	// A panel that takes the focus late closes the list.
	const runs = async (): Promise<readonly PickRow[]> => {
		if (!(await editor.palette.input.isVisible())) await editor.palette.run("MCP Host: Show Tool Runs…");
		return editor.palette.rows();
	};
	await expect
		.poll(runs)
		.toMatchObject([
			{ label: "wait", description: expect.stringMatching(/^shop · cancelled · /) as string },
			{ label: "searchFlights" },
			{ label: "searchFlights" },
		]);
	await editor.palette.waitForTitle("Tool Runs");
	await editor.screenshot("runner-history");
	await editor.palette.fill("BCN");
	await expect.poll(async () => (await editor.palette.rows()).map(({ label }) => label)).toEqual(["searchFlights"]);
	await editor.palette.pick("searchFlights");
	const result = await runPanel(editor, "searchFlights", "Done.");
	await expect.poll(() => result.getByRole("group", { name: "Arguments" }).innerText()).toContain('"BCN"');
});

test("a workspace's rule refuses a call in the form, and is named", async () => {
	const before = calls("shop").length;
	const file = path.join(editor.workspaceFolder, ".vscode", "mcp-policy.json");
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, JSON.stringify({ rules: [{ server: "shop", tool: "empty*", decision: "deny" }] }));
	await editor.palette.runAndPick("MCP Host: Run Tool…", "emptyTrash");
	const shown = await runForm(editor, "emptyTrash");
	await shown.locator("#submit").click();
	await shown
		.getByText(/denied by .*mcp-policy\.json/)
		.first()
		.waitFor({ timeout: patience });
	await editor.screenshot("runner-denied");
	expect(calls("shop")).toHaveLength(before);
	await shown.locator("#cancel").click();
});

test("the chat runs tools and reads resources without a model: /tools, /call, /resource", async () => {
	await editor.chat.open();
	await editor.chat.waitForModel("No model yet");
	const list = await editor.chat.ask("@mcp /tools flights");
	expect(list).toMatch(/1 of 13 tools/);
	expect(list).not.toContain("emptyTrash");

	const before = calls("shop").length;
	await editor.chat.send('@mcp /call shop/searchFlights {"from": "LIS"}');
	await questionLink(editor, 1, "Allow Once");
	expect(calls("shop")).toHaveLength(before);
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitUntilDone();
	expect(calls("shop").slice(before)).toEqual([{ searchFlights: { from: "LIS" } }]);
	expect(await editor.chat.lastText()).toContain("2 flights.");
	await takePictures(editor, "runner-chat-call");
	await editor.chat.clickLink("Details");
	const details = await runPanel(editor, "searchFlights", "Done.");
	// When the panel shows another run of the tool, that one is complete as well.
	await expect.poll(() => details.locator("header").innerText()).toContain("your chat turn");

	await editor.chat.send("@mcp /call small/echo {text: 1}");
	const shown = await runForm(editor, "echo");
	await editor.chat.waitForText("The form is open instead.");
	await shown.getByRole("textbox", { name: "text" }).fill("from the form");
	await shown.locator("#submit").click();
	await editor.chat.waitForText("from the form");
	await editor.chat.waitUntilDone();
	expect(calls("small").at(-1)).toEqual({ echo: { text: "from the form" } });

	const missing = await editor.chat.ask("@mcp /call shop/searchFlight");
	expect(missing).toContain("Did you mean: shop/searchFlights");

	const read = await editor.chat.ask("@mcp /resource small urn:isbn:0451450523");
	expect(read).toContain("The Last Unicorn");
	await takePictures(editor, "runner-chat-resource");
});
