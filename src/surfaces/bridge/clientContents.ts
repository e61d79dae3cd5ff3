import { isTextObject, isWhole, jsonObjectOf, stringOf } from "../../base/guards.ts";
import { type Json, type JsonObject, objectsIn } from "../../base/json.ts";
import { invalidParams, RequestRefusal } from "../../base/refusal.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { oneLine } from "../../base/text.ts";
import { readResourceTool, sessionsAsDirectory } from "../../features/agentTools/resourceTool.ts";
import { whenListed } from "../../features/resources/listed.ts";
import { completionEntry, promptEntry } from "../../features/tools/requestEntries.ts";
import { readEntry } from "../../features/tools/resourceRead.ts";
import { visibleText } from "../../features/tools/results/result.ts";
import type { ToolOutcome } from "../../features/tools/call.ts";
import type { ResourceAddress } from "../../features/resources/uri.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { AgentCall } from "../guest/agentCalls.ts";
import { addressKey, type ClientSubscriptions, type MayFollow, type Subscriber } from "./clientSubscriptions.ts";
import type { RelayedMethod } from "./link.ts";
import type { OfferedContents, OfferedPrompt } from "./offeredContents.ts";
import type { Waking } from "./waking.ts";

/** The dependencies of requests about resources and prompts. */
export interface ContentRequestServices {
	readonly contents: OfferedContents;
	readonly waking: Waking;
	readonly subscriptions: ClientSubscriptions;
	/** Whether a result of a server named a resource. */
	readonly isLinked: (session: Session, uri: string) => boolean;
	readonly sessions: () => readonly Session[];
}

/** One request of a program that the user allowed. */
export interface AllowedRequest {
	readonly signal: AbortSignal;
	readonly subscriber: Subscriber;
	/** The memory of the program. */
	readonly program: ProgramMemory;
	/** Makes the request as a call: rules, grants, the user, the activity and the trace. */
	readonly run: (call: AgentCall) => Promise<{ readonly outcome: ToolOutcome; readonly text: string }>;
	/** The decision of the rules, before anyone is asked. */
	readonly decide: (call: AgentCall) => "allow" | "ask" | "deny";
}

/** The memory of a program, while the window lasts. */
export interface ProgramMemory {
	/** The resources that it has read, by their keys. */
	readonly read: Set<string>;
	/** A question about a completion waits. */
	isCompleting: boolean;
}

/** How many items a page of a list has. */
const pageSize = 1000;
/** How many read resources are remembered. */
const mostRead = 1000;
const none: JsonObject = { completion: { values: [] } };

/** Answers requests about resources and prompts: each goes the way of every call (GST-13). */
export class ClientContents {
	private readonly services: ContentRequestServices;

	constructor(services: ContentRequestServices) {
		this.services = services;
	}

	/** A list, page by page. */
	list(method: ListMethod, params: JsonObject): JsonObject {
		const { contents } = this.services;
		contents.keep();
		switch (method) {
			case "resources/list":
				return pageOf("resources", contents.resources, params);
			case "resources/templates/list":
				return pageOf("resourceTemplates", contents.resourceTemplates, params);
			case "prompts/list":
				return pageOf("prompts", contents.prompts, params);
		}
	}

	/**
	 * Carries out a request.
	 * @throws RequestRefusal in words for a model.
	 */
	async answer(method: ContentMethod, params: JsonObject, request: AllowedRequest): Promise<JsonObject> {
		switch (method) {
			case "resources/read":
				return this.read(stringOf(params["uri"]), request);
			case "resources/subscribe":
				return this.subscribe(stringOf(params["uri"]), request);
			case "resources/unsubscribe":
				this.services.subscriptions.remove(request.subscriber, stringOf(params["uri"]));
				return {};
			case "prompts/get":
				return this.prompt(params, request);
			case "completion/complete":
				return this.complete(params, request);
		}
	}

