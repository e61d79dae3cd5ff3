import type { JsonObject } from "../../base/json.ts";
import { messageOf } from "../../base/errors.ts";
import { stringOf } from "../../base/guards.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Progress } from "../../base/progress.ts";
import { RequestRefusal } from "../../base/refusal.ts";
import { oneLine } from "../../base/text.ts";
import { repairedCall, type ToolOutcome } from "../../features/tools/call.ts";
import type { Deciding } from "../../features/tools/deciding.ts";
import { asTold, resultForModel } from "../../features/tools/outcome.ts";
import { contentOf } from "../../features/tools/results/result.ts";
import { FinishedCalls } from "../../features/tools/results/finishedCalls.ts";
import type { ForeignCaller } from "../../features/tools/approval.ts";
import type { ModelPart } from "../../models/model.ts";
import type { RawToolResult } from "../../permissions/catalog/catalog.ts";
import type { TracedCall } from "../../protocol/wireTap.ts";
import { logMessages } from "../../servers/sessions/logMessages.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { type AgentCall, AgentCalls, type AgentCallServices } from "../guest/agentCalls.ts";
import type { AskingAgent } from "../guest/guestQuestions.ts";
import { readArguments } from "../guest/guestTools.ts";
import { type AllowedRequest, ClientContents, type ProgramMemory } from "./clientContents.ts";
import { ClientSubscriptions, type MakeWatches, type Subscriber } from "./clientSubscriptions.ts";
import type { ClientConsents } from "./consents.ts";
import type { ClaimedClient, RelayedMethod } from "./link.ts";
import type { OfferedTools } from "./offer.ts";
import type { OfferedContents } from "./offeredContents.ts";
import { clientWords, nameOf, type Peer, programKey, programOf } from "./program.ts";
import type { Waking } from "./waking.ts";

/** The dependencies of answering clients. */
export interface ClientCallServices extends AgentCallServices, Pick<Required<Deciding>, "refreshRules"> {
	readonly directory: SessionDirectory;
	readonly offer: Pick<OfferedTools, "find" | "tools">;
	readonly contents: OfferedContents;
	readonly waking: Waking;
	readonly makeWatches: MakeWatches;
	readonly consents: Pick<ClientConsents, "of" | "request">;
	/** Asks about the calls of an agent. */
	readonly callerOf: (agent: AskingAgent) => ForeignCaller;
	readonly home: string;
}

/** A connection of a client, as its requests see it. */
export interface ClientConnectionState extends Subscriber {
	/** The servers whose log messages one of its requests receives: each message arrives once. */
	readonly logged: Set<object>;
}

/** A request of a client, from when it arrived. */
export interface ClientRequest {
	readonly peer: Peer;
	readonly client: ClaimedClient;
	readonly signal: AbortSignal;
	readonly connection: ClientConnectionState;
	readonly onProgress?: (progress: Progress) => void;
	/** Receives the log messages of the server while it carries out the request. */
	readonly onLog?: (message: JsonObject) => void;
}

/** The results whose links are remembered. */
const linkLimits = { calls: 50, characters: 20_000_000 };
/** How many calls of one program may be open in all of its processes: it takes no other's place (GST-10). */
const mostOpen = 16;
/** How many programs' calls are remembered. */
const mostPrograms = 100;

const waits =
	"The user has not allowed this program to use their MCP servers yet. MCP Host asks them in VS Code. Ask the user to answer there, then try again.";
const denied =
	"The user does not allow this program to use their MCP servers. They can change that with Show What May Run in VS Code.";

interface Program extends ProgramMemory {
	readonly calls: AgentCalls;
	open: number;
}

