import * as vscode from "vscode";
import type { Disposable } from "../base/lifecycle.ts";
import { throttle } from "../base/throttle.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import { explainAbsence, isSettling, type Remedy } from "../servers/absence.ts";
import type { Session, SessionDirectory } from "../servers/session.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import { toolRows, type ToolRow } from "./toolRows.ts";

/** How often the rows follow lists that are still arriving, at most, in milliseconds. */
const listingMs = 300;

/** A tool, what to do when there is none, or, without either, a heading. */
interface ToolItem extends vscode.QuickPickItem {
	readonly row?: ToolRow;
	readonly remedy?: Remedy;
}

/** What choosing a tool needs. */
export interface ToolPickServices {
	readonly directory: SessionDirectory;
	readonly pins: DefinitionPins;
	/** The keys of the tools that were run last. */
	readonly recent: readonly string[];
}

/**
 * Lets the person choose a tool of the running servers, or of `only` one of them. Where there is none, the rows say what to
 * do. Undefined when none is chosen.
 */
export async function pickTool(services: ToolPickServices, only?: Session): Promise<ToolEntry | undefined> {
	const { directory, pins, recent } = services;
	const pick = vscode.window.createQuickPick<ToolItem>();
	pick.title = "Run Tool";
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	const asked = (): readonly Session[] => (only === undefined ? directory.sessions : [only]);
	const render = (): void => {
		const active = pick.activeItems[0]?.row?.entry.tool;
		const items: ToolItem[] = [];
		for (const { heading, rows } of toolRows(directory, recent, pins, only?.definition.id)) {
			items.push({ label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator });
			for (const row of rows) items.push(toItem(row));
		}
		pick.busy = isSettling(asked(), "tools");
		const absence = items.length === 0 && !pick.busy ? explainAbsence(asked(), "tools") : undefined;
		pick.placeholder = absence?.message ?? "Search by name, server or description";
		pick.keepScrollPosition = true;
		pick.items = [...items, ...(absence?.remedies ?? []).map(toRemedyItem)];
		const again = pick.items.find(({ row }) => row !== undefined && row.entry.tool === active);
		if (again !== undefined) pick.activeItems = [again];
	};
	const lists = throttle(render, listingMs);
	const { promise, resolve } = Promise.withResolvers<ToolEntry | undefined>();
	const subscriptions: readonly Disposable[] = [
		pick,
		lists,
		directory.onDidChange(() => lists.run()),
		pins.onDidChange(() => lists.run()),
		...asked().map(({ tools }) => tools.onDidChange(() => lists.run())),
		pick.onDidAccept(() => {
			const { row, remedy } = pick.selectedItems[0] ?? {};
			resolve(row?.entry);
			if (row !== undefined || remedy !== undefined) pick.hide();
			if (remedy !== undefined) void vscode.commands.executeCommand(remedy.command, remedy.argument);
		}),
		pick.onDidHide(() => {
			resolve(undefined);
			for (const subscription of subscriptions) subscription.dispose();
		}),
	];
	render();
	pick.show();
	return promise;
}

function toItem(row: ToolRow): ToolItem {
	return {
		row,
		label: withoutIcons(row.label),
		description: withoutIcons(row.description),
		detail: withoutIcons(row.detail),
	};
}

function toRemedyItem(remedy: Remedy): ToolItem {
	return { remedy, label: `$(${remedy.icon}) ${remedy.title}`, alwaysShow: true };
}
