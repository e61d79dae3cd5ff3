import type { Session } from "../../../servers/sessions/session.ts";
import type { ToolOutcome } from "../call.ts";
import type { ToolEntry, RawToolResult } from "../../../permissions/catalog/catalog.ts";
import { contentOf, isFor, toResultPart } from "./result.ts";

/** A call that was made and has a result. */
export interface FinishedCall {
	readonly entry: ToolEntry;
	readonly outcome: Extract<ToolOutcome, { kind: "done" }>;
}

/**
 * How a call was made. The model saw the results of the chat's calls; a slash command's call is a run by hand as well.
 */
export type CallOrigin = "chat" | "byHand";

/** A call that is remembered. */
export interface RememberedCall extends FinishedCall {
	/** Opaque and unique. */
	readonly id: string;
	readonly origins: ReadonlySet<CallOrigin>;
}

/** How much is kept. Results stay in memory only: they may hold anything (SEC-03). */
export interface MemoryLimits {
	readonly calls: number;
	/** For the results of all calls together, in characters of JSON. */
	readonly characters: number;
}

const defaultLimits: MemoryLimits = { calls: 250, characters: 160_000_000 };

interface Kept extends RememberedCall {
	readonly origins: Set<CallOrigin>;
	readonly size: number;
}

/** The finished calls of this window, of the chat and by hand, the latest ones (TOL-15). */
export class FinishedCalls {
	private readonly limits: MemoryLimits;
	private readonly calls = new Map<string, Kept>();
	private size = 0;

	constructor(limits: MemoryLimits = defaultLimits) {
		this.limits = limits;
	}

	/** Remembers a call under `id`, if it is not remembered yet, and returns the id under which it can be opened. */
	add({ entry, outcome }: FinishedCall, origin: CallOrigin, id: string = crypto.randomUUID()): string {
		const known = [...this.calls.values()].find((call) => call.outcome === outcome);
		if (known !== undefined) {
			known.origins.add(origin);
			return known.id;
		}
		const size = sizeOf(outcome.result.raw);
		this.calls.set(id, { id, entry, outcome, origins: new Set([origin]), size });
		this.size += size;
		for (const oldest of this.calls.values()) {
			if ((this.calls.size <= this.limits.calls && this.size <= this.limits.characters) || oldest.id === id) break;
			this.drop(oldest);
		}
		return id;
	}

	/** All that are remembered, the latest first. */
	get all(): readonly RememberedCall[] {
		return [...this.calls.values()].toReversed();
	}

	get(id: string): RememberedCall | undefined {
		return this.calls.get(id);
	}

	/** Forgets that calls were made in this way, and those that were made in no other. */
	clear(origin: CallOrigin): void {
		for (const call of this.calls.values()) {
			if (call.origins.delete(origin) && call.origins.size === 0) this.drop(call);
		}
	}

	/** Whether a remembered result of this server named a resource to the model: by a link, or by holding it. */
	isLinked(session: Session, uri: string): boolean {
		return [...this.calls.values()].some(({ entry, outcome: { result }, origins }) => {
			if (!origins.has("chat") || entry.session.definition.id !== session.definition.id) return false;
			return contentOf(result.raw).some(({ block }) => {
				const part = toResultPart(block);
				return "uri" in part && part.uri === uri && isFor(block, "assistant");
			});
		});
	}

	private drop({ id, size }: Kept): void {
		this.calls.delete(id);
		this.size -= size;
	}
}

/** About how many characters a result holds. */
function sizeOf(raw: RawToolResult): number {
	return JSON.stringify(raw).length;
}
