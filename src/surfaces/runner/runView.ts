import { assertNever } from "../../base/assert.ts";
import { canonicalJson } from "../../base/json.ts";
import { describeProgress } from "../../base/progress.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { badgeLine } from "../../permissions/catalog/annotations.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { exactJson } from "../../base/exactJson.ts";
import { resultView } from "../../features/tools/results/resultView.ts";
import { requestOf } from "./runTexts.ts";
import type { RunStanding, RunView } from "./runProtocol.ts";
import type { ToolRun } from "./toolRun.ts";

/**
 * The current content of a run's panel. Everything is bounded except the user's input. `hasApp` returns whether the
 * results of a tool can be shown by an app of its server.
 */
export function toRunView(
	run: ToolRun,
	directory: SessionDirectory,
	hasApp: (entry: ToolEntry) => boolean = () => false,
): RunView {
	const { session, tool, perform } = run.entry;
	const { outcome, progress } = run;
	const { startedAt, milliseconds } = run.timing;
	const title = tool.title ?? tool.annotations?.title;
	return {
		id: run.id,
		server: oneLine(session.definition.name),
		tool: oneLine(tool.name),
		...(title === undefined || title === tool.name ? {} : { title: oneLine(title, 100) }),
		badges: badgeLine(tool.annotations),
		...(run.during === undefined ? {} : { during: run.during }),
		...standingOf(run),
		...(outcome === undefined && progress !== undefined
			? {
					progress: {
						text: describeProgress(progress),
						...(progress.total === undefined ? {} : { done: progress.progress, total: progress.total }),
					},
				}
			: {}),
		...(startedAt === undefined ? {} : { startedAt }),
		...(milliseconds === undefined ? {} : { milliseconds }),
		log: run.log.map(showHidden),
		arguments: exactJson(run.arguments),
		request: exactJson(requestOf(run)),
		...(outcome?.kind === "done" ? { result: resultView(outcome.result) } : {}),
		notes: notesOf(run, directory),
		canRunAgain: perform === undefined,
		canCopyCommand: perform === undefined,
		isTraced: exchangeOf(outcome) !== undefined,
		hasApp: outcome?.kind === "done" && hasApp(run.entry),
	};
}

/** The reference of a call's exchange in the trace; undefined if none was recorded. */
export function exchangeOf(outcome: ToolRun["outcome"]): string | undefined {
	return outcome !== undefined && "exchange" in outcome ? outcome.exchange : undefined;
}

/** The changes since the call, in our sentences; empty when the same call would be handled the same way. */
export function notesOf({ entry }: ToolRun, directory: SessionDirectory): readonly string[] {
	const { session, tool } = entry;
	const name = oneLine(session.definition.name);
	const now = directory.get(session.definition.id);
	if (now === undefined) return [`The server ${name} is no longer configured.`];
	if (now.definition.hash !== session.definition.hash) return [`The configuration of the server ${name} has changed.`];
	if (now.state.kind !== "running") return [`The server ${name} is not running now.`];
	if (entry.perform !== undefined) return [];
	const current = now.tools.items.find((item) => item.name === tool.name);
	if (current === undefined) return [`The server ${name} no longer offers this tool.`];
	return canonicalJson(current) === canonicalJson(tool) ? [] : ["The server has changed this tool."];
}

/** The state of a run, in a word and in a sentence. */
export function standingOf(run: ToolRun): { readonly standing: RunStanding; readonly sentence: string } {
	const { outcome } = run;
	if (outcome === undefined) return { standing: "running", sentence: runningSentence(run) };
	switch (outcome.kind) {
		case "done":
			return outcome.result.isError
				? { standing: "tool-error", sentence: "The tool reported an error." }
				: { standing: "done", sentence: "Done." };
		case "failed": {
			const isUnknown = outcome.error.code === "outcome-unknown";
			return { standing: isUnknown ? "unknown" : "failed", sentence: showHidden(outcome.error.message) };
		}
		case "denied": {
			const by = outcome.by === undefined ? "" : ` by ${showHidden(outcome.by.label)}`;
			return { standing: "denied", sentence: `Not called: denied${by}.` };
		}
		case "invalid":
			return { standing: "failed", sentence: `Not called: ${outcome.problems.map(showHidden).join("; ")}` };
		case "cancelled":
			return run.timing.startedAt === undefined
				? { standing: "cancelled", sentence: "Cancelled before it was called." }
				: { standing: "cancelled", sentence: "You cancelled this call. It may have taken effect on the server." };
		case "continued":
			return { standing: "unknown", sentence: "The call continues in the background, in Running Tasks." };
		case "lapsed":
			return { standing: "cancelled", sentence: "Not called: the request ended before you decided." };
		default:
			return assertNever(outcome);
	}
}

function runningSentence({ timing, during }: ToolRun): string {
	if (timing.startedAt !== undefined) return "Running…";
	return during === undefined ? "Starting…" : "Waiting for you in the chat.";
}
