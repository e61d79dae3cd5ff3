import { withoutIcons } from "../../base/words.ts";
import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { CompletionFeed, type CompletionSource } from "./feed.ts";
import type { FillSources } from "./fills.ts";
import { LineInput } from "./lineInput.ts";
import { RecentRows } from "../recentRows.ts";
import type { RecentValues } from "./recentValues.ts";
import { argumentRows, placeholderOf, type ArgumentRow } from "./rows.ts";
import type { Wizard } from "./wizard.ts";

/** The dependencies of asking for values: the owner of the suggestions, and how to get them. */
export interface StepServices<Result> {
	/** The server's configured name. */
	readonly server: string;
	readonly log: Log;
	readonly complete: CompletionSource;
	/** Where values can be taken from besides typing. */
	readonly fills?: FillSources;
	/** The earlier values, and where they are kept. */
	readonly recent?: RecentValues;
	/** Asks for all values at once, with those so far; undefined when the user leaves that. */
	form?(entered: Readonly<Record<string, string>>): Promise<Result | undefined>;
}

/** A row of the pick; a separator has no action. */
interface RowItem extends vscode.QuickPickItem {
	readonly row?: ArgumentRow;
}

const headings = { suggestion: "", recent: "recently used", fill: "or take it from" } as const;

/**
 * Shows one quick pick over all steps of a wizard, with Back and the server's suggestions as they arrive. The first row
 * shows the effect of Enter on the typed text. Undefined when the user leaves: Escape ends the whole run.
 */
export async function pickSteps<Result>(
	wizard: Wizard<Result>,
	services: StepServices<Result>,
): Promise<Result | undefined> {
	using pick = new StepPick(wizard, services);
	return await pick.run();
}

class StepPick<Result> {
	private readonly wizard: Wizard<Result>;
	private readonly services: StepServices<Result>;
	private readonly feed: CompletionFeed;
	private readonly pick = vscode.window.createQuickPick<RowItem>();
	private readonly store = new DisposableStore();
	private readonly ended = Promise.withResolvers<Result | undefined>();
	private readonly input = new LineInput();
	private readonly shown = new RecentRows();
	private readonly formButton = { iconPath: new vscode.ThemeIcon("checklist"), tooltip: "Fill In as a Form" };
	private readonly forgetButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Forget This Value" };
	private refusal: string | undefined;
	/** The row that the user moved to, until something is typed; undefined for the first, whichever that is. */
	private chosen: string | undefined;
	private first: string | undefined;
	/** Whether something was typed at this step. */
	private isTyped = false;
	/** Values from other sources are not remembered. */
	private readonly filled = new Map<string, string>();
	/** Set while a value is taken from elsewhere: another question may then be in the place of this one. */
	private filling: AbortController | undefined;

	constructor(wizard: Wizard<Result>, services: StepServices<Result>) {
		this.wizard = wizard;
		this.services = services;
		this.feed = new CompletionFeed(services.complete, services.log);
		const { pick, store } = this;
		// Leaving to look something up in another place must not throw the entered values away.
		pick.ignoreFocusOut = true;
		const own: readonly Disposable[] = [
			pick,
			this.feed,
			this.feed.onDidChange(() => this.render()),
			...(services.fills === undefined ? [] : [services.fills.onDidChange(() => this.render())]),
			pick.onDidChangeValue((line) => this.type(line)),
			pick.onDidChangeActive(([active]) => {
				this.shown.confirm();
				this.point(active?.row);
			}),
			pick.onDidTriggerButton((button) => this.press(button)),
			pick.onDidTriggerItemButton(({ item }) => {
				if (this.isMeant(item)) this.forget(item.row);
			}),
			pick.onDidAccept(() => {
				const [item] = pick.selectedItems;
				if (item?.row !== undefined && this.isMeant(item)) this.accept(item.row);
			}),
			pick.onDidHide(() => {
				if (this.filling === undefined) this.ended.resolve(undefined);
			}),
		];
		for (const disposable of own) store.add(disposable);
	}

	run(): Promise<Result | undefined> {
		this.show();
		this.pick.show();
		return this.ended.promise;
	}

	[Symbol.dispose](): void {
		this.filling?.abort();
		this.store.dispose();
	}

	/** Turns to the wizard's current step. */
	private show(): void {
		const { wizard, pick, services } = this;
		pick.title = wizard.title();
		if (wizard.step !== undefined) pick.placeholder = placeholderOf(wizard.step);
		pick.buttons = [
			...(wizard.canGoBack ? [vscode.QuickInputButtons.Back] : []),
			...(services.form === undefined ? [] : [this.formButton]),
		];
		this.isTyped = false;
		this.input.set(wizard.value);
		pick.value = this.input.shown;
		this.ask();
	}

	private type(line: string): void {
		const before = this.input.text;
		this.input.type(line);
		// VS Code reports a set input as if it had been typed.
		if (this.input.text === before) return;
		// The effect of Enter follows the typed text, not the earlier list.
		this.isTyped = true;
		this.shown.ask();
		this.ask();
	}

