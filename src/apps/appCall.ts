import { Emitter, type Event } from "../base/event.ts";
import type { JsonObject } from "../base/json.ts";
import type { ToolOutcome } from "../tools/call.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import { endedWithout } from "./appCalls.ts";

/** How a call ended for the app that shows it: with a result, or without one, and why. */
export type CallEnd = { readonly result: JsonObject } | { readonly cancelled: string };

/** The call whose result an app shows. It was allowed and sent; it may still run. */
export class AppCall {
	readonly entry: ToolEntry;
	/** Exactly those that were sent. */
	readonly arguments: JsonObject;
	private ended: ToolOutcome | undefined;
	private readonly changed = new Emitter<void>();
	/** It ended, which happens once. */
	readonly onDidEnd: Event<void> = this.changed.event;

	/** `outcome` is absent for a call that still runs. */
	constructor(entry: ToolEntry, args: JsonObject, outcome?: ToolOutcome) {
		this.entry = entry;
		this.arguments = args;
		this.ended = outcome;
	}

	/** What came of it; undefined while it runs. */
	get outcome(): ToolOutcome | undefined {
		return this.ended;
	}

	/** What its app is told of that; undefined while it runs. */
	get end(): CallEnd | undefined {
		const { ended } = this;
		if (ended === undefined) return undefined;
		return ended.kind === "done"
			? { result: ended.result.raw as unknown as JsonObject }
			: { cancelled: endedWithout(ended) };
	}

	/** Says what came of it. */
	finish(outcome: ToolOutcome): void {
		if (this.ended !== undefined) return;
		this.ended = outcome;
		this.changed.fire();
	}
}
