import type { RowWords } from "../../questions/listRow.ts";
import { oneLine } from "../../base/text.ts";
import { exactJson } from "../../base/exactJson.ts";
import { duration } from "../../base/amounts.ts";
import type { RunStanding } from "./runProtocol.ts";
import { standingOf } from "./runView.ts";
import type { ToolRun } from "./toolRun.ts";

/** A run in the list of the history. The texts are untrusted, and on one line each. */
export interface RunRow extends RowWords {
	readonly run: ToolRun;
}

const icons: Readonly<Record<RunStanding, string>> = {
	running: "sync",
	done: "pass",
	"tool-error": "warning",
	failed: "error",
	cancelled: "circle-slash",
	denied: "shield",
	unknown: "question",
};

const words: Readonly<Record<RunStanding, string>> = {
	running: "running",
	done: "done",
	"tool-error": "tool error",
	failed: "failed",
	cancelled: "cancelled",
	denied: "denied by rule",
	unknown: "outcome unknown",
};

/** The row of a run; `timeOf` writes a moment in the user's way. */
export function runRow(run: ToolRun, timeOf: (milliseconds: number) => string): RunRow {
	const { standing } = standingOf(run);
	const { startedAt, milliseconds } = run.timing;
	const details = [
		oneLine(run.entry.session.definition.name, 60),
		words[standing],
		...(milliseconds === undefined ? [] : [duration(milliseconds)]),
		...(startedAt === undefined ? [] : [timeOf(startedAt)]),
	];
	return {
		run,
		icon: icons[standing],
		label: oneLine(run.entry.tool.name, 100),
		description: details.join(" · "),
		detail: oneLine(exactJson(run.arguments), 200),
	};
}
