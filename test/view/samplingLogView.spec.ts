/** Sampling requests in the activity, in a browser without VS Code: their entries, search and actions. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { activityLines } from "../../src/records/activity/journal/export.ts";
import { itemsOf, recordsOf } from "../../src/records/activity/journal/items.ts";
import { launchBrowser } from "../editor/browser.ts";
import { arrival, finish } from "../unit/records/activity/recordScene.ts";
import { entries, fillDay, showLog, today } from "./fixtures/samplingLogPanel.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

for (const theme of ["light", "dark", "high-contrast", "high-contrast-light"] as const) {
	test(`shows requester, request, changes, usage and decider, in ${theme} (BLT-19: system prompt and parameters are there)`, async () => {
		await using shown = await showLog(browser, fillDay, { theme });
		const { page } = shown.panel;
		expect(await entries(shown).count()).toBe(7);
		expect(await page.locator(".totals").innerText()).toBe(
			"7 entries · sampling used about 2,424 tokens in, 130 out · $0.0022 and more: some prices are unknown",
		);
		await entries(shown).nth(1).click();
		const detail = page.locator(".detail");
		await detail.getByRole("heading", { name: /Sampling request: returned by you/ }).waitFor();
		for (const part of [
			"Be brief. The key is ⟦GitHub token 1⟧.",
			"What is the weather in Zürich?",
			"I do not know\\u202E.",
			"Max tokens",
			'"END"',
			"image, image/png",
			"Attempt 1: answered by hand",
			"Attempt 2: small:8b",
			"the server's hint “small” fits it",
			"312 in, 85 out",
			"$0.0012",
			"2.1 s",
			"endTurn",
			"It is fine in Bern, I think.",
			"It is sunny in Bern.",
			"askTool, your turn “what is the weather?”",
		]) {
			// A block of text is drawn only once the browser has seen that it is visible.
			await expect.poll(() => detail.innerText()).toContain(part);
		}
		const changes = detail.getByRole("group", { name: /Changes of Message 1/ });
		await expect.poll(() => changes.locator("ins").allInnerTexts()).toContain("Bern");
		await shown.panel.screenshot(`sampling-log-${theme}`);
		await page
			.locator(".detail")
			.evaluate((element: { scrollIntoView(where: boolean): void }) => element.scrollIntoView(false));
		await shown.panel.screenshot(`sampling-log-${theme}-end`);
		await page.setViewportSize({ width: 290, height: 900 });
		const isWide = "document.documentElement.scrollWidth > innerWidth";
		expect(await page.evaluate<boolean>(isWide)).toBe(false);
		await page.evaluate("scrollTo(0, 0)");
		await shown.panel.screenshot(`sampling-log-${theme}-narrow-entry`);
		await page.getByRole("button", { name: "← All Entries" }).click();
		expect(await page.evaluate<boolean>(isWide)).toBe(false);
		await page.locator("#search").waitFor();
		await shown.panel.screenshot(`sampling-log-${theme}-narrow`);
		expect(shown.panel.trouble).toEqual([]);
	});
}

test("finds by text, server, model, decision, decider and day; totals, export and copy cover the matches", async () => {
	await using shown = await showLog(browser, fillDay);
	const { page } = shown.panel;
	const count = async (number: number): Promise<void> => expect.poll(() => entries(shown).count()).toBe(number);
	await page.getByLabel("Search").fill("  ZÜRICH? ");
	await count(1);
	expect(await page.locator(".totals").innerText()).toBe(
		"1 of 7 entries · sampling used 312 tokens in, 85 out · $0.0012",
	);
	await page.getByRole("button", { name: "Export Filtered…" }).click();
	await page.getByText("Exported 1 entries.").waitFor();
	await page.getByRole("button", { name: "Show All" }).click();
	await count(7);
	await page.getByRole("button", { name: "Export…" }).click();
	await page.getByText("Exported 7 entries.").waitFor();
	const all = itemsOf(await shown.window.journal.read());
	expect(shown.exported).toEqual([all.slice(1, 2), all].map((items) => activityLines(recordsOf(items))));
	// Characters with a meaning in a pattern match only themselves.
	await page.getByLabel("Search").fill("(.*)");
	await count(0);
	await page.getByText("No entries match.").waitFor();
	await page.getByRole("button", { name: "Show All" }).click();
	await count(7);
	await page.getByLabel("Server", { exact: true }).selectOption("user:travel");
	await count(2);
	await page.getByLabel("Outcome").selectOption({ label: "Denied" });
	await count(1);
	await entries(shown).click();
	await page.locator(".detail", { hasText: "Ask for less, please." }).waitFor();
	await page.getByRole("button", { name: "Copy as JSON" }).click();
	await page.getByText("Copied as JSON Lines.").waitFor();
	expect(shown.copied.map(({ sampling }) => sampling?.end)).toEqual([{ reason: "Ask for less, please." }]);
	await page.getByRole("button", { name: "Show All" }).click();
	await count(7);
	await page.getByLabel("Model").selectOption("by hand");
	await count(1);
	await page.getByRole("button", { name: "Show All" }).click();
	await count(7);
	await page.getByLabel("Decided by").selectOption("Auto-approve under budget, in this workspace");
	await count(1);
	await page.getByRole("button", { name: "Show All" }).click();
	await count(7);
	const day = (time: number): string => new Date(time).toLocaleDateString("sv-SE");
	await page.getByLabel("To", { exact: true }).fill(day(today - 2 * 86_400_000));
	await count(1);
	await page.getByLabel("From").fill(day(today - 3 * 86_400_000));
	await page.getByLabel("To", { exact: true }).fill(day(today - 3 * 86_400_000));
	await count(1);
	await page.getByLabel("To", { exact: true }).fill(day(today - 4 * 86_400_000));
	await count(0);
	expect(shown.panel.trouble).toEqual([]);
});

test("the search and the shown entry survive a view that is closed and reopened (UI-07)", async () => {
	await using shown = await showLog(browser, fillDay);
	const { page } = shown.panel;
	await page.getByLabel("Server", { exact: true }).selectOption("user:travel");
	await expect.poll(() => entries(shown).count()).toBe(2);
	await entries(shown).first().click();
	await page.locator(".detail").waitFor();
	await shown.panel.show();
	await page.locator(".detail", { hasText: "Ask for less, please." }).waitFor();
	expect(await page.getByLabel("Server", { exact: true }).inputValue()).toBe("user:travel");
	expect(await entries(shown).count()).toBe(2);
});

test("updates while it is open; clearing keeps requests in review", async () => {
	await using shown = await showLog(browser, () => undefined);
	const { page } = shown.panel;
	await page.getByText("No entries yet.").waitFor();
	await shown.panel.screenshot("sampling-log-empty");
	const entry = arrival();
	const open = shown.window.log.open(entry);
	await page.locator(".entry", { hasText: "the server asked for a completion" }).click();
	await page.getByRole("heading", { name: /Sampling request: the server asked/ }).waitFor();
	finish(open, entry.at);
	await page.getByRole("heading", { name: /Sampling request: returned by you/ }).waitFor();
	await page.locator(".detail", { hasText: "It is sunny." }).waitFor();
	shown.window.log.open(arrival());
	await expect.poll(() => entries(shown).count()).toBe(2);
	await page.getByRole("button", { name: "Clear…" }).click();
	await page.getByText("Cleared.").waitFor();
	const texts = async (): Promise<string> => (await entries(shown).allInnerTexts()).join("\n");
	await expect.poll(texts).toMatch(/entries removed \(cleared by you\)[^]*the server asked for a completion/);
	expect(await entries(shown).count()).toBe(2);
	// The entry that was shown no longer exists.
	await page.getByText("Select an entry").waitFor();
	expect(shown.panel.trouble).toEqual([]);
});

test("the list and an entry are used by keyboard", async () => {
	await using shown = await showLog(browser, fillDay);
	const { page } = shown.panel;
	const focused = (): Promise<string> => page.evaluate<string>("document.activeElement.textContent.trim()");
	await page.locator("#search:focus").waitFor();
	await entries(shown).first().focus();
	await page.keyboard.press("ArrowDown");
	expect(await focused()).toContain("What is the weather in Zürich?".slice(0, 10));
	await page.keyboard.press("End");
	await page.keyboard.press("ArrowUp");
	expect(await focused()).toContain("refused by At most 20 requests a minute");
	await page.keyboard.press("Home");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await page.locator(".detail").waitFor();
	expect(await page.locator(".entry[aria-current]").count()).toBe(1);
	// One stop for the whole list.
	expect(await page.locator(".entry[tabindex='0']").count()).toBe(1);
	await page.keyboard.press("Escape");
	await expect.poll(() => page.locator(".detail").count()).toBe(0);
	expect(await focused()).toContain("small:8b");
});
