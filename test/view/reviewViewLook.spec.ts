/** The look and the names of the review panel: themes, sizes, every kind of content, every step. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReviewDocument } from "../../src/features/sampling/review/reviewProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { completionOf, fullReview, plainReview } from "./fixtures/reviewDocuments.ts";
import { ReviewHost } from "./fixtures/reviewHost.ts";
import type { ThemeName } from "./fixtures/themes.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const answer = "Pack light clothes, and for the third day:\n- an umbrella\n- shoes that may get wet";

const thoughts = "The user goes to Barcelona in April.\nThe third day may be wet, so shoes matter more than shirts.";

/** The full review with its completion, the second of two. */
function completed(): ReviewDocument {
	const document = fullReview();
	return {
		...document,
		state: {
			...document.state,
			step: { kind: "completion", completion: completionOf(answer, { attempt: 2, thoughts }) },
			attempts: [
				{ attempt: 1, label: "1 · qwen3:8b" },
				{ attempt: 2, label: "2 · glm-4.6" },
			],
		},
	};
}

test.each<ThemeName>(["dark", "light", "high-contrast", "high-contrast-light"])(
	"shows a request with everything, edited, and its completion in %s",
	async (theme) => {
		const host = new ReviewHost(fullReview());
		await using panel = await FormPage.openReview(browser, host, { theme, size: { width: 800, height: 2900 } });
		const { page } = panel;
		await page.getByRole("textbox", { name: "System prompt" }).fill("You are a patient travel assistant, and brief.");
		await page.getByRole("button", { name: "Show Changes of System prompt" }).click();
		const result = page.getByRole("textbox", { name: "3 user, Part 1: Tool result" });
		await result.fill((await result.inputValue()).replace('"low": 17', '"low": 12').replace("true", "false"));
		await page.getByRole("button", { name: "Show Changes of 3 user, Part 1: Tool result" }).click();
		await page.getByText("Parameters").click();
		await page.getByRole("textbox", { name: "Max tokens" }).fill("200");
		await page.getByRole("button", { name: "Remove Message 2, assistant" }).click();
		await page.getByText("Model preferences of the server").click();
		await page.getByText("Metadata", { exact: false }).first().click();
		await page.getByRole("button", { name: "4 edits" }).waitFor();
		await panel.screenshot(`review-request-${theme}`);
		host.load({ ...completed(), draft: host.draft });
		await page.setViewportSize({ width: 1200, height: 900 });
		const text = page.getByRole("textbox", { name: "Text that the server receives" });
		await text.fill(answer.replace("an umbrella", "a rain jacket"));
		await page.getByRole("button", { name: "Show Changes of Text that the server receives" }).click();
		await page.getByText("Thoughts of the model").click();
		await page.getByRole("button", { name: "Regenerate with Another Model" }).click();
		await page.getByRole("menuitem", { name: "glm-4.6 · Example Cloud" }).waitFor();
		await panel.screenshot(`review-completion-${theme}`);
		expect(panel.trouble).toEqual([]);
	},
);

test.each([
	["narrow", { width: 290, height: 800 }],
	["at 200 %", { width: 400, height: 400 }],
	["wide", { width: 1700, height: 1000 }],
])("a panel that is %s cuts nothing off, and the buttons stay visible", async (what, size) => {
	const name = what.replace(/\W+/g, "-");
	for (const [stage, document] of [
		["request", fullReview()],
		["completion", completed()],
	] as const) {
		await using panel = await FormPage.openReview(browser, new ReviewHost(document), { size });
		const { page } = panel;
		expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
		if (stage === "completion" && size.width < 1000) await page.locator("details.request > summary").click();
		await page.getByRole("textbox", { name: "1 user" }).focus();
		for (const part of [page.getByRole("button", { name: "Reject", exact: true }), page.locator(":focus")]) {
			const box = await part.boundingBox();
			expect(box !== null && box.y >= 0 && box.y + box.height <= size.height + 1, String(part)).toBe(true);
		}
		await panel.screenshot(`review-${stage}-${name}`);
	}
});

