import type { Locator, Page } from "playwright-core";
import { clicks, type PageElement, patience, press, succeeds, waitForCondition, waitForValue } from "./conditions.ts";

/** The chat view. */
export class Chat {
	/** The whole chat view. */
	readonly view: Locator;
	/** The part with the text field, the model picker and the buttons. */
	readonly inputPart: Locator;
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.view = page.locator(".interactive-session").filter({ visible: true }).first();
		this.inputPart = this.view.locator(".interactive-input-part");
	}

	/** Shows the chat view. */
	async open(): Promise<void> {
		const isMac = process.platform === "darwin";
		await waitForCondition("The chat view", async () => {
			if (!(await this.inputPart.isVisible())) {
				await this.#page.keyboard.press(isMac ? "Control+Meta+i" : "Control+Alt+i");
			}
			return succeeds(this.#editor.waitFor({ timeout: 3000 }));
		});
	}

	/** Begins a new conversation with the button of the view. */
	async startAnew(): Promise<void> {
		await press(
			this.#page
				.locator(".part.auxiliarybar")
				.getByRole("button", { name: /^New Chat/ })
				.first(),
		);
		await this.lastResponse().waitFor({ state: "hidden", timeout: patience });
	}

	/** Waits until the picker shows this model: an earlier request ends with "Language model unavailable". */
	async waitForModel(name: string | RegExp): Promise<void> {
		await this.inputPart.getByText(name).first().waitFor({ timeout: patience });
	}

	/** Chooses another model than the `current` one in the picker, whose list holds the models from when it opened. */
	async chooseModel(current: string, name: string): Promise<void> {
		// One that is closed may stay in the DOM.
		const list = this.#page.locator(".action-widget").filter({ visible: true });
		await waitForCondition(`The model ${name} in the picker`, async () => {
			if ((await list.count()) === 0) await clicks(this.inputPart.getByText(current, { exact: true }).first());
			// Models that were not used recently are in a folded group.
			await succeeds(list.locator("input.action-list-filter-input").fill(name, { timeout: 3000 }));
			await clicks(list.getByRole("option", { name }).first());
			if (await succeeds(this.inputPart.getByText(name).first().waitFor({ timeout: 3000 }))) return true;
			if ((await list.count()) > 0) await this.#page.keyboard.press("Escape");
			return false;
		});
	}

	/** Types `text`, such as `@mcp hello`, and replaces the content of the text field. */
	async type(text: string): Promise<void> {
		await this.#editor.click();
		await this.#page.keyboard.press("ControlOrMeta+a");
		await this.#page.keyboard.press("Delete");
		// The editor recognises a participant or slash command while it is typed.
		const [command = ""] = /^(@\w+ ?)?(\/[\w.-]* ?)?/.exec(text) ?? [];
		await this.#page.keyboard.type(command, { delay: 10 });
		await this.#page.keyboard.insertText(text.slice(command.length));
	}

	/** Waits until the text field ends with a text that a command has put there. */
	async waitForInput(text: string): Promise<void> {
		await waitForCondition(`${text} in the chat field`, async () =>
			squeeze(await this.#typed().catch(() => "")).endsWith(squeeze(text)),
		);
	}

	/** The suggestions for the typed text, such as the slash commands after `@mcp /`. */
	async suggestions(): Promise<string[]> {
		const rows = this.#page.locator(".suggest-widget.visible .monaco-list-row");
		await rows.first().waitFor({ timeout: patience });
		return (await rows.locator(".label-name").allInnerTexts()).map((text) => text.trim());
	}

	/** Sends a line and returns as soon as it is in the transcript; the answer may be incomplete. */
	async send(text: string): Promise<void> {
		await this.type(text);
		await waitForCondition("The text in the chat field", async () => squeeze(await this.#typed()) === squeeze(text));
		await this.submit();
	}

	/** Sends the content of the text field, which has or gets the focus, and returns as soon as it is in the transcript. */
	async submit(): Promise<void> {
		await this.inputPart.locator(".monaco-editor.focused").first().waitFor({ timeout: patience });
		let isPressed = false;
		await this.#untilRequested(async () => {
			if (isPressed && (await this.#typed()).trim() === "") return;
			// Closes the list of suggestions, which would take the Enter; a list that appeared later has taken it.
			await this.#page.keyboard.press("Escape");
			await this.#page.keyboard.press("Enter");
			isPressed = true;
		});
	}

	/** Does something until another request is in the transcript, so that its answer is not mistaken for the one before. */
	async #untilRequested(act: () => Promise<unknown>): Promise<void> {
		const before = await this.#lastIndex();
		const isThere = async (): Promise<boolean> => (await this.#lastIndex()) > before;
		await waitForCondition("The request in the transcript", async () => {
			await act();
			return succeeds(waitForCondition("The request", isThere, 10_000));
		});
	}

	/** Sends a line, waits until its answer is complete, and returns the answer's text. */
	async ask(text: string): Promise<string> {
		await this.send(text);
		await this.waitUntilDone();
		return this.lastText();
	}

	/** The last answer; none while only the request is shown. */
	lastResponse(): Locator {
		return this.#lastRow.locator(".interactive-item-container.interactive-response");
	}

	/** The text of the last answer, without its author; folded steps are unfolded first. */
	lastText(): Promise<string> {
		let before: string | undefined;
		return waitForValue("The whole last answer", async () => {
			await this.unfold();
			const text = await this.lastResponse().locator(".value").first().innerText();
			// While it is folded or unfolded, a part of it is missing.
			const isShown = await this.#areStepsShown();
			const isWhole = isShown && (text === before || (await this.isBusy()));
			before = isShown ? text : undefined;
			// A link is not broken within its words.
			return isWhole ? text.replaceAll("\u00A0", " ").trim() : undefined;
		});
	}

	/** Unfolds the steps of the last answer, which the editor folds away as soon as it is complete. */
	async unfold(): Promise<void> {
		if ((await this.#folded.count()) > 0) {
			// It may be redrawn in this moment, with the answer's last words.
			await clicks(this.#folded.first().locator("summary"), { timeout: 1000 });
		}
	}

	/** Waits until the last answer contains `text`. */
	async waitForText(text: string | RegExp, timeout: number = patience): Promise<void> {
		await this.lastResponse().filter({ hasText: text }).waitFor({ timeout });
	}

	/** Whether the last answer is incomplete or waits for a decision. */
	async isBusy(): Promise<boolean> {
		return (await this.view.locator(".interactive-response.chat-response-loading").count()) > 0;
	}

	/** Waits until the last answer is complete. */
	async waitUntilDone(timeout: number = patience): Promise<void> {
		await this.lastResponse().waitFor({ timeout });
		await waitForCondition("The end of the answer", async () => !(await this.isBusy()), timeout);
	}

	/** A link in the last answer. Commands are links too. */
	link(name: string | RegExp): Locator {
		const response = this.lastResponse();
		return response.locator("a").filter({ hasText: name }).filter({ visible: true }).last();
	}

	/** Clicks a link in the last answer. */
	async clickLink(name: string | RegExp): Promise<void> {
		await this.click(this.link(name));
	}

	/** Clicks an element in the last answer, which may grow, scroll, or fold meanwhile. */
	async click(target: Locator): Promise<void> {
		await waitForCondition(`The click on ${String(target)}`, async () => {
			await this.unfold();
			return clicks(target);
		});
	}

	/** Scrolls an element of the last answer into view; an answer that is being written is redrawn meanwhile. */
	async reveal(target: Locator): Promise<void> {
		await waitForCondition(`${String(target)} in view`, async () => {
			await this.unfold();
			return succeeds(target.scrollIntoViewIfNeeded({ timeout: 2000 }));
		});
	}

	/** Cancels the answer that is being written. */
	async stop(): Promise<void> {
		await press(this.inputPart.getByRole("button", { name: /^(Stop|Cancel)/ }).first());
	}

	/** Chooses a proposed next line below the last answer. */
	async clickFollowUp(text: string | RegExp): Promise<void> {
		const line = this.view
			.locator(".interactive-input-followups .interactive-followup-reply")
			.filter({ hasText: text });
		await this.#untilRequested(() => clicks(line));
	}

	get #folded(): Locator {
		return this.lastResponse().locator("details.completed-response-disclosure:not([open])");
	}

	/** Whether no step of the last answer is hidden. Unfolded content has no text until the frames that draw it. */
	#areStepsShown(): Promise<boolean> {
		const folds = this.lastResponse().locator("details.completed-response-disclosure");
		return folds.evaluateAll((all: Disclosure[]) =>
			all.every(
				({ open, children }) =>
					open && Array.from(children).some((step) => step.tagName !== "SUMMARY" && step.checkVisibility()),
			),
		);
	}

	get #editor(): Locator {
		return this.inputPart.locator(".monaco-editor").first();
	}

	/** Rows that do not fit are not in the DOM, and the others are in any order. */
	get #lastRow(): Locator {
		const rows = this.view.locator(".interactive-list .monaco-list-rows").first();
		return rows.locator("xpath=./div[@data-index][not(../div/@data-index > @data-index)]");
	}

	/** -1 in an empty transcript. */
	async #lastIndex(): Promise<number> {
		const [index] = await this.#lastRow.evaluateAll((rows: PageElement[]) =>
			rows.map((row) => row.getAttribute("data-index")),
		);
		return Number(index ?? -1);
	}

	async #typed(): Promise<string> {
		const lines = await this.#editor.locator(".view-line").allInnerTexts();
		return lines.join(" ");
	}
}

/** The steps of an answer that the editor folded, below a summary. The project is compiled without the DOM library. */
interface Disclosure {
	readonly open: boolean;
	readonly children: Iterable<{ readonly tagName: string; checkVisibility(): boolean }>;
}

/** The field wraps lines and shows spaces as other characters. */
function squeeze(text: string): string {
	return text.replace(/[\s\u00a0]+/g, "");
}
