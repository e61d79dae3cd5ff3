import { oneOf } from "../../base/guards.ts";

/** When apps of servers open: `off` says that there are none, and servers are not told of them. */
export type AppsSetting = "off" | "onRequest" | "firstTime" | "always";

const values: ReadonlySet<AppsSetting> = new Set<AppsSetting>(["off", "onRequest", "firstTime", "always"]);

/** Reads the setting `mcpHost.apps`; what it does not know opens nothing by itself. */
export function readAppsSetting(value: unknown): AppsSetting {
	return oneOf(values, value) ?? "onRequest";
}

/** Reads the setting `mcpHost.deniedAppDomains`. */
export function readDeniedDomains(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((one) => typeof one === "string" && one.trim() !== "") : [];
}

/** Whether the app of a call that came back opens by itself; `isFirst`: it was not offered in this window before. */
export function isOffered(setting: AppsSetting, isFirst: boolean): boolean {
	return setting === "always" || (setting === "firstTime" && isFirst);
}
