import type { Locator, Page } from "playwright-core";
import { patience } from "./conditions.ts";

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

	/** Waits for a toast that contains `text` and returns its message. */
	async waitForNotification(text: string | RegExp): Promise<string> {
		const toast = this.notification(text);
		await toast.waitFor({ timeout: patience });
		return (await toast.locator(".notification-list-item-message").innerText()).trim();
	}

	/** Presses a button of the toast that contains `text`. */
	async answerNotification(text: string | RegExp, button: string | RegExp): Promise<void> {
		await this.notification(text).getByRole("button", { name: button, exact: true }).click({ timeout: patience });
	}

	/** Removes every toast, so that it covers nothing in a picture. */
	async clearNotifications(): Promise<void> {
		const toasts = this.#page.locator(".notifications-toasts .notification-toast");
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
