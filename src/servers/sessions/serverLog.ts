import type { Log } from "../../base/log.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";

/** Longest message of a server that its log takes, in characters. */
const maxLength = 4000;

/** Writes what a server sent as `notifications/message` into its log, at the level that comes closest. Returns the line. */
export function logServerMessage(log: Log, level: string, logger: string | undefined, data: unknown): string {
	const text = showHidden(cap(typeof data === "string" ? withoutTerminal(data) : jsonOf(data), maxLength));
	// Each further line is marked, so that none can pass for one of the log's own (TRN-28).
	const line = `${logger === undefined ? "" : `${oneLine(logger, 60)}: `}${text.replaceAll("\n", "\n  | ")}`;
	if (level === "debug") log.debug(line);
	else if (level === "info" || level === "notice") log.info(line);
	else if (level === "warning") log.warn(line);
	else log.error(line);
	return line;
}

/** Data of any size as JSON, not much longer than the log takes. */
function jsonOf(data: unknown): string {
	let left = maxLength;
	const json = JSON.stringify(data, (_key, value: unknown) => {
		if (left <= 0) return undefined;
		left -= typeof value === "string" ? value.length : 4;
		if (typeof value === "string") return cap(withoutTerminal(value), maxLength);
		// Of an array every item is asked for, and what is left out is written as `null`.
		return Array.isArray(value) ? value.slice(0, maxLength) : value;
	}) as string | undefined;
	return json ?? "";
}
