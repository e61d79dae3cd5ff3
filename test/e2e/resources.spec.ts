/**
 * Stories of resources: opened as editors from the tree and the palette, live, and restored after a reload; and of
 * resource templates: filled in by one form, opened, remembered, forgotten.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../servers/httpServer.ts";
import { messagesOf } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TemplateForm } from "./fixtures/templateForm.ts";
import { patience, pressUntil } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let http: HttpServer;
let editor: RunningEditor;

beforeAll(async () => {
	http = await startHttpServer();
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.demoServer": true,
			"mcpHost.servers": { small: { url: http.url } },
			"workbench.editor.enablePreview": false,
		},
	});
	await editor.tree.open(container);
	await approve(editor, "small");
});

afterAll(async () => {
	await editor?.stop();
	await http?.[Symbol.asyncDispose]();
});

test("an open editor follows its resource, also after an update of equal length, for as long as it is open", async () => {
	const { tree, editors } = editor;
	await tree.expand(["small", "Resources"]);
	await tree.click(["small", "Resources", "Counter"]);
	await editors.waitForText("count 000000");
	await expect.poll(() => subscriptionsTo("small://counter"), { timeout: patience }).toBeGreaterThan(0);
	http.world.change("resource");
	await editors.waitForText("count 000001");
	http.world.change("resource");
	await editors.waitForText("count 000002");
	await editor.screenshot("resource-live");
});

test("a list that changes is shown again and keeps its expanded rows", async () => {
	const { tree } = editor;
	await tree.expand(["small", "Resources"]);
	const before = Number((await tree.read(["small", "Resources"])).description);
	http.world.change("resources");
	await tree.waitForDescription(["small", "Resources"], new RegExp(`^${before + 1}$`));
	await tree.row(["small", "Resources", "added 1"]);
	await tree.collapse("small");
});

test("Open Resource… finds a resource of any server by its title or URI", async () => {
	const { palette, editors } = editor;
	await palette.run("MCP Host: Open Resource…");
	await palette.waitForRow("A Book");
	await palette.fill("packing");
	await palette.waitForRow("Packing List");
	await editor.screenshot("open-resource");
	await palette.pick("Packing List");
	await editors.waitForActive("packing-list.md");
	await editors.waitForText("Rain jacket");
	await expect.poll(() => editors.language(), { timeout: patience }).toBe("Markdown");
});

test("a resource's URI is copied exactly as the server wrote it", async () => {
	await editor.tree.expand(["small", "Resources"]);
	await editor.tree.contextMenu(["small", "Resources", "settings.json"], "Copy URI");
	const clipboard = (): Promise<string> => editor.page.evaluate<string>("navigator.clipboard.readText()");
	await expect.poll(clipboard, { timeout: patience }).toBe("small://data/settings.json?view=full#top");
	await editor.tree.contextMenu(["small", "Resources", "A Book"], "Copy URI");
	await expect.poll(clipboard, { timeout: patience }).toBe("urn:isbn:0451450523");
	await editor.tree.collapse(["small", "Resources"]);
});

test("an open resource is restored after a reload, and is live", async () => {
	const { editors, tree } = editor;
	await tree.expand(["small", "Resources"]);
	await tree.click(["small", "Resources", "Counter"]);
	await editors.waitForText(/count \d{6}/);
	const count = async (): Promise<number> => Number(/count (\d{6})/.exec(await editors.visibleText())?.[1]);
	const last = await count();
	const before = subscriptionsTo("small://counter");
	await editor.reloadWithEditor("counter");
	await editors.waitForActive("counter");
	await expect.poll(count).toBe(last);
	await expect.poll(() => subscriptionsTo("small://counter"), { timeout: patience }).toBeGreaterThan(before);
	http.world.change("resource");
	await expect.poll(count).toBe(last + 1);
});

/** How often a client subscribed to changes of a resource: with a listening stream, or on a legacy connection by name. */
function subscriptionsTo(uri: string): number {
	const requests = ["subscriptions/listen", "resources/subscribe"].flatMap((method) =>
		messagesOf(http.received, method),
	);
	return requests.filter(({ params }) => JSON.stringify(params).includes(JSON.stringify(uri))).length;
}

/** Where the template of small's cities is in the tree. */
const city = ["small", "Resource Templates", "A City"] as const;

/** Opens small's resources of these cities from the palette, first the one and then the other. */
async function openCities(...places: readonly (readonly [country: string, city: string])[]): Promise<void> {
	for (const [country, name] of places) {
		const form = await TemplateForm.fromPalette(editor, "A City");
		await form.field("country").fill(country);
		await form.field("city").fill(name);
		await form.submit();
		await editor.editors.waitForText(`city: ${country}/${name}`);
	}
}

/** The cities below their template. */
async function results(): Promise<readonly string[]> {
	const rows = await editor.tree.rows();
	return rows.flatMap(({ label }) => (label.startsWith("small://city/") ? [label] : []));
}

