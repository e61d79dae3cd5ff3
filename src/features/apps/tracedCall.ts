import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { readCatalog } from "../../permissions/catalog/catalog.ts";
import { AppCall } from "./appCall.ts";
import { finished } from "./keptApps.ts";

/** The command that shows a call of the trace in the app of its tool. */
export const openTracedApp = "_mcpHost.openTracedApp";

/**
 * A call that the trace has, as its app shows it: nothing is called for it. `argument` is that of the command by which the trace
 * leads there.
 * @throws HostError `invalid` where that is no call, or `not-connected` where its tool is not offered now.
 */
export function tracedCall(argument: unknown, directory: SessionDirectory): AppCall {
	const { server, tool, arguments: sent, result, exchange } = isJsonObject(argument) ? argument : {};
	if (!isJsonObject(sent) || !isJsonObject(result)) throw new HostError("invalid", "This call has no app.");
	const { entries } = readCatalog(directory);
	const entry = entries.find((one) => one.session.definition.id === server && one.tool.name === tool);
	if (entry === undefined)
		throw new HostError(
			"not-connected",
			"The server of this call is not running, or no longer has this tool. Start it, then open the app.",
		);
	return new AppCall(entry, sent, { ...finished(sent, result), ...(typeof exchange === "string" ? { exchange } : {}) });
}