	private ask(): void {
		this.refusal = undefined;
		// While one types, the editor moves to the row that matches best; Enter must still take what was typed.
		this.chosen = undefined;
		const { step, known } = this.wizard;
		if (step !== undefined) this.feed.request({ name: step.name, value: this.input.text, known });
		this.render();
	}

	private render(): void {
		const { wizard, pick, feed, services } = this;
		const { step } = wizard;
		if (step === undefined || this.store.isDisposed) return;
		const rows = argumentRows({
			step,
			text: this.input.text,
			isTyped: this.isTyped,
			completions: feed.values,
			recent: services.recent?.of(step.name) ?? [],
			fills: services.fills?.offers ?? [],
			refusal: this.refusal,
		});
		const items = rows.flatMap((row, index): readonly RowItem[] => {
			const item = this.toItem(row);
			if (index === 0 || row.kind === "enter" || rows[index - 1]?.kind === row.kind) return [item];
			const heading = row.kind === "suggestion" ? (feed.note ?? `from ${services.server}`) : headings[row.kind];
			return [{ label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator }, item];
		});
		pick.items = items;
		// Typed text may be accepted step after step; a value of one step does not belong to another.
		const ofStep = ({ row, label }: RowItem): string => `${step.name} ${row === undefined ? label : keyOf(row)}`;
		this.shown.show(items.map((item) => (item.row?.kind === "enter" ? "enter" : ofStep(item))));
		this.first = rows[0] === undefined ? undefined : keyOf(rows[0]);
		// An answer that arrives late must not move the user's choice to another row.
		const active = items.find(({ row }) => row !== undefined && keyOf(row) === this.chosen) ?? items[0];
		if (active !== undefined) pick.activeItems = [active];
		pick.busy = feed.isBusy || this.filling !== undefined;
	}

	private toItem(row: ArgumentRow): RowItem {
		const { label, description, detail } = row;
		const buttons = row.kind === "recent" ? [this.forgetButton] : [];
		// The server has matched already; its results must not be filtered again.
		return { row, label, description, detail, buttons, alwaysShow: true };
	}

	private point(row: ArgumentRow | undefined): void {
		const key = row === undefined ? undefined : keyOf(row);
		this.chosen = key === this.first ? undefined : key;
	}

	private press(button: vscode.QuickInputButton): void {
		if (button === this.formButton) this.fillInForm();
		else if (this.wizard.back(this.input.text)) this.show();
	}

	private fillInForm(): void {
		const { services, wizard, input, ended } = this;
		ended.resolve(services.form?.(wizard.entered(input.text)));
		this.pick.hide();
	}

	private forget(row: ArgumentRow | undefined): void {
		const { step } = this.wizard;
		if (step === undefined || row?.kind !== "recent") return;
		this.services.recent?.forget(step.name, row.value);
		this.render();
	}

	/** Whether the user can only have meant this row: answers that arrive late move others to its place. */
	private isMeant(item: RowItem): boolean {
		if (this.shown.isCertain(this.pick.items.indexOf(item))) return true;
		// VS Code reports a selection only once: a selected row could not be selected again.
		this.pick.selectedItems = [];
		return false;
	}

	private accept(row: ArgumentRow): void {
		if (this.filling !== undefined) return;
		if (row.kind === "fill") void this.fill(row.source);
		else this.enter(row.kind === "enter" ? this.input.text : row.value);
	}

	private async fill(source: string): Promise<void> {
		const { step } = this.wizard;
		const { fills } = this.services;
		if (step === undefined || fills === undefined) return;
		this.filling = new AbortController();
		this.render();
		let text: string | undefined;
		let failure: string | undefined;
		try {
			text = await fills.read(source, this.filling.signal);
		} catch (error) {
			failure = messageOf(error);
		}
		this.filling = undefined;
		if (this.store.isDisposed) return;
		this.pick.show();
		if (text === undefined) this.refuse(failure);
		else {
			this.filled.set(step.name, text);
			this.enter(text);
		}
	}

	private enter(value: string): void {
		const { step } = this.wizard;
		const advance = this.wizard.next(value);
		if (advance.kind === "refused") {
			this.refuse(advance.message);
		} else if (advance.kind === "step") {
			this.show();
		} else {
			this.remember(step === undefined ? {} : this.wizard.entered(value));
			this.ended.resolve(advance.result);
			this.pick.hide();
		}
	}

	private refuse(message: string | undefined): void {
		this.refusal = message;
		this.render();
	}

	private remember(entered: Readonly<Record<string, string>>): void {
		for (const [name, value] of Object.entries(entered)) {
			if (this.filled.get(name) !== value) this.services.recent?.remember(name, value);
		}
	}
}

/** Distinguishes a row from the others when rows are added and removed around it. */
function keyOf(row: ArgumentRow): string {
	if (row.kind === "enter") return "enter";
	return row.kind === "fill" ? `fill ${row.source}` : `value ${row.value}`;
}
