/** The panel of a tool run, in a browser without VS Code: calls, and the answers of hostile servers. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { loadSchemaChecks } from "../../src/base/schema/schema.ts";
import type { RunPanelActions } from "../../src/surfaces/runner/runPort.ts";
import { ToolRun } from "../../src/surfaces/runner/toolRun.ts";
import { readCatalog } from "../../src/permissions/catalog/catalog.ts";
import { judgeResult } from "../../src/features/tools/results/result.ts";
import { launchBrowser } from "../editor/browser.ts";
import { pixelPng, silentWav } from "../servers/libraryMedia.ts";
import { directoryOf, serve, tool, type ToolSession } from "../unit/features/tools/toolSession.ts";
import { FormPage, type FormPageOptions } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const flights = tool(
	"searchFlights",
	{ from: { type: "string" } },
	{
		title: "Search Flights",
		annotations: { readOnlyHint: true, openWorldHint: true },
		outputSchema: {
			type: "object",
			properties: { flights: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } } },
		},
	},
);

/** A panel on a run, with the requests of its buttons. */
interface Shown extends AsyncDisposable {
	readonly panel: FormPage<ToolRun>;
	readonly asked: string[];
	readonly server: ToolSession;
	readonly run: ToolRun;
}

async function show(
	args: JsonObject,
	result?: CallToolResult,
	{ changedFile, ...options }: FormPageOptions & { readonly changedFile?: string } = {},
): Promise<Shown> {
	const server = await serve("travel", flights);
	const directory = directoryOf(server);
	const [entry] = readCatalog(directory).entries;
	if (entry === undefined) throw new Error("no tool");
	const run = new ToolRun(entry, args);
	run.begin(Date.UTC(2026, 10, 21, 9, 30));
	const judged = result === undefined ? undefined : judgeResult(await loadSchemaChecks(), flights, result);
	if (judged !== undefined) {
		run.end({ kind: "done", result: judged, wanted: args, sent: args, isEdited: false, milliseconds: 1234 }, 1234);
	}
	const asked: string[] = [];
	const note = async (...what: readonly unknown[]): Promise<string> => {
		asked.push(what.join(" "));
		return "Copied.";
	};
	const actions: RunPanelActions = {
		act: (_run, action) => note(action),
		openText: async (_run, text) => void (await note("text", text)),
		openBlock: async (_run, index) => void (await note("open", index)),
		saveBlock: (_run, index) => note("save", index),
		copyAddress: (_run, index) => note("copy", index),
	};
	const sources = { changedFile: () => changedFile, onDidChange: () => ({ dispose: () => undefined }) };
	const panel = await FormPage.openRun(browser, run, { directory, actions, sources }, options);
	return { panel, asked, server, run, [Symbol.asyncDispose]: () => panel[Symbol.asyncDispose]() };
}

const rich: CallToolResult = {
	content: [
		{ type: "text", text: "3 flights from MAD to BCN.\nPrices in EUR." },
		{ type: "image", data: pixelPng, mimeType: "image/png" },
		{ type: "audio", data: silentWav, mimeType: "audio/wav" },
		{ type: "resource_link", uri: "flights://today", name: "Today's flights" },
		{ type: "resource", resource: { uri: "notes://1", mimeType: "text/plain", text: "A note." } },
	],
	structuredContent: {
		currency: "EUR",
		flights: [
			{ number: "DA865", departs: "07:10", price: 93, seats: { economy: 12 } },
			{ number: "VY1021", departs: "09:45", price: 61, seats: { economy: 3 } },
			{ number: "IB3012", departs: "12:00", price: "sold out", seats: null },
		],
	},
};

