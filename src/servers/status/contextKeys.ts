import { isKnown } from "../../protocol/extensions.ts";
import { skillsExtension } from "../../protocol/skill.ts";
import { isRetrying } from "../sessions/describeState.ts";
import type { Session, SessionState } from "../sessions/session.ts";

/** Whether there is something to stop: the server runs, starts, or is about to start again. */
export function isStoppable(state: SessionState): boolean {
	return state.kind === "running" || state.kind === "starting" || isRetrying(state);
}

/**
 * The possible actions on the servers in their current states, so that the Command Palette offers no others (UI-18).
 * The `when` clauses of package.json use it as `mcpHost.<key>`; the tree sets `mcpHost.hasServers` immediately.
 * `pending` is how many questions wait for the user.
 */
export function contextKeys(sessions: readonly Pick<Session, "definition" | "state">[], pending: number) {
	const any = (suits: (session: Pick<Session, "definition" | "state">) => boolean): boolean => sessions.some(suits);
	const offers = (kind: "tools" | "resources"): boolean =>
		any(({ state }) => state.kind === "running" && state.facts.capabilities[kind] !== undefined);
	return {
		hasPending: pending > 0,
		/** A step of the walkthrough is done when a server other than the demo runs. */
		ownServerRuns: any(({ definition, state }) => definition.origin.kind !== "demo" && state.kind === "running"),
		canStart: any(({ state }) => state.kind !== "running" && state.kind !== "starting"),
		canStop: any(({ state }) => isStoppable(state)),
		canApprove: any(({ state }) => state.kind === "needs-approval"),
		canSignIn: any(({ definition }) => definition.config.kind !== "stdio"),
		hasTools: offers("tools"),
		hasResources: offers("resources"),
		hasSkills: any(
			({ state }) => state.kind === "running" && isKnown(state.facts.capabilities.extensions, skillsExtension),
		),
	};
}
