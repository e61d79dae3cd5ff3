import type { Locator, Page } from "playwright-core";

type ClickOptions = Parameters<Locator["click"]>[0];

/** How long a page object waits for a condition before it fails: slow machines share their cores. */
export const patience = 60_000;

/** The part of the DOM that page objects read inside the page. The project is compiled without the DOM library. */
export interface PageElement {
	readonly id: string;
	readonly textContent: string | null;
	getAttribute(name: string): string | null;
	querySelector(selector: string): PageElement | null;
}

/** Matches exactly `text`, or returns the pattern. */
export function wholeText(text: string | RegExp): RegExp {
	return typeof text === "string" ? new RegExp(`^\\s*${escapePattern(text)}\\s*$`) : text;
}

/** Escapes everything that a regular expression would read as an operator. */
export function escapePattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Polls `read` until it returns a value, and returns that; rejects with `what` when it never does. */
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

/** Polls until `isTrue` holds; fails with `what` when it never does. */
export async function waitForCondition(what: string, isTrue: () => Promise<boolean>, timeout?: number): Promise<void> {
	await waitForValue(what, async () => ((await isTrue()) ? true : undefined), timeout);
}

/**
 * Clicks an element that can be clicked within a short time, and returns whether it was clicked: the caller can look
 * again for an element that moves, is covered or is redrawn. An element that is redrawn between the two halves of a
 * click never receives it. An element that received it must not be clicked twice, even if the click's end was not seen
 * in time.
 */
export async function clicks(target: Locator, options: ClickOptions = {}): Promise<boolean> {
	const waiting = { timeout: 2000, ...options };
	const event = options.button === "right" ? "contextmenu" : "click";
	// One element, not a new match at each step: a redrawn element is another one.
	const element = await target.elementHandle({ timeout: waiting.timeout }).catch(() => undefined);
	const heard = await element?.evaluateHandle(listen, event).catch(() => undefined);
	if (element === undefined || heard === undefined) return false;
	const isStillIt = target.evaluate((found: unknown, listening: unknown) => found === listening, element, waiting);
	const isMade = (await isStillIt.catch(() => false)) && (await isClicked(element.click(waiting)));
	// A document that disappeared with the click received it.
	const isHeard = await heard.evaluate((listening) => listening.end()).catch(() => true);
	return isMade && isHeard;
}

/** Whether a click was carried out, also one whose end was not seen in time. */
function isClicked(click: Promise<void>): Promise<boolean> {
	return click.then(
		() => true,
		(error: unknown) => {
			const log = String(error);
			const made = log.lastIndexOf("performing click action");
			return made > Math.max(log.lastIndexOf("intercepts pointer events"), log.lastIndexOf("retrying click action"));
		},
	);
}

/**
 * Clicks something once. An element that was redrawn or moved at this moment and did not receive the click is clicked
 * again. For buttons whose second press would be another answer.
 */
export function press(target: Locator): Promise<void> {
	return waitForCondition(`The press of ${String(target)}`, () => clicks(target));
}

interface PageEvent {
	stopImmediatePropagation(): void;
}

interface EventSource extends PageElement {
	closest(selector: string): PageElement | null;
	addEventListener(type: string, hear: (event: PageEvent) => void, isCapture: true): void;
	removeEventListener(type: string, hear: (event: PageEvent) => void, isCapture: true): void;
}

/**
 * Runs in the page: listens until `end`, which returns whether the element has received an event. A list draws another
 * row into the same element when its rows move; an event for the earlier row is stopped, and counts as not received.
 */
function listen(element: unknown, type: string): { end(): boolean } {
	const source = element as EventSource;
	const nameOf = (): string | null | undefined =>
		source.closest(".monaco-list-row")?.querySelector(".label-name")?.textContent;
	const name = nameOf();
	let isHeard = false;
	const hear = (event: PageEvent): void => {
		if (nameOf() === name) isHeard = true;
		else event.stopImmediatePropagation();
	};
	source.addEventListener(type, hear, true);
	return {
		end() {
			source.removeEventListener(type, hear, true);
			return isHeard;
		},
	};
}

