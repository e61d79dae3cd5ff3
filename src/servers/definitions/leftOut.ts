import type { JsonObject } from "../../base/json.ts";
import type { ConfigProblem, ServerDefinition } from "./config.ts";
import { type EditorSettings, whyConfiguredLeftOut } from "./editorLimits.ts";

/** What of a server decides whether it is left out. */
type Configured = Pick<ServerDefinition, "name" | "origin" | "config">;

/** The servers of a configuration that are left out, and why where somebody needs to know. */
export interface LeftOut {
	readonly isLeftOut: (definition: Configured) => boolean;
	/** Those that an organization does not allow, at their places: known once each server was asked about. */
	readonly problems: readonly ConfigProblem[];
}

/**
 * Leaves out the servers that the user ignores, in silence, and those that a policy of an organization does not allow, wherever
 * they are configured: they never start, whatever was approved, and the problem names the setting (REG-17).
 */
export function leaveOut(isIgnored: (definition: Configured) => boolean, settings: EditorSettings): LeftOut {
	const problems: ConfigProblem[] = [];
	return {
		problems,
		isLeftOut: (definition) => {
			if (isIgnored(definition)) return true;
			const { name, origin } = definition;
			const message = whyConfiguredLeftOut(settings, { name, entry: entryOf(definition) });
			if (message === undefined) return false;
			problems.push({ origin, path: pathOf(definition), message, severity: "warning", server: name, isByPolicy: true });
			return true;
		},
	};
}

/** What a policy compares. */
function entryOf({ config }: Configured): JsonObject {
	return config.kind === "stdio" ? { command: config.command, args: config.args } : { url: config.url };
}

/** Where the entry stands in a file that has the usual key. */
function pathOf({ name, origin: { kind } }: Configured): ConfigProblem["path"] {
	if (kind === "mcp-json") return ["servers", name];
	return kind === "dot-mcp-json" ? ["mcpServers", name] : [name];
}
