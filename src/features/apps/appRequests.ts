import type { JsonObject } from "../../base/json.ts";
import type { AppAddition } from "./addedContext.ts";
import type { AppAsks } from "./appAsks.ts";
import type { AppCalls } from "./appCalls.ts";
import { offeredFiles } from "./appDownloads.ts";
import type { AppPlacing } from "./appPlacing.ts";
import type { AppRequests } from "./bridge.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import type { ServerLife } from "./serverLife.ts";

/** Who carries out an app's requests. */
export interface RequestParts {
	readonly calls: AppCalls;
	readonly asks: AppAsks;
	readonly placing: AppPlacing;
	readonly life: ServerLife;
	readonly addition: AppAddition;
}

/**
 * The requests that an app may send to its host while its server runs: when the server ends, waiting and running
 * requests end with it.
 */
export function appRequests({ calls, asks, placing, life, addition }: RequestParts): AppRequests {
	const whileItRuns = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, life.signal]);
	return {
		callTool: async (name, args, signal) => jsonObjectOf(await calls.callTool(name, args, whileItRuns(signal))),
		readResource: async (uri, signal) => calls.readResource(uri, whileItRuns(signal)),
		list: (what) => calls.list(what),
		openLink: async (url, signal) => asks.openLink(url, whileItRuns(signal)),
		message: async (text, signal) => asks.draft(text, whileItRuns(signal)),
		addContext: (text) => {
			life.signal.throwIfAborted();
			addition.set(text);
		},
		saveFiles: async (files, closed) => {
			const signal = whileItRuns(closed);
			const read = (uri: string): Promise<JsonObject> => calls.readResource(uri, signal);
			return asks.saveFiles(await offeredFiles(files, read), signal);
		},
		createMessage: async (params, signal) => calls.createMessage(params, whileItRuns(signal)),
		changeDisplayMode: (wanted) => placing.change(wanted),
	};
}
