import { healedObject } from "../../base/healedJson.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { type Throttled, throttle } from "../../base/throttle.ts";
import type { ToolOutcome } from "../tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { RunningCall } from "../tools/runningCall.ts";
import { appUriOf } from "../../protocol/toolPage.ts";
import { AppCall } from "./appCall.ts";
import { type AppsSetting, isOffered } from "./appsSetting.ts";

/** How often partial arguments are sent to an app, at most, in milliseconds. */
const writingMs = 100;
/** Longer arguments, in characters, are only sent when complete. */
const longestWritten = 500_000;

/** The followed calls, and the actions on their apps. */
export interface FollowingServices {
	readonly setting: () => AppsSetting;
	/** Whether every call of a tool is allowed, with any arguments. */
	readonly allowsAll: (entry: ToolEntry) => boolean;
	/** Shows a call by its app. */
	readonly open: (call: AppCall) => void;
}

/** The calls of the chat whose results apps can show, while models write them and while they run. */
export class FollowedCalls {
	private readonly services: FollowingServices;
	private readonly calls = new Map<string, AppCall>();
	/** The apps that were offered in this window. */
	private readonly offered = new Set<string>();

	constructor(services: FollowingServices) {
		this.services = services;
	}

	/** Whether the results of a tool can be shown by an app. */
	has({ tool, perform }: ToolEntry): boolean {
		return perform === undefined && this.services.setting() !== "off" && appUriOf(tool) !== undefined;
	}

	/** A call that is written or runs, by its id. */
	get(id: string): AppCall | undefined {
		return this.calls.get(id);
	}

	/**
	 * A model begins to write a call. An app is code of its server, so partial arguments are sent only if the complete
	 * ones would go to the server without a question; undefined for all other calls (APP-24).
	 */
	write(entry: ToolEntry): WrittenCall | undefined {
		if (!this.has(entry) || !this.services.allowsAll(entry)) return undefined;
		const call = new AppCall(entry);
		const written = new WrittenCall(call, () => this.calls.delete(written.id));
		this.calls.set(written.id, call);
		this.offer(call);
		return written;
	}

	/** A call is about to be sent, which a model may have been seen to write. Returns the callback for its end. */
	follow({ id, call: { entry }, sent }: RunningCall, written?: WrittenCall): (outcome: ToolOutcome) => void {
		if (written === undefined && !this.has(entry)) return () => undefined;
		const call = written?.call ?? new AppCall(entry, sent);
		written?.dispose();
		call.send(sent);
		this.calls.set(id, call);
		if (written === undefined) this.offer(call);
		return (outcome) => {
			this.calls.delete(id);
			call.finish(outcome);
		};
	}

	/** The app of a call opens automatically if the user wants that. */
	private offer(call: AppCall): void {
		const { session, tool } = call.entry;
		const key = JSON.stringify([session.definition.id, appUriOf(tool)]);
		const isFirst = !this.offered.has(key);
		this.offered.add(key);
		if (isOffered(this.services.setting(), isFirst)) this.services.open(call);
	}
}

/** A call that a model is writing, for its app. */
export class WrittenCall implements Disposable {
	readonly id = crypto.randomUUID();
	readonly call: AppCall;
	private readonly gone: () => void;
	private readonly telling: Throttled;
	private text = "";

	/** `gone` is called when it is no longer being written. */
	constructor(call: AppCall, gone: () => void) {
		this.call = call;
		this.gone = gone;
		this.telling = throttle(() => this.tell(), writingMs);
	}

	/** All that is written by now of its arguments. */
	take(text: string): void {
		this.text = text;
		if (text.length <= longestWritten) this.telling.run();
	}

	/** It is not sent. */
	end(outcome: ToolOutcome): void {
		this.dispose();
		this.call.finish(outcome);
	}

	dispose(): void {
		this.telling.dispose();
		this.gone();
	}

	private tell(): void {
		const args = healedObject(this.text);
		if (args !== undefined) this.call.write(args);
	}
}
