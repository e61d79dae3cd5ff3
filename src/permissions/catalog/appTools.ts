import { uiOf } from "../../protocol/toolPage.ts";
import type { Tool } from "../../servers/sessions/session.ts";

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
