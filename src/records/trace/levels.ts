import { isJsonObject } from "../../base/json.ts";
import type { WantedTrace } from "./exchange.ts";

/**
 * The value of the setting `mcpHost.trace` for a server, by its name: one level for all, or an object of levels by name
 * with `*` for the others. An unknown level counts as the default, `recent`.
 */
export function wantedLevel(setting: unknown, serverName: string): WantedTrace {
	const said = isJsonObject(setting)
		? Object.hasOwn(setting, serverName)
			? setting[serverName]
			: setting["*"]
		: setting;
	return said === "off" || said === "metadata" || said === "bodies" ? said : "recent";
}
