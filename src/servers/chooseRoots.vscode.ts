import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import { commandsOf } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import type { McpHost } from "./host.ts";
import { pickServer } from "./pick.vscode.ts";
import type { Session } from "./sessions/session.ts";
import {
	choiceOf,
	isSameSet,
	reconcile,
	rootRows,
	withRoot,
	type RootRow,
	type RootRows,
} from "./roots/chooseRoots.ts";
import { rootsOf } from "./roots/roots.ts";
import type { ServerRoots } from "./roots/serverRoots.ts";
import { timeOfDay } from "../base/shownTime.ts";

/** The commands that choose which folders a server may know of. */
export function rootsCommands(host: McpHost) {
	const chooseRoots = async (argument: unknown): Promise<void> => {
		const session = await pickServer(host, argument, "Choose the roots of which server?");
		const { model } = host.roots;
		if (session !== undefined && model !== undefined) await choose(model, session);
	};
	return commandsOf({ "mcpHost.chooseRoots": chooseRoots });
}

/** Lets the user select a server's roots. The selection applies immediately; Escape changes nothing. */
async function choose(model: ServerRoots, session: Session): Promise<void> {
	let rows = rootRows(model, session.definition);
	for (;;) {
		const answer = await pickRoots(rows, oneLine(session.definition.name, 80), placeholder(model, session));
		if (answer === undefined) return;
		if (answer.isDone) return model.choose(session.definition.id, choiceOf(rows, answer.ticked));
		rows = await addFolders({ ...rows, ticked: answer.ticked });
	}
}

function placeholder(model: ServerRoots, session: Session): string {
	if (session.state.kind !== "running") return "Folders that the server receives when it runs";
	const at = model.askedAt(session);
	return at === undefined
		? "Folders that the server receives; it has not asked for them yet"
		: `Folders that the server receives; it asked for them at ${timeOfDay(at)}`;
}

interface RowItem extends vscode.QuickPickItem {
	/** Absent for the headings. */
	readonly row?: RootRow;
}

/** Resolves with the ticks, or without `isDone` when the user wants to add a folder; undefined when they leave. */
function pickRoots(
	rows: RootRows,
	server: string,
	hint: string,
): Promise<{ readonly ticked: ReadonlySet<string>; readonly isDone: boolean } | undefined> {
	const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof pickRoots>>>();
	const pick = vscode.window.createQuickPick<RowItem>();
	const items = itemsOf(rows);
	let { ticked } = rows;
	const tick = (): void => {
		pick.selectedItems = items.filter(({ row }) => row !== undefined && ticked.has(row.id));
	};
	pick.title = `Roots of ${server}`;
	pick.placeholder = hint;
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.ignoreFocusOut = true;
	pick.buttons = [{ iconPath: new vscode.ThemeIcon("new-folder"), tooltip: "Add Folder…" }];
	pick.items = items;
	tick();
	pick.onDidChangeSelection((selected) => {
		const after = new Set(selected.flatMap(({ row }) => row?.id ?? []));
		if (isSameSet(after, ticked)) return;
		ticked = reconcile(rows, ticked, after);
		if (!isSameSet(after, ticked)) tick();
	});
	pick.onDidTriggerButton(() => resolve({ ticked, isDone: false }));
	pick.onDidAccept(() => resolve({ ticked, isDone: true }));
	pick.onDidHide(() => resolve(undefined));
	pick.show();
	return promise.finally(() => pick.dispose());
}

function itemsOf({ rows }: RootRows): readonly RowItem[] {
	const heading = (label: string): RowItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
	const items = (...kinds: readonly RootRow["kind"][]): readonly RowItem[] =>
		rows
			.filter(({ kind }) => kinds.includes(kind))
			.map((row) => ({ row, label: row.label, description: row.description }));
	const [folders, extra] = [items("folder"), items("extra")];
	return [
		...items("default", "none"),
		...(folders.length === 0 ? [] : [heading("workspace folders"), ...folders]),
		...(extra.length === 0 ? [] : [heading("others"), ...extra]),
	];
}

/** Lets the user name folders beside those of the workspace. */
async function addFolders(rows: RootRows): Promise<RootRows> {
	const uris = await vscode.window.showOpenDialog({
		canSelectFiles: false,
		canSelectFolders: true,
		canSelectMany: true,
		openLabel: "Add as Root",
		title: "Add Folder as Root",
	});
	let result = rows;
	for (const { scheme, fsPath, path } of uris ?? []) {
		const [root] = rootsOf([{ name: path.split("/").at(-1) || path, scheme, path: fsPath }]);
		if (root === undefined) throw new HostError("invalid", `${path} is not on the machine where servers run.`);
		result = withRoot(result, root, fsPath);
	}
	return result;
}
