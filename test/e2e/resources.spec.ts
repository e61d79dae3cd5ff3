/** Stories of resources: opened as editors from the tree and the palette, live, and back after a reload. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../servers/httpServer.ts";
import { messagesOf } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";
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
	const width = await image.evaluate((element: { readonly naturalWidth: number }) => element.naturalWidth);
	expect(width).toBeGreaterThan(50);
	await editor.screenshot("resource-image");
	await tree.collapse("travel");
});

test("an open editor follows its resource, an update of equal length included, for as long as it is open", async () => {
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

test("a list that changes is shown again without losing what is expanded", async () => {
	const { tree } = editor;
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
});

test("an open resource is back after the window was loaded again, and live", async () => {
	const { editors } = editor;
	await editors.activate("counter");
	await editors.waitForText("count 000002");
	const before = subscriptionsTo("small://counter");
	await editor.reloadWithEditor("counter");
	// Which of the tabs was active last is remembered with a delay.
	await editors.activate("counter");
	await editors.waitForText("count 000002");
	await expect.poll(() => subscriptionsTo("small://counter"), { timeout: patience }).toBeGreaterThan(before);
	http.world.change("resource");
	await editors.waitForText("count 000003");
});

/** How often a client asked to hear of changes of a resource: by a listening stream, or on a legacy connection by name. */
function subscriptionsTo(uri: string): number {
	const requests = ["subscriptions/listen", "resources/subscribe"].flatMap((method) =>
		messagesOf(http.received, method),
	);
	return requests.filter(({ params }) => JSON.stringify(params).includes(JSON.stringify(uri))).length;
}
