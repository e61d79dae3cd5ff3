import * as vscode from "vscode";
import { type Commands, guarded } from "../../../base/commands.ts";
import { isJsonObject } from "../../../base/json.ts";
import type { Event } from "../../../base/event.ts";
import { type Disposable, DisposableStore } from "../../../base/lifecycle.ts";
import { showInformation } from "../../../base/notify.vscode.ts";
import type { KeyValue } from "../../../base/storage.ts";
import { withoutIcons } from "../../../base/words.ts";
import type { Session, SessionDirectory } from "../../../servers/sessions/session.ts";
import { templateGroups, templateReference } from "../catalog.ts";
import { type ListedTemplate, whenListed } from "../listed.ts";
import { explain } from "../failure.vscode.ts";
import {
	findTemplate,
	readTemplateRequest,
	rememberTyped,
	TemplateOpening,
	type TemplateOpeningServices,
} from "./templateOpening.ts";
import { TemplateRecents, TemplateResults } from "./templateMemory.ts";

/** The dependencies of templates on the rest of the host. */
export interface TemplateServices extends Pick<TemplateOpeningServices, "ask" | "open" | "log"> {
	readonly directory: SessionDirectory;
	/** Where results and entered values are remembered. */
	readonly state: KeyValue;
	/** A URI that no server lists, which the user typed, was opened: it is remembered under the template that makes it. */
	readonly onDidOpenTyped: Event<{ readonly session: Session; readonly uri: string }>;
}

type TemplateCommand =
	| "mcpHost.openResourceFromTemplate"
	| "mcpHost.forgetTemplateResult"
	| "mcpHost.forgetTemplateResults";

/** The functions of resource templates for the rest of the host. */
export interface WiredTemplates extends Disposable {
	readonly commands: Commands<TemplateCommand>;
	/** The resources that were opened from templates, for the tree. */
	readonly results: TemplateResults;
}

/** How long the picker waits for lists that are on their way, in milliseconds. */
const listingMs = 5000;

/** Creates `Use Resource Template…` and the commands that forget the resources opened by it. */
export function wireTemplates(services: TemplateServices): WiredTemplates {
	const { directory, state, ask, open, log } = services;
	const store = new DisposableStore();
	const results = store.add(new TemplateResults(state));
	const recents = new TemplateRecents(state);
	const opening = new TemplateOpening({ results, recents, log, ask, open });
	store.add(services.onDidOpenTyped((opened) => void rememberTyped(directory, results, opened)));

	const commands: Record<TemplateCommand, (argument: unknown) => Promise<void>> = {
		"mcpHost.openResourceFromTemplate": async (argument) => {
			const request = readTemplateRequest(argument);
			const listed =
				request === undefined
					? await pickTemplate(directory)
					: await findTemplate(directory, request, AbortSignal.timeout(listingMs));
			if (listed !== undefined) await opening.open(listed, request?.variables);
		},
		"mcpHost.forgetTemplateResult": async (argument) => {
			const template = templateReference(argument);
			const uri: unknown = isJsonObject(argument) ? argument["uri"] : undefined;
			if (template !== undefined && typeof uri === "string") await results.forget(template, uri);
		},
		"mcpHost.forgetTemplateResults": async (argument) => {
			const template = templateReference(argument);
			if (template === undefined) {
				await results.forgetAll();
				await recents.forgetAll();
			} else {
				await results.forget(template);
				await recents.forget(template);
			}
		},
	};
	return {
		commands: guarded(commands, (error, argument) => explain(error, templateReference(argument)?.server)),
		results,
		dispose: () => store.dispose(),
	};
}

interface TemplateItem extends vscode.QuickPickItem {
	readonly value?: ListedTemplate;
}

/** Lets the user choose among the templates of the running servers, under the servers' names. */
async function pickTemplate(directory: SessionDirectory): Promise<ListedTemplate | undefined> {
	await whenListed(directory, "resourceTemplates", AbortSignal.timeout(listingMs));
	const groups = templateGroups(directory);
	if (groups.length === 0) {
		void showInformation("No running server offers resource templates.");
		return undefined;
	}
	const items = groups.flatMap(({ heading, rows }) => {
		const separator: TemplateItem = { label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator };
		return [separator].concat(
			rows.map(({ label, description, detail, value }) => ({
				label: withoutIcons(label),
				description: withoutIcons(description),
				detail: withoutIcons(detail),
				iconPath: new vscode.ThemeIcon("symbol-parameter"),
				value,
			})),
		);
	});
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		placeHolder: "Open a resource from which template?",
		matchOnDescription: true,
		matchOnDetail: true,
	});
	return picked?.value;
}
