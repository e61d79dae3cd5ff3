import { Emitter, type Event } from "../../base/event.ts";
import { jsonObjectOf, stringOf } from "../../base/guards.ts";
import { canonicalJson, objectsIn, type JsonObject } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import { throttle } from "../../base/throttle.ts";
import { isForModels } from "../../features/agentTools/resourceTool.ts";
import { isMadeBy } from "../../features/resources/templates/templateSearch.ts";
import { modelNames } from "../../permissions/catalog/names.ts";
import type { Prompt, Resource, ResourceTemplate, Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { KeptLists, ServerLists } from "./keptLists.ts";
import { mayRun } from "./waking.ts";

/** The dependencies of the lists of resources, templates and prompts. */
export interface ContentServices {
	readonly directory: SessionDirectory;
	readonly kept: KeptLists;
}

/** A prompt of a server, with the name that it has there. */
export interface OfferedPrompt {
	readonly server: Session;
	readonly name: string;
}

type ContentList = Exclude<keyof ServerLists, "tools">;
const contentLists = ["prompts", "resources", "resourceTemplates"] as const;

/** How long changes are gathered, in milliseconds. */
const tellingMs = 500;
/** Of longer lists every change is reported, without a comparison. */
const mostCompared = 2000;
/** Texts of servers are cut to so many characters. */
const longestName = 200;
const longestDescription = 2000;
/** No client could repeat a longer address. */
const longestAddress = 4000;

/**
 * The resources, templates and prompts that other agents are offered: of running servers, and of servers that may
 * start, as they were when those last ran (GST-09). Of resources of the same URI, that of the first server counts.
 */
export class OfferedContents implements Disposable {
	private readonly services: ContentServices;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<"prompts" | "resources">();
	readonly onDidChange: Event<"prompts" | "resources"> = this.changed.event;
	private readonly latest = new Map<ContentList, string>();

	constructor(services: ContentServices) {
		this.services = services;
		const { directory } = services;
		const telling = this.store.add(throttle(() => this.tell(), tellingMs));
		const watched = new DisposableStore();
		this.store.add(watched);
		const watch = (): void => {
			watched.clear();
			for (const session of directory.sessions)
				for (const list of contentLists) watched.add(session[list].onDidChange(() => telling.run()));
			telling.run();
		};
		this.store.add(directory.onDidChange(watch));
		watch();
	}

	/** The resources of all servers, in the order of the configuration. */
	get resources(): readonly JsonObject[] {
		return withoutRepeats(this.each("resources"), "uri");
	}

	/** The templates of all servers. */
	get resourceTemplates(): readonly JsonObject[] {
		return withoutRepeats(this.each("resourceTemplates"), "uriTemplate");
	}

	/** The prompts of all servers, under names that are unique. */
	get prompts(): readonly JsonObject[] {
		return [...this.named()].map(([name, { prompt }]) => within(prompt, { name }));
	}

	/** The prompt of a name. */
	promptOf(name: string): OfferedPrompt | undefined {
		const found = this.named().get(name);
		return found && { server: found.server, name: stringOf(found.prompt["name"]) };
	}

	/** The server of a resource that is listed, or that one of its templates makes. */
	ownerOf(uri: string): Session | undefined {
		const all = this.services.directory.sessions;
		const listed = all.find((server) => this.has(server, uri));
		return (
			listed ??
			all.find((server) =>
				isMadeBy(
					this.listOf(server, "resourceTemplates").map(({ uriTemplate }) => stringOf(uriTemplate)),
					uri,
				),
			)
		);
	}

	/** The server of a template. */
	ownerOfTemplate(uriTemplate: string): Session | undefined {
		return this.services.directory.sessions.find((server) =>
			this.listOf(server, "resourceTemplates").some((template) => template["uriTemplate"] === uriTemplate),
		);
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}

	private has(server: Session, uri: string): boolean {
		if (isListed(server, "resources")) return server.resources.get(uri) !== undefined;
		return this.listOf(server, "resources").some((resource) => resource["uri"] === uri);
	}

	private named(): ReadonlyMap<string, { readonly server: Session; readonly prompt: JsonObject }> {
		const all = this.services.directory.sessions.flatMap((session) =>
			this.listOf(session, "prompts").map((prompt) => ({
				session,
				prompt,
				server: session.definition.name,
				tool: stringOf(prompt["name"]),
			})),
		);
		const names = modelNames(all, ({ session }) => session.definition.id);
		return new Map(all.map(({ session, prompt }, index) => [names[index] ?? "", { server: session, prompt }]));
	}

	private each(list: ContentList): readonly JsonObject[] {
		return this.services.directory.sessions.flatMap((session) => this.listOf(session, list));
	}

	private listOf(server: Session, list: ContentList): readonly JsonObject[] {
		if (isListed(server, list)) return listedOf(server, list);
		return mayRun(server) ? this.services.kept.of(server)[list] : [];
	}

	/** Keeps the lists of servers that run: what a client was offered stays when a server stops. */
	keep(): void {
		for (const server of this.services.directory.sessions) {
			const listed = contentLists.filter((list) => isListed(server, list));
			if (listed.length === 0) continue;
			this.services.kept.keep(server, Object.fromEntries(listed.map((list) => [list, listedOf(server, list)])));
		}
	}

	/** Keeps the lists, and reports changes. */
	private tell(): void {
		this.keep();
		const changed = contentLists.filter((list) => this.isChanged(list));
		if (changed.includes("prompts")) this.changed.fire("prompts");
		if (changed.some((list) => list !== "prompts")) this.changed.fire("resources");
	}

	private isChanged(list: ContentList): boolean {
		const items = this.each(list);
		const now = items.length > mostCompared ? crypto.randomUUID() : canonicalJson(items);
		if (now === (this.latest.get(list) ?? "[]")) return false;
		this.latest.set(list, now);
		return true;
	}
}

/** Whether a running server's list has been read, or it offers none. A list is empty while its server stops. */
function isListed(server: Session, name: ContentList): boolean {
	const { state } = server;
	if (state.kind !== "running") return false;
	const { status, items } = server[name];
	const isOffered = state.facts.capabilities[name === "prompts" ? "prompts" : "resources"] !== undefined;
	return items.length > 0 || status.kind === "ready" || !isOffered;
}

function listedOf({ prompts, resources, resourceTemplates }: Session, list: ContentList): readonly JsonObject[] {
	switch (list) {
		case "prompts":
			return prompts.items.map((prompt) => made(prompt, promptOf));
		case "resources":
			return resources.items
				.filter((one) => isForModels(one) && one.uri.length <= longestAddress)
				.map((one) => made(one, ({ uri, size }) => ({ uri, ...(size === undefined ? {} : { size }) })));
		case "resourceTemplates":
			return resourceTemplates.items
				.filter((one) => isForModels(one) && one.uriTemplate.length <= longestAddress)
				.map((one) => made(one, ({ uriTemplate }) => ({ uriTemplate })));
	}
}

/** By item: a long list is asked for again and again. */
const known = new WeakMap<object, JsonObject>();

/** An item as it is offered: few members, and texts that are short and show what is hidden in them. */
function made<T extends Prompt | Resource | ResourceTemplate>(item: T, own: (item: T) => JsonObject): JsonObject {
	const before = known.get(item);
	if (before !== undefined) return before;
	const { mimeType, annotations } = jsonObjectOf(item);
	const offered = {
		name: oneLine(item.name, longestName),
		...texts(item),
		...(typeof mimeType === "string" ? { mimeType: oneLine(mimeType, longestName) } : {}),
		...(annotations === undefined ? {} : { annotations }),
		...own(item),
	};
	known.set(item, offered);
	return offered;
}

function promptOf({ name, arguments: args }: Prompt): JsonObject {
	const described = objectsIn(args).map((arg) => within(arg, texts(arg)));
	return { name, ...(args === undefined ? {} : { arguments: described }) };
}

function within(item: JsonObject, members: JsonObject): JsonObject {
	return { ...item, ...members };
}

function texts({ title, description }: { readonly title?: unknown; readonly description?: unknown }): JsonObject {
	return {
		...(typeof title === "string" ? { title: oneLine(title, longestName) } : {}),
		...(typeof description === "string" ? { description: showHidden(cap(description, longestDescription)) } : {}),
	};
}

function withoutRepeats(items: readonly JsonObject[], key: string): readonly JsonObject[] {
	const seen = new Set<unknown>();
	return items.filter((item) => !seen.has(item[key]) && seen.add(item[key]));
}
