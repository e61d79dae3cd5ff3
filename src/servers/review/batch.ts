import type { StartDependencies } from "../approval/dependencies.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { ServerReview } from "./reviewProtocol.ts";
import type { Session } from "../sessions/session.ts";
import type { BatchState } from "./batchProtocol.ts";
import { byOrigin } from "./waiting.ts";

/** A server as it is shown: its definition, and what its start depends on. */
export interface ShownServer {
	readonly definition: ServerDefinition;
	readonly dependencies: StartDependencies | undefined;
}

/**
 * The review of several servers that wait. It holds the servers as they are shown: what is approved is one of these and
 * no later one, whatever their files say by then (FST-07).
 */
export class BatchReview {
	readonly state: BatchState;
	private readonly shown = new Map<string, ShownServer>();

	/** `review` describes a server completely; `dependencies` are what the starts depend on. */
	constructor(
		sessions: readonly Session[],
		review: (shown: ShownServer) => ServerReview,
		dependencies: ReadonlyMap<ServerDefinition, StartDependencies> = new Map(),
	) {
		const groups = [...byOrigin(sessions)].map(([origin, ofOrigin]) => ({
			origin,
			servers: ofOrigin.map(({ definition }) => {
				const key = crypto.randomUUID();
				const shown = { definition, dependencies: dependencies.get(definition) };
				this.shown.set(key, shown);
				return { key, review: review(shown) };
			}),
		}));
		this.state = { groups };
	}

	/** The servers that a view names; none for anything else that it may send (UI-06). */
	chosen(keys: unknown): readonly ShownServer[] {
		const named = new Set(Array.isArray(keys) ? (keys as readonly unknown[]) : []);
		return [...this.shown].flatMap(([key, shown]) => (named.has(key) ? [shown] : []));
	}
}