	private find(uri: string): Session | undefined {
		const { contents, isLinked, sessions } = this.services;
		return contents.ownerOf(uri) ?? sessions().find((session) => isLinked(session, uri));
	}

	private async ownerOf(uri: string, signal: AbortSignal): Promise<Session> {
		const owner = await this.listed(() => this.find(uri), ofResources, signal);
		if (owner === undefined)
			throw invalidParams(`No server lists the resource ${oneLine(uri, 300)}, or has a template that makes it.`);
		return owner;
	}

	private promptOf(name: string, signal: AbortSignal): Promise<OfferedPrompt | undefined> {
		return this.listed(() => this.services.contents.promptOf(name), ["prompts"], signal);
	}

	private ownerOfTemplate(uri: string, signal: AbortSignal): Promise<Session | undefined> {
		return this.listed(() => this.services.contents.ownerOfTemplate(uri), ["resourceTemplates"], signal);
	}

	/** Finds something in the lists of all servers, once those that are still sending them have done so. */
	private async listed<T>(
		find: () => T | undefined,
		kinds: readonly ListKind[],
		signal: AbortSignal,
	): Promise<T | undefined> {
		const known = find();
		if (known !== undefined) return known;
		await whenListedBy(this.services.sessions(), kinds, signal);
		signal.throwIfAborted();
		return find();
	}

	private async read(uri: string, request: AllowedRequest): Promise<JsonObject> {
		const { isLinked } = this.services;
		const session = await this.ownerOf(uri, request.signal);
		await this.wake(session, request.signal);
		await whenListedBy([session], ofResources, request.signal);
		const tool = readResourceTool({ sessions: [session], isLinked, listTool: "resources/list" });
		const resolved = tool.kind === "call" ? tool.resolve({ server: session.definition.name, uri }) : { problem: "" };
		if ("problem" in resolved) throw invalidParams(resolved.problem);
		const { content } = await made(request, resolved);
		const { read } = request.program;
		read.add(addressKey(addressOf(session, uri)));
		const [oldest] = read;
		if (read.size > mostRead && oldest !== undefined) read.delete(oldest);
		this.services.subscriptions.follow();
		return { contents: objectsIn(content).map(({ resource }) => withShownText(jsonObjectOf(resource))) };
	}

	private async subscribe(uri: string, { subscriber, program, decide, signal }: AllowedRequest): Promise<JsonObject> {
		const owner = await this.ownerOf(uri, signal);
		const mayFollow: MayFollow = (address) => {
			const session = this.find(address.uri);
			if (session?.definition.id !== address.server) return false;
			const decision = decide({ entry: readEntry(session), arguments: { uri: address.uri } });
			return decision === "allow" || (decision === "ask" && program.read.has(addressKey(address)));
		};
		if (!this.services.subscriptions.add(subscriber, addressOf(owner, uri), mayFollow))
			throw new RequestRefusal(-32603, "limit", "Too many resources are subscribed to. Unsubscribe from others first.");
		return {};
	}

	private async prompt(params: JsonObject, request: AllowedRequest): Promise<JsonObject> {
		const name = stringOf(params["name"]);
		const found = await this.promptOf(name, request.signal);
		if (found === undefined)
			throw invalidParams(`There is no prompt named "${oneLine(name, 80)}". List the prompts again.`);
		await this.wake(found.server, request.signal);
		const args = jsonObjectOf(params["arguments"]);
		const call = { entry: promptEntry(found.server), arguments: { name: found.name, arguments: args } };
		const { structuredContent } = await made(request, call);
		const { description, messages } = jsonObjectOf(structuredContent);
		return {
			...(typeof description === "string" ? { description: visibleText(withoutTerminal(description)) } : {}),
			messages: objectsIn(messages).map(({ role, content }) => ({
				role: role ?? "user",
				content: withShownText(jsonObjectOf(content)),
			})),
		};
	}

