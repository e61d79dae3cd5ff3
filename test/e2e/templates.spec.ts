/** Stories of resource templates: filled in by one form, opened, remembered, forgotten. */
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../servers/httpServer.ts";
import { type LibraryHttpServer, startLibraryServer } from "../servers/libraryHttp.ts";
import { messagesOf } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { patience, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let http: HttpServer;
let library: LibraryHttpServer;
let editor: RunningEditor;

beforeAll(async () => {
	http = await startHttpServer();
	library = await startLibraryServer({ resources: 100, tools: 0, prompts: 0 });
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.demoServer": true,
			"mcpHost.servers": { small: { url: http.url }, library: { url: library.url } },
			"workbench.editor.enablePreview": false,
		},
	});
	await editor.tree.open(container);
	await approve(editor, "small");
	await approve(editor, "library");
});

afterAll(async () => {
	await editor?.stop();
	await http?.[Symbol.asyncDispose]();
	await library?.[Symbol.asyncDispose]();
});

/** Where the template of small's cities is in the tree. */
const city = ["small", "Resource Templates", "A City"] as const;

/** A template's form that is open. */
class TemplateForm {
	readonly document: FrameLocator;

	private constructor(document: FrameLocator) {
		this.document = document;
	}

	/** Waits for the form of the template with this title. */
	static async of(title: string): Promise<TemplateForm> {
		await editor.editors.waitForActive(`Template: ${title}`);
		return new TemplateForm(await editor.webview.document(`Open a resource from ${title}`));
	}

	/** The form of a template, by way of the palette. */
	static async fromPalette(title: string): Promise<TemplateForm> {
		await editor.palette.run("MCP Host: Open Resource from Template…");
		// The list is longer than the palette.
		await editor.palette.fill(title);
		await editor.palette.pick(title);
		return TemplateForm.of(title);
	}

	/** A variable's control, by the name that a screen reader says. */
	field(name: string): Locator {
		return this.document.getByRole("combobox", { name, exact: true });
	}

	/** Waits until a control has the focus. */
	async waitForFocus(name: string): Promise<void> {
		await this.field(name).and(this.document.locator(":focus")).waitFor({ timeout: patience });
	}

	/** What a person reads as the URI. */
	async waitForPreview(text: string): Promise<void> {
		const preview = this.document.getByRole("status", { name: "URI", exact: true });
		await expect.poll(() => preview.innerText(), { timeout: patience }).toBe(text);
	}

	/** The rows below the control that is typed into, by the names of their groups. */
	async waitForSuggestions(expected: Readonly<Record<string, readonly string[]>>): Promise<void> {
		const read = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
			const groups = await this.document.getByRole("listbox").getByRole("group").all();
			const entries = groups.map(async (group) => {
				const label = (await group.locator(".group-label").textContent()) ?? "";
				const rows = await group.getByRole("option").allTextContents();
				return [label.trim(), rows.map((row) => row.trim())] as const;
			});
			return Object.fromEntries(await Promise.all(entries));
		};
		await expect.poll(read, { timeout: patience }).toEqual(expected);
	}

	/** Presses keys one after the other, wherever the focus is. */
	async press(...keys: readonly string[]): Promise<void> {
		for (const key of keys) await editor.page.keyboard.press(key);
	}

	async submit(): Promise<void> {
		await this.document.getByRole("button", { name: "Open Resource", exact: true }).click();
	}
}

test("a template is filled in from the tree with the keyboard alone, with the server's completions and their context", async () => {
	const { tree, editors, page } = editor;
	await tree.expand(["small", "Resource Templates"]);
	await tree.click(city);
	const form = await TemplateForm.of("A City");
	await form.waitForFocus("country");
	await form.waitForPreview("small://city/{country}/{city} (still needed: country, city)");
	await page.keyboard.type("Fr");
	await form.waitForSuggestions({ Suggestions: ["France"] });
	await form.press("ArrowDown", "Enter", "Tab");
	await form.waitForFocus("city");
	await form.waitForPreview("small://city/France/{city} (still needed: city)");
	await form.press("ArrowDown");
	await form.waitForSuggestions({ Suggestions: ["Lyon", "Nice", "Paris"] });
	await takePictures(editor, "template-form");
	await page.keyboard.type("Par");
	const asked = (): unknown => messagesOf(http.received, "completion/complete").at(-1)?.["params"];
	await expect.poll(asked, { timeout: patience }).toMatchObject({
		ref: { type: "ref/resource", uri: "small://city/{country}/{city}" },
		argument: { name: "city", value: "Par" },
		context: { arguments: { country: "France" } },
	});
	await form.waitForSuggestions({ Suggestions: ["Paris"] });
	await form.press("ArrowDown", "Enter");
	await form.waitForPreview("small://city/France/Paris");
	await form.press("Control+Enter");
	await editors.waitForText("city: France/Paris");
	// A row without children has nothing to expand: a click would open the form.
	await expect.poll(async () => (await tree.read(city)).isExpanded, { timeout: patience }).toBe(false);
	await tree.expand(city);
	await tree.row([...city, "small://city/France/Paris"]);
	await editor.screenshot("template-results");
});

