import { isJsonObject, type Json } from "../base/json.ts";
import type { Tool } from "../servers/session.ts";

/** No address of a page is longer. */
const longestUri = 2000;

/**
 * The address of the page by which a tool's results want to be shown (MCP Apps 2026-01-26, "Resource Discovery"). The nested
 * form goes before the flat one, which is deprecated and still sent by many. Undefined for a tool without such a page.
 */
export function appUriOf(tool: Pick<Tool, "_meta">): string | undefined {
	const nested = uiOf(tool)?.["resourceUri"];
	const uri = nested ?? tool._meta?.["ui/resourceUri"];
	return typeof uri === "string" && uri.startsWith("ui://") && uri.length <= longestUri ? uri : undefined;
}

/** Whether models are offered a tool: by default, and where its visibility names them (MCP Apps, "Visibility"). */
export function isModelTool(tool: Pick<Tool, "_meta">): boolean {
	return isVisibleTo(tool, "model");
}

/** Whether the server's own app may call a tool: by default, and where its visibility names apps. */
export function isAppTool(tool: Pick<Tool, "_meta">): boolean {
	return isVisibleTo(tool, "app");
}

function isVisibleTo(tool: Pick<Tool, "_meta">, whom: "model" | "app"): boolean {
	const visibility = uiOf(tool)?.["visibility"];
	return !Array.isArray(visibility) || visibility.includes(whom);
}

function uiOf({ _meta }: Pick<Tool, "_meta">): Readonly<Record<string, Json | undefined>> | undefined {
	const ui: unknown = _meta?.["ui"];
	return isJsonObject(ui) ? ui : undefined;
}
