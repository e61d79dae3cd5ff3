import type { Locator, Page } from "playwright-core";
import {
	chooseInMenu,
	chooseInToolbar,
	clicks,
	escapePattern,
	moveMouseAway,
	type PageElement,
	succeeds,
	titled,
	wholeText,
	patience,
	waitForCondition,
	waitForEndOfTooltips,
	visibleTooltip,
	waitForValue,
} from "./conditions.ts";
import { findRow, inOrder, type RowSnapshot, type TreeRow } from "./treeRows.ts";

/** The place of a row: its label, or the labels from an outermost row down to it. */
export type RowPath = string | readonly string[];

/** The trees in the side bar. */
export class Tree {
	readonly #page: Page;
	readonly #scope: Locator;

	constructor(page: Page, scope: Locator = page.locator(".part.sidebar")) {
		this.#page = page;
		this.#scope = scope;
	}

	/** Shows the activity-bar container with this name. */
	async open(container: string): Promise<void> {
		const tab = this.container(container);
		await tab.waitFor({ timeout: patience });
		await waitForCondition(`The container ${container}`, async () => {
			if (
				(await tab.getAttribute("aria-expanded")) !== "true" &&
				(await tab.getAttribute("aria-selected")) !== "true"
			) {
				await tab.click();
			}
			const title = this.#page.locator(".part.sidebar .composite.title", { hasText: container });
			return succeeds(title.waitFor({ timeout: 1000 }));
		});
	}

	/** Waits until the extension has started and filled the view: with rows, or with the text of an empty view. */
	async waitUntilFilled(): Promise<void> {
		const content = this.#scope.locator(".monaco-list-rows > .monaco-list-row, .welcome-view-content :is(p, a)");
		await content.filter({ visible: true }).first().waitFor({ timeout: patience });
	}

	/** The tab of a container in the activity bar; badges add to its name. */
	container(name: string): Locator {
		return this.#page.locator(".activitybar").getByRole("tab", { name: new RegExp(`^${escapePattern(name)}\\b`) });
	}

