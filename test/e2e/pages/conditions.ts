import type { Locator } from "playwright-core";

/** How long a page object waits for a condition; slow machines share their cores. */
export const patience = 20_000;

/** The part of the DOM that page objects read inside the page. The project is compiled without the DOM library. */
export interface PageElement {
	readonly id: string;
	readonly textContent: string | null;
	getAttribute(name: string): string | null;
	querySelector(selector: string): PageElement | null;
}

/** Matches `text` alone, or gives back the pattern. */
export function wholeText(text: string | RegExp): RegExp {
	return typeof text === "string" ? new RegExp(`^\\s*${escapePattern(text)}\\s*$`) : text;
}

/** Escapes everything that a regular expression would read as an operator. */
export function escapePattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Polls `read` until it gives a value, and returns that; rejects with `what` when it never does. */
export async function waitForValue<T>(
	what: string,
	read: () => Promise<T | undefined>,
	timeout: number = patience,
): Promise<T> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const value = await read();
		if (value !== undefined) {
			return value;
		}
		if (Date.now() > deadline) {
			throw new Error(`${what} did not appear within ${timeout / 1000} s`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** Polls until `isTrue` holds; says `what` when it never does. */
export async function waitForCondition(what: string, isTrue: () => Promise<boolean>, timeout?: number): Promise<void> {
	await waitForValue(what, async () => ((await isTrue()) ? true : undefined), timeout);
}

/** Clicks an item of a menu that has just opened, until the menu is gone. */
export async function clickMenuItem(item: Locator): Promise<void> {
	await item.waitFor({ timeout: patience });
	await waitForCondition("The end of the menu", async () => {
		// The workbench ignores a mouse button that is released within 200 ms of opening a menu. Nothing in the DOM
		// shows when that time is over, therefore this is the one fixed pause.
		await new Promise((resolve) => setTimeout(resolve, 200));
		await item.click({ timeout: 500 }).catch(() => undefined);
		return succeeds(item.waitFor({ state: "hidden", timeout: 500 }));
	});
}

/** Whether a wait or an action ends well. */
export function succeeds(action: Promise<unknown>): Promise<boolean> {
	return action.then(
		() => true,
		() => false,
	);
}
