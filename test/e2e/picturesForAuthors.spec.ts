/**
 * The story of a user who checks a server that they write, and its pictures for docs/server-authors.md:
 * findings in the panel, on the rows and as problems on the source, a kind that is ignored, and an edit that solves one.
 * `npm run pictures e2e/picturesForAuthors` makes the pictures.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { keepPicture, partOf } from "./fixtures/pictures.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	const settings = {
		...followsColorScheme,
		"workbench.startupEditor": "none",
		"editor.minimap.enabled": false,
		// Other programs that listen on the machine are in no picture.
		"remote.autoForwardPorts": false,
	};
	editor = await startEditorWithVsix({ settings, size: { width: 1200, height: 760 } });
});
afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/** A server with three faults: a tool that claims to be read-only, a tool without description, and no MIME type. */
function source(description: string): string {
	return `import { createInterface } from "node:readline";

const tools = [
	{
		name: "find_orders",
		description: ${JSON.stringify(description)},
		inputSchema: {
			type: "object",
			properties: { customer: { type: "string", description: "Such as Smith." } },
		},
	},
	{
		name: "delete_order",
		description: "Deletes an order that was not shipped yet.",
		inputSchema: { type: "object", properties: {} },
		annotations: { readOnlyHint: true },
	},
];
const resources = [{ uri: "orders://today", name: "Orders of today" }];

function answer(method, { protocolVersion, cursor, uri } = {}) {
	const capabilities = { tools: {}, resources: {} };
	const serverInfo = { name: "orders", version: "1.0.0" };
	if (method === "initialize") return { result: { protocolVersion, capabilities, serverInfo } };
	if (method === "ping") return { result: {} };
	if (method === "tools/list") return { result: { tools } };
	if (method === "resources/list") return { result: { resources } };
	if (method === "resources/templates/list") return { result: { resourceTemplates: [] } };
	if (method === "tools/call") return { error: { code: -32602, message: "Unknown tool" } };
	if (method === "resources/read") return { error: { code: -32002, message: "Unknown resource" } };
	return { error: { code: -32601, message: "Method not found" } };
}

createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer(method, params) }));
});
`;
}

/** The rows of the problems about a text. */
function problems(window: Workbench, text: string | RegExp): ReturnType<Workbench["page"]["locator"]> {
	return window.page.locator(".markers-panel .monaco-list-row").filter({ hasText: text });
}

test("a check is seen in its panel, on the rows and in the source, and an edit or the entry settles it (DOC-11, DOC-12)", async () => {
	const entry = { command: process.execPath, args: ["server.mjs"], dev: { watch: "*.mjs" } };
	const files = {
		"server.mjs": source(""),
		".vscode/mcp.json": { servers: { orders: entry } },
		"package.json": { name: "orders", private: true },
	};
	const window = await editor.newWindow(await folder.workspace("orders", files));
	const { tree, palette, editors, page } = window;
	await tree.open(container);
	await approve(window, "orders");
	await tree.expand(["orders", "Tools"]);
	await tree.row(["orders", "Tools", "find_orders"]);
	await palette.openWith("server.mjs");
	await palette.pick("server.mjs");
	await editors.waitForActive("server.mjs");
	await tree.contextMenu("orders", "Check Server");
	await editors.waitForActive("Check: orders");
	const panel = await window.webview.document("Check: orders");
	await panel.getByRole("button", { name: "Check Again" }).waitFor({ timeout: patience });
	const findings = panel.locator("article.finding");
	await findings.filter({ hasText: "It claims to be read-only, and its name says “delete”." }).waitFor();
	await findings.filter({ hasText: "The tool has no description." }).waitFor();
	await tree.waitForSpoken(["orders", "Tools", "find_orders"], /1 finding/);
	await tree.waitForSpoken(["orders", "Tools", "delete_order"], /1 finding/);
	// Below these findings is where Node.js is on this machine.
	await keepPicture(window, "docs/pictures/check", await partOf(window, ".part.editor", 612));
	await takePictures(window, "authors-check");

	await editors.activate("server.mjs");
	await palette.run("Problems: Focus on Problems View");
	await problems(window, "The tool has no description.").waitFor({ timeout: patience });
	const [contradiction, mime] = [problems(window, "It claims to be read-only"), problems(window, "no MIME type")];
	await mime.waitFor({ timeout: patience });
	expect(await contradiction.innerText()).toMatch(/MCP Host: orders[^]*contradicting-annotations[^]*Ln 13\b/);
	await keepPicture(window, "docs/pictures/problems");
	await takePictures(window, "authors-problems");

	// The quick fix has the entry ignore the kind.
	await mime.dblclick();
	await page.locator(".editor-instance .monaco-editor.focused").waitFor({ timeout: patience });
	await page.keyboard.press("ControlOrMeta+.");
	const ignore = page.locator(".action-widget .monaco-list-row", { hasText: "Ignore “no-mime-type” for orders" });
	await ignore.click({ timeout: patience });
	await mime.waitFor({ state: "hidden", timeout: patience });
	const file = path.join(window.workspaceFolder, ".vscode/mcp.json");
	await waitForCondition("The ignored kind in the entry", async () =>
		(await readFile(file, "utf8")).includes("ignoredFindings"),
	);
	expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
		servers: { orders: { ...entry, dev: { watch: "*.mjs", ignoredFindings: ["no-mime-type"] } } },
	});
	await tree.waitForRunning("orders");

	// A saved file restarts the server, and what it solves is gone.
	const text = source("Finds orders by the name of the customer.");
	await editors.activate("server.mjs");
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await page.locator(".editor-instance .view-lines").first().click();
	for (const key of ["a", "v", "s"]) await page.keyboard.press(`ControlOrMeta+${key}`);
	await problems(window, "The tool has no description.").waitFor({ state: "hidden", timeout: patience });
	await contradiction.waitFor({ timeout: patience });
	await tree.waitForSpoken("orders", "since restart: 1 tool changed");

	await editors.activate("Check: orders");
	await panel.getByRole("button", { name: "Check Again" }).click();
	await panel.getByText("1 ignored: no-mime-type.").waitFor({ timeout: patience });
	await takePictures(window, "authors-ignored");
	await window.close();
});
