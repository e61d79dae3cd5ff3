import * as vscode from "vscode";
import type { Log } from "../base/log.ts";
import { argumentRows, placeholderOf, withoutIcons } from "./argumentRows.ts";
import { ArgumentWizard, type ArgumentStep, type PromptArguments } from "./arguments.ts";
import type { PromptEntry } from "./catalog.ts";
import { CompletionFeed } from "./completion.ts";

/** A row with the value that it enters; a separator has none. */
interface ValueItem extends vscode.QuickPickItem {
	readonly value?: string;
}

/**
 * Asks for the arguments of a prompt, one step each, with Back and with the server's suggestions as they come.
 * `given` are values known already. Undefined when the person leaves: Escape ends the whole run.
 */
export async function pickArguments(
	{ prompt, session }: PromptEntry,
	given: PromptArguments,
	log: Log,
): Promise<PromptArguments | undefined> {
	const wizard = new ArgumentWizard(prompt, given);
	const feed = new CompletionFeed(
		({ name, value, known }, signal) =>
			session.complete({ type: "ref/prompt", name: prompt.name }, { name, value }, known, { signal }),
		log,
	);
	try {
		return wizard.step === undefined ? {} : await drive(wizard, wizard.step, feed, session.definition.name);
	} finally {
		feed.dispose();
	}
}

/** Shows one quick pick over all steps until the person has entered everything or leaves. */
function drive(
	wizard: ArgumentWizard,
	first: ArgumentStep,
	feed: CompletionFeed,
	server: string,
): Promise<PromptArguments | undefined> {
	const pick = vscode.window.createQuickPick<ValueItem>();
	// Leaving to look something up in another place must not throw the entered values away.
	pick.ignoreFocusOut = true;
	let step = first;
	let refusal: string | undefined;
	/** The first row, which stands for whatever is typed. */
	let enterItem: ValueItem | undefined;

	/** Shows the rows; `chosen` is a suggestion that stays the active row if it is still there. */
	const render = (chosen?: string): void => {
		const rows = argumentRows({ step, text: pick.value, completions: feed.values, refusal });
		// The server has matched already; what it found must not be filtered again.
		const [enter, ...suggestions] = rows.map(({ value, label, description, detail }): ValueItem => ({
			value,
			label,
			description,
			detail,
			alwaysShow: true,
		}));
		const heading = { label: withoutIcons(feed.note ?? `from ${server}`), kind: vscode.QuickPickItemKind.Separator };
		enterItem = enter;
		pick.items = [
			...(enter === undefined ? [] : [enter]),
			...(suggestions.length === 0 ? [] : [heading, ...suggestions]),
		];
		// After typing, VS Code would make the row that matches best the active one; Enter means the typed text.
		const active = suggestions.find(({ value }) => value === chosen) ?? enter;
		if (active !== undefined) pick.activeItems = [active];
		pick.busy = feed.isBusy;
	};
	const ask = (): void => {
		refusal = undefined;
		feed.request({ name: step.name, value: pick.value, known: wizard.known });
		render();
	};
	const show = (): void => {
		step = wizard.step ?? step;
		pick.title = wizard.title;
		pick.placeholder = placeholderOf(step);
		pick.buttons = wizard.canGoBack ? [vscode.QuickInputButtons.Back] : [];
		pick.value = wizard.value;
		ask();
	};

	return new Promise<PromptArguments | undefined>((resolve) => {
		const subscriptions = [
			pick,
			feed.onDidChange(() => {
				// An answer that arrives late must not move the person's choice to another row.
				const [active] = pick.activeItems;
				render(active === enterItem ? undefined : active?.value);
			}),
			pick.onDidChangeValue(ask),
			pick.onDidTriggerButton(() => {
				if (wizard.back(pick.value)) show();
			}),
			pick.onDidAccept(() => {
				const [selected] = pick.selectedItems;
				// Typing may be ahead of the first row, but not of the value.
				const advance = wizard.next(selected === enterItem ? pick.value : (selected?.value ?? pick.value));
				if (advance.kind === "refused") {
					refusal = advance.message;
					render();
				} else if (advance.kind === "step") {
					show();
				} else {
					resolve(advance.arguments);
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
