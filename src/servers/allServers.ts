import { availableParallelism } from "node:os";
import type { ServerDefinition } from "./definitions/config.ts";
import type { Session, SessionState } from "./sessions/session.ts";
import { startInOrder } from "./sessions/startOrder.ts";

/** The dependencies of starting all servers on the host. */
export interface StartableServers {
	readonly registry: { readonly sessions: readonly Session[] };
	/** Looks again at which servers may run. */
	reconsider(): void;
	/** Starts one server if it may; does not reject for one that is configured. */
	start(id: string): Promise<SessionState>;
}

/** The result of starting servers. */
export interface StartedServers {
	readonly started: readonly ServerDefinition[];
	readonly failed: readonly ServerDefinition[];
	/** Whether a server waits for the user's approval. */
	readonly isApprovalNeeded: boolean;
	/** Servers that only the user can go on with, by signing in. */
	readonly signIn: readonly ServerDefinition[];
}

/**
 * Starts every approved server that does not run, a few at a time. Servers that are turned off, left to VS Code, or wait
 * for approval or sign-in are not started.
 */
export async function startAllServers(host: StartableServers): Promise<StartedServers> {
	host.reconsider();
	const started: ServerDefinition[] = [];
	const failed: ServerDefinition[] = [];
	const ready = host.registry.sessions.filter(({ state }) => state.kind === "stopped" || state.kind === "failed");
	const starts = ready.map(({ definition }) => async () => {
		// One whose entry is removed meanwhile is neither.
		const state = await host.start(definition.id).catch(() => undefined);
		if (state?.kind === "running") started.push(definition);
		else if (state?.kind === "failed") failed.push(definition);
	});
	await startInOrder(starts, availableParallelism());
	const waiting = (kind: SessionState["kind"]): readonly ServerDefinition[] =>
		host.registry.sessions.filter(({ state }) => state.kind === kind).map(({ definition }) => definition);
	return { started, failed, isApprovalNeeded: waiting("needs-approval").length > 0, signIn: waiting("needs-sign-in") };
}
