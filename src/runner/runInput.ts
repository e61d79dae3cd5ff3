import type { RunAction, RunText } from "./runProtocol.ts";

const actions: ReadonlySet<unknown> = new Set<RunAction>([
	"cancel",
	"run-again",
	"edit",
	"copy-json-rpc",
	"copy-command",
	"copy-result",
]);

/** The action that a view asks for; undefined for anything else it may send (security.md UI-06). */
export function readRunAction(value: unknown): RunAction | undefined {
	return actions.has(value) ? (value as RunAction) : undefined;
}

/** The text that a view wants opened; undefined for anything else it may send. */
export function readRunText(value: unknown): RunText | undefined {
	return value === "request" || value === "result" || value === "structured" ? value : undefined;
}