test("what is missing is explained below its field, in words that a screen reader hears; Escape leaves", async () => {
	const form = await TemplateForm.fromPalette("A City");
	for (const name of ["country", "city"]) {
		expect(await form.field(name).getAttribute("aria-required")).toBe("true");
	}
	await form.submit();
	await form.document
		.getByText("country is required: the URI would have a hole without it.")
		.waitFor({ timeout: patience });
	await form.waitForFocus("country");
	expect(await form.field("country").getAttribute("aria-invalid")).toBe("true");
	const notes = form.document.locator(`#${await form.field("country").getAttribute("aria-describedby")}`);
	expect(await notes.innerText()).toContain("country is required");
	await editor.screenshot("template-missing");
	await form.press("Escape");
	await editor.editors.waitUntilClosed("Template: A City");
});

test("what was entered before is offered again, before the server's suggestions", async () => {
	const form = await TemplateForm.fromPalette("A City");
	await form.waitForFocus("country");
	await form.press("ArrowDown");
	await form.waitForSuggestions({ "Recently used": ["France"], Suggestions: ["Portugal", "Spain"] });
	await form.press("ArrowDown", "Enter", "Tab", "ArrowDown");
	await form.waitForSuggestions({ "Recently used": ["Paris"], Suggestions: ["Lyon", "Nice"] });
	await editor.screenshot("template-recent");
	await form.press("ArrowDown", "ArrowDown", "Enter", "Control+Enter");
	await editor.editors.waitForText("city: France/Lyon");
});

test("a list takes a value per line, and the URI shows what becomes of each", async () => {
	const { page } = editor;
	const form = await TemplateForm.fromPalette("A Path of Shelves");
	const path = form.document.getByRole("textbox", { name: "path", exact: true });
	await form.waitForPreview("tree://shelves");
	await path.focus();
	await page.keyboard.type("north wing");
	await form.press("Enter");
	await page.keyboard.type("a/b");
	await form.waitForPreview("tree://shelves/north%20wing/a%2Fb");
	await form.press("Tab");
	await page.keyboard.type("top/1");
	await form.waitForPreview("tree://shelves/north%20wing/a%2Fb#top/1");
	await takePictures(editor, "template-list");
	await form.press("Control+Enter");
	await editor.editors.waitForText("tree://shelves/north%20wing/a%2Fb#top/1");
});

test("of 100,000 values 100 are shown, and what was typed last counts (PRM-05)", async () => {
	const many = await TemplateForm.fromPalette("100,000 Values");
	await many.waitForFocus("value");
	await editor.page.keyboard.type("value-0");
	await many.document.getByText("100 of 100,000 values, type to narrow").first().waitFor({ timeout: patience });
	expect(await many.document.getByRole("option").count()).toBe(100);
	await editor.screenshot("template-many");
	await editor.editors.close("Template: 100,000 Values");

	const slow = await TemplateForm.fromPalette("Completed Slowly and Out of Order");
	await slow.waitForFocus("word");
	for (const letter of "abcd") {
		const before = library.received.length;
		await editor.page.keyboard.type(letter);
		await expect.poll(() => library.received.length, { timeout: patience }).toBeGreaterThan(before);
	}
	await slow.waitForSuggestions({ Suggestions: ["abcda", "abcdab", "abcdabc", "abcdabcd", "abcdabcde"] });
	await editor.editors.close("Template: Completed Slowly and Out of Order");
});

