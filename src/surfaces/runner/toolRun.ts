import { Emitter, type Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Progress } from "../../base/progress.ts";
import { cap } from "../../base/text.ts";
import type { ToolOutcome } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { RememberedCall } from "../../features/tools/results/finishedCalls.ts";

/** How much is kept of a server's log lines. */
const mostLines = 100;
const longestLine = 2000;

/** How long a call took, and when it began, in milliseconds. */
export interface RunTiming {
	/** Since the epoch; undefined where nobody noted it. */
	readonly startedAt: number | undefined;
	/** Undefined while it runs, and where nothing was sent. */
	readonly milliseconds: number | undefined;
}

/** The origin of a run. */
export interface RunOrigin {
	readonly id?: string;
	/** Its owner, such as `your chat turn`. */
	readonly during?: string | undefined;
}

/** One viewable tool call: the sent data, its progress, and how it ended. */
export class ToolRun {
	readonly id: string;
	readonly entry: ToolEntry;
	private readonly wanted: JsonObject;
	/** Its owner, such as `your chat turn`; undefined for a run of the user's own. */
	readonly during: string | undefined;
	private readonly controller = new AbortController();
	private readonly changed = new Emitter<void>();
	private ending: ToolOutcome | undefined;
	private latest: Progress | undefined;
	private lines: readonly string[] = [];
	private times: RunTiming = { startedAt: undefined, milliseconds: undefined };
	/** It reported progress, or ended. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(entry: ToolEntry, args: JsonObject, { id = crypto.randomUUID(), during }: RunOrigin = {}) {
		this.entry = entry;
		this.wanted = args;
		this.id = id;
		this.during = during;
	}

	/** A finished call of the chat, to be viewed like one of the user's own. */
	static ofChat({ id, entry, outcome }: RememberedCall): ToolRun {
		const run = new ToolRun(entry, outcome.sent, { id, during: "your chat turn" });
		run.ending = outcome;
		run.times = { startedAt: undefined, milliseconds: outcome.milliseconds };
		return run;
	}

	/** The arguments exactly as they are sent, which the user may still change while they are asked in the chat. */
	get arguments(): JsonObject {
		return this.ending?.kind === "done" ? this.ending.sent : this.wanted;
	}

	/** Aborted when the user cancels the run. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** How it ended; undefined while it runs. */
	get outcome(): ToolOutcome | undefined {
		return this.ending;
	}

	/** The server's latest word on it. */
	get progress(): Progress | undefined {
		return this.latest;
	}

	get timing(): RunTiming {
		return this.times;
	}

	/** Notes that it begins now. */
	begin(startedAt: number): void {
		this.times = { startedAt, milliseconds: undefined };
		this.changed.fire();
	}

	/** The last lines of the server's log and standard error during the run; untrusted. */
	get log(): readonly string[] {
		return this.lines;
	}

	noteLog(line: string): void {
		this.lines = [...this.lines, cap(line, longestLine)].slice(-mostLines);
		this.changed.fire();
	}

	note(progress: Progress): void {
		this.latest = progress;
		this.changed.fire();
	}

	/** Notes the end; only the first counts. */
	end(outcome: ToolOutcome, milliseconds: number | undefined): void {
		if (this.ending !== undefined) return;
		this.ending = outcome;
		this.times = { ...this.times, milliseconds };
		this.changed.fire();
	}

	/** Cancels it, unless it has ended. */
	cancel(): void {
		if (this.ending === undefined) this.controller.abort();
	}
}
