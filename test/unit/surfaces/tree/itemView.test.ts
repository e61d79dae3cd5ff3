import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Resource } from "../../../../src/servers/sessions/session.ts";
import { fromEditorUri } from "../../../../src/features/resources/uri.ts";
import { badgeFor } from "../../../../src/surfaces/tree/changedResources.ts";
import { tooltipOf } from "../../../../src/surfaces/tree/tooltip.ts";
import type { NodeView } from "../../../../src/surfaces/tree/view.ts";
import { icons } from "../../../servers/libraryMedia.ts";
import { hostileTexts } from "../../../servers/libraryTexts.ts";
import { TreeScene, tool } from "./treeScene.ts";

let scene: TreeScene;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

const uri = "cal://2026/June";

/** The row of the only resource. */
async function rowOf(resource: Partial<Resource> = {}): Promise<NodeView> {
	await scene.travel.run({ resources: [{ uri, name: "june", ...resource }] });
	return scene.view(scene.rows("resources")[0]);
}

describe("a resource", () => {
	test("shows its URI beside its title; its size, importance and readers are announced, and in the tooltip (UI-26)", async () => {
		const annotations = { priority: 0.75, audience: ["assistant" as const] };
		const { description, spoken } = await rowOf({ title: "June 2026", size: 1536, annotations });
		expect(description).toBe(uri);
		expect(spoken).toBe(`June 2026, resource, ${uri}, 1.5 KB, priority 0.75, for assistant`);
		expect((await rowOf({ annotations: { audience: ["user", "assistant"] } })).spoken).toBe(`june, resource, ${uri}`);
		expect((await rowOf({ annotations: { priority: 0 } })).spoken).toBe(`june, resource, ${uri}, priority 0`);
	});

	test("shows its state in this window in words, for menus too", async () => {
		await rowOf();
		const row = (): NodeView => scene.view(scene.rows("resources")[0]);
		expect(row()).toMatchObject({ description: uri, context: "resource watchable" });
		scene.setState(uri, { isOpen: true });
		expect(row()).toMatchObject({ description: "live", context: "resource watchable open" });
		scene.setState(uri, { isWatched: true, isOpen: true });
		expect(row()).toMatchObject({ description: "watched", context: "resource watchable watched open" });
		scene.setState(uri, { isWatched: true, isChanged: true });
		expect(row()).toMatchObject({
			description: "changed",
			spoken: `june, resource, changed, watched, ${uri}`,
			context: "resource watchable watched changed",
		});
	});

	test("is not shown as live, nor offered to be watched, if the server does not notify of changes", async () => {
		await scene.travel.run({ resources: [{ uri, name: "june" }] }, { capabilities: { resources: {} } });
		scene.setState(uri, { isOpen: true });
		expect(scene.view(scene.rows("resources")[0])).toMatchObject({ description: uri, context: "resource open" });
	});

	test("on its own is redrawn when its state changes", async () => {
		await rowOf();
		const [row] = scene.rows("resources");
		scene.settle();
		scene.announced.length = 0;
		scene.setState(uri, { isChanged: true });
		scene.setState("cal://not/shown", { isChanged: true });
		scene.settle();
		expect(scene.announced).toEqual([[row]]);
	});

	test("with a declared type is opened by the editor itself; one without is read first", async () => {
		const typed = await rowOf({ mimeType: "text/markdown" });
		expect(typed.command).toBeUndefined();
		expect(typed.file?.path).toBe("/travel/cal/2026/June.md");
		expect(typed.file && fromEditorUri(typed.file)).toEqual({ server: scene.id, uri });
		const untyped = await rowOf();
		expect(untyped.command).toEqual({
			id: "mcpHost.openResource",
			title: "Open Resource",
			argument: { server: scene.id, uri },
		});
		expect(untyped.file && fromEditorUri(untyped.file)).toEqual({ server: scene.id, uri });
	});

	test.each([
		"command:workbench.action.quit",
		"vscode://settings",
		"javascript:alert(1)",
		"https://x/y",
		"file:///etc/passwd",
	])("%s is never passed to the editor except as a file of ours (RES-01, RES-03, RES-09)", async (hostile) => {
		const { file } = await rowOf({ uri: hostile, mimeType: "text/plain" });
		expect(file?.scheme).toBe("mcphost-resource");
		expect(file && fromEditorUri(file)).toEqual({ server: scene.id, uri: hostile });
	});

	test("has several contents below it as soon as they are known (BLT-22, BLT-23)", async () => {
		scene.parts.set(uri, [
			{ uri: `${uri}/1`, mimeType: "text/plain", size: 10 },
			{ uri: `${uri}/1`, mimeType: undefined, size: 4 },
		]);
		const row = await rowOf({ mimeType: "image/png" });
		expect(row).toMatchObject({ isCollapsible: true, context: "resource watchable several" });
		expect(row.file?.path.endsWith("/June.txt")).toBe(true);
		const parts = scene.rows("resources").flatMap((node) => scene.children(node));
		expect(parts.map((part) => scene.view(part).description)).toEqual(["content 1", "content 2"]);
		expect(parts.map((part) => scene.view(part).label)).toEqual(["1", "1"]);
		expect(new Set(parts.map(({ id }) => id)).size).toBe(2);
		expect(parts[1]).toMatchObject({ kind: "part", server: scene.id, uri, part: 1 });
		const addresses = parts.map((part) => scene.view(part).file).map((file) => file && fromEditorUri(file));
		expect(addresses).toEqual([
			{ server: scene.id, uri, part: 0 },
			{ server: scene.id, uri, part: 1 },
		]);
	});

	test("has the icon of its type, and its server's if that can be shown (UI-10)", async () => {
		expect(await rowOf({ mimeType: "text/markdown" })).toMatchObject({ icon: { id: "markdown" }, picture: undefined });
		const { picture, icon } = await rowOf({ icons: [icons.svg, icons.https, icons.png] });
		expect(picture?.light).toBe(icons.png.src);
		expect(icon).toEqual({ id: "symbol-file" });
	});

	test.each(Object.entries(hostileTexts))(
		"with a hostile name stays one row: %s (RES-08, UI-04)",
		async (_key, text) => {
			const { label, description, spoken } = await rowOf({ name: text, title: text });
			expect(label).not.toBe("");
			for (const shown of [label, description, spoken ?? ""]) {
				// oxlint-disable-next-line no-control-regex -- these are what must not be there
				expect(shown).not.toMatch(/[\u0000-\u001F\u200B\u202A-\u202E\u2028\u2060]/);
				expect(shown.length).toBeLessThan(500);
			}
		},
	);

	test("has a plain-text tooltip", async () => {
		const annotations = { priority: 1, audience: ["user" as const], lastModified: "2026-11-21T08:00:00Z" };
		await rowOf({ title: "June", description: "$(warning) [x](command:y)", size: 3, annotations });
		scene.setState(uri, { isChanged: true });
		const [row] = scene.rows("resources");
		if (row === undefined) throw new Error("There is no row.");
		const live = {
			stateOf: () => ({ isWatched: true, isOpen: false, isChanged: true }),
			answeredAs: () => "x://other",
		};
		const text = tooltipOf(row, { live }) ?? "";
		expect(text).not.toMatch(/[^\\](\$\(|\]\()/);
		const plain = text.replaceAll("\\", "");
		for (const fact of ["Size: 3 bytes", "Audience: user", "Priority: 1", "Last modified: 2026-11-21T08:00:00Z"]) {
			expect(plain).toContain(fact);
		}
		expect(plain).toContain("It changed since you opened it.");
		expect(plain).toContain("The server answered with the contents of x://other.");
	});
});

describe("other rows", () => {
	test("of templates have their opened resources below", async () => {
		const template = { uriTemplate: "weather://{city}", name: "weather", mimeType: "text/plain" };
		await scene.travel.run({ resourceTemplates: [template] });
		expect(scene.view(scene.rows("resourceTemplates")[0])).toMatchObject({ isCollapsible: false });
		scene.opened.push({ uri: "weather://Rome" }, { uri: "weather://Oslo" });
		scene.settle();
		scene.announced.length = 0;
		scene.resultsChanged.fire({ server: scene.id, uriTemplate: "weather://{city}" });
		scene.settle();
		const [row] = scene.rows("resourceTemplates");
		expect(scene.announced.flat().map((node) => node?.id)).toEqual([row?.id]);
		expect(scene.view(row)).toMatchObject({ isCollapsible: true, context: "template" });
		const results = row === undefined ? [] : scene.children(row);
		expect(results.map((node) => scene.view(node).label)).toEqual(["weather://Rome", "weather://Oslo"]);
		expect(results[0]).toMatchObject({ server: scene.id, uriTemplate: "weather://{city}", uri: "weather://Rome" });
		expect(scene.view(results[0])).toMatchObject({ context: "template-result" });
		expect(scene.view(results[0]).file?.path).toMatch(/Rome/);
	});

	test("of pinned prompts come first and are marked", async () => {
		await scene.travel.run({ prompts: [{ name: "a" }, { name: "b", title: "Bee" }, { name: "c" }] });
		scene.pinned.add("c").add("b");
		scene.settle();
		scene.announced.length = 0;
		scene.pinsChanged.fire();
		scene.settle();
		expect(scene.announced.flat()).toEqual([scene.group("prompts")]);
		expect(scene.picture(scene.group("prompts"))).toBe("Bee  pinned\nc  pinned\na\n");
		const contexts = scene.rows("prompts").map((node) => scene.view(node).context);
		expect(contexts).toEqual(["prompt pinned", "prompt pinned", "prompt"]);
	});

	test("of tools have their kind in the accessible name", async () => {
		await scene.travel.run({ tools: [tool("pay", { annotations: { destructiveHint: true } })] });
		expect(scene.view(scene.rows("tools")[0]).spoken).toBe("pay, tool, destructive");
	});
});

describe("the number of changed resources", () => {
	test("counts watched ones, until the user looked at them or their server is gone", async () => {
		const told: number[] = [];
		scene.changes.onDidChange((count) => told.push(count));
		scene.setState("a", { isWatched: true, isChanged: true });
		scene.setState("b", { isWatched: true, isChanged: true });
		scene.setState("b", { isWatched: true, isChanged: true });
		scene.setState("c", { isOpen: true, isChanged: true });
		expect(scene.changes.count).toBe(2);
		scene.setState("a", { isWatched: true });
		expect(scene.changes.count).toBe(1);
		scene.directory.set();
		expect(scene.changes.count).toBe(0);
		// A server that returns shows its rows as changed as before.
		scene.directory.set(scene.travel);
		expect(scene.changes.count).toBe(1);
		expect(told).toEqual([1, 2, 1, 0, 1]);
	});

	test("is the view's badge, unless a question waits, whose number it must not be mistaken for", () => {
		expect(badgeFor(0, 0)).toBeUndefined();
		expect(badgeFor(1, 0)).toEqual({ value: 1, tooltip: "1 watched resource changed" });
		expect(badgeFor(3, 0)).toEqual({ value: 3, tooltip: "3 watched resources changed" });
		expect(badgeFor(3, 1)).toBeUndefined();
	});
});

test("the tooltip of a tool has what Check Server found about it, as text (DOC-11)", async () => {
	await scene.travel.run({ tools: [tool("book")] });
	const [row] = scene.rows("tools");
	const checked = { ofTool: (_server: string, name: string) => (name === "book" ? ["It says <b>“book”</b>."] : []) };
	const text = row && tooltipOf(row, { checked });
	expect(text).toMatch(/Found by \*Check Server\*:\n\n- It says .*book/);
	expect(text).not.toContain("<b>");
	expect(row && tooltipOf(row)).not.toContain("Check Server");
});
