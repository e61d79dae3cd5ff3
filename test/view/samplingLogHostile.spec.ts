/**
 * The record of sampling requests, in a browser without VS Code: hostile texts, forged messages and large records have
 * no effect.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everyActivity } from "../../src/records/activity/journal/items.ts";
import { launchBrowser } from "../editor/browser.ts";
import { arrival, review } from "../unit/records/activity/recordScene.ts";
import { payloads } from "./fixtures/payloads.ts";
import { entries, fillDay, showLog, today } from "./fixtures/samplingLogPanel.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test.each(payloads)("%s stays text in every place of a server's text (UI-01 to UI-05)", async (payload) => {
	await using shown = await showLog(browser, ({ log }) => {
		const open = log.open(
			arrival({
				server: payload,
				serverId: payload,
				during: payload,
				request: [
					{ place: "system", original: payload },
					{ place: payload, role: "user", original: payload },
					{ place: "message.0.part.0", original: payload },
				],
				media: [{ place: payload, kind: "image", mimeType: payload, bytes: 1, sha256: payload }],
				parameters: { [payload]: payload },
			}),
		);
		open.attempt({
			at: 1,
			model: { id: payload, name: payload },
			why: payload,
			request: [{ place: "system", original: payload, edited: `${payload} ${payload}` }],
			completion: [{ place: "text", original: payload }],
			stopReason: payload,
			failure: payload,
		});
		open.close({
			kind: "rejected",
			by: payload,
			reason: payload,
			returned: [{ place: payload, original: "", edited: payload }],
		});
	});
	const { page } = shown.panel;
	await entries(shown).click();
	await page.locator(".detail").waitFor();
	await page.getByText("Parameters as JSON").click();
	const strange =
		"a, img, svg, iframe, object, video, audio, form, main style, base, template, script:not([nonce]), [onerror]";
	expect(await page.locator("body").locator(strange).count()).toBe(0);
	expect(await page.locator("main").count()).toBe(1);
	expect(shown.panel.trouble).toEqual([]);
});

test("forged messages are refused (UI-06)", async () => {
	await using shown = await showLog(browser, fillDay);
	const call = (method: string, ...args: readonly unknown[]): void =>
		shown.panel.forge({ rpc: "call", id: 999, method, args });
	call("find", { text: 7 });
	call("find", { ...everyActivity, standing: "approved" });
	call("export", "everything");
	call("copy", "another");
	call("detail", { toString: "x" });
	call("constructor");
	await shown.panel.page.getByRole("button", { name: "Export…" }).click();
	await expect.poll(() => shown.exported.length).toBe(1);
	expect(shown.copied).toEqual([]);
});

test("500 requests with long texts stay quick to list, to search and to read (UI-12)", async () => {
	const long = "The quick brown fox jumps over the lazy dog. ".repeat(800);
	await using shown = await showLog(browser, ({ log }) => {
		for (let index = 0; index < 500; index++) {
			review(log, {
				at: today - index * 1000,
				request: [
					{ place: "system", original: `${long} number-${index}-` },
					{ place: "message.0.part.0", role: "user", original: `Question ${index}?` },
				],
			});
		}
	});
	const { page } = shown.panel;
	await expect.poll(() => entries(shown).count()).toBe(500);
	await page.getByLabel("Search").fill("NUMBER-321-");
	await expect.poll(() => entries(shown).count()).toBe(1);
	await page.getByLabel("Search").fill("");
	await expect.poll(() => entries(shown).count()).toBe(500);
	await entries(shown).nth(400).click();
	await page.locator(".detail", { hasText: "Question 400?" }).waitFor();
	await shown.panel.screenshot("sampling-log-many");
	expect(shown.panel.trouble).toEqual([]);
});
