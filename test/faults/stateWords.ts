import type { SessionState } from "../../src/servers/sessions/session.ts";

/** A state in words, as the tree shows it. */
export function describe(state: SessionState): string {
	if (state.kind === "failed") return `failed: ${state.message}`;
	if (state.kind === "needs-sign-in") return `needs-sign-in: ${state.message}`;
	return state.kind === "needs-approval" ? `needs-approval: ${state.reason}` : state.kind;
}
