import { isJsonObject } from "../../base/json.ts";
import type { TraceLevel } from "./exchange.ts";

/**
 * What the setting `mcpHost.trace` says of a server, by its name: one level for all, or an object of levels by name with `*`
 * for the others. What is no level counts as the default, `metadata`.
 */
export function wantedLevel(setting: unknown, serverName: string): TraceLevel {
	const said = isJsonObject(setting)
		? Object.hasOwn(setting, serverName)
			? setting[serverName]
			: setting["*"]
		: setting;
	return said === "off" || said === "bodies" ? said : "metadata";
}
