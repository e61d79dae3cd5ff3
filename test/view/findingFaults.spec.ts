/** Ten faults of real servers, found in the trace by the steps of docs/finding-faults.md (TRC-43). */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTraceRequest } from "../../src/surfaces/trace/traceRequest.ts";
import { launchBrowser } from "../editor/browser.ts";
import { PlantedFaults, plantedFaults, writtenFaults } from "../integration/plantedFaults.ts";
import { showReader } from "./fixtures/tracePanel.ts";

let browser: Browser;
let scene: PlantedFaults;
beforeAll(async () => {
	[browser, scene] = await Promise.all([launchBrowser(), PlantedFaults.meet()]);
});
afterAll(async () => {
	await scene?.[Symbol.asyncDispose]();
	await browser?.close();
});

test("finds each in at most three steps: a button beside the filter, and its row", async () => {
	const { trace, host } = scene.host;
	await using shown = await showReader(browser, trace, { theme: "dark", size: { width: 1300, height: 420 } });
	const { page } = shown.panel;
	for (const [index, { steps, what, outcome }] of writtenFaults.entries()) {
		const { server, tool } = plantedFaults[index] ?? {};
		for (const step of steps) {
			const label = step.replaceAll("*", "");
			if (label === "Show in Trace") {
				const { id } = scene.host.session(server ?? "").definition;
				const request = readTraceRequest({ server: id, tool }, host.registry, trace);
				shown.port.ask(request);
				// Until then the rows are the previous ones.
				await expect.poll(() => page.locator("#filter").inputValue()).toBe(request.filter);
			} else if (label !== "Show Trace" && label !== "the row") {
				const button = page.getByRole("button", { name: label, exact: true });
				// A second click would release it.
				if ((await button.getAttribute("aria-pressed")) === "false") await button.click();
				await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
			}
		}
		const row = page.locator(".line.level-1", { hasText: what }).filter({ hasText: outcome });
		await row.click();
		await page.locator("#detail h2", { hasText: what }).waitFor();
		await expect.poll(() => page.locator("#detail .outcome").innerText()).toContain(outcome);
		await shown.panel.screenshot(`finding-${index + 1}`);
	}
	expect(shown.panel.trouble).toEqual([]);
});

for (const theme of ["light", "dark", "high-contrast", "high-contrast-light"] as const) {
	test(`finds all of them, in ${theme}`, async () => {
		const size = { width: 1300, height: 900 };
		await using shown = await showReader(browser, scene.host.trace, { theme, size });
		const { page } = shown.panel;
		await page.locator("#filter").fill("server:planted,weak");
		await page.keyboard.press("Enter");
		await page.locator(".line.waiting", { hasText: "waiting for you" }).waitFor();
		await shown.panel.screenshot(`finding-${theme}`);
		await page.setViewportSize({ width: 420, height: 700 });
		await page.locator(".line.waiting", { hasText: "waiting for you" }).waitFor();
		await shown.panel.screenshot(`finding-${theme}-narrow`);
		expect(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")).toBe(false);
		expect(shown.panel.trouble).toEqual([]);
	});
}