	/** The same functions limited to one view of the container, by the name in its header. */
	view(name: string): Tree {
		const header = this.#page.locator(".pane-header", { hasText: new RegExp(`^\\s*${escapePattern(name)}`) });
		return new Tree(this.#page, this.#page.locator(".part.sidebar .pane").filter({ has: header }));
	}

	/** The rows shown now, as far as they fit into the side bar. */
	async rows(): Promise<TreeRow[]> {
		return (await this.#snapshot()).map(({ id: _id, index: _index, ...row }) => row);
	}

	/** Every shown row as `label description`, indented by level: easy to compare as a whole. */
	async text(): Promise<string> {
		const lines = (await this.rows()).map((row) =>
			`${"  ".repeat(row.level - 1)}${row.label} ${row.description}`.trimEnd(),
		);
		return lines.join("\n");
	}

	/** Waits for a row and returns it, scrolling down to it when the list is longer than the side bar. */
	async row(path: RowPath): Promise<Locator> {
		const names = typeof path === "string" ? [path] : path;
		// Rows that were scrolled out of the DOM are a way to the rows below them.
		let seen: readonly RowSnapshot[] = [];
		const found = await waitForValue(`The row ${names.join(" > ")}`, async () => {
			const shown = await this.#snapshot();
			seen = inOrder([...seen.filter((row) => shown.every((other) => other.id !== row.id)), ...shown]);
			const row = findRow(seen, names);
			if (row !== undefined && shown.includes(row)) {
				return row;
			}
			if (!(await this.#scrollOn())) {
				seen = [];
			}
			return undefined;
		});
		// Ids are positions: the name makes sure that it is the same row when it is used.
		const name = this.#page.locator(".label-name", { hasText: wholeText(found.label) });
		return this.#scope.locator(`[id="${found.id}"]`).filter({ has: name });
	}

	/** The row's texts and state once it is there. */
	async read(path: RowPath): Promise<TreeRow> {
		const names = typeof path === "string" ? [path] : path;
		await this.row(path);
		return waitForValue(`The row ${names.join(" > ")}`, async () => findRow(await this.#snapshot(), names));
	}

	/** Waits until the row's description contains `text`, and returns the row. */
	waitForDescription(path: RowPath, text: string | RegExp): Promise<TreeRow> {
		return this.#waitForText(path, "with the description", text, ({ description }) => description);
	}

	/** Waits until the row of a server shows that it runs, by its accessible name, and returns the row. */
	waitForRunning(server: string): Promise<TreeRow> {
		return this.waitForSpoken(server, new RegExp(`^${escapePattern(server)}, running`));
	}

	/** Waits until the accessible name of a row contains `text`, and returns the row. */
	waitForSpoken(path: RowPath, text: string | RegExp): Promise<TreeRow> {
		return this.#waitForText(path, "heard as", text, ({ accessibleName }) => accessibleName);
	}

	/** Waits until no such row is shown. */
	async waitUntilGone(path: RowPath): Promise<void> {
		const names = typeof path === "string" ? [path] : path;
		await waitForCondition(
			`The end of ${names.join(" > ")}`,
			async () => findRow(await this.#snapshot(), names) === undefined,
		);
	}

	/** Expands a row, and for a path every row on the way. */
	async expand(path: RowPath): Promise<void> {
		const names = typeof path === "string" ? [path] : path;
		for (let depth = 1; depth <= names.length; depth++) {
			await this.#setExpanded(names.slice(0, depth), true);
		}
	}

	/** Collapses a row. */
	async collapse(path: RowPath): Promise<void> {
		await this.#setExpanded(typeof path === "string" ? [path] : path, false);
	}

	/** Clicks a row: selects it, runs its command, or toggles it. */
	async click(path: RowPath): Promise<void> {
		await this.#withRow(path, (row) => clicks(row.locator(".monaco-icon-label").first()));
	}

	/** Presses an icon button that appears at the end of the row on hover, by its tooltip (the command's title). */
	async inlineAction(path: RowPath, name: string): Promise<void> {
		await this.#withRow(path, async (row) => {
			const button = row.locator(".actions .action-label").and(this.#page.getByLabel(titled(name)));
			return (await succeeds(row.hover({ timeout: 2000 }))) && clicks(button);
		});
	}

	/** The tooltips of the row's icon buttons. */
	async inlineActions(path: RowPath): Promise<string[]> {
		let names: string[] = [];
		await this.#withRow(path, async (row) => {
			if (!(await succeeds(row.hover({ timeout: 2000 })))) return false;
			names = await row
				.locator(".actions .action-label")
				.evaluateAll((elements: PageElement[]) => elements.map((element) => element.getAttribute("aria-label") ?? ""));
			return true;
		});
		return names;
	}

	/** Points at a row until its tooltip has text. */
	async hover(path: RowPath, said: string | RegExp): Promise<void> {
		const tooltip = visibleTooltip(this.#page).filter({ hasText: said });
		await this.#withRow(path, async (row) => {
			// The tooltip of an element that the mouse passed would cover the row.
			await waitForEndOfTooltips(this.#page);
			return (await succeeds(row.hover({ timeout: 2000 }))) && succeeds(tooltip.waitFor({ timeout: 5000 }));
		});
	}

	/** Opens the row's context menu and chooses an item by its name (the command's title, without category). */
	async contextMenu(path: RowPath, item: string): Promise<void> {
		const target = this.#page.getByRole("menuitem", { name: item, exact: true });
		await chooseInMenu(target, () => this.#rightClick(path));
	}

	/** The names in the row's context menu; the menu is closed again. */
	async contextMenuItems(path: RowPath): Promise<string[]> {
		const items = this.#page.locator(".context-view .monaco-menu").getByRole("menuitem");
		let names: string[] = [];
		await waitForCondition(`The menu of the row ${String(path)}`, async () => {
			if (await this.#rightClick(path)) await succeeds(items.first().waitFor({ timeout: 5000 }));
			names = await items.evaluateAll((elements: PageElement[]) =>
				elements.map((element) => element.getAttribute("aria-label") ?? element.textContent ?? ""),
			);
			await this.#page.keyboard.press("Escape");
			return names.length > 0 && succeeds(items.first().waitFor({ state: "hidden", timeout: 3000 }));
		});
		return names.map((name) => name.trim());
	}

	/** Chooses an action of the view's title by its name: a button, or an item of its menu. */
	titleAction(name: string): Promise<void> {
		return chooseInToolbar(this.#scope, name);
	}

	/** A button of the text that an empty view shows. */
	welcomeButton(name: string): Locator {
		return this.#scope.locator(".welcome-view-content").getByRole("button", { name, exact: true });
	}

	/** The badge of a container in the activity bar, empty without one. */
	async badge(container: string): Promise<string> {
		const item = this.container(container).locator("xpath=ancestor-or-self::*[contains(@class, 'action-item')]");
		const badge = item.locator(".badge-content").filter({ visible: true });
		return (await badge.count()) === 0 ? "" : (await badge.first().innerText()).trim();
	}

	async #setExpanded(names: readonly string[], isExpanded: boolean): Promise<void> {
		const wanted = String(isExpanded);
		await waitForCondition(`${names.join(" > ")} ${isExpanded ? "expanded" : "collapsed"}`, async () => {
			const row = await this.row(names);
			const state = async (): Promise<string | null> =>
				row.getAttribute("aria-expanded", { timeout: 1000 }).catch(() => null);
			if ((await state()) === wanted) {
				return true;
			}
			const isClicked = await clicks(row.locator(".monaco-tl-twistie"));
			if (!isClicked) await moveMouseAway(this.#page);
			return isClicked && succeeds(waitForCondition("The other state", async () => (await state()) === wanted, 1000));
		});
	}

	async #snapshot(): Promise<readonly RowSnapshot[]> {
		const rows = await this.#scope
			.locator(".monaco-list-rows > .monaco-list-row")
			.evaluateAll((elements: PageElement[]) =>
				elements.map((element) => {
					const text = (selector: string): string =>
						(element.querySelector(selector)?.textContent ?? "").replaceAll("\u00a0", " ").trim();
					const expanded = element.getAttribute("aria-expanded");
					return {
						id: element.id,
						index: Number(element.getAttribute("data-index")),
						label: text(".monaco-icon-label .label-name"),
						description: text(".monaco-icon-label .label-description"),
						accessibleName: element.getAttribute("aria-label") ?? "",
						level: Number(element.getAttribute("aria-level") ?? 1),
						isExpanded: expanded === null ? undefined : expanded === "true",
					};
				}),
			);
		return inOrder(rows);
	}

	/** One page down; at the end back to the start, and then it returns false. */
	async #scrollOn(): Promise<boolean> {
		const row = this.#page.locator(".monaco-list-row");
		const list = this.#scope.locator(".monaco-list").filter({ has: row }).first();
		const page = (await list.isVisible()) ? await list.boundingBox() : null;
		const style = page === null ? null : await list.locator(".monaco-list-rows").getAttribute("style");
		const height = Number(/(?:^|[\s;])height:\s*([\d.]+)px/.exec(style ?? "")?.[1] ?? 0);
		if (page === null || height <= page.height) {
			return false;
		}
		const middle = { x: page.x + page.width / 2, y: page.y + page.height / 2 };
		// Less than one page, so that no row is passed over.
		const notches = Math.max(1, Math.floor(page.height / notchHeight) - 2);
		const hasMoved = await this.#turnWheel(notches, middle);
		for (let isBelowStart = !hasMoved; isBelowStart;) {
			isBelowStart = await this.#turnWheel(-notches, middle);
		}
		return hasMoved;
	}

	/** Turns the wheel by this many notches, down or (negative) up, over a place, and returns whether the rows moved. */
	async #turnWheel(notches: number, place: { readonly x: number; readonly y: number }): Promise<boolean> {
		const before = await this.text();
		const turn = async (): Promise<boolean> => {
			await this.#page.mouse.move(place.x, place.y);
			for (let left = Math.abs(notches); left > 0; left--) await this.#page.mouse.wheel(0, Math.sign(notches) * 120);
			return succeeds(waitForCondition("Movement", async () => (await this.text()) !== before, 300));
		};
		if (await turn()) return true;
		// A tooltip that appeared between the mouse and the rows takes the wheel.
		if ((await visibleTooltip(this.#page).count()) === 0) return false;
		await moveMouseAway(this.#page);
		return turn();
	}

	/** Asks for the menu of a row. */
	async #rightClick(path: RowPath): Promise<boolean> {
		const isMade = await clicks(await this.row(path), { button: "right" });
		if (!isMade) await moveMouseAway(this.#page);
		return isMade;
	}

	#waitForText(path: RowPath, how: string, text: string | RegExp, read: (row: TreeRow) => string): Promise<TreeRow> {
		const names = typeof path === "string" ? [path] : path;
		return waitForValue(`${names.join(" > ")} ${how} ${String(text)}`, async () => {
			const row = findRow(await this.#snapshot(), names);
			if (row === undefined) return undefined;
			return (typeof text === "string" ? read(row).includes(text) : text.test(read(row))) ? row : undefined;
		});
	}

	/**
	 * Does something with a row, and again with its new place when the tree changed meanwhile, or when a tooltip of
	 * another row covered it.
	 */
	async #withRow(path: RowPath, action: (row: Locator) => Promise<boolean>): Promise<void> {
		await waitForCondition(`The action on the row ${String(path)}`, async () => {
			if (await action(await this.row(path))) return true;
			await moveMouseAway(this.#page);
			return false;
		});
	}
}

/** How far the list moves for one event of the wheel at most, in pixels, however large the event's distance is. */
const notchHeight = 50;