test("shows the steps of a review", async () => {
	const host = new ReviewHost(plainReview());
	await using panel = await FormPage.openReview(browser, host);
	const { page } = panel;
	await panel.screenshot("review-plain");
	host.show({ problem: { text: "Max tokens must be a number from 1 to 400.", place: "maxTokens" } });
	await page.getByRole("button", { name: "Show the Field" }).waitFor();
	await panel.screenshot("review-problem");
	host.show({ step: { kind: "generating", model: "qwen3:8b", text: answer.repeat(3) } });
	await page.getByRole("button", { name: "Stop" }).waitFor();
	await panel.screenshot("review-generating");
	const completion = completionOf("", {
		model: undefined,
		fields: completionOf("").fields.slice(0, 1),
		note: "You write this answer yourself.",
	});
	host.show({ step: { kind: "completion", completion } });
	await page.getByText("by hand", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Add Reason…" }).click();
	await panel.screenshot("review-by-hand");
	host.show({ step: { kind: "done", end: "weather stopped before you answered.", completion } });
	await page.locator(".end").waitFor();
	await panel.screenshot("review-done");
	host.load({ ...plainReview(), state: { ...plainReview().state, models: [], estimate: "" } });
	await page.getByText("No model is available").waitFor();
	await panel.screenshot("review-no-model");
	expect(panel.trouble).toEqual([]);
});

test("every control has its name, and Tab follows reading order", async () => {
	await using panel = await FormPage.openReview(browser, new ReviewHost(completed()), {
		size: { width: 800, height: 1200 },
	});
	const { page } = panel;
	for (const section of await page.locator("summary").all()) {
		if (
			!(await section.evaluate(
				(element) => (element as never as { parentElement: { open: boolean } }).parentElement.open,
			))
		) {
			await section.click();
		}
	}
	const controls = page.locator(":is(button, input, select, textarea, audio, summary):visible");
	for (const control of await controls.all()) {
		const name = await control.evaluate(
			(element: {
				labels?: ArrayLike<{ textContent: string | null }>;
				getAttribute(name: string): string | null;
				textContent: string | null;
			}) => element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).textContent?.trim(),
		);
		expect(name).not.toBe("");
	}
	expect(await page.locator("[tabindex]:not([tabindex='0'], [tabindex='-1'])").count()).toBe(0);
	await page.getByRole("group", { name: "Message 3, user" }).getByRole("textbox").waitFor();
	await page.getByRole("radiogroup", { name: "Context of servers" }).getByRole("radio", { name: "None" }).waitFor();
	await page.getByRole("checkbox", { name: "Send the metadata to the model's provider" }).waitFor();
	await page.getByRole("combobox", { name: "Completions so far" }).waitFor();
	await page.getByRole("combobox", { name: "Tool choice" }).waitFor();
	const models = await page.getByRole("combobox", { name: "Model" }).locator("option").allInnerTexts();
	expect(models.map((label) => label.trim())).toEqual([
		"qwen3:8b · Ollama",
		"glm-4.6 · Example Cloud",
		"tiny-1 · Example Cloud (not allowed for this server)",
	]);
	expect(await page.locator("option:disabled").count()).toBe(1);
});

test("an image is small until it is enlarged, by key as well; a sound can be played", async () => {
	await using panel = await FormPage.openReview(browser, new ReviewHost(fullReview()));
	const { page } = panel;
	const image = page.getByRole("button", { name: "Enlarge Image in part 2 of Message 4" });
	const height = async (): Promise<number> => (await page.locator(".picture img").last().boundingBox())?.height ?? 0;
	expect(await height()).toBeLessThanOrEqual(96);
	await image.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Shrink Image in part 2 of Message 4" }).waitFor();
	expect(await height()).toBeGreaterThan(300);
	await panel.screenshot("review-image");
	await page.keyboard.press("Escape");
	await image.waitFor();
	expect(await height()).toBeLessThanOrEqual(96);
	expect(await page.locator("audio").evaluate((audio) => (audio as never as { error: unknown }).error)).toBeNull();
	expect(panel.trouble).toEqual([]);
});

test.each([
	["one endless word", "x".repeat(20_000)],
	["from right to left", "שלום עולם ".repeat(200)],
	["without blanks", "情報".repeat(1000)],
])("names and texts that are %s stay within the panel (UI-12)", async (_what, long) => {
	const document = fullReview();
	const host = new ReviewHost({
		...document,
		server: long,
		heading: `${long} asks`,
		during: long,
		system: { ...document.system, original: long, hint: long },
		messages: document.messages.map((message) => ({
			...message,
			parts: message.parts.map((part) =>
				part.kind === "field"
					? { ...part, field: { ...part.field, label: part.field.label === "Text" ? "Text" : long, original: long } }
					: { ...part, mimeType: long },
			),
		})),
		notices: [long],
		rule: long,
		redactions: [{ id: "1", label: long, mark: long, count: 2, isShown: false }],
		state: {
			...document.state,
			estimate: long,
			budget: [long],
			problem: { text: long },
			models: [{ id: "qwen", label: long }],
		},
	});
	await using panel = await FormPage.openReview(browser, host, { size: { width: 400, height: 600 } });
	const { page } = panel;
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	const reject = page.getByRole("button", { name: "Reject", exact: true });
	await reject.click();
	await expect.poll(() => host.asked).toEqual(["reject "]);
});
