import type { ModelMessage, ModelTool } from "../../models/model.ts";
import type { Session, SessionDirectory, Tool } from "../../servers/sessions/session.ts";
import { type OfferedTool, readCatalog, type ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { HostTool } from "../tools/hostTools.ts";
import { toolForModels } from "../../permissions/catalog/modelTool.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import { hostToolNames } from "../../permissions/catalog/names.ts";
import { toolTokens } from "../../models/tokens.ts";
import { isTooMuch, keptServers, mostTools } from "../tools/toolLimits.ts";
import { ToolSearch } from "./toolSearch.ts";
import { type SearchableTools, toolSearchTool } from "./toolSearchTool.ts";

/** The current tools of one turn: read again in every round, because servers connect and disconnect. */
export interface ToolBox {
	/** The running servers of the turn, without those that the user left out. */
	readonly sessions: readonly Session[];
	/** The tools that the model receives in this round, in a stable order, so that providers' prompt caches hold. */
	readonly offered: readonly ModelTool[];
	/** Whether the model receives only some tools, and searches for the others. Once true, it stays so for the turn. */
	readonly isLazy: boolean;
	/** The tool of a model's name. A tool whose definition was not loaded yet is found too, and loaded. */
	find(modelName: string): { readonly entry: ToolEntry } | { readonly hostTool: HostTool } | undefined;
}

/** A box whose tools others search than the model of a turn. */
export interface SearchableToolBox extends ToolBox {
	/** All tools in the form for models, and the search over them. */
	readonly searchable: Pick<SearchableTools, "all" | "find">;
	/** How many tools there are, and how many tokens all their definitions cost. */
	readonly cost: { readonly tools: number; readonly tokens: number };
}

/** The inputs of a box. */
export interface ToolBoxOptions {
	readonly directory: SessionDirectory;
	/** The definitions that models receive for tools that changed since they were approved. */
	readonly pins: Pick<DefinitionPins, "approvedTools">;
	/** Whether the user left a server out of this turn. */
	readonly isExcluded?: (session: Session) => boolean;
	/** The maximum cost of all definitions before models have to search for them; 0 for no limit. */
	readonly budgetTokens: number;
	/** The maximum cost of loaded definitions; beyond it tools are called by their search results. */
	readonly mostTokens?: number;
	/** The host's tools beside the search, asked for in every round. */
	readonly hostTools?: () => readonly HostTool[];
	/** The conversation before this turn: tools that were called in it are loaded from the start. */
	readonly history?: readonly ModelMessage[];
	/** The user's message: the tools of servers that it names are also loaded, if they are few. */
	readonly messages?: readonly ModelMessage[];
}

/** The part of the budget for everything that is loaded at the start. */
const startShare = 0.5;

/** How much of a user's message is searched for names of servers. */
const longestWords = 20_000;

/**
 * Makes the box of one turn. Below the budget models receive all tools, in the order of the configuration. Above it
 * they get a search tool, the tools of small servers and those in use; tools that they find are loaded for the rest of
 * the turn, up to the budget. So a thousand tools cost about as much as twenty.
 */
export function openToolBox(options: ToolBoxOptions): SearchableToolBox {
	return new TurnTools(options);
}

class TurnTools implements SearchableToolBox {
	private readonly options: ToolBoxOptions;
	/** The names of the tools that models receive in a lazy turn, in the order in which they were loaded. */
	private readonly loaded = new Set<string>();
	/** The names of all tools that were offered in this turn, in the order of their appearance. */
	private readonly order = new Set<string>();
	/** The names of the tools that were called in this turn. */
	private readonly called = new Set<string>();
	private hasStarted = false;
	/** The last result of `asApproved`, and its input. */
	private approved:
		| {
				readonly of: ReadonlyMap<string, OfferedTool>;
				readonly key: readonly (Tool | undefined)[];
				readonly map: ReadonlyMap<string, OfferedTool>;
		  }
		| undefined;
	private known: { readonly of: ReadonlyMap<string, OfferedTool>; readonly tools: TurnList } | undefined;

	constructor(options: ToolBoxOptions) {
		this.options = options;
	}

	get sessions(): readonly Session[] {
		const { directory, isExcluded } = this.options;
		return directory.sessions.filter((session) => session.state.kind === "running" && isExcluded?.(session) !== true);
	}

	get isLazy(): boolean {
		const { budgetTokens } = this.options;
		const tools = this.tools();
		if (this.hasStarted || !isTooMuch(tools.all.length, tools.tokens, budgetTokens)) return this.hasStarted;
		this.hasStarted = true;
		this.start(tools);
		return true;
	}

	get offered(): readonly ModelTool[] {
		const { isLazy } = this;
		const tools = this.tools();
		const search = isLazy ? [this.searchTool(tools).tool] : [];
		const own = this.hostTools().map(({ tool }) => tool);
		const ofServers = isLazy
			? [...this.loaded].flatMap((name) => tools.byName.get(name)?.tool ?? [])
			: tools.all.map(({ tool }) => tool);
		const now = new Map([...search, ...own, ...ofServers].map((tool) => [tool.name, tool]));
		// Later tools go to the end, so that the earlier request stays a prefix of the next one.
		for (const name of now.keys()) this.order.add(name);
		return [...this.order].flatMap((name) => now.get(name) ?? []);
	}

	get cost(): { readonly tools: number; readonly tokens: number } {
		const { all, tokens } = this.tools();
		return { tools: all.length, tokens };
	}

	get searchable(): Pick<SearchableTools, "all" | "find"> {
		return this.tools();
	}

	find(modelName: string): { readonly entry: ToolEntry } | { readonly hostTool: HostTool } | undefined {
		const tools = this.tools();
		// The search is found in any turn: the model may know it from an earlier one.
		if (modelName === hostToolNames.searchTools) return { hostTool: this.searchTool(tools) };
		const hostTool = this.hostTools().find(({ tool }) => tool.name === modelName);
		if (hostTool !== undefined) return { hostTool };
		const offered = tools.byName.get(modelName);
		if (offered === undefined) return undefined;
		const { entry, tool } = offered;
		// The model guessed the arguments; from now on it can see their schema.
		if (this.isLazy) this.load(tools, tool, true);
		this.called.add(modelName);
		return { entry };
	}

	private hostTools(): readonly HostTool[] {
		return this.options.hostTools?.() ?? [];
	}

	private searchTool(tools: TurnList): HostTool {
		return toolSearchTool({
			all: tools.all,
			find: (query, isWanted) => tools.find(query, isWanted),
			load: ({ tool }, isFirst) => this.load(tools, tool, isFirst),
		});
	}

	/** Loads a tool if it fits into the budget of loaded ones; the most wanted one may exceed the budget. */
	private load(tools: TurnList, tool: ModelTool, isFirst: boolean): boolean {
		if (!this.isLazy || this.loaded.has(tool.name)) return true;
		if (this.loaded.size >= mostTools) return false;
		const { budgetTokens, mostTokens = Infinity } = this.options;
		const most = isFirst ? mostTokens : Math.min(budgetTokens, mostTokens);
		if (this.tokensLoaded(tools) + toolTokens(tool) > most) return false;
		this.loaded.add(tool.name);
		return true;
	}

	private tokensLoaded({ byName }: TurnList): number {
		return [...this.loaded].reduce((sum, name) => {
			const offered = byName.get(name);
			return sum + (offered === undefined ? 0 : toolTokens(offered.tool));
		}, 0);
	}

	/** Loads the first tools of a lazy turn; those that change least come first. */
	private start(tools: TurnList): void {
		const { budgetTokens, history = [], messages = [] } = this.options;
		const groups = [...Map.groupBy(tools.all, ({ entry }) => entry.session)].map(([session, offered]) => ({
			name: session.definition.name,
			tools: offered.map(({ tool }) => tool.name),
			offered: offered.length,
			tokens: offered.reduce((sum, { tool }) => sum + toolTokens(tool), 0),
		}));
		const small = keptServers(groups, budgetTokens);
		const load = (names: readonly string[]): void => names.forEach((name) => this.loaded.add(name));
		for (const group of groups) if (small.has(group)) load(group.tools);
		load(this.namesInUse(tools, [...namesCalled(history), ...this.called]));
		const words = wordsOfUser(messages);
		for (const { name, tools: names, tokens } of groups) {
			const isRoom = this.tokensLoaded(tools) + tokens <= budgetTokens * startShare;
			if (isRoom && this.loaded.size + names.length <= mostTools && isNamedIn(name, words)) load(names);
		}
	}

	/** The called tools that fit: the latest ones, in the order of their first calls. */
	private namesInUse({ byName }: TurnList, calls: readonly string[]): readonly string[] {
		const chosen = new Set<string>();
		let left = this.options.budgetTokens * startShare;
		for (const name of calls.toReversed()) {
			const tool = byName.get(name)?.tool;
			if (tool === undefined || chosen.has(name)) continue;
			left -= toolTokens(tool);
			if (left < 0 || this.loaded.size + chosen.size >= mostTools) break;
			chosen.add(name);
		}
		return [...new Set(calls)].filter((name) => chosen.has(name));
	}

	/** The tools that models may be offered, in the words that the user approved (TOL-23). */
	private asApproved(forModels: ReadonlyMap<string, OfferedTool>): ReadonlyMap<string, OfferedTool> {
		const changed = this.sessions.flatMap((session) => [...this.options.pins.approvedTools(session)]);
		if (changed.length === 0) return forModels;
		const key = changed.flat();
		const { approved } = this;
		const isKnown = approved?.of === forModels && approved.key.length === key.length;
		if (approved !== undefined && isKnown && key.every((tool, index) => tool === approved.key[index]))
			return approved.map;
		const map = inWordsOf(forModels, new Map(changed));
		this.approved = { of: forModels, key, map };
		return map;
	}

	/** The current tools of the turn; rebuilt only when servers, their tools or the user's choice changed. */
	private tools(): TurnList {
		const { directory, isExcluded } = this.options;
		const forModels = this.asApproved(readCatalog(directory).forModels);
		if (this.known?.of !== forModels) this.known = { of: forModels, tools: listOf(forModels, isExcluded) };
		return this.known.tools;
	}
}

interface TurnList extends Pick<SearchableTools, "all" | "find"> {
	readonly byName: ReadonlyMap<string, OfferedTool>;
	/** The cost of all definitions. */
	readonly tokens: number;
}

const lists = new WeakMap<ReadonlyMap<string, OfferedTool>, TurnList>();
const searches = new WeakMap<ReadonlyMap<string, OfferedTool>, ToolSearch>();

/** The tools of a catalogue without those of excluded servers; the same list for all turns that exclude none. */
function listOf(forModels: ReadonlyMap<string, OfferedTool>, isExcluded: ToolBoxOptions["isExcluded"]): TurnList {
	const everything = [...forModels.values()];
	const isOfTurn = ({ entry }: OfferedTool): boolean => isExcluded?.(entry.session) !== true;
	const all = everything.filter(isOfTurn);
	const isWhole = all.length === everything.length;
	const before = isWhole ? lists.get(forModels) : undefined;
	if (before !== undefined) return before;
	const list: TurnList = {
		all,
		byName: new Map(all.map((offered) => [offered.tool.name, offered])),
		tokens: all.reduce((sum, { tool }) => sum + toolTokens(tool), 0),
		find: (query, isWanted) =>
			searchOf(forModels).find(
				query,
				isWhole ? isWanted : (offered) => isOfTurn(offered) && isWanted?.(offered) !== false,
			),
	};
	if (isWhole) lists.set(forModels, list);
	return list;
}

/** A catalogue's tools with replaced definitions for some; without those that have none. */
function inWordsOf(
	forModels: ReadonlyMap<string, OfferedTool>,
	words: ReadonlyMap<Tool, Tool | undefined>,
): ReadonlyMap<string, OfferedTool> {
	return new Map(
		[...forModels].flatMap(([name, offered]): [string, OfferedTool][] => {
			if (!words.has(offered.entry.tool)) return [[name, offered]];
			const approved = words.get(offered.entry.tool);
			const tool = approved && toolForModels(approved, name).tool;
			return tool === undefined ? [] : [[name, { entry: offered.entry, tool }]];
		}),
	);
}

/** The search over a catalogue's tools: made once for all turns until the tools change. */
function searchOf(forModels: ReadonlyMap<string, OfferedTool>): ToolSearch {
	const search = searches.get(forModels) ?? new ToolSearch([...forModels.values()]);
	searches.set(forModels, search);
	return search;
}

/** The names of the tools that were called in a conversation, in its order. */
function namesCalled(history: readonly ModelMessage[]): readonly string[] {
	return history.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool-call" ? [part.name] : [])));
}

function wordsOfUser(messages: readonly ModelMessage[]): string {
	const texts = messages.flatMap(({ role, content }) =>
		role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
	);
	return texts.join("\n").slice(-longestWords).toLowerCase();
}

/** Whether a text has a server's name in it as a word. */
function isNamedIn(name: string, text: string): boolean {
	const wanted = name.toLowerCase();
	if (wanted.length < 3) return false;
	for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
		const beside = `${text.charAt(at - 1)} ${text.charAt(at + wanted.length)}`;
		if (!/[\p{L}\p{N}]/u.test(beside)) return true;
	}
	return false;
}
