import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { readCatalog } from "../../permissions/catalog/catalog.ts";
import { AppCall } from "./appCall.ts";
import { finished } from "./keptApps.ts";

/** The command that shows a call of the trace in the app of its tool. */
export const openTracedApp = "_mcpHost.openTracedApp";

/**
 * A call from the trace, as its app shows it: no call is made for it. `argument` is that of the command by which the
 * trace opens it.
 * @throws HostError `invalid` if it is not a call, or `not-connected` if its tool is not offered now.
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
