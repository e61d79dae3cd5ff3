import type { JsonObject } from "../../base/json.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { AppAsks } from "./appAsks.ts";
import type { AppCalls } from "./appCalls.ts";
import { offeredFiles } from "./appDownloads.ts";
import type { AppPlacing } from "./appPlacing.ts";
import type { AppRequests } from "./bridge.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** Who does what an app asks for. */
export interface RequestParts {
	readonly calls: AppCalls;
	readonly asks: AppAsks;
	readonly placing: AppPlacing;
}

/** What an app of a server may ask of its host; `addContext` takes what models are to know of it. */
export function appRequests(
	session: Session,
	{ calls, asks, placing }: RequestParts,
	addContext: (text: string) => void,
): AppRequests {
	return {
		callTool: async (name, args, signal) => jsonObjectOf(await calls.callTool(name, args, signal)),
		readResource: (uri, signal) => calls.readResource(uri, signal),
		list: (what) => jsonObjectOf({ [what]: [...session[what].items] }),
		openLink: (url, signal) => asks.openLink(url, signal),
		message: (text, signal) => asks.draft(text, signal),
		addContext,
		saveFiles: async (files, signal) => {
			const read = (uri: string): Promise<JsonObject> => calls.readResource(uri, signal);
			return asks.saveFiles(await offeredFiles(files, read), signal);
		},
		createMessage: (params, signal) => calls.createMessage(params, signal),
		changeDisplayMode: (wanted) => placing.change(wanted),
	};
}
