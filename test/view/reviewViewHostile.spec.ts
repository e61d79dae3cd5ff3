/** The review panel and hostile texts, in a browser without VS Code: nothing runs, loads or links, and nothing is too long. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReviewDocument, ReviewField } from "../../src/features/sampling/review/reviewProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { payloads, strange } from "./fixtures/payloads.ts";
import { completionOf, field, fullReview, plainReview, textMessage } from "./fixtures/reviewDocuments.ts";
import { ReviewHost } from "./fixtures/reviewHost.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A review in which every text of a server or a model is the payload. */
function hostile(payload: string): ReviewDocument {
	const document = fullReview();
	const spoil = (known: ReviewField): ReviewField => ({
		...known,
		label: known.place === "system" ? known.label : `${known.label} ${payload}`,
		original: payload,
		escaped: payload,
	});
	const image = (place: string, url: string) => ({
		kind: "image" as const,
		place,
		mimeType: payload,
		size: "1 KB",
		url,
	});
	return {
		...document,
		server: payload,
		during: payload,
		system: spoil(document.system),
		messages: [
			...document.messages.map((message) => ({
				...message,
				parts: message.parts.map((part) => (part.kind === "field" ? { ...part, field: spoil(part.field) } : part)),
			})),
			{
				place: "message.4",
				role: "user",
				parts: [
					image("message.4.part.0", payload),
					image("message.4.part.1", `data:image/png;base64,${Buffer.from(payload).toString("base64")}`),
					image("message.4.part.2", "https://canary.example/p.png"),
					{ ...image("message.4.part.3", "https://canary.example/a.wav"), kind: "audio" },
				],
			},
		],
		tools: document.tools.map((known) => (known.kind === "choice" ? { ...known, choices: [payload] } : spoil(known))),
		preferences: document.preferences.map(spoil),
		...(document.metadata && { metadata: spoil(document.metadata) }),
		redactions: [{ id: payload, label: payload, mark: `⟦${payload}⟧`, count: 1, isShown: false }],
		notices: [payload],
		rule: payload,
		state: {
			...document.state,
			problem: { text: payload, place: "maxTokens" },
			models: [{ id: payload, label: payload }],
			chosen: { id: payload, reason: payload },
			estimate: payload,
			budget: [payload],
		},
	};
}

test.each(payloads)(
	"%s stays text in every place, at every step, and nothing is a link (UI-01 to UI-05, UI-08, UI-10)",
	async (payload) => {
		const host = new ReviewHost(hostile(payload));
		await using panel = await FormPage.openReview(browser, host);
		const { page } = panel;
		expect(await page.getByRole("textbox", { name: "System prompt" }).inputValue()).toBe(payload);
		await page.getByRole("textbox", { name: "System prompt" }).fill(`${payload} ${payload}`);
		await page.getByRole("button", { name: "Show Changes of System prompt" }).click();
		expect(await page.locator("body").locator(strange).count()).toBe(0);
		host.show({ step: { kind: "generating", text: payload.repeat(3), model: payload, note: payload } });
		await page.getByRole("button", { name: "Stop" }).waitFor();
		expect(await page.locator("#stream").innerText()).toBe(payload.repeat(3));
		const completion = completionOf(payload, {
			model: payload,
			note: payload,
			used: payload,
			thoughts: payload,
			fields: [field("text", "Completion", payload, { escaped: payload }), field("call.0", payload, payload)],
		});
		host.show({
			step: { kind: "completion", completion },
			attempts: [1, 2].map((attempt) => ({ attempt, label: payload })),
		});
		await page.getByRole("button", { name: "Return to Server" }).waitFor();
		host.show({ step: { kind: "done", end: payload, completion } });
		expect(await page.locator(".end").innerText()).toBe(payload);
		expect(await page.locator("body").locator(strange).count()).toBe(0);
		expect(await page.locator("main").count()).toBe(1);
		expect(panel.trouble).toEqual([]);
		expect(host.asked).toEqual([]);
	},
);

test("a completion and messages of a megabyte are shown, edited, compared and returned whole (UI-12)", async () => {
	const lines = `${"The quick brown fox jumps over the lazy dog, and so on it goes.".repeat(2)}\r\n`.repeat(8000);
	const word = "x".repeat(1_000_000);
	const host = new ReviewHost({
		...plainReview({ messages: [textMessage(0, "user", word), textMessage(1, "user", lines)] }),
		state: { ...plainReview().state, step: { kind: "completion", completion: completionOf(lines) } },
	});
	await using panel = await FormPage.openReview(browser, host);
	const { page } = panel;
	const text = page.getByRole("textbox", { name: "Text that the server receives" });
	await text.focus();
	await page.keyboard.press("Control+Home");
	await page.keyboard.type("First. ");
	await page.keyboard.press("Control+End");
	await page.keyboard.type("Last.");
	await page.getByRole("button", { name: "Show Changes of Text that the server receives" }).click();
	const changes = page.getByRole("group", { name: "Changes of Text that the server receives" });
	await changes.getByText("Last.").waitFor();
	await changes
		.getByText("7,999 lines unchanged")
		.or(changes.getByText(/lines unchanged/))
		.waitFor();
	expect((await changes.innerText()).length).toBeLessThan(40_000);
	await text.focus();
	await page.keyboard.type(" More.");
	await changes.getByText("Last. More.").waitFor();
	await panel.screenshot("review-megabyte");
	await page.getByRole("button", { name: "Return to Server" }).click();
	await expect.poll(() => host.asked).toEqual(["return"]);
	expect(host.returned?.changes["text"]).toBe(`First. ${lines}Last. More.`);
	expect(panel.trouble).toEqual([]);
});

test("hundreds of messages and secrets are shown, and the decision stays visible", async () => {
	const secret = (index: number): ReviewDocument["redactions"][number] => ({
		id: `r${index}`,
		label: "GitHub token",
		mark: `⟦GitHub token ${index}⟧`,
		count: 1,
		isShown: false,
	});
	const host = new ReviewHost(
		plainReview({
			messages: Array.from({ length: 600 }, (_, index) =>
				textMessage(index, index % 2 ? "assistant" : "user", `Line ${index}`),
			),
			redactions: Array.from({ length: 200 }, (_, index) => secret(index)),
		}),
	);
	await using panel = await FormPage.openReview(browser, host);
	const { page } = panel;
	await page.getByRole("textbox", { name: "600 assistant" }).fill("The end.");
	await page.getByRole("button", { name: "1 edit" }).click();
	await panel.screenshot("review-many");
	await page.getByRole("button", { name: "Reject", exact: true }).click();
	await expect.poll(() => host.asked).toEqual(["reject "]);
	expect(host.draft.changes).toEqual({ "message.599.part.0": "The end." });
	expect(panel.trouble).toEqual([]);
});