/** The tooltips of the workbench that are shown. */
export function visibleTooltip(page: Page): Locator {
	return page.locator(".workbench-hover-container").filter({ visible: true });
}

/**
 * Moves the mouse to a place without tooltips. A tooltip whose text arrived after the mouse had left its row stays over
 * other rows, until the mouse was on it and left it as well.
 */
export async function moveMouseAway(page: Page): Promise<void> {
	const tooltip = visibleTooltip(page).first();
	if ((await tooltip.count()) > 0) await succeeds(tooltip.hover({ timeout: 1000 }));
	await page.mouse.move(0, 0, { steps: 3 });
}

/** Moves the mouse to a place without tooltips, until no tooltip is shown: one may be pending. */
export function waitForEndOfTooltips(page: Page): Promise<void> {
	return waitForCondition("The end of tooltips", async () => {
		await moveMouseAway(page);
		return succeeds(page.locator(".workbench-hover").first().waitFor({ state: "hidden", timeout: 2000 }));
	});
}

/** Presses keys until a condition holds: a key binding that was just written, or whose command is still unknown, does nothing. */
export async function pressUntil(
	page: Page,
	keys: string,
	what: string,
	isTrue: () => Promise<boolean>,
): Promise<void> {
	await waitForCondition(what, async () => {
		await page.keyboard.press(keys);
		return succeeds(waitForCondition(what, isTrue, 4000));
	});
}

/**
 * Opens a menu and clicks an item of it, until the menu is gone. A menu that lost the focus is reopened by `open`,
 * which returns whether it tried to.
 */
export async function chooseInMenu(item: Locator, open: () => Promise<boolean>): Promise<void> {
	await waitForCondition(`The choice of ${String(item)}`, async () => {
		if ((await open()) && (await succeeds(item.waitFor({ timeout: 5000 })))) return clickMenuItem(item);
		const other = item.page().locator(".context-view .monaco-menu").filter({ visible: true });
		if ((await other.count()) > 0) await item.page().keyboard.press("Escape");
		return false;
	});
}

/** A command's title as a button shows it: followed by the keys, where the command has some. */
export function titled(name: string): RegExp {
	return new RegExp(`^${escapePattern(name)}(?: \\([^)]+\\))?$`);
}

/** Chooses an action of the toolbar in `part`: by its button, or in the menu of the actions without a button. */
export async function chooseInToolbar(part: Locator, name: string): Promise<void> {
	const button = part.getByRole("button", { name: titled(name) }).filter({ visible: true });
	const more = part.getByRole("button", { name: /More Actions/ }).filter({ visible: true });
	const item = part.page().getByRole("menuitem", { name, exact: true });
	let attempts = 0;
	await waitForCondition(`The action ${name}`, async () => {
		// Toolbars of views are shown below the mouse.
		await succeeds(part.first().hover({ force: true, timeout: 2000 }));
		if ((await button.count()) > 0) return clicks(button.first(), { timeout: 2000 });
		// A container and each of its views have such a menu, which opens before the button receives the click.
		await clicks(more.nth(attempts++ % Math.max(1, await more.count())), { timeout: 2000 });
		if (await succeeds(item.waitFor({ timeout: 2000 }))) return clickMenuItem(item);
		await part.page().keyboard.press("Escape");
		return false;
	});
}

/** Clicks an item of a menu that has just opened, until the menu is gone; returns whether the item received the click. */
async function clickMenuItem(item: Locator): Promise<boolean> {
	let isHeard = false;
	await waitForCondition("The end of the menu", async () => {
		// The workbench ignores a mouse button that is released within 200 ms of opening a menu. Nothing in the DOM
		// shows when that time is over, therefore this is the one fixed pause.
		await new Promise((resolve) => setTimeout(resolve, 200));
		if (await clicks(item, { timeout: 1000 })) isHeard = true;
		return succeeds(item.waitFor({ state: "hidden", timeout: 1000 }));
	});
	return isHeard;
}

/** Whether a wait or an action ends well. */
export function succeeds(action: Promise<unknown>): Promise<boolean> {
	return action.then(
		() => true,
		() => false,
	);
}
