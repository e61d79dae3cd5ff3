import { oneLine } from "../../base/text.ts";
import type { SessionState } from "./session.ts";

const stateWords: Readonly<Record<SessionState["kind"], string>> = {
	stopped: "stopped",
	"needs-approval": "waits for approval",
	off: "off",
	"left-to-editor": "left to VS Code",
	"needs-sign-in": "waits for sign-in",
	starting: "starting",
	running: "running",
	failed: "failed",
};

/** The state in a word. */
export function stateWord(state: SessionState): string {
	return stateWords[state.kind];
}

/** The state in words: why a server does not run, or its pending condition. */
export function describeState(state: SessionState): string {
	switch (state.kind) {
		case "needs-approval":
			return oneLine(state.reason);
		case "needs-sign-in":
			return oneLine(state.message);
		case "failed":
			return isRetrying(state) ? `restarts soon: ${oneLine(state.message)}` : oneLine(state.message);
		case "starting":
			return state.note ?? stateWord(state);
		case "running":
		case "off":
		case "left-to-editor":
		case "stopped":
			return stateWord(state);
	}
}

/** Whether a failed server is about to be restarted automatically. */
export function isRetrying(state: SessionState): boolean {
	return state.kind === "failed" && state.retryAt !== undefined;
}
