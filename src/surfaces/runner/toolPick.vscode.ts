import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import { explainAbsence, isSettling } from "../../servers/sessions/absence.ts";
import { itemsUnder, pickRow, remedyItem } from "../../servers/rowPick.vscode.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { toolRows, type ToolRow } from "./toolRows.ts";

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
	const picked = await pickRow<ToolRow>({
		content() {
			const groups = toolRows(directory, recent, pins, only?.definition.id);
			const items = groups.flatMap(({ heading, rows }) => itemsUnder(heading, rows));
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
	return picked?.entry;
}