test("a resource that the server does not have is refused with one message, and need not be entered again", async () => {
	const { dialogs, editors } = editor;
	const before = await editors.titles();
	const form = await TemplateForm.fromPalette("Activities");
	await form.document.locator("#field-0").fill("Atlantis");
	await form.document.locator("#field-1").fill("food");
	await form.submit();
	const message = await dialogs.waitForNotification("travel://activities/Atlantis/food");
	expect(message).toMatch(/travel/);
	await editor.screenshot("resource-missing");
	expect(await dialogs.notification("Atlantis").getByRole("button", { name: "Show Log" }).count()).toBe(1);
	expect(await editor.page.locator(".notifications-toasts .notification-toast").count()).toBe(1);
	await dialogs.clearNotifications();
	expect(await editors.titles()).toEqual(before);
	const again = await TemplateForm.fromPalette("Activities");
	await again.waitForPreview("travel://activities/Atlantis/food");
	await editors.close("Template: Activities");
});

test("a typed URI is offered of the server whose template makes it, and stands below the template then", async () => {
	const { palette, editors, tree } = editor;
	await palette.run("MCP Host: Open Resource…");
	await palette.fill("small://item/42");
	const rows = await palette.waitForRow("Read from small");
	const first = rows.find(({ label }) => label.startsWith("Read from"));
	expect(first).toMatchObject({ label: "Read from small", detail: "Matches its template small://item/{id}" });
	await palette.pick("Read from small");
	await editors.waitForText("item: 42");
	const item = ["small", "Resource Templates", "An Item"];
	await expect.poll(async () => (await tree.read(item)).isExpanded, { timeout: patience }).toBe(false);
	await tree.expand(item);
	await tree.row([...item, "small://item/42"]);
});

test("a key binding opens what it gives in full, and asks for the rest of what it gives in part", async () => {
	const { editors, page, tree } = editor;
	const args = { server: "small", uriTemplate: "small://city/{country}/{city}" };
	const command = "mcpHost.openResourceFromTemplate";
	await editor.writeKeybindings([
		{ key: "ctrl+alt+1", command, args: { ...args, variables: { country: "Portugal", city: "Porto" } } },
		{ key: "ctrl+alt+2", command, args: { ...args, variables: { country: "Portugal" } } },
	]);
	await editor.reload();
	await tree.open(container);
	await tree.expand(["small", "Resource Templates"]);
	await waitForCondition("The resource of the key binding", async () => {
		await page.keyboard.press("Control+Alt+1");
		return (await editors.activeTitle()).startsWith("Porto");
	});
	await editors.waitForText("city: Portugal/Porto");
	await page.keyboard.press("Control+Alt+2");
	const form = await TemplateForm.of("A City");
	await form.waitForPreview("small://city/Portugal/{city} (still needed: city)");
	await editors.close("Template: A City");
});

test("results and entered values are back after the window was loaded again, and can be forgotten", async () => {
	const { tree, editors } = editor;
	await editor.reload();
	await tree.open(container);
	await tree.expand(city);
	const results = async (): Promise<readonly string[]> =>
		(await tree.rows()).flatMap(({ label }) => (label.startsWith("small://city/") ? [label] : []));
	await expect
		.poll(results, { timeout: patience })
		.toEqual(["small://city/Portugal/Porto", "small://city/France/Lyon", "small://city/France/Paris"]);
	await tree.click([...city, "small://city/France/Paris"]);
	await editors.waitForText("city: France/Paris");

	await tree.inlineAction([...city, "small://city/France/Lyon"], "Forget");
	await expect
		.poll(results, { timeout: patience })
		.toEqual(["small://city/Portugal/Porto", "small://city/France/Paris"]);
	const form = await TemplateForm.fromPalette("A City");
	await form.waitForFocus("country");
	await form.press("ArrowDown");
	await form.waitForSuggestions({ "Recently used": ["Portugal", "France"], Suggestions: ["Spain"] });
	await editors.close("Template: A City");

	await tree.contextMenu(city, "Forget Template History");
	await expect.poll(results, { timeout: patience }).toEqual([]);
	const fresh = await TemplateForm.fromPalette("A City");
	await fresh.waitForFocus("country");
	await fresh.press("ArrowDown");
	await fresh.waitForSuggestions({ Suggestions: ["France", "Portugal", "Spain"] });
	await editors.close("Template: A City");
});

test("the form is usable in a narrow window and in high contrast", async () => {
	const { page } = editor;
	const form = await TemplateForm.fromPalette("A City");
	await form.field("country").fill("France");
	await page.setViewportSize({ width: 700, height: 700 });
	await page.emulateMedia({ forcedColors: "active" });
	await page.locator(".monaco-workbench.hc-black, .monaco-workbench.hc-light").waitFor({ timeout: patience });
	await form.document.getByRole("button", { name: "Open Resource", exact: true }).scrollIntoViewIfNeeded();
	await editor.screenshot("template-narrow-contrast");
});
