import type { ActivityRecord } from "./activityJournal.ts";
import { deciderOf, eventOf, subjectOf } from "./words.ts";

/** Entries as JSON Lines, one in each line, the oldest first. */
export function activityLines(records: readonly ActivityRecord[]): string {
	return records
		.map(({ window, n, at, entry }) => `${JSON.stringify({ time: new Date(at).toISOString(), window, n, ...entry })}\n`)
		.join("");
}

const columns = ["time", "kind", "server", "subject", "event", "by", "turn", "id", "window", "number"] as const;

/**
 * Entries as CSV (RFC 4180), the oldest first, with a row of names. Cells that a spreadsheet would take for a formula begin
 * with an apostrophe.
 */
export function activityTable(records: readonly ActivityRecord[]): string {
	const rows = records.map(({ window, n, at, entry }) => {
		const server = "server" in entry ? entry.server : "";
		const turn = "turn" in entry ? entry.turn : "";
		const id = "id" in entry ? entry.id : "";
		const by = "by" in entry ? deciderOf(entry) : "";
		return [
			new Date(at).toISOString(),
			entry.kind,
			server,
			subjectOf(entry),
			eventOf(entry),
			by,
			turn,
			id,
			window,
			`${n}`,
		];
	});
	return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
	// Also behind white space, which spreadsheets skip.
	const safe = /^[\s]*[=+\-@|%]/.test(text) ? `'${text}` : text;
	return `"${safe.replaceAll('"', '""')}"`;
}

/** The name of a file for an export: `mcp-activity-2026-11-22.jsonl`. */
export function activityExportName(now: Date, ending: "jsonl" | "csv"): string {
	return `mcp-activity-${now.toISOString().slice(0, 10)}.${ending}`;
}
