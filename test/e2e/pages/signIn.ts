import type { Page } from "playwright-core";
import { patience } from "./conditions.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Lets the window's question about a sign-in open the browser, and returns the page that opens: another tab of the
 * workbench's own browser. On the desktop, where another browser opens, there is none to wait for.
 */
export async function openSignInPage(window: Workbench): Promise<Page> {
	const opened = window.page.context().waitForEvent("page", { timeout: patience });
	await window.dialogs.answerModal("Open in Browser");
	const page = await opened;
	await page.getByRole("heading", { name: "Allow access?" }).waitFor({ timeout: patience });
	return page;
}

/** Answers on the page of the test's authorization server, and closes it after the redirect. */
export async function answerOnPage(page: Page, button: "Approve" | "Deny"): Promise<void> {
	await page.getByRole("button", { name: button, exact: true }).click({ timeout: patience });
	await page.waitForURL(/\/callback\b/, { timeout: patience });
	await page.close();
}
