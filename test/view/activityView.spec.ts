/** The activity, in a browser without VS Code: its entries, its search and its actions. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../editor/browser.ts";
import { showActivity, type ShownActivity } from "./fixtures/activityPanel.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const rows = ({ panel }: ShownActivity) => panel.page.locator(".entries .entry");
const isWide = "document.documentElement.scrollWidth > innerWidth";

for (const theme of ["light", "dark", "high-contrast", "high-contrast-light"] as const) {
	test(`shows events, deciders and decisions without a question, in ${theme} (JRN-16)`, async () => {
		await using shown = await showActivity(browser, { theme });
		const { page } = shown.panel;
		expect(await rows(shown).count()).toBe(12);
		const texts = (await rows(shown).allInnerTexts()).join("\n");
		for (const part of [
			"crashed (It ended with code 1.)",
			"added to User Settings",
			"bookHotel of travel, in this session",
			"sign-in started (asked for read, write)",
			"not answered: it may have taken effect (The connection ended.)",
			"denied by rule 2 of User Settings: deny travel · cancel*",
			"cancelTrip\\u202E=evil<b>",
			"answered after 1.2 s · allowed with arguments that you changed",
			"You were not asked",
			"approved by you",
		]) {
			expect(texts).toContain(part);
		}
		await rows(shown).filter({ hasText: "bookHotel" }).filter({ hasText: "answered" }).click();
		const detail = page.locator("article.detail");
		await detail.getByRole("heading", { name: /bookHotel: answered/ }).waitFor();
		for (const part of ["you were asked", "Zürich", "Bern", "sent", "Booked.", "a model"])
			expect(await detail.innerText()).toContain(part);
		await shown.panel.screenshot(`activity-${theme}`);
		await page.setViewportSize({ width: 290, height: 900 });
		expect(await page.evaluate<boolean>(isWide)).toBe(false);
		await shown.panel.screenshot(`activity-${theme}-narrow-entry`);
		await page.getByRole("button", { name: "← All Entries" }).click();
		expect(await page.evaluate<boolean>(isWide)).toBe(false);
		await shown.panel.screenshot(`activity-${theme}-narrow`);
		// The list begins in the visible area; the filters are a click away.
		expect(await page.getByLabel("Kind").isVisible()).toBe(false);
		await page.getByRole("button", { name: "More Filters" }).click();
		await page.getByLabel("Kind").selectOption("server");
		await page.getByRole("button", { name: "Fewer Filters" }).click();
		await page.getByRole("button", { name: "More Filters (1 set)" }).waitFor();
		expect(shown.panel.trouble).toEqual([]);
	});
}

test("an entry links to its messages, where this window has them (JRN-17)", async () => {
	await using shown = await showActivity(browser);
	const { page } = shown.panel;
	const button = page.getByRole("button", { name: "Show in Trace" });
	await rows(shown).filter({ hasText: "bookHotel" }).filter({ hasText: "answered" }).click();
	await button.click();
	await expect.poll(() => shown.traced).toEqual(["here-7"]);
	await rows(shown).filter({ hasText: "note://plan" }).click();
	await page.locator("article.detail", { hasText: "another-3" }).waitFor();
	expect(await button.count()).toBe(0);
});

test("an entry of a denied call explains that its arguments were not kept, and links to the setting (JRN-20)", async () => {
	await using shown = await showActivity(browser);
	const { page } = shown.panel;
	const detail = page.locator("article.detail");
	await rows(shown).filter({ hasText: "denied by rule 2" }).click();
	await detail.getByText("The arguments and the result of this call were not kept.").waitFor();
	await shown.panel.screenshot("activity-not-kept");
	await detail.getByRole("button", { name: "Change What Is Kept…" }).click();
	await expect.poll(() => shown.opened).toEqual(["contents"]);
	// Kept arguments are shown, without an explanation.
	await rows(shown).filter({ hasText: "bookHotel" }).filter({ hasText: "answered" }).click();
	await detail.getByRole("heading", { name: /bookHotel: answered/ }).waitFor();
	expect(await detail.getByRole("button", { name: "Change What Is Kept…" }).count()).toBe(0);
});

test("finds by text, kind, server, outcome and unasked decisions; export contains the matches (JRN-16)", async () => {
	await using shown = await showActivity(browser);
	const { page } = shown.panel;
	const count = async (number: number): Promise<void> => expect.poll(() => rows(shown).count()).toBe(number);
	await page.getByLabel("Search").fill("  BERN ");
	await count(1);
	expect(await page.locator(".totals").innerText()).toBe("1 of 12 entries");
	await page.getByRole("button", { name: "Export Filtered…" }).click();
	await page.getByText("Exported 1 entries (4 records).").waitFor();
	await page.getByRole("button", { name: "Show All" }).click();
	await count(12);
	await page.getByLabel("Kind").selectOption("server");
	await count(3);
	await page.getByLabel("Server", { exact: true }).selectOption("user:database");
	await count(1);
	await page.getByRole("button", { name: "Show All" }).click();
	await count(12);
	await page.getByLabel("Outcome").selectOption("unknown");
	await count(1);
	await page.getByRole("button", { name: "Show All" }).click();
	await count(12);
	await page.getByLabel("Only where you were not asked").check();
	await count(1);
	expect(await rows(shown).innerText()).toContain("note://plan");
});

test("an update while the user types keeps their search (JRN-16)", async () => {
	await using shown = await showActivity(browser);
	const { page } = shown.panel;
	await page.getByLabel("Search").fill("bern");
	// The host is notified at once, and the search begins when the typing pauses.
	shown.note("later");
	await expect.poll(() => page.locator(".totals").innerText()).toBe("1 of 13 entries");
	expect(await page.getByLabel("Search").inputValue()).toBe("bern");
});

test("shows a turn as one story, by keyboard, and a sampling request with its record (JRN-16)", async () => {
	await using shown = await showActivity(browser);
	const { page } = shown.panel;
	await rows(shown).filter({ hasText: "note://plan" }).focus();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Show the Whole Turn" }).click();
	await expect.poll(() => rows(shown).count()).toBe(3);
	const story = page.getByRole("region", { name: "In this turn" }).locator(".entry");
	expect((await story.allInnerTexts()).map((text) => text.split("\n")[0])).toEqual(
		["bookHotel", "note://plan"].map((name) => expect.stringContaining(name) as string),
	);
	await shown.panel.screenshot("activity-turn");
	await page.getByRole("button", { name: "Show All" }).click();
	await rows(shown).filter({ hasText: "Sampling request" }).click();
	await page.getByText("The Request as Received").waitFor();
	await shown.panel.screenshot("activity-sampling");
	await page.keyboard.press("Escape");
	await expect.poll(() => page.locator("article.detail").count()).toBe(0);
});

test("shows new entries while it is open, verifies, copies and clears the matches (JRN-16)", async () => {
	await using shown = await showActivity(browser);
	const { page } = shown.panel;
	shown.note("later");
	await rows(shown).filter({ hasText: "later" }).click();
	await page.getByRole("button", { name: "Copy as JSON" }).click();
	await page.getByText("Copied as JSON Lines.").waitFor();
	expect(shown.copied).toHaveLength(1);
	await page.getByLabel("Kind").selectOption("sampling");
	await expect.poll(() => rows(shown).count()).toBe(1);
	await page.getByRole("button", { name: "Clear Filtered…" }).click();
	await page.getByText("No entries match.").waitFor();
	await page.getByRole("button", { name: "Verify" }).click();
	await page.getByText("The activity is complete.").waitFor();
});
