/** Journeys in a window where servers of every kind run: local, over HTTP, behind a sign-in, huge, and the demo. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type LibraryHttpServer, startLibraryServer } from "../../servers/libraryHttp.ts";
import type { ProtectedServer } from "../../servers/protectedServer.ts";
import { followsColorScheme, takePictures } from "../fixtures/colorScheme.ts";
import { startGuardedServer } from "../fixtures/guardedServer.ts";
import { callsFile, callsReview, namedCalls, showTests, testRow } from "../fixtures/namedCalls.ts";
import { shopEntry, smallEntry } from "../fixtures/serverEntries.ts";
import { approveTogether, container, reviewFromTree } from "../fixtures/serverReview.ts";
import { TestFolder } from "../fixtures/testFolder.ts";
import { callsIn, runForm, runPanel } from "../fixtures/toolRuns.ts";
import { clicks, patience } from "../pages/conditions.ts";
import { answerOnPage, openSignInPage } from "../pages/signIn.ts";
import { type RunningEditor, startEditorWithVsix } from "../pages/startEditor.ts";

let folder: TestFolder;
let library: LibraryHttpServer;
let guarded: ProtectedServer;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	library = await startLibraryServer({ resources: 50_000, pageSize: 2500, prompts: 3 });
	guarded = await startGuardedServer(() => "ann@example.com");
	editor = await startEditorWithVsix({
		workspace: await folder.workspace("shop", { [callsFile]: namedCalls }),
		settings: {
			...followsColorScheme,
			"mcpHost.demoServer": true,
			"mcpHost.servers": {
				shop: shopEntry(folder.file("shop.log")),
				small: smallEntry(folder.file("small.log")),
				library: { url: library.url },
				guarded: { url: guarded.url },
			},
		},
		size: { width: 1440, height: 900 },
	});
	await editor.tree.open(container);
	await approveTogether(editor, "shop", "small", "library");
});

beforeEach(() => editor.tree.open(container));

afterAll(async () => {
	await editor?.stop();
	await guarded?.[Symbol.asyncDispose]();
	await library?.[Symbol.asyncDispose]();
	await folder?.[Symbol.asyncDispose]();
});

test("a click on a tool opens its form; invalid arguments are not sent, sent ones are shown with their rows", async () => {
	const calls = (): unknown => callsIn(folder.file("shop.log"));
	await editor.tree.expand(["shop", "Tools"]);
	await editor.tree.click(["shop", "Tools", "Search Flights"]);
	const shown = await runForm(editor, "searchFlights");
	expect(await shown.locator("main").innerText()).toContain("Lists the flights of a day.");
	await shown.getByRole("textbox", { name: "from" }).fill("MA");
	await shown.locator("#submit").click();
	await shown.locator("[aria-invalid=true]:focus").waitFor({ timeout: patience });
	expect(calls()).toEqual([]);
	await editor.screenshot("runner-form");
	await shown.getByRole("textbox", { name: "from" }).fill("MAD");
	await shown.locator("#submit").click();

	const result = await runPanel(editor, "searchFlights", "Done.");
	expect(calls()).toMatchObject([{ searchFlights: { from: "MAD" } }]);
	expect(await result.locator("tbody tr").allInnerTexts()).toEqual(["DA865\t07:10\t93", "VY1021\t09:45\t61"]);
	await result.getByText("Protocol", { exact: true }).click();
	await expect.poll(() => result.getByRole("group", { name: "Result" }).innerText()).toContain('"structuredContent"');
	await takePictures(editor, "runner-result");
	await result.getByRole("button", { name: "Open in Editor" }).first().click();
	await editor.editors.waitForText(/"VY1021"/);
	await editor.editors.close(/structured\.json/);
	await editor.tree.collapse("shop");
});

test("text, markdown, JSON, an image and an opaque URI open from the tree in the right kind of editor", async () => {
	const { tree, editors } = editor;
	await tree.expand(["small", "Resources"]);
	await tree.click(["small", "Resources", "Read Me"]);
	await editors.waitForActive("read me.md");
	await editors.waitForText("A *small* server.");
	await expect.poll(() => editors.language(), { timeout: patience }).toBe("Markdown");

	await tree.click(["small", "Resources", "settings.json"]);
	await editors.waitForText('{ "small": true }');
	await expect.poll(() => editors.language(), { timeout: patience }).toMatch(/^JSON/);
	await takePictures(editor, "resource-json");

	await tree.click(["small", "Resources", "A Book"]);
	await editors.waitForText("The Last Unicorn");
	await tree.collapse("small");

	await tree.expand(["travel", "Resources"]);
	await tree.click(["travel", "Resources", "Sunset"]);
	await editors.waitForActive("sunset.png");
	const image = (await editor.webview.document()).locator("img");
	await image.waitFor({ timeout: patience });
	await expect
		.poll(() => image.evaluate((element: { readonly naturalWidth: number }) => element.naturalWidth))
		.toBeGreaterThan(50);
	await editor.screenshot("resource-image");
	await tree.collapse("travel");
});

test("a filter shows matches while it is typed, is shown on the group's row, and is cleared by one click", async () => {
	const { tree, palette } = editor;
	const group = ["library", "Resources"];
	await tree.expand(group);
	// A folded group unfolds.
	await tree.collapse(group);
	await tree.inlineAction(group, "Filter…");
	await palette.waitForTitle("Filter Resources");
	await palette.fill("jane 4711");
	await tree.waitForDescription(group, / of 50,000 for “jane 4711”$/);
	// The matches are visible at once, in folders that are open.
	await tree.click([...group, "memo://", "Volume 4711 by Jane Austen"]);
	await editor.editors.waitForActive(/4711/);
	// The matches are visible while the filter is still typed.
	await palette.waitForTitle("Filter Resources");
	await palette.accept();
	await editor.editors.close(/4711/);
	await takePictures(editor, "tree-filter");
	await tree.inlineAction(group, "Filter…");
	await palette.waitForTitle("Filter Resources");
	await palette.fill("no such book");
	await tree.row([...group, "Nothing matches “no such book”"]);
	await palette.cancel();
	await tree.waitForDescription(group, /for “jane 4711”$/);
	await tree.inlineAction(group, "Clear Filter");
	await tree.waitForDescription(group, /^50,000$/);
	await tree.collapse("library");
});

test("the browser's page signs in, and the server runs under the user's account", async () => {
	const { tree, dialogs } = editor;
	await (await reviewFromTree(editor, "guarded")).button("Approve and Start").click();
	await dialogs.waitForModal("Sign in to use “guarded”?");
	const signInPage = await openSignInPage(editor);
	await dialogs.waitForNotification("Waiting for you to sign in at");
	await editor.screenshot("sign-in-waiting-light");
	await answerOnPage(signInPage, "Approve");

	await tree.waitForSpoken("guarded", /^guarded, running, ann@example\.com/);
	await tree.expand("guarded");
	await tree.waitForDescription(["guarded", "Tools"], /^10\b/);
	await expect.poll(() => dialogs.notification("Waiting for you").count(), { timeout: patience }).toBe(0);
	await takePictures(editor, "signed-in");
	const [exchange] = guarded.auth.requests("token");
	expect(exchange?.fields).toMatchObject({ grant_type: "authorization_code", resource: guarded.url });
	await tree.collapse("guarded");
});

test("the Test Explorer runs a file's calls after one question, and shows expected and actual results side by side (CAL-07)", async () => {
	const called = (): readonly string[] => callsIn(folder.file("small.log")).flatMap(Object.keys);
	await showTests(editor);
	await editor.palette.run("Test: Run All Tests");
	const asked = await callsReview(editor, "Run 2 Calls?");
	const text = await asked.locator("main").innerText();
	expect(text).toContain("small · tool add");
	expect(text).toContain('"text": "hello"');
	expect(called()).toEqual([]);
	await takePictures(editor, "named-calls-review");
	await asked.getByRole("button", { name: "Run Once" }).click();
	await testRow(editor, "Adds two numbers", "passed").waitFor({ timeout: patience });
	await testRow(editor, "Repeats the text", "failed").waitFor({ timeout: patience });
	expect(called()).toEqual(["add", "echo"]);

	const results = editor.page.locator(".part.panel");
	const failure = results.locator(".monaco-list-row", { hasText: "Repeats the text" }).first();
	const sides = async (): Promise<string> => {
		await clicks(failure);
		return (await results.first().innerText()).replaceAll("\u00a0", " ");
	};
	await expect.poll(sides, { timeout: patience }).toMatch(/good bye[^]*hello/);
	await takePictures(editor, "named-calls-difference");
	await editor.page.keyboard.press("Escape");
});
