import { type Log, logThrough } from "./log.ts";

/** How many errors are kept, and how long each may be. */
const most = 20;
const longest = 2000;

/** An error or a warning of a log. */
export interface LoggedError {
	/** In milliseconds since 1970. */
	readonly at: number;
	readonly level: "error" | "warn";
	readonly message: string;
}

/**
 * Keeps the last errors and warnings of a log in memory, as they were written. The caller that shows them removes
 * secrets.
 */
export class LastErrors {
	private readonly kept: LoggedError[] = [];

	/** Oldest first. */
	get all(): readonly LoggedError[] {
		return this.kept;
	}

	/** A log that writes to `target`, and keeps errors and warnings. */
	log(target: Log, now: () => number = Date.now): Log {
		return logThrough((level, message) => {
			target[level](message);
			if (level !== "error" && level !== "warn") return;
			this.kept.push({ at: now(), level, message: message.slice(0, longest) });
			if (this.kept.length > most) this.kept.shift();
		});
	}
}
