import type { Locator, Page } from "playwright-core";
import {
	chooseInToolbar,
	clicks,
	type PageElement,
	patience,
	succeeds,
	waitForCondition,
	waitForValue,
	wholeText,
} from "./conditions.ts";

/** The editor area. */
export class Editors {
	readonly #page: Page;
	readonly #group: Locator;

	constructor(page: Page) {
		this.#page = page;
		this.#group = page.locator(".part.editor .editor-group-container.active");
	}

	/** The title of the active tab, empty without an editor. */
	async activeTitle(): Promise<string> {
		const [title = ""] = await titlesOf(this.#group.locator(".tab.active"));
		return title;
	}

	/** The titles of the active group's tabs. */
	titles(): Promise<string[]> {
		return titlesOf(this.#group.locator(".tab"));
	}

	/** Waits until the active tab has this title. */
	async waitForActive(title: string | RegExp): Promise<void> {
		const pattern = wholeText(title);
		await waitForCondition(`The tab ${String(title)}`, async () => pattern.test(await this.activeTitle()));
	}

	/** Waits until the active tab has this title and its text has the focus: earlier keys go elsewhere. */
	async waitForFocus(title: string | RegExp): Promise<void> {
		const pattern = wholeText(title);
		const focused = this.#group.locator(".editor-instance .monaco-editor.focused");
		await waitForCondition(
			`The focus in ${String(title)}`,
			async () => pattern.test(await this.activeTitle()) && (await focused.count()) > 0,
		);
	}

	/** Chooses an action of the active group's title by its name: a button, or an item of its menu. */
	titleAction(name: string): Promise<void> {
		return chooseInToolbar(this.#group.locator(".editor-actions"), name);
	}

	/** Waits until no tab of the active group has this title. */
	async waitUntilClosed(title: string): Promise<void> {
		await waitForCondition(`The end of the tab ${title}`, async () => !(await this.titles()).includes(title));
	}

	/** Shows the tab with this title. Other tabs that open and close move it meanwhile. */
	async activate(title: string | RegExp): Promise<void> {
		const pattern = wholeText(title);
		const isInFront = async (): Promise<boolean> => pattern.test(await this.activeTitle());
		await waitForCondition(`The tab ${String(title)} in front`, async () => {
			await clicks(await this.#tab(title));
			return succeeds(waitForCondition("The tab in front", isInFront, 3000));
		});
	}

	/** Closes the tab with this title, the first of several, by its button. */
	async close(title: string | RegExp): Promise<void> {
		const pattern = wholeText(title);
		await this.#tab(title);
		const count = async (): Promise<number> => (await this.titles()).filter((one) => pattern.test(one)).length;
		const before = await count();
		const isClosed = async (): Promise<boolean> => (await count()) < before;
		await waitForCondition(`The end of the tab ${String(title)}`, async () => {
			if (await isClosed()) return true;
			const tab = await this.#tab(title);
			await succeeds(tab.hover({ timeout: 2000 }));
			await clicks(tab.getByRole("button", { name: /^Close/ }));
			return succeeds(waitForCondition("The end of the tab", isClosed, 3000));
		});
	}

	/** The lines of the active text editor that are in view, once it is there. */
	visibleText(): Promise<string> {
		return waitForValue("The text of the active editor", async () => {
			const view = this.#group.locator(".editor-instance .monaco-editor .view-lines").first();
			if ((await view.count()) === 0) {
				return undefined;
			}
			const lines = await view.locator(".view-line").evaluateAll((elements: PageElement[]) =>
				elements.map((element) => ({
					// Lines are placed absolutely, in any order in the DOM.
					top: Number(/top:\s*(-?[\d.]+)px/.exec(element.getAttribute("style") ?? "")?.[1] ?? 0),
					text: (element.textContent ?? "").replaceAll("\u00a0", " "),
				})),
			);
			return lines
				.sort((a, b) => a.top - b.top)
				.map((line) => line.text)
				.join("\n");
		});
	}

	/** The parts of both sides of the active comparison that are in view, the former first, once it is there. */
	comparison(): Promise<readonly [string, string]> {
		return waitForValue("Both sides of a comparison", async () => {
			const sides = this.#group.locator(".monaco-diff-editor .editor");
			const texts = await Promise.all(
				["original", "modified"].map(async (side) => {
					const lines = sides.and(this.#page.locator(`.${side}`)).locator(".view-lines .view-line");
					return (await lines.allTextContents()).map((line) => line.replaceAll("\u00a0", " ")).join("\n");
				}),
			);
			const [original = "", modified = ""] = texts;
			return original === "" || modified === "" ? undefined : ([original, modified] as const);
		});
	}

	/** Waits until the part of the active editor that is in view contains `text`. */
	async waitForText(text: string | RegExp): Promise<void> {
		await waitForCondition(`The text ${String(text)} in the active editor`, async () => {
			const shown = await this.visibleText();
			return typeof text === "string" ? shown.includes(text) : text.test(shown);
		});
	}

	/** The whole text of the active editor, read through the clipboard. Leaves the cursor at its start. */
	async text(): Promise<string> {
		await this.#group.locator(".editor-instance .monaco-editor .view-lines").first().click({ timeout: patience });
		await this.#page.evaluate('navigator.clipboard.writeText("")');
		await this.#page.keyboard.press("ControlOrMeta+a");
		await this.#page.keyboard.press("ControlOrMeta+c");
		const text = await waitForValue(
			"The copied text",
			async () => (await this.#page.evaluate<string>("navigator.clipboard.readText()")) || undefined,
		);
		// A selection would be added to the next chat request.
		await this.#page.keyboard.press("ArrowLeft");
		return text;
	}

	/** The language mode in the status bar, such as `Markdown`. */
	language(): Promise<string> {
		return this.#page.locator('[id="status.editor.mode"]').innerText();
	}

	/** The first tab with this title, once there is one. */
	async #tab(title: string | RegExp): Promise<Locator> {
		const pattern = wholeText(title);
		const index = await waitForValue(`The tab ${String(title)}`, async () => {
			const found = (await this.titles()).findIndex((one) => pattern.test(one));
			return found === -1 ? undefined : found;
		});
		return this.#group.locator(".tab").nth(index);
	}
}

/** The titles of tabs. Newer workbenches show the extension of a file's name in an element of its own. */
function titlesOf(tabs: Locator): Promise<string[]> {
	return tabs.evaluateAll((elements: PageElement[]) =>
		elements.map((tab) =>
			[".label-name", ".label-suffix"]
				.map((part) => tab.querySelector(part)?.textContent ?? "")
				.join("")
				.trim(),
		),
	);
}
