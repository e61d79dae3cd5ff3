/** The views that `npm run view` shows on their own: each opens with some content, and reloads. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../editor/browser.ts";
import { forgetViewScripts } from "./fixtures/formPage.ts";
import { viewScenes } from "./fixtures/viewScenes.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test.each(Object.entries(viewScenes))(
	"the view %s opens on its own and reloads without an error",
	async (_name, open) => {
		const view = await open(browser, { theme: "light" });
		const text = (): Promise<string> => view.page.locator("main").innerText();
		await expect.poll(text).not.toBe("");
		forgetViewScripts();
		await view.show();
		await expect.poll(text).not.toBe("");
		expect(view.trouble).toEqual([]);
	},
);
