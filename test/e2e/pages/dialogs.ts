import type { Locator, Page } from "playwright-core";
import { clicks, patience, succeeds, waitForCondition, waitForValue } from "./conditions.ts";

/** Modal dialogs and notifications. */
export class Dialogs {
	/** The modal dialog. */
	readonly modal: Locator;
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.modal = page.locator(".monaco-dialog-box");
	}

	/** Waits for a modal dialog that contains `text` and returns its message and detail. */
	async waitForModal(text: string | RegExp = ""): Promise<string> {
		const modal = this.modal.filter({ hasText: text });
		await modal.waitFor({ timeout: patience });
		return (await modal.locator(".dialog-message-container").innerText()).trim();
	}

	/** The names of the modal dialog's buttons. */
	async modalButtons(): Promise<string[]> {
		await this.modal.waitFor({ timeout: patience });
		const names = await this.modal.locator(".dialog-buttons .monaco-button").allInnerTexts();
		return names.map((name) => name.trim());
	}

	/** Presses a button of the modal dialog and waits until the dialog is gone. */
	async answerModal(button: string | RegExp): Promise<void> {
		await this.modal.getByRole("button", { name: button, exact: true }).click({ timeout: patience });
		await this.modal.waitFor({ state: "hidden", timeout: patience });
	}

	/** The toast that contains `text`. */
	notification(text: string | RegExp): Locator {
		return this.#page.locator(".notifications-toasts .notification-toast").filter({ hasText: text }).first();
	}

	/** Waits for a notification that contains `text` and returns its message. */
	async waitForNotification(text: string | RegExp): Promise<string> {
		return this.#withNotification(text, async (notification) =>
			(await notification.locator(".notification-list-item-message").innerText({ timeout: 5000 })).trim(),
		);
	}

	/** Presses a button of the notification that contains `text`, which may be redrawn meanwhile. */
	async answerNotification(text: string | RegExp, button: string | RegExp): Promise<void> {
		await this.#withNotification(text, async (notification) => {
			const target = notification.getByRole("button", { name: button, exact: true });
			if (!(await clicks(target, { timeout: 5000 }))) throw new Error(`${String(button)} heard of no click`);
		});
	}

	/** Does something with a notification. A toast disappears automatically: then the notification center is searched. */
	async #withNotification<T>(text: string | RegExp, act: (notification: Locator) => Promise<T>): Promise<T> {
		const attempt = (notification: Locator): Promise<{ readonly value: T } | undefined> =>
			act(notification).then(
				(value) => ({ value }),
				() => undefined,
			);
		const toast = this.notification(text);
		if (await succeeds(toast.waitFor({ timeout: 10_000 }))) {
			const done = await attempt(toast);
			if (done !== undefined) return done.value;
		}
		const center = this.#page.locator(".notifications-center");
		const kept = center.locator(".notification-list-item").filter({ hasText: text }).first();
		const { value } = await waitForValue(`What is done with the notification ${String(text)}`, async () => {
			// One that arrives only now is a toast, for which an empty list closes.
			if (await toast.isVisible()) return attempt(toast);
			await this.#setCenter("visible");
			// Buttons are shown only for the notification under the mouse.
			return (await succeeds(kept.hover({ timeout: 2000 }))) ? attempt(kept) : undefined;
		});
		await this.#setCenter("hidden");
		return value;
	}

	/** Shows or hides the list of notifications. An empty list closes automatically, maybe while the bell is pressed. */
	#setCenter(state: "visible" | "hidden"): Promise<void> {
		const center = this.#page.locator(".notifications-center");
		const bell = this.#page.locator('[id="status.notifications"] a');
		return waitForCondition(`The list of notifications ${state}`, async () => {
			if ((await center.isVisible()) !== (state === "visible")) await clicks(bell);
			return succeeds(center.waitFor({ state, timeout: 3000 }));
		});
	}

	/** Removes every toast, so that it covers nothing in a picture. */
	async clearNotifications(text: string | RegExp = ""): Promise<void> {
		const toasts = this.#page.locator(".notifications-toasts .notification-toast").filter({ hasText: text });
		for (let left = await toasts.count(); left > 0; left = await toasts.count()) {
			await toasts
				.first()
				.hover({ timeout: 2000 })
				.catch(() => undefined);
			await toasts
				.first()
				.locator(".codicon-notifications-clear")
				.click({ timeout: 2000 })
				.catch(() => undefined);
		}
	}
}
