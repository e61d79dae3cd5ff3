import type { FrameLocator, Locator, Page } from "playwright-core";
import { patience } from "./conditions.ts";

/** Webviews: panels in the editor area and views in the side bar. */
export class Webview {
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
	}

	/**
	 * The document of the visible webview; its locators work as on any page. If several are visible, `containing`
	 * chooses the one whose document has an element with this text.
	 */
	async document(containing?: string | RegExp): Promise<FrameLocator> {
		const frames = this.#page.locator("iframe.webview.ready").filter({ visible: true });
		await frames.first().waitFor({ timeout: patience });
		if (containing === undefined) {
			return frames.first().contentFrame().frameLocator("#active-frame");
		}
		return this.#find(`contains ${String(containing)}`, (document) =>
			document.locator("body", { hasText: containing }),
		);
	}

	/** The document of a visible webview that has an element. */
	async documentWith(selector: string): Promise<FrameLocator> {
		return this.#find(`has ${selector}`, (document) => document.locator(selector));
	}

	/** The app of a server that is shown: the page around its frame, and the content of the frame. */
	async app(): Promise<{ readonly around: FrameLocator; readonly app: FrameLocator }> {
		const around = await this.documentWith("#stage");
		return { around, app: around.frameLocator("#stage > iframe") };
	}

	/** The document of the first visible webview in which something is found. */
	async #find(what: string, wanted: (document: FrameLocator) => Locator): Promise<FrameLocator> {
		const frames = this.#page.locator("iframe.webview.ready").filter({ visible: true });
		const deadline = Date.now() + patience;
		for (;;) {
			for (let index = 0; index < (await frames.count()); index++) {
				const document = frames.nth(index).contentFrame().frameLocator("#active-frame");
				if ((await wanted(document).count()) > 0) return document;
			}
			if (Date.now() > deadline) throw new Error(`No visible webview ${what}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	/** Waits until no webview is visible. */
	async waitUntilClosed(): Promise<void> {
		await this.#page
			.locator("iframe.webview")
			.filter({ visible: true })
			.first()
			.waitFor({ state: "hidden", timeout: patience });
	}
}
