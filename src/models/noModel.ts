import { oneLine } from "../base/text.ts";
import type { EndpointStatus } from "./directory.ts";
import type { ModelDirectory } from "./model.ts";

/**
 * The model that VS Code lists if there is no other. It never answers: without any model VS Code would not even call
 * `@mcp`, which then says what is missing.
 */
export const noModelInfo = { id: "none", name: "No model yet", detail: "MCP Host: ask @mcp how to add one" } as const;

/** The answer for other features of VS Code that use the placeholder. */
export const noModelMessage =
	'No model is configured yet. This entry is only a placeholder. Run "MCP Host: Add Model Endpoint…", or detect local models with "MCP Host: Manage Models…", then choose a model.';

/** Why there is no model, for the user. Sentences of endpoints may quote them. */
export interface NoModel {
	/** The problems of the configured endpoints, and of the setting, one sentence each. */
	readonly problems: readonly string[];
	readonly endpointCount: number;
	/** The name of a model that was added meanwhile and only has to be chosen. */
	readonly available: string | undefined;
}

/** Reads from the directories why there is no model. */
export function explainNoModel(
	own: { readonly statuses: readonly EndpointStatus[]; readonly problems: readonly string[] },
	all: ModelDirectory,
): NoModel {
	const asked = own.statuses.flatMap(({ endpoint, problem, modelCount }) =>
		problem === undefined ? (modelCount > 0 ? [] : [`${endpoint.name} has no chat models.`]) : [problem],
	);
	const [available] = all.models;
	return {
		problems: [...asked, ...own.problems],
		endpointCount: own.statuses.length,
		available: available === undefined ? undefined : oneLine(available.info.name, 80),
	};
}
