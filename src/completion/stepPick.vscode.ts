import * as vscode from "vscode";
import type { Log } from "../base/log.ts";
import { CompletionFeed } from "./feed.ts";
import { argumentRows, placeholderOf, withoutIcons } from "./rows.ts";
import type { Wizard } from "./wizard.ts";

/** What asking for values needs: whose suggestions they are, and how to get them. */
export interface StepServices {
	/** The server's configured name. */
	readonly server: string;
	readonly log: Log;
	readonly complete: ConstructorParameters<typeof CompletionFeed>[0];
}

/** A row with the value that it enters; a separator has none. */
interface ValueItem extends vscode.QuickPickItem {
	readonly value?: string;
}

/**
 * Shows one quick pick over all steps of a wizard, with Back and the server's suggestions as they come. The first row
 * always stands for what is typed. Undefined when the person leaves: Escape ends the whole run.
 */
export async function pickSteps<Result>(
	wizard: Wizard<Result>,
	{ server, log, complete }: StepServices,
): Promise<Result | undefined> {
	const feed = new CompletionFeed(complete, log);
	try {
		return await drive(wizard, feed, server);
	} finally {
		feed.dispose();
	}
}

function drive<Result>(wizard: Wizard<Result>, feed: CompletionFeed, server: string): Promise<Result | undefined> {
	const pick = vscode.window.createQuickPick<ValueItem>();
	// Leaving to look something up in another place must not throw the entered values away.
	pick.ignoreFocusOut = true;
	let refusal: string | undefined;
	/** The first row, which stands for whatever is typed. */
	let enterItem: ValueItem | undefined;
	/** The suggestion that the person moved to, until something is typed. */
	let chosen: string | undefined;

	const render = (): void => {
		const { step } = wizard;
		if (step === undefined) return;
		const rows = argumentRows({ step, text: pick.value, completions: feed.values, refusal });
		// The server has matched already; what it found must not be filtered again.
		const [enter, ...suggestions] = rows.map(({ value, label, description, detail }): ValueItem => ({
			value,
			label,
			description,
			detail,
			alwaysShow: true,
		}));
		enterItem = enter;
		const heading = { label: withoutIcons(feed.note ?? `from ${server}`), kind: vscode.QuickPickItemKind.Separator };
		pick.items = [
			...(enter === undefined ? [] : [enter]),
			...(suggestions.length === 0 ? [] : [heading, ...suggestions]),
		];
		// An answer that arrives late must not move the person's choice to another row.
		const active = suggestions.find(({ value }) => chosen !== undefined && value === chosen) ?? enter;
		if (active !== undefined) pick.activeItems = [active];
		pick.busy = feed.isBusy;
		pick.title = wizard.title(chosen ?? pick.value);
	};
	const ask = (): void => {
		refusal = undefined;
		// While one types, the editor moves to the row that matches best; Enter must still take what was typed.
		chosen = undefined;
		if (wizard.step !== undefined) {
			feed.request({ name: wizard.step.name, value: pick.value, known: wizard.known });
		}
		render();
	};
	const show = (): void => {
		if (wizard.step !== undefined) pick.placeholder = placeholderOf(wizard.step);
		pick.buttons = wizard.canGoBack ? [vscode.QuickInputButtons.Back] : [];
		pick.value = wizard.value;
		ask();
	};

	return new Promise<Result | undefined>((resolve) => {
		const subscriptions = [
			pick,
			feed.onDidChange(render),
			pick.onDidChangeValue(ask),
			pick.onDidChangeActive(([active]) => {
				chosen = active === enterItem ? undefined : active?.value;
				pick.title = wizard.title(chosen ?? pick.value);
			}),
			pick.onDidTriggerButton(() => {
				if (wizard.back(pick.value)) show();
			}),
			pick.onDidAccept(() => {
				const [selected] = pick.selectedItems;
				const advance = wizard.next(selected === enterItem ? pick.value : (selected?.value ?? pick.value));
				if (advance.kind === "refused") {
					refusal = advance.message;
					render();
				} else if (advance.kind === "step") {
					show();
				} else {
					resolve(advance.result);
					pick.hide();
				}
			}),
			pick.onDidHide(() => {
				resolve(undefined);
				for (const subscription of subscriptions) subscription.dispose();
			}),
		];
		show();
		pick.show();
	});
}
