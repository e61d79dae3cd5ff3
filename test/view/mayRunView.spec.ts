/** The page that lists what may run, in a browser without VS Code: its lines, its buttons, and the effect of revoking. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Emitter } from "../../src/base/event.ts";
import type { MayRunAction } from "../../src/surfaces/mayRun/mayRun.ts";
import type { MayRunSource } from "../../src/surfaces/mayRun/mayRunPort.ts";
import type { MayRunLine } from "../../src/surfaces/mayRun/mayRunProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage, type FormPageOptions } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const server: MayRunLine = {
	name: "travel",
	words: "may start · starts when a window opens · running",
	details: ["npx -y @acme/travel@1.2.0", "configured in .vscode/mcp.json in shop", "approved by you on 11/28/2026"],
	action: { key: "server", title: "Revoke…" },
};
const hostile: MayRunLine = {
	name: "<img src=x onerror=alert(1)>",
	words: `may not start: unapproved ${"long".repeat(100)}`,
	details: [],
};
const grant: MayRunLine = {
	name: "search of travel",
	words: "in this workspace",
	details: ["Grants", "given today"],
	action: { key: "grant", title: "Revoke" },
};

async function open(options: FormPageOptions = {}) {
	const asked: MayRunAction[] = [];
	const changed = new Emitter<void>();
	let grants = [grant];
	const source: MayRunSource = {
		page: () => ({
			sections: [
				{ title: "Servers", note: "A server starts only after you approved it.", lines: [server, hostile], none: "" },
				{ title: "Tool Calls", note: "Every other call asks.", lines: grants, none: "No grants." },
				{ title: "Organization", note: "Policies decide first.", lines: [], none: "No policy limits MCP servers." },
			],
			actions: new Map<string, MayRunAction>([
				["server", { kind: "revoke-server", id: "travel", name: "travel" }],
				["grant", { kind: "revoke-grant", id: "g1" }],
			]),
		}),
		onDidChange: changed.event,
		act: async (action) => {
			asked.push(action);
			grants = [];
			changed.fire();
			return "Revoked.";
		},
		copy: async () => "Copied.",
	};
	const panel = await FormPage.openMayRun(browser, source, options);
	return { panel, page: panel.page, asked, [Symbol.asyncDispose]: () => panel[Symbol.asyncDispose]() };
}

const looks: readonly (readonly [string, FormPageOptions])[] = [
	["light", { theme: "light" }],
	["dark", { theme: "dark" }],
	["high-contrast", { theme: "high-contrast" }],
	["narrow", { theme: "dark", size: { width: 290, height: 900 } }],
];

test.each(looks)("each line shows what may run and why, and revokes it: %s (CFG-46)", async (look, options) => {
	await using shown = await open(options);
	const { page } = shown;
	await page.getByRole("region", { name: "Organization" }).getByText("No policy limits MCP servers.").waitFor();
	await page.getByText("<img src=x onerror=alert(1)>").waitFor();
	await shown.panel.screenshot(`may-run-${look}`);
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	await page.getByRole("button", { name: "Revoke: search of travel" }).click();
	await page.getByText("Revoked.").waitFor();
	await page.getByText("No grants.").waitFor();
	expect(shown.asked).toEqual([{ kind: "revoke-grant", id: "g1" }]);
	await page.getByRole("button", { name: "Copy as Markdown" }).click();
	await page.getByText("Copied.").waitFor();
	expect(shown.panel.trouble).toEqual([]);
});

test("forged messages do nothing (UI-06)", async () => {
	await using shown = await open();
	for (const args of [[], ["other"], [{}], ['{"kind":"revoke-server"}']])
		shown.panel.forge({ rpc: "call", id: 1000, method: "act", args });
	await shown.page.getByRole("button", { name: "Copy as Markdown" }).click();
	await shown.page.getByText("Copied.").waitFor();
	expect(shown.asked).toEqual([]);
});
