import type { ServerDefinition } from "../definitions/config.ts";
import type { ServerReview } from "./reviewProtocol.ts";
import type { Session } from "../sessions/session.ts";
import type { BatchState } from "./batchProtocol.ts";
import { byOrigin } from "./waiting.ts";

/**
 * The review of several servers that wait. It holds the definitions as they are shown: what is approved is one of these and
 * no later one, whatever their files say by then (FST-07).
 */
export class BatchReview {
	readonly state: BatchState;
	private readonly shown = new Map<string, ServerDefinition>();

	/** `review` describes a definition completely. */
	constructor(sessions: readonly Session[], review: (definition: ServerDefinition) => ServerReview) {
		const groups = [...byOrigin(sessions)].map(([origin, ofOrigin]) => ({
			origin,
			servers: ofOrigin.map(({ definition }) => {
				const key = crypto.randomUUID();
				this.shown.set(key, definition);
				return { key, review: review(definition) };
			}),
		}));
		this.state = { groups };
	}

	/** The definitions that a view names; none for anything else that it may send (UI-06). */
	chosen(keys: unknown): readonly ServerDefinition[] {
		const named = new Set(Array.isArray(keys) ? (keys as readonly unknown[]) : []);
		return [...this.shown].flatMap(([key, definition]) => (named.has(key) ? [definition] : []));
	}
}
