import { Emitter, type Event } from "../../base/event.ts";
import { KeyedDisposables } from "../../base/keyedDisposables.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { Slices } from "../../base/slices.ts";
import { throttle } from "../../base/throttle.ts";
import type { Session, SessionDirectory, Tool } from "../../servers/sessions/session.ts";
import { readCatalog } from "../../permissions/catalog/catalog.ts";
import { prepareForModels } from "../../permissions/catalog/modelTool.ts";
import { toolTokens } from "../../models/tokens.ts";
import { isTooMuch, keptServers } from "./toolLimits.ts";

/** The cost of a server's tools in each request to a model that receives all of them. */
export interface ServerToolCost {
	/** How many tools models may be offered. */
	readonly offered: number;
	/** Their total cost. */
	readonly tokens: number;
	/** How many tools models are never offered. */
	readonly hidden: number;
}

/** The relation of one tool to models. */
export type ToolStanding =
	| {
			readonly offered: "always" | "when needed";
			/** The name by which models know it. */
			readonly modelName: string;
			readonly tokens: number;
	  }
	| { readonly offered: "never"; readonly why: string };

/** The user's limit for the definitions of all tools together, in tokens; 0 for none. */
export interface ToolLimit {
	readonly current: number;
	readonly onDidChange: Event<unknown>;
}

/** How often changes of lists start the work, in milliseconds. */
const coalesceMs = 250;

/**
 * The cost of the tools of each running server, for display. Computed in the background, a slice at a time, so that ten
 * thousand tools delay nothing; the chat uses the results as well.
 */
export class ToolCosts implements Disposable {
	private readonly directory: SessionDirectory;
	private readonly limit: ToolLimit;
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<{ readonly server: string }>());
	private readonly watched = this.store.add(
		new KeyedDisposables((session: Session) => session.tools.onDidChange(() => this.waking.run())),
	);
	private readonly waking = this.store.add(throttle(() => void this.work(), coalesceMs));
	private costs: ReadonlyMap<Session, ServerToolCost> = new Map();
	/** The announced state of each server, by its id. */
	private announced: ReadonlyMap<string, string> = new Map();
	private isWorking = false;
	private isStale = false;
	/** The cost of a server's tools is another than before, or whether they are loaded when needed. */
	readonly onDidChange: Event<{ readonly server: string }> = this.changed.event;

	constructor(directory: SessionDirectory, limit: ToolLimit) {
		this.directory = directory;
		this.limit = limit;
		this.store.add(directory.onDidChange(() => this.watch()));
		this.store.add(limit.onDidChange(() => this.announce()));
		this.watch();
	}

	/** The cost of a server's tools; undefined as long as it is not known. */
	of(session: Session): ServerToolCost | undefined {
		return this.costs.get(session);
	}

	/**
	 * Whether models search for a server's tools and load the needed ones: all tools together exceed one request, and the
	 * server is not a small one.
	 */
	isLazy(session: Session): boolean {
		const cost = this.costs.get(session);
		return cost !== undefined && this.lazyCosts().has(cost);
	}

	/** Why models are never offered a tool; undefined when they may be. */
	whyHidden(tool: Tool): string | undefined {
		const content = prepareForModels(tool);
		return "hidden" in content ? content.hidden : undefined;
	}

	/** The relation of a server's tool to models. */
	standingOf(session: Session, tool: Tool): ToolStanding {
		const why = this.whyHidden(tool);
		if (why !== undefined) return { offered: "never", why };
		const { entries, forModels } = readCatalog(this.directory);
		const entry = entries.find((one) => one.tool === tool && one.session === session);
		const offered = entry && forModels.get(entry.modelName);
		if (offered === undefined) return { offered: "never", why: "its server is not running" };
		const { tool: sent } = offered;
		return { offered: this.isLazy(session) ? "when needed" : "always", modelName: sent.name, tokens: toolTokens(sent) };
	}

	dispose(): void {
		this.store.dispose();
	}

	private watch(): void {
		this.watched.follow(this.running());
		this.waking.run();
	}

	private running(): readonly Session[] {
		return this.directory.sessions.filter(({ state }) => state.kind === "running");
	}

	private async work(): Promise<void> {
		this.isStale = true;
		if (this.isWorking) return;
		this.isWorking = true;
		while (this.isStale && !this.store.isDisposed) {
			this.isStale = false;
			const costs = await this.measure();
			if (costs === undefined || this.store.isDisposed) continue;
			this.costs = costs;
			this.announce();
		}
		this.isWorking = false;
	}

	/** The cost of all servers' tools; undefined when something changed meanwhile. Lists that are still being read wait. */
	private async measure(): Promise<ReadonlyMap<Session, ServerToolCost> | undefined> {
		// A server without tools yet costs nothing, which is not shown: rows would be refreshed while the first page
		// arrives.
		const sessions = this.running().filter(({ tools }) => tools.status.kind !== "loading" && tools.items.length > 0);
		const slices = new Slices();
		for (const { tools } of sessions) {
			for (const tool of tools.items) {
				prepareForModels(tool);
				if (slices.isOver) await slices.next();
			}
		}
		const { entries, forModels } = readCatalog(this.directory);
		const costs = new Map(sessions.map((session) => [session, { offered: 0, tokens: 0, hidden: 0 }]));
		for (const { session, modelName, hidden } of entries) {
			const cost = costs.get(session);
			if (cost === undefined) continue;
			const offered = forModels.get(modelName);
			if (hidden !== undefined) cost.hidden++;
			if (offered !== undefined) {
				cost.offered++;
				cost.tokens += toolTokens(offered.tool);
			}
			if (slices.isOver) await slices.next();
			if (this.isStale) return undefined;
		}
		return costs;
	}

	/** The costs of the servers whose tools are loaded when needed. */
	private lazyCosts(): ReadonlySet<ServerToolCost> {
		const { current } = this.limit;
		const costs = [...this.costs.values()];
		const tools = costs.reduce((sum, { offered }) => sum + offered, 0);
		const tokens = costs.reduce((sum, cost) => sum + cost.tokens, 0);
		if (!isTooMuch(tools, tokens, current)) return new Set();
		const kept = keptServers(costs, current);
		return new Set(costs.filter((cost) => !kept.has(cost)));
	}

	/** Announces the servers whose state differs from the announced one. */
	private announce(): void {
		const lazy = this.lazyCosts();
		const said = new Map(
			[...this.costs].map(([{ definition }, cost]) => [definition.id, JSON.stringify([cost, lazy.has(cost)])]),
		);
		const servers = new Set([...said.keys(), ...this.announced.keys()]);
		const before = this.announced;
		this.announced = said;
		for (const server of servers) if (said.get(server) !== before.get(server)) this.changed.fire({ server });
	}
}

/** A number of tokens for display: `~640 tokens`. It is marked as an estimate. */
export function describeTokens(tokens: number): string {
	const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 1);
	return `~${(Math.round(tokens / step) * step).toLocaleString("en-US")} tokens`;
}
