import type { SamplingEntry } from "./samplingRecord.ts";

/** Entries as JSON Lines, one in each line, the oldest first. */
export function toJsonLines(entries: readonly SamplingEntry[]): string {
	return entries
		.toReversed()
		.map((entry) => `${JSON.stringify(entry)}\n`)
		.join("");
}

/** The name of a file for an export: `mcp-sampling-log-2026-11-22.jsonl`. */
export function exportName(now: Date): string {
	return `mcp-sampling-log-${now.toISOString().slice(0, 10)}.jsonl`;
}
