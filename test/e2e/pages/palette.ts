import type { Locator, Page } from "playwright-core";
import {
	clicks,
	type PageElement,
	patience,
	press,
	succeeds,
	waitForCondition,
	waitForValue,
	wholeText,
} from "./conditions.ts";

/** One row of a quick pick as a user reads it. */
export interface PickRow {
	readonly label: string;
	readonly description: string;
	readonly detail: string;
	readonly isChecked: boolean;
}

/** The quick input at the top of the window: command palette, quick picks, input boxes. */
export class Palette {
	/** The widget; strict mode fails while no question is open. */
	readonly widget: Locator;
	readonly input: Locator;
	readonly #page: Page;
	/** The command whose list is shown, and the text typed into it, until something is chosen. */
	#asked: { readonly command: string; filter?: string } | undefined;

	constructor(page: Page) {
		this.#page = page;
		this.widget = page.locator(".quick-input-widget:visible");
		this.input = this.widget.locator(".quick-input-filter input");
	}

	/** Runs the command with exactly this title, category included: `MCP Host: Add Servers…`. */
	async run(title: string): Promise<void> {
		// An editor that opens meanwhile takes the focus, which closes the palette.
		await waitForCondition(`The command "${title}"`, async () => {
			await this.openWith(`>${title}`);
			const isOver = async (): Promise<boolean> => (await this.#value()) !== `>${title}`;
			const isClicked = await clicks(this.row(title), { timeout: 3000 });
			// The palette closes before it runs anything: rows that were refilled in this moment chose nothing.
			if (isClicked && (await succeeds(waitForCondition("The end of the command palette", isOver, 10_000))))
				return true;
			// VS Code searches once per text: commands that were registered since are found by a palette that is reopened.
			await this.#page.keyboard.press("Escape");
			return false;
		});
		this.#asked = { command: title };
	}

	/**
	 * Runs a command and chooses a row of its question, until another question or none is open. A list that lost the
	 * focus closes, so the command is run again.
	 */
	async runAndPick(title: string, label: string | RegExp): Promise<void> {
		await waitForCondition(`The row ${label} of "${title}"`, async () => {
			await this.run(title);
			await succeeds(this.row(label).waitFor({ timeout: 5000 }));
			await this.settled();
			const before = await this.#question();
			const isOver = async (): Promise<boolean> => (await this.#question()) !== before;
			return (
				(await clicks(this.row(label), { timeout: 3000 })) &&
				succeeds(waitForCondition("The next question", isOver, 10_000))
			);
		});
		this.#asked = undefined;
	}

	/** Opens the command palette and types `text`, which starts with `>` to search commands. */
	async openWith(text: string): Promise<void> {
		await waitForCondition("The command palette", async () => {
			await this.#page.keyboard.press("F1");
			return (
				(await succeeds(this.input.waitFor({ timeout: 2000 }))) && succeeds(this.input.fill(text, { timeout: 2000 }))
			);
		});
	}

	/** The rows shown now, as far as they fit. */
	rows(): Promise<PickRow[]> {
		return this.widget.locator(".quick-input-list .monaco-list-row").evaluateAll((elements: PageElement[]) =>
			elements.map((element) => {
				const text = (selector: string): string =>
					(element.querySelector(selector)?.textContent ?? "").replaceAll("\u00a0", " ").trim();
				const checkbox = element.querySelector(".quick-input-list-checkbox, [role=checkbox]");
				return {
					label: text(".quick-input-list-row .label-name"),
					description: text(".quick-input-list-row .label-description"),
					detail: text(".quick-input-list-label-meta"),
					isChecked: (checkbox ?? element).getAttribute("aria-checked") === "true",
				};
			}),
		);
	}

	/** Waits until a row with this label is there, then returns all. */
	async waitForRow(label: string | RegExp): Promise<PickRow[]> {
		await this.#shown(this.row(label));
		return this.rows();
	}

	/** The first row whose label is exactly this text or matches the pattern. */
	row(label: string | RegExp): Locator {
		const name = this.#page.locator(".quick-input-list-row .label-name", { hasText: wholeText(label) });
		return this.widget.locator(".quick-input-list .monaco-list-row").filter({ has: name }).first();
	}

	/** Chooses a row of a quick pick; in a list with check boxes it toggles the row. */
	async pick(label: string | RegExp): Promise<void> {
		await this.#shown(this.row(label));
		this.#asked = undefined;
		const before = await this.settled();
		// The next question of a sequence may look the same; then there is no change to wait for.
		const isOver = async (): Promise<boolean> => (await this.#signature()) !== before;
		await this.#clickRow(this.row(label));
		if (await succeeds(waitForCondition("The next question", isOver, 3000))) return;
		// An extension that was busy received the rows and the choice in one moment: the choice is ignored.
		const isWithBoxes = (await this.#page.locator(".quick-input-widget.show-checkboxes:visible").count()) > 0;
		if (isWithBoxes || (await this.row(label).count()) === 0) return;
		console.warn(`The row ${String(label)} is chosen once more.`);
		await this.#clickRow(this.row(label));
		await succeeds(waitForCondition("The next question", isOver, 3000));
	}

	/**
	 * Chooses a row that leads to another question or to none: a row that moves below the mouse meanwhile is chosen again.
	 */
	async choose(label: string | RegExp): Promise<void> {
		await waitForCondition(`The choice of ${label}`, async () => {
			await this.#shown(this.row(label));
			const before = await this.#question();
			await this.#page.mouse.move(0, 0);
			const isClicked = await clicks(this.row(label), { timeout: 3000 });
			const isOver = async (): Promise<boolean> => (await this.#question()) !== before;
			return isClicked && succeeds(waitForCondition("The next question", isOver, 3000));
		});
		this.#asked = undefined;
	}

	/**
	 * Chooses the first row with this text anywhere in it, such as a value beside the label, until another question is asked or
	 * none, or `isDone`: rows that have just moved are not chosen.
	 */
	async pickText(text: string, isDone?: () => Promise<boolean>): Promise<void> {
		this.#asked = undefined;
		const before = await this.#question();
		const isOver = isDone ?? (async (): Promise<boolean> => (await this.#question()) !== before);
		await waitForCondition(`The choice of ${text}`, async () => {
			// The next question may have such a row as well.
			if (await isOver()) return true;
			await this.#page.mouse.move(0, 0);
			await clicks(this.#rowWith(text));
			return succeeds(waitForCondition("What the choice does", isOver, 3000));
		});
	}

	/**
	 * Presses an icon button of the first row with this text, by its tooltip, until `isDone`: rows that have just moved
	 * do not receive the click.
	 */
	async pressRowButton(text: string, button: string, isDone: () => Promise<boolean>): Promise<void> {
		const row = this.#rowWith(text);
		await waitForCondition(`The effect of ${button} of ${text}`, async () => {
			await this.#page.mouse.move(0, 0);
			await succeeds(row.hover({ timeout: 2000 }));
			await clicks(row.getByRole("button", { name: button, exact: true }));
			return succeeds(waitForCondition("The effect", isDone, 3000));
		});
	}

	/** Types into the input box or the filter of the quick pick that is shown. */
	async fill(text: string): Promise<void> {
		await this.#shown(this.input);
		await this.input.fill(text);
		if (this.#asked !== undefined) this.#asked.filter = text;
	}

	/** Accepts with Enter. */
	async accept(): Promise<void> {
		this.#asked = undefined;
		const before = await this.#question();
		await this.input.press("Enter");
		// Not its text: rows that arrive late change it while the question is the same, and they clear the text that is
		// typed next.
		const isOver = async (): Promise<boolean> => (await this.#question()) !== before;
		await succeeds(waitForCondition("The next question", isOver, 3000));
	}

	/** Presses Enter until another question is asked, or none: rows that have just moved are not chosen. */
	async acceptRow(): Promise<void> {
		this.#asked = undefined;
		const before = await this.#question();
		const isOver = async (): Promise<boolean> => (await this.#question()) !== before;
		await waitForCondition("The choice of the row", async () => {
			if (await isOver()) return true;
			await succeeds(this.input.press("Enter", { timeout: 2000 }));
			return succeeds(waitForCondition("The next question", isOver, 3000));
		});
	}

	/** Fills an input box and accepts. */
	async enter(text: string): Promise<void> {
		await this.fill(text);
		await this.accept();
	}

	/**
	 * Waits until the rows have been unchanged for as long as a user needs to see them, and returns them: a choice
	 * right after a change is ignored.
	 */
	async settled(): Promise<string> {
		let [shown, since] = [await this.#signature(), Date.now()];
		await waitForCondition("The end of changes in the list", async () => {
			const now = await this.#signature();
			if (now !== shown) [shown, since] = [now, Date.now()];
			return Date.now() - since >= 300;
		});
		return shown;
	}

	/** Closes the question with Escape. */
	async cancel(): Promise<void> {
		this.#asked = undefined;
		await waitForCondition("The end of the question", async () => {
			await succeeds(this.input.press("Escape", { timeout: 2000 }));
			return succeeds(this.widget.waitFor({ state: "hidden", timeout: 3000 }));
		});
	}

	/** Presses a button of the title bar or input, such as `Back`, by its tooltip. */
	async pressButton(name: string | RegExp): Promise<void> {
		await press(this.widget.getByRole("button", { name }).first());
	}

	/** The title above the question, with the step if it has one: `Run Prompt (1/2)`. */
	async title(): Promise<string> {
		const title = this.widget.locator(".quick-input-title");
		return (await title.count()) === 0 ? "" : (await title.innerText()).trim();
	}

	/** Waits until the question with this title is shown. */
	async waitForTitle(title: string | RegExp): Promise<void> {
		await this.#shown(this.widget.locator(".quick-input-title", { hasText: title }));
	}

	/** The prompt or the validation message below an input box, once it contains `text`. */
	async waitForMessage(text: string | RegExp): Promise<string> {
		const message = this.widget.locator(".quick-input-message", { hasText: text });
		await message.waitFor({ timeout: patience });
		return (await message.innerText()).trim();
	}

	/** The greyed text of the empty input. */
	async placeholder(): Promise<string> {
		return (await this.input.getAttribute("placeholder")) ?? "";
	}

	/** Waits until no question is open. */
	async waitUntilClosed(): Promise<void> {
		await waitForValue("The end of the quick input", async () =>
			(await this.widget.count()) === 0 ? true : undefined,
		);
	}

	/**
	 * Waits for a part of the list of the last command. A panel that is still loading takes the focus when it is done,
	 * which closes a list: then the command is run once more, as a user would.
	 */
	async #shown(part: Locator): Promise<void> {
		if (await succeeds(part.waitFor({ timeout: 10_000 }))) return;
		const asked = this.#asked;
		if (asked !== undefined && (await this.widget.count()) === 0) {
			console.warn(`The list of "${asked.command}" was closed: it is asked for once more.`);
			await this.run(asked.command);
			if (asked.filter !== undefined) await this.input.fill(asked.filter);
		}
		await part.waitFor({ timeout: patience });
	}

	#rowWith(text: string): Locator {
		return this.widget.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
	}

	/** Rows that arrive late move those below them, and a mouse that rests on a row shows a tooltip, which covers it. */
	async #clickRow(row: Locator): Promise<void> {
		await waitForCondition(`The click on ${String(row)}`, async () => {
			await this.#page.mouse.move(0, 0);
			return clicks(row);
		});
	}

	/** Read without waiting: none while no question is open. */
	async #value(): Promise<string> {
		const values = await this.input.evaluateAll((inputs: { readonly value: string }[]) =>
			inputs.map((one) => one.value),
		);
		return values.join("");
	}

	/** Distinguishes one question of a sequence from the next; empty while no question is open. */
	async #question(): Promise<string> {
		const placeholders = await this.input.evaluateAll((inputs: { readonly placeholder: string }[]) =>
			inputs.map((one) => one.placeholder),
		);
		const titles = await this.widget.locator(".quick-input-title").allInnerTexts();
		const [placeholder = ""] = placeholders;
		return placeholder === "" ? titles.join("|") : placeholder;
	}

	/** Changes whenever another question, or none, is shown. */
	async #signature(): Promise<string> {
		return [...(await this.widget.allInnerTexts()), await this.#value()].join("|");
	}
}