for (const theme of ["light", "dark", "high-contrast"] as const) {
	test(`shows a call whole, and its violations of the output schema (BLT-39): ${theme}`, async () => {
		await using shown = await show({ from: "MAD", note: "late\u202Enight" }, rich, { theme });
		const { page } = shown.panel;
		expect(await page.locator("h1").innerText()).toBe("searchFlights");
		expect(await page.locator("main").innerText()).toMatch(/read-only · open world/);
		expect(await page.getByRole("group", { name: "Arguments" }).innerText()).toContain("late\\u202Enight");
		expect(await page.locator(".timing").innerText()).toMatch(/^1\.2 s · started at /);
		expect(await page.locator("tbody tr").count()).toBe(3);
		expect(await page.locator("main").innerText()).toContain("does not match the tool's output schema");
		await expect
			.poll(() => page.locator("img").evaluate((image: { naturalWidth: number }) => image.naturalWidth))
			.toBe(1);
		await page.getByText("Protocol", { exact: true }).click();
		await shown.panel.screenshot(`tool-run-${theme}`);
		await page.setViewportSize({ width: 290, height: 900 });
		const wide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
		expect(wide).toBe(false);
		await shown.panel.screenshot(`tool-run-${theme}-narrow`);
		expect(shown.panel.trouble).toEqual([]);
	});
}

test("says which source file changed, with the log of the call beside its result, and restarts and runs again by one click", async () => {
	await using shown = await show({ from: "MAD" }, rich, { changedFile: "server.mjs" });
	const { page } = shown.panel;
	shown.run.noteLog("looking for flights from MAD");
	await page.getByRole("group", { name: "Log of this call" }).getByText("looking for flights").waitFor();
	expect(await page.locator("main").innerText()).toContain("server.mjs changed since the server started.");
	await shown.panel.screenshot("tool-run-changed");
	await page.getByRole("button", { name: "Restart and Run Again" }).click();
	await expect.poll(() => shown.asked).toEqual(["restart-and-run"]);
	await page.setViewportSize({ width: 290, height: 900 });
	expect(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")).toBe(false);
	expect(shown.panel.trouble).toEqual([]);
});

test("buttons do what they say, for this run only", async () => {
	await using shown = await show({ from: "MAD" }, rich);
	const { page } = shown.panel;
	for (const name of ["Run Again", "Edit and Run…", "Copy Result", "Copy as JSON-RPC", "Copy as Command"]) {
		await page.getByRole("button", { name, exact: true }).click();
	}
	await page.getByRole("button", { name: "Open flights://today" }).click();
	await page.getByRole("button", { name: /^Save image\/png/ }).click();
	await page.getByRole("button", { name: "JSON", exact: true }).click();
	expect(await page.getByLabel("Structured content as JSON").innerText()).toContain('"DA865"');
	await page.getByRole("button", { name: "Table", exact: true }).click();
	await page.getByRole("columnheader", { name: "price" }).waitFor();
	await page.getByText("Protocol", { exact: true }).click();
	await page.getByRole("button", { name: "Request", exact: true }).click();
	expect(await page.getByRole("group", { name: "Request" }).innerText()).toContain('"method": "tools/call"');
	await page.getByRole("button", { name: "Open in Editor" }).last().click();
	await expect
		.poll(() => shown.asked)
		.toEqual(["run-again", "edit", "copy-result", "copy-json-rpc", "copy-command", "open 3", "save 1", "text request"]);
	// Messages that the view would never send are refused (UI-06).
	const call = (method: string, ...args: readonly unknown[]): void =>
		shown.panel.forge({ rpc: "call", id: 999, method, args });
	call("act", "another run", "run-again");
	call("act", shown.run.id, "delete-everything");
	call("openBlock", shown.run.id, "3");
	call("constructor");
	await page.getByRole("button", { name: "Copy Result" }).click();
	await expect.poll(() => shown.asked.length).toBe(9);
});

test("a double click on Run Again is one decision, and a table marks what it leaves out", async () => {
	const wide = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`column ${index}`, index]));
	await using shown = await show({ from: "MAD" }, { content: [], structuredContent: { flights: [wide] } });
	const { page } = shown.panel;
	await page.getByText("The first 24 of 40 columns.").waitFor();
	await page.getByRole("button", { name: "Run Again" }).dblclick();
	await page.getByRole("button", { name: "Copy Result" }).click();
	await expect.poll(() => shown.asked).toEqual(["run-again", "copy-result"]);
});