/** Forgets the values entered for small's cities, by any story. */
async function forgetCities(): Promise<void> {
	await editor.tree.expand(["small", "Resource Templates"]);
	// A folded row hides the rows below it, and has nothing to unfold once they are forgotten.
	const isKept = async (): Promise<boolean> => (await editor.tree.read(city)).isExpanded !== undefined;
	if (!(await isKept())) return;
	await editor.tree.contextMenu(city, "Forget Template History");
	await expect.poll(isKept).toBe(false);
}

test("a template is filled in from the tree with the keyboard alone, with the server's completions and their context", async () => {
	const { tree, editors, page } = editor;
	await tree.expand(["small", "Resource Templates"]);
	await tree.click(city);
	const form = await TemplateForm.of(editor, "A City");
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

test("earlier values are offered again, before the server's suggestions", async () => {
	await forgetCities();
	await openCities(["France", "Paris"]);
	const form = await TemplateForm.fromPalette(editor, "A City");
	await form.waitForFocus("country");
	await form.press("ArrowDown");
	await form.waitForSuggestions({ "Recently used": ["France"], Suggestions: ["Portugal", "Spain"] });
	await form.press("ArrowDown", "Enter", "Tab", "ArrowDown");
	await form.waitForSuggestions({ "Recently used": ["Paris"], Suggestions: ["Lyon", "Nice"] });
	await editor.screenshot("template-recent");
	await form.press("ArrowDown", "ArrowDown", "Enter", "Control+Enter");
	await editor.editors.waitForText("city: France/Lyon");
});

test("a resource that the server does not have is refused with one message, and need not be entered again", async () => {
	const { dialogs, editors } = editor;
	const before = await editors.titles();
	const form = await TemplateForm.fromPalette(editor, "Activities");
	await form.document.locator("#field-0").fill("Atlantis");
	await form.document.locator("#field-1").fill("food");
	await form.submit();
	const message = await dialogs.waitForNotification("travel://activities/Atlantis/food");
	expect(message).toMatch(/travel/);
	await editor.screenshot("resource-missing");
	for (const name of ["Show Log", "Show in Trace"])
		expect(await dialogs.notification("Atlantis").getByRole("button", { name }).count()).toBe(1);
	expect(await editor.page.locator(".notifications-toasts .notification-toast").count()).toBe(1);
	await dialogs.clearNotifications();
	await expect.poll(() => editors.titles()).toEqual(before);
	const again = await TemplateForm.fromPalette(editor, "Activities");
	await again.waitForPreview("travel://activities/Atlantis/food");
	await editors.close("Template: Activities");
});

test("a typed URI is offered for the server with a matching template, and is listed below the template then", async () => {
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

test("a key binding opens a fully given resource, and asks for the missing parts of a partly given one", async () => {
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
	const isOpen = async (): Promise<boolean> => (await editors.activeTitle()).startsWith("Porto");
	await pressUntil(page, "Control+Alt+1", "The resource of the key binding", isOpen);
	await editors.waitForText("city: Portugal/Porto");
	const isAsked = async (): Promise<boolean> => (await editors.activeTitle()) === "Template: A City";
	await pressUntil(page, "Control+Alt+2", "The form of the other key binding", isAsked);
	const form = await TemplateForm.of(editor, "A City");
	await form.waitForPreview("small://city/Portugal/{city} (still needed: city)");
	await editors.close("Template: A City");
});

test("results and entered values are restored after a reload, and can be forgotten", async () => {
	const { tree, editors } = editor;
	await forgetCities();
	await openCities(["France", "Paris"], ["France", "Lyon"], ["Portugal", "Porto"]);
	await editor.reloadWithMemory("small://city/Portugal/Porto");
	await tree.open(container);
	await tree.expand(city);
	await expect
		.poll(results, { timeout: patience })
		.toEqual(["small://city/Portugal/Porto", "small://city/France/Lyon", "small://city/France/Paris"]);
	await tree.click([...city, "small://city/France/Paris"]);
	await editors.waitForText("city: France/Paris");

	await tree.inlineAction([...city, "small://city/France/Lyon"], "Forget");
	await expect
		.poll(results, { timeout: patience })
		.toEqual(["small://city/Portugal/Porto", "small://city/France/Paris"]);
	const form = await TemplateForm.fromPalette(editor, "A City");
	await form.waitForFocus("country");
	await form.press("ArrowDown");
	await form.waitForSuggestions({ "Recently used": ["Portugal", "France"], Suggestions: ["Spain"] });
	await editors.close("Template: A City");

	await tree.contextMenu(city, "Forget Template History");
	await expect.poll(results, { timeout: patience }).toEqual([]);
	const fresh = await TemplateForm.fromPalette(editor, "A City");
	await fresh.waitForFocus("country");
	await fresh.press("ArrowDown");
	await fresh.waitForSuggestions({ Suggestions: ["France", "Portugal", "Spain"] });
	await editors.close("Template: A City");
});
