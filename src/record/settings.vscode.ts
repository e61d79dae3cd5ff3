import * as vscode from "vscode";
import type { RecordMode } from "./keeper.ts";
import type { RecordBounds } from "./merge.ts";

const modes: ReadonlySet<unknown> = new Set<RecordMode>(["full", "without texts", "off"]);

/** How much of each request is written down, as the setting says now. */
export function recordMode(): RecordMode {
	const value = own("record");
	return modes.has(value) ? (value as RecordMode) : "full";
}

/** How much of the past is kept; the person chooses for how many days. */
export function recordBounds(): RecordBounds {
	const value = own("recordDays");
	const days = typeof value === "number" && value >= 1 ? value : 90;
	return { entries: 500, bytes: 20_000_000, days };
}

/** The setting as it applies to this machine: a workspace has no say in what is written down. */
function own(key: string): unknown {
	const inspected = vscode.workspace.getConfiguration("mcpHost.sampling").inspect<unknown>(key);
	return inspected?.globalValue ?? inspected?.defaultValue;
}