/** Answers the requests of clients, of which each goes the way of every call (GST-07). */
export class ClientCalls implements Disposable {
	private readonly services: ClientCallServices;
	private readonly programs = new Map<string, Program>();
	/** Who asked last at each connection, in words. */
	private readonly agents = new WeakMap<Peer, { readonly client: ClaimedClient; readonly agent: AskingAgent }>();
	private readonly told = new FinishedCalls(linkLimits);
	private readonly subscriptions: ClientSubscriptions;
	private readonly contents: ClientContents;
	private readonly allowing: Disposable;

	constructor(services: ClientCallServices) {
		this.services = services;
		const { directory } = services;
		this.subscriptions = new ClientSubscriptions(services.makeWatches);
		// A rule or a grant may let a client read what it wants to follow.
		this.allowing = services.policy.onDidChange(() => this.subscriptions.follow());
		this.contents = new ClientContents({
			...services,
			subscriptions: this.subscriptions,
			isLinked: (...link) => this.told.isLinked(...link),
			sessions: () => directory.sessions,
		});
	}

	/**
	 * Answers a request. A call of a tool always has a result of the protocol.
	 * @throws RequestRefusal for other requests, in words for a model.
	 */
	async handle(method: RelayedMethod, params: JsonObject, request: ClientRequest): Promise<JsonObject> {
		const why = this.whyRefused(request);
		switch (method) {
			case "tools/list":
				return why === undefined ? { tools: this.services.offer.tools } : { tools: [], note: why };
			case "prompts/list":
			case "resources/list":
			case "resources/templates/list":
				return why === undefined ? this.contents.list(method, params) : { [itemsOf[method]]: [], note: why };
			case "tools/call":
				return why === undefined
					? this.call(params, request).catch((error: unknown) => refusal(messageOf(error)))
					: refusal(why);
			case "resources/read":
			case "resources/subscribe":
			case "resources/unsubscribe":
			case "prompts/get":
			case "completion/complete":
				if (why !== undefined) throw new RequestRefusal(-32603, "denied", why);
				return this.contents.answer(method, params, this.allowed(request));
		}
	}

	/** Whether a client is notified of changes: the user allows it. */
	mayNotify(client: Pick<ClientRequest, "peer" | "client">): boolean {
		return this.consentOf(client) === true;
	}

	/** Ends the subscriptions of a connection. */
	leave(connection: ClientConnectionState): void {
		this.subscriptions.remove(connection);
	}

	dispose(): void {
		this.allowing.dispose();
		this.subscriptions.dispose();
	}

	private async call(params: JsonObject, request: ClientRequest): Promise<JsonObject> {
		const args = readArguments(params["arguments"]);
		if (args === undefined) return refusal("The arguments are not a JSON object.");
		return this.whileOpen(request, async (program) => {
			const found = await this.services.offer.find(stringOf(params["name"]), request.signal);
			if ("problem" in found) return refusal(found.problem);
			const call = await repairedCall({ entry: found.entry, arguments: args });
			const { outcome, part } = await this.run(program, call, request);
			if (outcome.kind === "done" && mayLink(outcome.result.raw))
				this.told.add({ entry: found.entry, outcome }, "chat");
			const content = part.type === "tool-result" ? part.content : [part];
			const isError = outcome.kind !== "done" || outcome.result.isError;
			return { content: content.flatMap(blockOf), isError };
		});
	}

	private allowed(request: ClientRequest): AllowedRequest {
		const program = this.programOf(request);
		return {
			signal: request.signal,
			subscriber: request.connection,
			program,
			// A subscription asks again at each change: the user may have revoked the program meanwhile.
			decide: (call) => (this.consentOf(request) === true ? program.calls.decide(call).decision : "deny"),
			run: async (call) =>
				this.whileOpen(request, async () => {
					const { outcome, part } = await this.run(program, call, request);
					const content = part.type === "tool-result" ? part.content : [part];
					return { outcome, text: content.map((one) => (one.type === "text" ? one.text : "")).join("\n") };
				}),
		};
	}

