import { jsonObjectOf } from "../base/guards.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";

/** The members of a tool that say how it works with apps. */
export interface ToolMeta {
	readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** No address of a page is longer. */
const longestUri = 2000;

/**
 * The address of the page by which a tool's results want to be shown (MCP Apps 2026-01-26, "Resource Discovery"). The nested
 * form goes before the flat one, which is deprecated and still sent by many. Undefined for a tool without such a page.
 */
export function appUriOf(tool: ToolMeta): string | undefined {
	const nested = uiOf(tool)?.["resourceUri"];
	const uri = nested ?? tool._meta?.["ui/resourceUri"];
	return typeof uri === "string" && uri.startsWith("ui://") && uri.length <= longestUri ? uri : undefined;
}

/**
 * The members of a tool's `_meta` that decide who may call it and which page opens: only those of MCP Apps, without a
 * server's other notes. Undefined if there are none.
 */
export function decidingMeta({ _meta }: ToolMeta): JsonObject | undefined {
	const deciding = Object.entries(_meta ?? {}).filter(([key]) => key === "ui" || key.startsWith("ui/"));
	return deciding.length === 0 ? undefined : jsonObjectOf(Object.fromEntries(deciding));
}

/** The value of a tool's `_meta.ui`, untrusted. */
export function uiOf({ _meta }: ToolMeta): Readonly<Record<string, Json | undefined>> | undefined {
	const ui: unknown = _meta?.["ui"];
	return isJsonObject(ui) ? ui : undefined;
}
