import type { JsonObject } from "../../base/json.ts";
import type { ModelTool } from "../../models/model.ts";
import type {
	CallOptions,
	ContentBlock,
	Session,
	SessionDirectory,
	Skill,
	Tool,
} from "../../servers/sessions/session.ts";
import { hostToolNames, modelNames } from "./names.ts";
import { toolForModels } from "./modelTool.ts";

/** The result of `tools/call`, as far as it is read here: nothing about it is certain (TOL-13). */
export interface RawToolResult {
	readonly content?: readonly ContentBlock[];
	/** Any JSON value since 2026-07-28. */
	readonly structuredContent?: unknown;
	readonly isError?: boolean | undefined;
}

/** A tool of a running server, with the name by which models know it. The texts of `tool` are the server's: untrusted. */
export interface ToolEntry {
	readonly session: Session;
	readonly tool: Tool;
	readonly modelName: string;
	/** Why models are not offered it; undefined when they are. */
	readonly hidden: string | undefined;
	/** The method in place of `tools/call`, for host tools that represent another request, such as a read. */
	readonly perform?: (args: JsonObject, options: CallOptions) => Promise<RawToolResult>;
	/** The skill that is loaded; `tool` is its definition. */
	readonly skill?: Skill;
}

/** Whether the definition of an entry says what its server says, so that it is pinned. A request of the host's own does not. */
export function isPinned({ perform, skill }: Pick<ToolEntry, "perform" | "skill">): boolean {
	return perform === undefined || skill !== undefined;
}

/** A tool that is offered to models, with its definition for them. */
export interface OfferedTool {
	readonly entry: ToolEntry;
	readonly tool: ModelTool;
}

/** The tools at one moment. */
export interface ToolCatalog {
	/** All tools of running servers, in the order of the configuration and of each server. */
	readonly entries: readonly ToolEntry[];
	/** Those that models may be offered, by the names by which models know them, in the same order. */
	readonly forModels: ReadonlyMap<string, OfferedTool>;
	/** The definition for models: no output schemas and no annotations. */
	readonly offered: readonly ModelTool[];
	/** The tool of a model's name, if models are offered it. */
	find(modelName: string): ToolEntry | undefined;
}

/** The input of a catalogue: servers and their lists are new objects after a change. */
type Sources = readonly { readonly session: Session; readonly items: readonly Tool[] }[];

const reserved: ReadonlySet<string> = new Set(Object.values(hostToolNames));
const known = new WeakMap<SessionDirectory, { readonly sources: Sources; readonly catalog: ToolCatalog }>();

/**
 * Gathers the tools of all running servers. Only approved servers run, so no other's words reach a model (TOL-05). It is the
 * same object until a server or its tools change, so that it can be asked for at any time, of ten thousand tools too.
 */
export function readCatalog(directory: SessionDirectory): ToolCatalog {
	const before = known.get(directory);
	if (before !== undefined && isCurrent(before.sources, directory)) return before.catalog;
	const sources = directory.sessions
		.filter(({ state }) => state.kind === "running")
		.map((session) => ({ session, items: session.tools.items }));
	const catalog = makeCatalog(sources);
	known.set(directory, { sources, catalog });
	return catalog;
}

function isCurrent(sources: Sources, { sessions }: SessionDirectory): boolean {
	let count = 0;
	for (const session of sessions) {
		if (session.state.kind !== "running") continue;
		const source = sources[count++];
		if (source?.session !== session || source.items !== session.tools.items) return false;
	}
	return count === sources.length;
}

function makeCatalog(sources: Sources): ToolCatalog {
	const tools = sources.flatMap(({ session, items }) => items.map((tool) => ({ session, tool })));
	const names = modelNames(
		tools.map(({ session, tool }) => ({ server: session.definition.name, tool: tool.name, id: session.definition.id })),
		({ id }) => id,
		reserved,
	);
	const forModels = new Map<string, OfferedTool>();
	const entries = tools.map(({ session, tool }, index): ToolEntry => {
		const modelName = names[index] ?? "";
		const { hidden, tool: offered } = toolForModels(tool, modelName);
		const entry = { session, tool, modelName, hidden };
		if (offered !== undefined) forModels.set(modelName, { entry, tool: offered });
		return entry;
	});
	return {
		entries,
		forModels,
		offered: [...forModels.values()].map(({ tool }) => tool),
		find: (modelName) => forModels.get(modelName)?.entry,
	};
}
