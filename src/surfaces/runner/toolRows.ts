import type { RowTexts } from "../../questions/listRow.ts";
import { oneLine } from "../../base/text.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { toolBadges } from "../../permissions/catalog/annotations.ts";
import { readCatalog, type ToolEntry } from "../../permissions/catalog/catalog.ts";
import { toolKey } from "./runnerMemory.ts";

/** A tool to choose, by its real name. */
export interface ToolRow extends RowTexts {
	readonly entry: ToolEntry;
}

/** Rows under one heading. */
export interface ToolRows {
	readonly heading: string;
	readonly rows: readonly ToolRow[];
}

/** The tools of the running servers, those that were run last before the others, which are grouped by server. */
export function toolRows(
	directory: SessionDirectory,
	recent: readonly string[],
	pins: Pick<DefinitionPins, "stateOf" | "warningsOf">,
	server?: string,
): readonly ToolRows[] {
	const { entries } = readCatalog(directory);
	const shown = entries.filter(({ session }) => server === undefined || session.definition.id === server);
	const byKey = new Map(shown.map((entry) => [toolKey(entry), entry]));
	const latest = recent.flatMap((key) => byKey.get(key) ?? []);
	const rest = Map.groupBy(
		shown.filter((entry) => !latest.includes(entry)),
		({ session }) => session,
	);
	const groups = [...rest].map(([session, group]) => ({
		heading: oneLine(session.definition.name),
		rows: group.map((entry) => toRow(entry, pins)),
	}));
	return latest.length === 0
		? groups
		: [{ heading: "recently run", rows: latest.map((entry) => toRow(entry, pins)) }, ...groups];
}

function toRow(entry: ToolEntry, pins: Pick<DefinitionPins, "stateOf" | "warningsOf">): ToolRow {
	const { session, tool } = entry;
	const title = tool.title ?? tool.annotations?.title ?? "";
	const details = [
		oneLine(session.definition.name, 60),
		...(pins.stateOf(session, tool).kind === "changed" ? ["changed"] : []),
		...pins.warningsOf(session, tool).map(({ word }) => word),
		...toolBadges(tool.annotations).flatMap(({ label, isStated }) => (isStated ? [label] : [])),
		...(title === "" || title === tool.name ? [] : [oneLine(title, 60)]),
	];
	return {
		entry,
		label: oneLine(tool.name, 100) || "(no name)",
		description: details.join(" · "),
		detail: oneLine(tool.description ?? "", 200),
	};
}
