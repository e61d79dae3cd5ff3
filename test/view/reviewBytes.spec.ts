/**
 * The review panel in a browser, with the real review and a model's endpoint behind it: after any edits of the user,
 * the endpoint and the server receive exactly the shown text, byte for byte (SMP-10).
 */
import type { Browser } from "playwright-core";
import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MessagePort } from "../../src/base/rpc.ts";
import { connectReview } from "../../src/features/sampling/review/reviewPort.ts";
import type { ReviewSession } from "../../src/features/sampling/review/review.ts";
import { launchBrowser } from "../editor/browser.ts";
import { WholeSampling } from "../integration/wholeSampling.ts";
import { Dice } from "../unit/features/sampling/edits.ts";
import { user } from "../unit/features/sampling/requests.ts";
import { serve } from "../unit/features/tools/toolSession.ts";
import { ExactText } from "./fixtures/exactTexts.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { payloads, strange } from "./fixtures/payloads.ts";
import { params, plain, RandomReview } from "./fixtures/randomReview.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Has a server ask, and shows the review in a browser. */
async function ask(whole: WholeSampling, params: object, during: string) {
	const session = await serve("weather");
	const shown = new Promise<ReviewSession>((resolve) => {
		whole.onReview = resolve;
	});
	const context = { signal: new AbortController().signal, protocolVersion: "2025-11-25", during };
	const answer = whole.service.createMessage(session, params as CreateMessageRequestParams, context);
	// A story that fails does not await it.
	answer.catch(() => undefined);
	const review = await shown;
	const services = { denyAll() {}, openRules() {}, manageModels() {}, openLog() {} };
	const panel = await FormPage.openReview(browser, {
		review,
		connect: (port: MessagePort) => connectReview(port, review, services),
	});
	return { answer, panel, page: panel.page };
}

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
	"the endpoint and the server receive exactly the panel's content, over random edits of every kind: seed %i (SMP-10)",
	async (seed) => {
		await using whole = await WholeSampling.begin();
		const { answer, panel } = await ask(whole, params, `askTool ${seed}`);
		await using _closing = panel;
		const round = new RandomReview(panel, new Dice(seed));
		await round.begin();
		for (let count = 0; count < 5; count++) {
			await round.editRequest();
			await round.send(whole);
		}
		const returned = await round.answer();
		expect([(await answer).content].flat()).toEqual(returned);
		expect(panel.trouble).toEqual([]);
		expect(whole.endpoint.requests).toHaveLength(5);
		expect(round.edits).toBeGreaterThanOrEqual(5);
	},
);

test("a message and a completion of a megabyte of hostile text are shown, edited, sent and returned exactly, run and load nothing, and the record keeps their beginnings (UI-05, UI-12)", async () => {
	await using whole = await WholeSampling.begin();
	const megabyte = (word: string): string => {
		const lines = `${word} ${payloads.join("\r\n")}\r\n`;
		return lines.repeat(Math.ceil(1_000_000 / lines.length));
	};
	const [message, completion] = [megabyte("asked"), megabyte("answered")];
	const asking = { messages: [user(plain(message))], maxTokens: 1_000_000 };
	const { answer, panel, page } = await ask(whole, asking, "askTool");
	await using _closing = panel;
	await page.getByRole("textbox", { name: "1 user" }).focus();
	await page.keyboard.press("Control+End");
	await page.keyboard.type("And?");
	whole.endpoint.next({ chunks: chunksOf(completion) });
	await page.locator("#send").click();
	await page.locator("#return:enabled").waitFor();
	const [sent] = whole.endpoint.requests;
	expect(sent?.body.messages).toEqual([{ role: "user", content: `${message}And?` }]);
	const text = page.getByRole("textbox", { name: "Text that the server receives" });
	expect(await text.inputValue()).toBe(new ExactText(completion).shown);
	await text.focus();
	await page.keyboard.press("Control+Home");
	await page.keyboard.type("First: ");
	await page.getByRole("button", { name: "Show Changes of Text that the server receives" }).click();
	await page
		.getByRole("group", { name: "Changes of Text that the server receives" })
		.getByText("First: ")
		.first()
		.waitFor();
	expect(await page.locator("body").locator(strange).count()).toBe(0);
	await page.locator("#return").click();
	expect((await answer).content).toEqual(plain(`First: ${completion}`));
	expect(panel.trouble).toEqual([]);
	const kept = (whole: string) => ({ original: whole.slice(0, 50_000), originalWhole: { length: whole.length } });
	expect(await whole.record()).toMatchObject([
		{
			request: [{ place: "system" }, kept(message), {}, {}, {}, {}, {}, {}, {}],
			attempts: [{ completion: [kept(completion)] }],
			end: { kind: "returned", returned: [{ editedWhole: { length: completion.length + 7 } }] },
		},
	]);
	expect(whole.disk.length).toBeLessThan(1_500_000);
});

/** A long answer in the endpoint's pieces. */
function chunksOf(text: string): readonly object[] {
	const chunk = (delta: object, finish: string | null = null): object => ({
		id: "scripted",
		object: "chat.completion.chunk",
		model: "scripted-model",
		choices: [{ index: 0, delta, finish_reason: finish }],
	});
	const pieces = text.match(/[\s\S]{1,1000}/gu) ?? [];
	return [...pieces.map((content) => chunk({ content })), chunk({}, "stop")];
}
