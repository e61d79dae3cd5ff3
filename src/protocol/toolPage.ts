import { isJsonObject, type Json } from "../base/json.ts";

/** What of a tool says how it goes with apps. */
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

/** What a tool says in `_meta.ui`, untrusted. */
export function uiOf({ _meta }: ToolMeta): Readonly<Record<string, Json | undefined>> | undefined {
	const ui: unknown = _meta?.["ui"];
	return isJsonObject(ui) ? ui : undefined;
}