	/** Counts a request among the open ones of its program. */
	private async whileOpen<T>(request: ClientRequest, work: (program: Program) => Promise<T>): Promise<T> {
		const program = this.programOf(request);
		if (program.open >= mostOpen)
			throw new RequestRefusal(
				-32603,
				"limit",
				`${mostOpen} calls of this program are open already. Wait for their results.`,
			);
		program.open++;
		try {
			return await work(program);
		} finally {
			program.open--;
		}
	}

	private async run(
		program: Program,
		call: AgentCall,
		request: ClientRequest,
	): Promise<{ readonly outcome: ToolOutcome; readonly part: ModelPart }> {
		const { peer, client } = request;
		await this.services.refreshRules();
		// The user may have revoked it meanwhile.
		const late = this.whyRefused(request);
		if (late !== undefined) throw new RequestRefusal(-32603, "denied", late);
		let traced: TracedCall | undefined;
		const logged = this.followLog(call, request);
		try {
			const outcome = await program.calls.run(call, {
				...request,
				caller: this.services.callerOf(this.agentOf(peer, client)),
				onFollowed: (followed) => void (traced = followed),
			});
			const part = resultForModel("", outcome);
			traced?.told(() => asTold(part));
			return { outcome, part };
		} finally {
			logged.dispose();
		}
	}

	private followLog({ entry: { session } }: AgentCall, { connection, onLog }: ClientRequest): Disposable {
		if (onLog === undefined || connection.logged.has(session)) return { dispose: () => undefined };
		connection.logged.add(session);
		const logger = oneLine(session.definition.name, 60);
		const heard = logMessages(session).event(({ level, line }) => onLog({ level, logger, data: line }));
		return {
			dispose: () => {
				heard.dispose();
				connection.logged.delete(session);
			},
		};
	}

	private consentOf({ peer, client }: Pick<ClientRequest, "peer" | "client">): boolean | undefined {
		return this.services.consents.of(programOf(peer, client));
	}

	/** Why nothing is done for a client, in a sentence for its model; undefined when the user allowed it. */
	private whyRefused(request: Pick<ClientRequest, "peer" | "client">): string | undefined {
		const isAllowed = this.consentOf(request);
		if (isAllowed === undefined) void this.services.consents.request(programOf(request.peer, request.client));
		return isAllowed === true ? undefined : isAllowed === false ? denied : waits;
	}

	private agentOf(peer: Peer, { name, version }: ClaimedClient): AskingAgent {
		const known = this.agents.get(peer);
		if (known?.client.name === name && known.client.version === version) return known.agent;
		const client = { name, version };
		const words = clientWords(client, peer, this.services.home);
		const agent = { name: `The program “${nameOf(client)}”`, during: `a call of ${words}`, client: words };
		this.agents.set(peer, { client, agent });
		return agent;
	}

	private programOf({ peer, client }: Pick<ClientRequest, "peer" | "client">): Program {
		const key = programKey(programOf(peer, client));
		const made = { calls: new AgentCalls(this.services), open: 0, read: new Set<string>(), isCompleting: false };
		const program = this.programs.get(key) ?? made;
		this.programs.set(key, program);
		for (const [other, { open }] of this.programs) {
			if (this.programs.size <= mostPrograms) break;
			if (open === 0 && other !== key) this.programs.delete(other);
		}
		return program;
	}
}

/** The member of each list's result. */
const itemsOf = {
	"prompts/list": "prompts",
	"resources/list": "resources",
	"resources/templates/list": "resourceTemplates",
} as const;

function refusal(text: string): JsonObject {
	return { content: [{ type: "text", text }], isError: true };
}

/** Whether a result names a resource: others need not be remembered. */
function mayLink(raw: RawToolResult): boolean {
	return contentOf(raw).some(({ block: { type } }) => type === "resource" || type === "resource_link");
}

/** A part for a model as a block of the protocol. */
function blockOf(part: ModelPart): readonly JsonObject[] {
	return part.type === "text" || part.type === "image" || part.type === "audio" ? [{ ...part }] : [];
}
