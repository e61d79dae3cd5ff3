/** The doctor's panel, in a browser without VS Code: its content during and after an examination, and its buttons. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DoctorActions } from "../../src/surfaces/doctor/doctorPort.ts";
import type { Examination } from "../../src/surfaces/doctor/examination.ts";
import { launchBrowser } from "../editor/browser.ts";
import { examinationOf, failedFacts, quietProbes } from "./fixtures/doctorScene.ts";
import { FormPage, type FormPageOptions } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The panel on an examination, with the requests of its buttons. */
async function open(examination: Examination, options: FormPageOptions = {}) {
	const asked: string[] = [];
	const actions: DoctorActions = {
		fix: async ({ facts, fix }) => {
			asked.push(`${facts?.definition.name ?? "no server"}: ${fix.title}`);
			return "Done as you wished.";
		},
		copyReport: async () => {
			asked.push("copy");
			return "Copied.";
		},
	};
	const panel = await FormPage.openDoctor(browser, examination, actions, options);
	return { panel, page: panel.page, asked, [Symbol.asyncDispose]: () => panel[Symbol.asyncDispose]() };
}

const looks: readonly (readonly [string, FormPageOptions])[] = [
	["light", { theme: "light" }],
	["dark", { theme: "dark" }],
	["high-contrast", { theme: "high-contrast" }],
	["high-contrast-light", { theme: "high-contrast-light" }],
	["narrow", { theme: "dark", size: { width: 290, height: 900 } }],
];

test.each(looks)("the cause is first, with its evidence and its fixes: %s (DOC-05, DOC-07)", async (look, options) => {
	const examination = examinationOf({ acme: failedFacts("acme") });
	await using shown = await open(examination, options);
	await examination.run();
	const cause = shown.page.getByRole("article", { name: "Cause" });
	await cause.waitFor();
	await expect
		.poll(() => cause.innerText())
		.toMatch(
			/Cause · Start · \/ws\/\.vscode\/mcp\.json:3[^]*ACME_API_KEY is not set[^]*Error: ACME_API_KEY is required/,
		);
	await shown.page.getByText("npx is /usr/bin/npx").waitFor();
	const passed = shown.page.getByRole("article").filter({ hasText: "The trace contains the messages" });
	await passed.getByText("Messages", { exact: true }).click();
	await passed.getByText(/Z initialize: never answered: the connection ended, 312 ms/).waitFor();
	await shown.panel.screenshot(`doctor-view-${look}`);
	await passed.getByRole("button", { name: "Show in Trace" }).click();
	expect(await shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	await cause.getByRole("button", { name: "Set Variable…" }).click();
	await shown.page.getByText("Done as you wished.").waitFor();
	await shown.page.getByRole("button", { name: "Copy Report" }).click();
	await shown.page.getByText("Copied.").waitFor();
	expect(shown.asked).toEqual(["acme: Show in Trace", "acme: Set Variable…", "copy"]);
	expect(shown.panel.trouble).toEqual([]);
});

test("a running examination shows its progress, and can be cancelled", async () => {
	const waiting = Promise.withResolvers<string | undefined>();
	const examination = examinationOf(
		{ acme: failedFacts("acme"), other: failedFacts("other") },
		quietProbes({ version: () => waiting.promise }),
		[
			{
				layer: "file",
				weight: "cause",
				what: '“broken”: "command" must be a string.',
				fixes: [{ kind: "open", title: "Open Entry", place: { path: ["servers", "broken"] } }],
			},
		],
	);
	await using shown = await open(examination);
	const running = examination.run();
	await shown.page.getByText("Checking acme: Command…").waitFor();
	await shown.panel.screenshot("doctor-view-looking");
	await shown.page.getByRole("button", { name: "Cancel" }).click();
	await shown.page.getByText("Cancelled.").waitFor();
	waiting.resolve(undefined);
	await running;
	await shown.page.getByRole("button", { name: "Check Again" }).click();
	await shown.page.getByText("2 servers · 2 that cannot start").waitFor();
	await shown.panel.screenshot("doctor-view-all");
	await shown.page.getByRole("region", { name: "Configuration" }).getByRole("button", { name: "Open Entry" }).click();
	await expect.poll(() => shown.asked).toEqual(["no server: Open Entry"]);
});

test("texts of servers stay texts, however they are made", async () => {
	const facts = failedFacts("acme", {
		state: {
			kind: "failed",
			message: "Its last output was: “<img src=x onerror=alert(1)>”.",
			stderr: ["<script>alert(1)</script>", "\u202Eright to left", `${"long ".repeat(200)}end`],
		},
	});
	const examination = examinationOf({ acme: facts });
	await using shown = await open(examination, { size: { width: 290, height: 700 } });
	await examination.run();
	await shown.page.getByText("<script>alert(1)</script>").waitFor();
	expect(await shown.page.getByRole("article", { name: "Cause" }).innerText()).toContain("\\u202Eright to left");
	expect(await shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	expect(shown.panel.trouble).toEqual([]);
});

test("forged messages do nothing (UI-06)", async () => {
	const examination = examinationOf({ acme: failedFacts("acme") });
	await using shown = await open(examination);
	await examination.run();
	for (const args of [
		[],
		["acme", "x", "0"],
		[{}, null, 1],
		["acme", examination.view.servers[0]?.findings[0]?.key, "99"],
	])
		shown.panel.forge({ rpc: "call", id: 1000, method: "fix", args });
	await shown.page.getByRole("button", { name: "Copy Report" }).click();
	await shown.page.getByText("Copied.").waitFor();
	expect(shown.asked).toEqual(["copy"]);
});
