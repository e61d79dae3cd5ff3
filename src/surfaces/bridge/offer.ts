import { Emitter, type Event } from "../../base/event.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import { throttle } from "../../base/throttle.ts";
import { openToolBox, type SearchableToolBox } from "../../features/agentTools/toolBox.ts";
import type { OfferedTool, ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { KeptLists } from "./keptLists.ts";
import { mayRun, type Waking } from "./waking.ts";

/** The dependencies of the list of tools. */
export interface OfferServices {
	readonly directory: SessionDirectory;
	readonly pins: DefinitionPins;
	readonly kept: KeptLists;
	readonly waking: Pick<Waking, "wake" | "listed">;
}

/** How long changes are gathered, in milliseconds. */
const tellingMs = 250;

/** A tool in the form of the protocol, and where it is from. */
interface Offered {
	readonly server: Session;
	readonly tool: JsonObject & { readonly name: string };
}

/**
 * The tools that other agents are offered: of running servers, in the words that the user approved, and of servers that
 * may start, as they were when those last ran. So a list needs no server, and none starts for it (GST-09).
 */
export class OfferedTools implements Disposable {
	private readonly services: OfferServices;
	private readonly box: SearchableToolBox;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;
	private latest = "";

	constructor(services: OfferServices) {
		this.services = services;
		const { directory, pins } = services;
		// Without a limit: how many tools its model takes is the client's decision.
		this.box = openToolBox({ directory, pins, budgetTokens: 0 });
		const telling = this.store.add(throttle(() => this.tell(), tellingMs));
		const watched = new DisposableStore();
		this.store.add(watched);
		const watch = (): void => {
			watched.clear();
			for (const { tools } of directory.sessions) watched.add(tools.onDidChange(() => telling.run()));
			telling.run();
		};
		this.store.add(directory.onDidChange(watch));
		this.store.add(pins.onDidChange(() => telling.run()));
		watch();
	}

	/** The tools, in the order of the configuration. */
	get tools(): readonly JsonObject[] {
		return this.kept().map(({ tool }) => tool);
	}

	/** The tool of a name, whose server is started if it may start and does not run; or why it cannot be called. */
	async find(name: string, signal: AbortSignal): Promise<{ readonly entry: ToolEntry } | { readonly problem: string }> {
		const { directory, waking } = this.services;
		if (this.ownerOf(name) === undefined) await waking.listed(directory.sessions, signal);
		const server = this.ownerOf(name);
		if (server === undefined)
			return { problem: `There is no tool named "${oneLine(name, 80)}". List the tools again.` };
		const problem = await waking.wake(server, signal);
		if (problem !== undefined) return { problem };
		const found = directory.get(server.definition.id) === server ? this.box.find(name) : undefined;
		if (found !== undefined && "entry" in found) return { entry: found.entry };
		const text = `"${oneLine(server.definition.name, 60)}" does not offer the tool "${oneLine(name, 80)}" any more. List the tools again.`;
		return { problem: text };
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}

	private ownerOf(name: string): Session | undefined {
		// A tool of a running server is known by its name; a list of all is made for the others only.
		const known = this.box.find(name);
		return known !== undefined && "entry" in known ? known.entry.session : this.offered().get(name)?.server;
	}

	/** All tools by their names: those of a server that runs come before others of the same name. */
	private offered(): ReadonlyMap<string, Offered> {
		const listed = Map.groupBy(this.box.searchable.all, ({ entry }) => entry.session);
		const all = new Map<string, Offered>();
		const add = (server: Session, tool: Offered["tool"]): void => {
			if (!all.has(tool.name)) all.set(tool.name, { server, tool });
		};
		const { sessions } = this.services.directory;
		for (const server of sessions) for (const one of listed.get(server) ?? []) add(server, toolOf(one));
		for (const server of sessions)
			if (!isListed(server) && mayRun(server)) this.remembered(server).forEach((tool) => add(server, tool));
		return all;
	}

	private remembered(server: Session): readonly Offered["tool"][] {
		return this.services.kept.of(server).tools.flatMap((tool) => {
			const { name, inputSchema } = tool;
			return typeof name === "string" && isJsonObject(inputSchema) ? [{ ...tool, name }] : [];
		});
	}

	/** All tools; those of servers that run are kept, so that what a client was offered stays when a server stops. */
	private kept(): readonly Offered[] {
		const all = [...this.offered().values()];
		for (const [server, offered] of Map.groupBy(all, ({ server: one }) => one)) {
			if (isListed(server)) this.services.kept.keep(server, { tools: offered.map(({ tool }) => tool) });
		}
		return all;
	}

	/** Reports a change. */
	private tell(): void {
		const all = this.kept();
		const latest = canonicalJson(all.map(({ tool }) => tool));
		if (latest === this.latest) return;
		this.latest = latest;
		this.changed.fire();
	}
}

function toolOf({ entry, tool: { name, description, inputSchema } }: OfferedTool): Offered["tool"] {
	const { title, annotations } = entry.tool;
	const more = { ...(title === undefined ? {} : { title }), ...(annotations === undefined ? {} : { annotations }) };
	return { name, description, inputSchema, ...jsonObjectOf(more) };
}

/** Whether a running server's list has been read. */
function isListed({ state, tools }: Session): boolean {
	return state.kind === "running" && (tools.status.kind === "ready" || tools.items.length > 0);
}
