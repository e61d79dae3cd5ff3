import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { cap, showHidden } from "../base/text.ts";
import type { ModelTool } from "../models/model.ts";
import type { CallOptions, Session, SessionDirectory, Tool } from "../servers/session.ts";
import { modelNames } from "./names.ts";
import type { RawToolResult } from "./result.ts";

/** A tool of a running server, with the name by which models know it. The texts of `tool` are the server's: untrusted. */
export interface ToolEntry {
	readonly session: Session;
	readonly tool: Tool;
	readonly modelName: string;
	/** Why models are not offered it; undefined when they are. */
	readonly hidden: string | undefined;
	/** What is requested in place of `tools/call`, for host tools that stand for another request, such as a read. */
	readonly perform?: (args: JsonObject, options: CallOptions) => Promise<RawToolResult>;
}

/** The tools at one moment. */
export interface ToolCatalog {
	/** All tools of running servers, in the order of the configuration and of each server. */
	readonly entries: readonly ToolEntry[];
	/** What models are told: no output schemas, no annotations, no titles. */
	readonly offered: readonly ModelTool[];
	/** The tool of a model's name, if it is offered. */
	find(modelName: string): ToolEntry | undefined;
}

/** Larger ones cost more context than any tool is worth, and the editor's own models more than they take. */
const longestSchema = 200_000;
const longestDescription = 8000;

/** Gathers the tools of all running servers. Only approved servers run, so no other's words reach a model (TOL-05). */
export function readCatalog(directory: SessionDirectory): ToolCatalog {
	const tools = directory.sessions
		.filter(({ state }) => state.kind === "running")
		.flatMap((session) => session.tools.items.map((tool) => ({ session, tool })));
	const names = modelNames(
		tools.map(({ session, tool }) => ({ server: session.definition.name, tool: tool.name, id: session.definition.id })),
		({ id }) => id,
	);
	const entries = tools.map(({ session, tool }, index): ToolEntry => ({
		session,
		tool,
		modelName: names[index] ?? "",
		hidden: whyHidden(tool),
	}));
	const offered = new Map(
		entries.filter(({ hidden }) => hidden === undefined).map((entry) => [entry.modelName, entry]),
	);
	return {
		entries,
		offered: [...offered.values()].map(toModelTool),
		find: (modelName) => offered.get(modelName),
	};
}

function whyHidden(tool: Tool): string | undefined {
	if (!isForModels(tool)) return "the server offers it to its own views only";
	const size = JSON.stringify(tool.inputSchema).length;
	if (size > longestSchema) return `its input schema is too large (${size.toLocaleString("en-US")} characters)`;
	return undefined;
}

/** Whether a tool's `_meta.ui.visibility`, if it has one, includes models (spec.md EX2). */
function isForModels(tool: Tool): boolean {
	const ui: unknown = tool._meta?.["ui"];
	const visibility = isJsonObject(ui) ? ui["visibility"] : undefined;
	return !Array.isArray(visibility) || visibility.includes("model");
}

function toModelTool({ tool, modelName }: ToolEntry): ModelTool {
	return {
		name: modelName,
		description: showHidden(cap(tool.description ?? "", longestDescription)),
		inputSchema: showHiddenTexts(tool.inputSchema as JsonObject) as JsonObject,
	};
}

/**
 * A schema with the hidden characters of its titles and descriptions shown, since they could tell a model what the
 * person cannot read (security.md TOL-08). Everything else stays as it is (spec.md T7).
 */
function showHiddenTexts(value: Json | undefined): Json | undefined {
	if (Array.isArray(value)) return (value as readonly Json[]).map((item) => showHiddenTexts(item) ?? null);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => {
			const isText = (key === "description" || key === "title") && typeof inner === "string";
			return [key, isText ? showHidden(inner) : showHiddenTexts(inner)];
		}),
	);
}
