/** The places of the halves of a review, at every width and in every theme (UI-15). */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReviewDocument } from "../../src/features/sampling/review/reviewProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { completionOf, fullReview } from "./fixtures/reviewDocuments.ts";
import { ReviewHost } from "./fixtures/reviewHost.ts";
import type { ThemeName } from "./fixtures/themes.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const themeNames: readonly ThemeName[] = ["dark", "light", "high-contrast", "high-contrast-light"];
const widths = [290, 700, 1000, 1500];
const height = 900;

/** A place in the window. */
interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

async function boxOf(page: Page, selector: string): Promise<Box> {
	const box = await page.locator(selector).boundingBox();
	if (box === null) throw new Error(`${selector} is not shown`);
	return box;
}

/** Nothing overflows at the side, and the decision is visible with its safe answer. */
async function expectWithinWindow(page: Page): Promise<void> {
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	for (const button of await page.locator(".foot > .actions > button").all()) {
		const box = await button.boundingBox();
		expect(box !== null && box.y >= 0 && box.y + box.height <= height + 1).toBe(true);
	}
}

function completed(): ReviewDocument {
	const { state, ...document } = fullReview();
	const answer = "Pack light clothes, and for the third day:\n- an umbrella\n- shoes that may get wet";
	return { ...document, state: { ...state, step: { kind: "completion", completion: completionOf(answer) } } };
}

const cases = themeNames.flatMap((theme) => widths.map((width) => [width, theme] as const));

test.each(cases)(
	"shows the request at %i px, %s, then its completion above or beside it (UI-15)",
	async (width, theme) => {
		const host = new ReviewHost(fullReview());
		await using panel = await FormPage.openReview(browser, host, { theme, size: { width, height } });
		const { page } = panel;
		await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("reject");
		// The safe answer has the focus, and its subject is shown from the beginning.
		expect(await page.evaluate("scrollY")).toBe(0);
		await expectWithinWindow(page);
		const parts = page.locator(".request-part");
		const [texts, settings] = [await parts.nth(0).boundingBox(), await parts.nth(1).boundingBox()];
		expect(settings?.y === texts?.y).toBe(width >= 1000);
		// Parameters are one line with their values, until they are opened.
		const summary = page.locator("summary", { hasText: "Parameters" });
		expect(await summary.innerText()).toContain("max tokens 400 · temperature 0.7");
		expect(await page.getByRole("textbox", { name: "Max tokens" }).isVisible()).toBe(false);
		await panel.screenshot(`review-layout-request-${width}-${theme}`);

		host.show(completed().state);
		await page.locator("#completion-title").waitFor();
		await expectWithinWindow(page);
		const [completion, request] = [
			await boxOf(page, '[data-stage="completion"]'),
			await boxOf(page, '[data-stage="request"]'),
		];
		const line = page.locator("details.request > summary");
		const isWide = width >= 1000;
		expect(await page.getByRole("textbox", { name: "System prompt" }).isVisible()).toBe(isWide);
		if (isWide) {
			expect(request.y).toBe(completion.y);
			expect(request.x).toBeGreaterThanOrEqual(completion.x + completion.width);
		} else {
			expect(request.y).toBeGreaterThanOrEqual(completion.y + completion.height);
			expect(request.height).toBeLessThan(60);
			await expect.poll(() => line.innerText()).toMatch(/4 messages, 2 secrets · weather, during checkWeather/);
		}
		await panel.screenshot(`review-layout-completion-${width}-${theme}`);
		expect(panel.trouble).toEqual([]);
	},
);

test("a request that the user has opened or folded stays so; otherwise it follows the width (UI-15)", async () => {
	const host = new ReviewHost(completed());
	await using panel = await FormPage.openReview(browser, host, { size: { width: 600, height } });
	const { page } = panel;
	const system = page.getByRole("textbox", { name: "System prompt" });
	const line = page.locator("details.request > summary");
	await system.waitFor({ state: "hidden" });
	await page.setViewportSize({ width: 1200, height });
	await system.waitFor();
	await line.click();
	await system.waitFor({ state: "hidden" });
	// On its own, the completion has the whole width.
	const { width } = await boxOf(page, "main");
	await expect.poll(async () => (await boxOf(page, '[data-stage="completion"]')).width).toBe(width);
	await panel.show();
	await system.waitFor({ state: "hidden" });
	await page.setViewportSize({ width: 600, height });
	await line.click();
	await system.fill("Be brief.");
	await line.getByText("edited", { exact: true }).waitFor();
	host.show({ step: { kind: "generating", model: "qwen3:8b", text: "An" } });
	await page.getByRole("button", { name: "Stop" }).waitFor();
	expect(await system.isVisible()).toBe(true);
});

test("Tab from a field to the decision does not scroll the text being read", async () => {
	await using panel = await FormPage.openReview(browser, new ReviewHost(fullReview()), {
		size: { width: 1200, height },
	});
	const { page } = panel;
	await page.locator("#send").focus();
	await page.keyboard.press("Tab");
	await page.keyboard.press("Tab");
	expect(await page.evaluate("[document.activeElement.id, scrollY]")).toEqual(["reject", 0]);
});

test("an error in a folded request is opened, and a field that folds passes the focus to no approving button", async () => {
	const host = new ReviewHost(fullReview());
	await using panel = await FormPage.openReview(browser, host, { size: { width: 500, height } });
	const { page } = panel;
	const focused = (): Promise<string> => page.evaluate("document.activeElement.id");
	await page.getByRole("textbox", { name: "4 user, Part 1" }).focus();
	host.show({ step: { kind: "generating", model: "qwen3:8b", text: "An" } });
	await expect.poll(focused).toBe("stop");
	host.show(completed().state);
	await expect.poll(focused).toBe("completion-title");
	const title = await boxOf(page, "#completion-title");
	expect(title.y >= 0 && title.y < height / 2).toBe(true);
	host.show({ problem: { text: "Max tokens must be a number from 1 to 400.", place: "maxTokens" } });
	await expect.poll(focused).toBe("request-maxTokens");
	expect(await page.getByRole("textbox", { name: "Max tokens" }).isVisible()).toBe(true);
});

test("a problem links to its field, also in a closed section, and models that do not fit cannot be sent to", async () => {
	const host = new ReviewHost(fullReview());
	await using panel = await FormPage.openReview(browser, host);
	const { page } = panel;
	const button = (name: string) => page.getByRole("button", { name, exact: true });
	const priority = page.getByRole("textbox", { name: "Speed priority" });
	await button("Send to Model").press("Enter");
	await expect.poll(() => host.asked).toEqual(["approve"]);
	host.show({ problem: { text: "A priority is a number from 0 to 1.", place: "speedPriority" } });
	await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("request-speedPriority");
	expect(await priority.getAttribute("aria-invalid")).toBe("true");
	host.show({
		models: fullReview().state.models.map(({ id, label }) => ({ id, label, unusable: "takes no images" })),
	});
	await page.getByText("This model cannot be used: takes no images.").waitFor();
	expect(await button("Send to Model").isDisabled()).toBe(true);
	await button("Manage Models…").click();
	await button("Answer by Hand").click();
	await expect.poll(() => host.asked).toEqual(["approve", "models", "by hand"]);
});
