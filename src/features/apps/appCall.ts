import { Emitter, type Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ToolOutcome } from "../tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { showHidden } from "../../base/text.ts";
import { endedWithout } from "./appCalls.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** How a call ended for the app that shows it: with a result, or without one, and why. */
export type CallEnd = { readonly result: JsonObject } | { readonly cancelled: string };

/** The call whose result an app shows: it may still run, or a model still writes it. */
export class AppCall {
	readonly entry: ToolEntry;
	private begun: JsonObject | undefined;
	private sent: JsonObject | undefined;
	private ended: ToolOutcome | undefined;
	private readonly changed = new Emitter<void>();
	/** A new fact about it: the written part, the sent arguments, or how it ended. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** `args` are absent for a call that is being written, and `outcome` for one that still runs. */
	constructor(entry: ToolEntry, args?: JsonObject, outcome?: ToolOutcome) {
		this.entry = entry;
		this.sent = args;
		this.ended = outcome;
	}

	/** Exactly those that were sent; undefined before they were. */
	get arguments(): JsonObject | undefined {
		return this.sent;
	}

	/** The partial arguments, while they are being written. */
	get written(): JsonObject | undefined {
		return this.sent === undefined && this.ended === undefined ? this.begun : undefined;
	}

	/** The outcome; undefined while it runs. */
	get outcome(): ToolOutcome | undefined {
		return this.ended;
	}

	/** The text for users about a call that has no result (yet); undefined for one that has a result. */
	get sentence(): string | undefined {
		const { end } = this;
		if (end !== undefined)
			return "cancelled" in end ? `There is no result for the app: ${showHidden(end.cancelled)}` : undefined;
		return this.sent === undefined
			? "The model is still writing the call. The app receives the arguments as they are written."
			: "The tool is still running. The app receives the result when it is ready.";
	}

	/** The outcome for its app; undefined while it runs. */
	get end(): CallEnd | undefined {
		const { ended } = this;
		if (ended === undefined) return undefined;
		return ended.kind === "done" ? { result: jsonObjectOf(ended.result.raw) } : { cancelled: endedWithout(ended) };
	}

	/** Says how far the arguments are written. */
	write(args: JsonObject): void {
		if (this.sent !== undefined || this.ended !== undefined) return;
		this.begun = args;
		this.changed.fire();
	}

	/** Says that it is sent, with these arguments. */
	send(args: JsonObject): void {
		if (this.sent !== undefined || this.ended !== undefined) return;
		this.sent = args;
		this.changed.fire();
	}

	/** Reports the outcome. */
	finish(outcome: ToolOutcome): void {
		if (this.ended !== undefined) return;
		this.ended = outcome;
		this.changed.fire();
	}
}
