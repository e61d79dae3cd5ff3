/** A model's thoughts in the review of its completion. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { completionOf, plainReview } from "./fixtures/reviewDocuments.ts";
import { ReviewHost } from "./fixtures/reviewHost.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("MDL-14: thoughts of the model are folded beside its completion, and are not part of the returned completion", async () => {
	const host = new ReviewHost(plainReview());
	await using panel = await FormPage.openReview(browser, host);
	const { page } = panel;
	const show = (attempt: number): void =>
		host.show({
			...plainReview().state,
			step: {
				kind: "completion",
				completion: completionOf("Socks.", { attempt, ...(attempt < 3 && { thoughts: `Thought ${attempt} <b>` }) }),
			},
		});
	const thoughts = page.getByRole("group", { name: "Thoughts of the model" });
	show(1);
	const fold = page.getByText("Thoughts of the model not sent to the server");
	await fold.waitFor();
	expect(await thoughts.isVisible()).toBe(false);
	await fold.click();
	expect(await thoughts.innerText()).toBe("Thought 1 <b>");
	show(2);
	await expect.poll(() => thoughts.isVisible()).toBe(false);
	show(3);
	await expect.poll(() => fold.count()).toBe(0);
	await page.getByRole("button", { name: "Return to Server" }).click();
	await expect.poll(() => host.returned).toEqual({ attempt: 3, changes: {}, removed: [] });
	expect(panel.trouble).toEqual([]);
});
