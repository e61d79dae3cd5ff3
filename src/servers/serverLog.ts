import type { Log } from "../base/log.ts";
import { cap, oneLine, showHidden } from "../base/text.ts";

/** Longest message of a server that its log takes, in characters. */
const maxLength = 4000;

/** Writes what a server sent as `notifications/message` into its log, at the level that comes closest. */
export function logServerMessage(log: Log, level: string, logger: string | undefined, data: unknown): void {
	const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
	const line = `${logger === undefined ? "" : `${oneLine(logger, 60)}: `}${cap(showHidden(text), maxLength)}`;
	if (level === "debug") log.debug(line);
	else if (level === "info" || level === "notice") log.info(line);
	else if (level === "warning") log.warn(line);
	else log.error(line);
}
