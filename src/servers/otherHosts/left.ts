import type { KeyValue } from "../../base/storage.ts";
import type { ConfigOrigin } from "../definitions/config.ts";

/** Who runs the servers of the files that VS Code's own MCP host reads as well: MCP Host only, VS Code only, or both. */
export type Runner = "here" | "editor" | "both";

/** The value in effect of one of VS Code's own settings; undefined if this editor has no such setting. */
export type EditorSetting = (name: string) => unknown;

/** The key of the user's answer for a workspace. */
export const answerKey = "mcpHost.sharedFiles";

/** `none` turns VS Code's own host off, with all its servers; in this workspace if it is set there. */
export const accessSetting = "chat.mcp.access";

/** Whether VS Code's own host reads a place too, on or off. An editor without such a host reads none. */
export function isShared({ kind }: Pick<ConfigOrigin, "kind">, setting: EditorSetting): boolean {
	if (setting(accessSetting) === undefined) return false;
	// `chat.mcp.workspaceRootConfig.enabled` only selects to which of the two VS Code adds a server: it reads both.
	return kind === "mcp-json" || kind === "dot-mcp-json";
}

/** Whether the user left the servers of a place to VS Code's own host: none of them is run here (CFG-33). */
export function isLeft(origin: ConfigOrigin, state: KeyValue, setting: EditorSetting): boolean {
	return state.get<{ readonly runner?: Runner }>(answerKey)?.runner === "editor" && isShared(origin, setting);
}
