import type { Exchange } from "../../records/trace/exchange.ts";

/** A line of a server's log with the exchange in which it was written. */
export interface LogLink {
	/** The line, from 0, and how many of its characters are its time. */
	readonly line: number;
	readonly length: number;
	readonly exchange: number;
}

/** The characters that VS Code removes from the title of a channel in the name of its file. */
const unfit = /[\\/:*?"<>|]/g;

/** Whether the editor's document at a path is the log of the server with this name. */
export function isLogOf(path: string, server: string): boolean {
	// Earlier versions of VS Code have no ending.
	return path.replace(/\.log$/, "").endsWith(`.${`MCP Host: ${server}`.replace(unfit, "")}`);
}

/** How a line of the editor's logs begins: its time on this machine's clock, and its level. */
const timeOf = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3}) \[/;
/**
 * A log line may be written after its event, or before its message is recorded, by at most this time, in milliseconds.
 */
const apart = 50;
/** Lines of the end of a log that are looked at. */
const mostLines = 5000;

/**
 * The lines of a server's log that were written while something passed, each with that exchange; where it may be one of
 * several, the one that began last. Lines of other times have none.
 */
export function logLinks(text: string, server: string, exchanges: readonly Exchange[]): readonly LogLink[] {
	const spans = exchanges
		.filter(({ serverName }) => serverName === server)
		.map(({ id, startedAt, durations, outcome }) => ({
			id,
			from: startedAt - apart,
			to: outcome.kind === "waiting" ? Infinity : startedAt + durations.total + apart,
		}));
	if (spans.length === 0) return [];
	const lines = text.split("\n");
	const first = Math.max(0, lines.length - mostLines);
	return lines.slice(first).flatMap((line, offset): readonly LogLink[] => {
		const [whole, ...parts] = timeOf.exec(line) ?? [];
		if (whole === undefined) return [];
		const [year = 0, month = 1, day = 0, hours = 0, minutes = 0, seconds = 0, ms = 0] = parts.map(Number);
		const at = new Date(year, month - 1, day, hours, minutes, seconds, ms).getTime();
		const found = spans.findLast(({ from, to }) => from <= at && at <= to);
		return found === undefined ? [] : [{ line: first + offset, length: whole.length - 2, exchange: found.id }];
	});
}
