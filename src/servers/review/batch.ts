import type { StartDependencies } from "../approval/dependencies.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { ServerReview } from "./reviewProtocol.ts";
import type { Session } from "../sessions/session.ts";
import type { BatchedServer, BatchState } from "./batchProtocol.ts";
import { byOrigin } from "./waiting.ts";

/** A server as it is shown: its definition, and its start's dependencies. */
export interface ShownServer {
	readonly definition: ServerDefinition;
	readonly dependencies: StartDependencies | undefined;
}

/**
 * The review of several waiting servers. It holds the servers as they are shown: only these are approved, even if their
 * files have changed by then (FST-07).
 */
export class BatchReview {
	readonly state: BatchState;
	private readonly shown = new Map<string, ShownServer>();

	/**
	 * `review` describes a server completely; `dependencies` are what the starts depend on; `startsWithWindow` says whether
	 * approved servers start whenever a window opens.
	 */
	constructor(
		sessions: readonly Session[],
		review: (shown: ShownServer) => ServerReview,
		dependencies: ReadonlyMap<ServerDefinition, StartDependencies> = new Map(),
		startsWithWindow = true,
	) {
		const all = [...byOrigin(sessions)].map(([origin, ofOrigin]) => ({
			origin,
			servers: ofOrigin.map(({ definition }): BatchedServer => {
				const key = crypto.randomUUID();
				const shown = { definition, dependencies: dependencies.get(definition) };
				this.shown.set(key, shown);
				return { key, review: review(shown) };
			}),
		}));
		const [first, ...others] = all.flatMap(({ servers }) => servers.map((server) => server.review.warnings));
		const warnings =
			others.length === 0 ? [] : (first ?? []).filter((one) => others.every((each) => each.includes(one)));
		const groups = all.map(({ origin, servers }) => ({
			origin,
			servers: servers.map(({ key, review: whole }) => ({
				key,
				review: { ...whole, warnings: whole.warnings.filter((one) => !warnings.includes(one)) },
			})),
		}));
		this.state = { groups, warnings, startsWithWindow };
	}

	/** The servers that a view names; none for any other message (UI-06). */
	chosen(keys: unknown): readonly ShownServer[] {
		const named = new Set(Array.isArray(keys) ? (keys as readonly unknown[]) : []);
		return [...this.shown].flatMap(([key, shown]) => (named.has(key) ? [shown] : []));
	}
}
