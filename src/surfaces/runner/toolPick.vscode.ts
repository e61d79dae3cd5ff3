import { withoutIcons } from "../../base/text.ts";
import * as vscode from "vscode";
import { pickRefreshing } from "../../questions/refreshingPick.vscode.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import { explainAbsence, isSettling, type Remedy, remedyItem } from "../../servers/sessions/absence.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { toolRows, type ToolRow } from "./toolRows.ts";

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
	const asked = (): readonly Session[] => (only === undefined ? directory.sessions : [only]);
	const picked = await pickRefreshing<ToolItem>({
		content() {
			const items = toolRows(directory, recent, pins, only?.definition.id).flatMap(({ heading, rows }) => {
				const separator: ToolItem = { label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator };
				return [separator].concat(rows.map(toItem));
			});
			const isBusy = isSettling(asked(), "tools");
			const absence = items.length === 0 && !isBusy ? explainAbsence(asked(), "tools") : undefined;
			return {
				items: [...items, ...(absence?.remedies ?? []).map(remedyItem)],
				title: "Run Tool",
				placeholder: absence?.message ?? "Search by name, server or description",
				isBusy,
			};
		},
		identityOf: ({ row }) => row?.entry.tool,
		watch: (refresh) => [
			directory.onDidChange(refresh),
			pins.onDidChange(refresh),
			...asked().map(({ tools }) => tools.onDidChange(refresh)),
		],
	});
	if (picked?.remedy !== undefined) {
		void vscode.commands.executeCommand(picked.remedy.command, picked.remedy.argument);
	}
	return picked?.row?.entry;
}

function toItem(row: ToolRow): ToolItem {
	return {
		row,
		label: withoutIcons(row.label),
		description: withoutIcons(row.description),
		detail: withoutIcons(row.detail),
	};
}
