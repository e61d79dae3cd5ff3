/** What the editor knows of a setting: where it was set, and its default. */
export type InspectedSetting =
	| {
			readonly defaultValue?: unknown;
			readonly globalValue?: unknown;
			readonly workspaceValue?: unknown;
			readonly workspaceFolderValue?: unknown;
	  }
	| undefined;

/** The settings by which an organization limits the editor's own MCP host: https://code.visualstudio.com/docs/setup/enterprise. */
const access = "chat.mcp.access";

/**
 * Whether an organization has turned MCP servers off. What a person or a workspace set is about the editor's own host alone,
 * and *Run Here Only* sets the same: only what counts although nobody set it comes from a policy.
 */
export function isAddingOff(
	inspect: (name: string) => InspectedSetting,
	effective: (name: string) => unknown,
): boolean {
	return effective(access) === "none" && isPolicy(inspect(access), effective(access));
}

/** Whether a value in effect is one that nobody set here: a policy's. */
function isPolicy(found: InspectedSetting, value: unknown): boolean {
	if (found === undefined) return false;
	const set = found.workspaceFolderValue ?? found.workspaceValue ?? found.globalValue ?? found.defaultValue;
	return set !== value;
}
