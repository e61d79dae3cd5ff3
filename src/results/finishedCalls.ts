import type { Session } from "../servers/session.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import type { ToolOutcome } from "../tools/call.ts";
import { contentOf, isFor, toResultPart, type RawToolResult } from "./result.ts";

/** A call that was made and came back. */
export interface FinishedCall {
	readonly entry: ToolEntry;
	readonly outcome: Extract<ToolOutcome, { kind: "done" }>;
}

/** How many calls can still be opened from the chat, and how many characters their results may have together. */
const mostRemembered = 200;
const mostCharacters = 60_000_000;

/** The calls of this window whose details can be opened, the latest ones (security.md TOL-15). */
export class FinishedCalls {
	private readonly calls = new Map<string, FinishedCall & { readonly size: number }>();
	private size = 0;

	/** Remembers a call and returns the opaque id under which it can be opened. */
	add(call: FinishedCall): string {
		const id = crypto.randomUUID();
		const size = sizeOf(call.outcome.result.raw);
		this.calls.set(id, { ...call, size });
		this.size += size;
		for (const [oldest, { size: its }] of this.calls) {
			if ((this.calls.size <= mostRemembered && this.size <= mostCharacters) || oldest === id) break;
			this.calls.delete(oldest);
			this.size -= its;
		}
		return id;
	}

	/** All that are remembered, the latest first. */
	get all(): readonly FinishedCall[] {
		return [...this.calls.values()].toReversed();
	}

	get(id: string): FinishedCall | undefined {
		return this.calls.get(id);
	}

	/** Whether a remembered result of this server named a resource to the model: by a link, or by holding it. */
	isLinked(session: Session, uri: string): boolean {
		return [...this.calls.values()].some(({ entry, outcome: { result } }) => {
			if (entry.session.definition.id !== session.definition.id) return false;
			return contentOf(result.raw).some(({ block }) => {
				const part = toResultPart(block);
				return "uri" in part && part.uri === uri && isFor(block, "assistant");
			});
		});
	}
}

/** About how many characters a result holds. */
function sizeOf(raw: RawToolResult): number {
	return JSON.stringify(raw).length;
}
