import type { JsonObject } from "../../base/json.ts";
import type { ConfigProblem, ServerDefinition } from "./config.ts";
import { type EditorSettings, whyConfiguredLeftOut } from "./editorLimits.ts";

/** The properties of a server that decide whether it is left out. */
type Configured = Pick<ServerDefinition, "name" | "origin" | "config">;

/** The servers of a configuration that are left out, and why if it matters. */
export interface LeftOut {
	readonly isLeftOut: (definition: Configured) => boolean;
	/** Those that an organization does not allow, at their places: complete once each server was checked. */
	readonly problems: readonly ConfigProblem[];
}

/**
 * Leaves out the servers that the user ignores, silently, and those that a policy of an organization does not allow, in
 * every configuration: they never start, even if approved, and the problem names the setting or the file (REG-17,
 * REG-18). This decides before `mayStart` is asked: no session of such a server exists.
 */
export function leaveOut(isIgnored: (definition: Configured) => boolean, settings: EditorSettings): LeftOut {
	const problems: ConfigProblem[] = [];
	return {
		problems,
		isLeftOut: (definition) => {
			if (isIgnored(definition)) return true;
			const { name, origin } = definition;
			const message = whyConfiguredLeftOut(settings, { name, entry: entryOf(definition) }, origin.isWorkspace);
			if (message === undefined) return false;
			problems.push({ origin, path: pathOf(definition), message, severity: "warning", server: name, isByPolicy: true });
			return true;
		},
	};
}

/** The properties that a policy compares. */
function entryOf({ config }: Configured): JsonObject {
	if (config.kind !== "stdio") return { url: config.url };
	const { command, args, env } = config;
	return { command, args, env };
}

/** The place of the entry in a file with the usual key. */
function pathOf({ name, origin: { kind } }: Configured): ConfigProblem["path"] {
	if (kind === "mcp-json") return ["servers", name];
	return kind === "dot-mcp-json" ? ["mcpServers", name] : [name];
}