test("a running call shows its progress and is cancelled; no other button takes the Enter that follows", async () => {
	await using shown = await show({ from: "MAD" });
	const { page } = shown.panel;
	shown.run.note({ progress: 2, total: 5, message: "<b>Searching</b>" });
	await page.getByText("<b>Searching</b> (2 of 5)").waitFor();
	expect(await page.locator("progress").getAttribute("value")).toBe("2");
	expect(await page.getByRole("button", { name: "Run Again" }).isDisabled()).toBe(true);
	await shown.panel.screenshot("tool-run-running");
	await page.getByRole("button", { name: "Cancel" }).click();
	await expect.poll(() => shown.asked).toEqual(["cancel"]);
	shown.run.end({ kind: "cancelled" }, 20);
	await page.getByText("You cancelled this call").waitFor();
	await page.keyboard.press("Enter");
	await page.keyboard.press(" ");
	expect(shown.asked).toEqual(["cancel"]);
	expect(shown.panel.trouble).toEqual([]);
});

const payloads = [
	"<script>alert(1)</script><img src=x onerror=alert(1)><img src=https://canary.example/p.png>",
	"[click](command:workbench.action.quit) ![](https://canary.example/p.png) https://canary.example/",
	"<iframe srcdoc='<script>alert(1)</script>'></iframe><svg onload=alert(1)><details open ontoggle=alert(1)>",
	"<style>body{display:none}</style></main><form action=https://canary.example><button>Send</button></form>",
	"<!--lit-part--><?lit$123456789$?> ${alert(1)} $(shield) Verified",
];

test.each(payloads)("%s stays text in every place of a server's text (UI-01 to UI-05)", async (payload) => {
	const named = { [payload]: payload, rows: [{ [payload]: payload }, { [payload]: 2 }] };
	await using shown = await show(
		{ [payload]: payload },
		{
			content: [
				{ type: "text", text: payload },
				{ type: "image", data: Buffer.from(payload).toString("base64"), mimeType: payload },
				{ type: "resource_link", uri: `file:///etc/passwd?${payload}`, name: payload },
				{ type: "resource_link", uri: "command:workbench.action.quit", name: payload },
				{ type: "resource", resource: { uri: `x:${payload}`, mimeType: payload, text: payload } },
				{ type: "hologram", data: payload } as never,
			],
			structuredContent: named,
		},
	);
	const { page } = shown.panel;
	shown.run.noteLog(payload);
	await page.getByText("Protocol", { exact: true }).click();
	const strange = "a, svg, iframe, object, video, form, main style, base, template, script:not([nonce]), [onerror]";
	expect(await page.locator("body").locator(strange).count()).toBe(0);
	expect(await page.locator("img").count()).toBe(0);
	expect(await page.locator("main").count()).toBe(1);
	expect(await page.locator("main").innerText()).toContain(payload.slice(0, 20));
	expect(shown.panel.trouble).toEqual([]);
	expect(shown.asked).toEqual([]);
});

test("a million characters and 20 MB do not stop the window (TOL-15, UI-12)", async () => {
	const rows = Array.from({ length: 20_000 }, (_, index) => ({ index, text: "x".repeat(200) }));
	await using shown = await show(
		{ from: "MAD" },
		{
			content: [
				{ type: "text", text: "long line ".repeat(100_000) },
				...Array.from({ length: 500 }, (_, index) => ({
					type: "text" as const,
					text: `block ${index} ${"y".repeat(30_000)}`,
				})),
			],
			structuredContent: { rows },
		},
	);
	const { page } = shown.panel;
	expect(await page.locator("main").innerText()).toMatch(/Only the beginning of 1,000,000 characters is shown/);
	expect(await page.locator("main").innerText()).toMatch(/more parts are not shown here/);
	expect(await page.evaluate<number>("document.body.innerText.length")).toBeLessThan(2_000_000);
	await page.getByRole("button", { name: "JSON", exact: true }).click();
	await page.getByText("Protocol", { exact: true }).click();
	await page.getByRole("button", { name: "Copy Result" }).click();
	await expect.poll(() => shown.asked).toEqual(["copy-result"]);
	expect(shown.panel.trouble).toEqual([]);
});