	/** Starts no server, and asks the user about one completion at a time: clients send one for each key. */
	private async complete(params: JsonObject, request: AllowedRequest): Promise<JsonObject> {
		const { type, name, uri } = jsonObjectOf(params["ref"]);
		const isPrompt = type === "ref/prompt";
		const prompt = isPrompt ? await this.promptOf(stringOf(name), request.signal) : undefined;
		const server = isPrompt ? prompt?.server : await this.ownerOfTemplate(stringOf(uri), request.signal);
		if (server?.state.kind !== "running") return none;
		const { name: argument, value } = jsonObjectOf(params["argument"]);
		const others = jsonObjectOf(jsonObjectOf(params["context"])["arguments"]);
		const call: AgentCall = {
			entry: completionEntry(server),
			arguments: {
				...(isPrompt ? { prompt: prompt?.name ?? "" } : { template: stringOf(uri) }),
				argument: stringOf(argument),
				value: stringOf(value),
				others: isTextObject(others) ? others : {},
			},
		};
		const { program } = request;
		const isAsked = request.decide(call) === "ask";
		if (isAsked && program.isCompleting) return none;
		if (isAsked) program.isCompleting = true;
		try {
			const { structuredContent } = await made(request, call);
			const { values, total, hasMore } = jsonObjectOf(structuredContent);
			const texts = Array.isArray(values) ? values.filter((one) => typeof one === "string") : [];
			return {
				completion: {
					values: texts.slice(0, 100).map(visibleText),
					...(typeof total === "number" ? { total } : {}),
					...(typeof hasMore === "boolean" ? { hasMore } : {}),
				},
			};
		} finally {
			if (isAsked) program.isCompleting = false;
		}
	}

	private async wake(session: Session, signal: AbortSignal): Promise<void> {
		const problem = await this.services.waking.wake(session, signal);
		if (problem !== undefined) throw new RequestRefusal(-32603, "not-connected", problem);
	}
}

type ListKind = Parameters<typeof whenListed>[1];
const ofResources = ["resources", "resourceTemplates"] as const;

/** Waits for lists of servers that have just started. */
async function whenListedBy(
	sessions: readonly Session[],
	kinds: readonly ListKind[],
	signal: AbortSignal,
): Promise<void> {
	const directory = sessionsAsDirectory(sessions);
	for (const kind of kinds) await whenListed(directory, kind, signal);
}

/** The methods that list something. */
export type ListMethod = Extract<RelayedMethod, "resources/list" | "resources/templates/list" | "prompts/list">;
/** The methods that reach a server. */
export type ContentMethod = Exclude<RelayedMethod, ListMethod | "tools/list" | "tools/call">;

function addressOf({ definition }: Session, uri: string): ResourceAddress {
	return { server: definition.id, uri };
}

/** Makes a call, and returns its result as the server sent it. */
async function made(
	{ run }: AllowedRequest,
	call: AgentCall,
): Promise<{ content?: unknown; structuredContent?: unknown }> {
	const { outcome, text } = await run(call);
	if (outcome.kind === "done") return outcome.result.raw;
	if (outcome.kind === "invalid") throw invalidParams(text);
	throw new RequestRefusal(-32603, "denied", text);
}

/** A content with its text as a model may see it: what is hidden in it is shown (TOL-08). */
function withShownText({ _meta, ...block }: JsonObject): JsonObject {
	const { text, resource } = block;
	return {
		...block,
		...(typeof text === "string" ? { text: visibleText(withoutTerminal(text)) } : {}),
		...(resource === undefined ? {} : { resource: withShownText(jsonObjectOf(resource)) }),
	};
}

/** A page of a list; its cursor is the place of the next item. */
function pageOf(name: string, items: readonly JsonObject[], { cursor }: JsonObject): JsonObject {
	const start = cursor === undefined ? 0 : Number(cursor);
	if (!isWhole(start, 0)) throw invalidParams("The cursor is not one of this list.");
	const end = start + pageSize;
	const page: Json = items.slice(start, end);
	return { [name]: page, ...(end < items.length ? { nextCursor: String(end) } : {}) };
}
