import { LOG_LEVEL_META_KEY, type Client, type Tool } from "@modelcontextprotocol/client";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../base/errors.ts";
import { Emitter } from "../base/event.ts";
import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { listSkills, readSkill } from "../skills/skills.ts";
import type { Connection, ConnectRequest, EraVerdict, RequestControl } from "./connection.ts";
import { Health } from "./health.ts";
import type { Link } from "./link.ts";
import { Listening } from "./listening.ts";
import type { ConnectionEnd } from "./makeTransport.ts";
import type { Page } from "./managedList.ts";
import { visitPages } from "./pageVisits.ts";
import { modernRevision } from "./requestFailure.ts";
import { requestOptions, Requests } from "./requests.ts";
import { SessionKeeper } from "./sessionKeeper.ts";
import type { CompletionReference, ServerFacts } from "./session.ts";
import { StreamWatch } from "./streamWatch.ts";
import { callAsTask, runsAsTask } from "./taskCall.ts";
import { headerFault } from "./toolHeaders.ts";
import { UnknownTools } from "./unknownTools.ts";
import type { WatchedTransport } from "./watchedTransport.ts";

/** After how long a silence an idle server is pinged, in milliseconds. */
const pingAfterMs = 60_000;
/** How long a server may take to note a level of messages, or that it is left, in milliseconds. */
const levelMs = 30_000;
const leaveMs = 1000;

/** What an established connection is made of. */
export interface ConnectionParts {
	readonly request: ConnectRequest;
	readonly link: Link;
	/** Another session with the same server; lets go of what it made when the signal is aborted. */
	readonly openAgain: (signal: AbortSignal) => Promise<Link>;
	readonly transport: ServerFacts["transport"];
	readonly end: ConnectionEnd;
}

/** The sessions of the SDK with one server as the host's Connection. */
export class ClientConnection implements Connection {
	private readonly request: ConnectRequest;
	private readonly kind: ServerFacts["transport"];
	private readonly keeper: SessionKeeper;
	private readonly requests: Requests;
	private readonly listening: Listening;
	private readonly health: Health | undefined;
	private readonly stream: StreamWatch;
	private readonly pagesCompleted = new Emitter<string>();
	private readonly unknownTools: UnknownTools;
	private current: ServerFacts;
	/** Whether its end is wanted, or was told. */
	private isEnded = false;

	constructor({ request, link, openAgain, transport, end }: ConnectionParts) {
		this.request = request;
		this.kind = transport;
		this.current = this.factsOf(link);
		this.keeper = new SessionKeeper(link, openAgain, {
			onRenewed: (renewed) => this.startAnew(renewed),
			onGone: (reason) => this.handleEnd(reason ?? end.exit ?? "closed the connection"),
		});
		const { handlers } = request;
		this.requests = new Requests(this.keeper, {
			exit: () => end.exit,
			visitPages: (error, signal) =>
				visitPages(error, (params, asked) => handlers.elicit(params, asked), this.pagesCompleted.event, signal),
		});
		this.listening = new Listening(this.keeper, this.requests, () => this.current, handlers);
		this.unknownTools = new UnknownTools(() => handlers.onListChanged("tools"));
		this.health = this.watchHealth();
		this.stream = new StreamWatch(() => {
			this.keeper.link.transport.listenAgain().catch((error: unknown) => handlers.onTrouble(oneLine(messageOf(error))));
		});
		this.prepare(link);
	}

	get facts(): ServerFacts {
		return this.current;
	}

	get verdict(): EraVerdict {
		const { era, protocolVersion } = this.facts;
		if (era === "modern") return { kind: "modern", version: protocolVersion };
		// It answered the question for its era too late, as one does whose package is downloaded first.
		const isSlow = this.keeper.link.transport.revisionsOfferedLate.includes(modernRevision);
		return isSlow ? { kind: "modern", version: modernRevision } : { kind: "legacy" };
	}

	async listTools(cursor: string | undefined, control: RequestControl): Promise<Page<Tool>> {
		const result = await this.list("tools/list", cursor, control);
		return { items: result.tools.filter((tool) => this.isOffered(tool)), nextCursor: result.nextCursor };
	}

	async listPrompts(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listPrompts"]> {
		const result = await this.list("prompts/list", cursor, control);
		return { items: result.prompts, nextCursor: result.nextCursor };
	}

	async listResources(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listResources"]> {
		const result = await this.list("resources/list", cursor, control);
		return { items: result.resources, nextCursor: result.nextCursor };
	}

	async listResourceTemplates(
		cursor: string | undefined,
		control: RequestControl,
	): ReturnType<Connection["listResourceTemplates"]> {
		const result = await this.list("resources/templates/list", cursor, control);
		return { items: result.resourceTemplates, nextCursor: result.nextCursor };
	}

	async callTool(
		name: string,
		args: JsonObject,
		tool: Tool | undefined,
		control: RequestControl,
	): ReturnType<Connection["callTool"]> {
		const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
		const nature = { mayHaveEffect: readOnlyHint !== true && idempotentHint !== true };
		try {
			if (runsAsTask(tool, this.facts)) return await callAsTask(this.requests, name, args, control, nature);
			const options = { ...requestOptions(control), ...(tool === undefined ? {} : { toolDefinition: tool }) };
			return await this.requests.run(
				control,
				(client) => client.callTool({ name, arguments: { ...args }, ...this.meta }, options),
				nature,
			);
		} catch (error) {
			// Where the server announces changes, it has told of this one.
			if (this.facts.capabilities.tools?.listChanged !== true) this.unknownTools.note(error);
			throw error;
		}
	}

	readResource(uri: string, control: RequestControl): ReturnType<Connection["readResource"]> {
		// A person who opens a resource wants it as it is now, whatever its time to live says.
		const options = { ...requestOptions(control), cacheMode: "refresh" as const };
		return this.requests.run(control, (client) => client.readResource({ uri, ...this.meta }, options));
	}

	getPrompt(
		name: string,
		args: Readonly<Record<string, string>>,
		control: RequestControl,
	): ReturnType<Connection["getPrompt"]> {
		return this.requests.run(control, (client) =>
			client.getPrompt({ name, arguments: { ...args }, ...this.meta }, requestOptions(control)),
		);
	}

	async complete(
		reference: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		known: Readonly<Record<string, string>>,
		control: RequestControl,
	): ReturnType<Connection["complete"]> {
		if (this.facts.capabilities.completions === undefined) return { values: [] };
		const params = { ref: reference, argument: { ...argument }, context: { arguments: { ...known } }, ...this.meta };
		const { completion } = await this.requests.run(control, (client) =>
			client.complete(params, requestOptions(control)),
		);
		return completion;
	}

	async listSkills(control: RequestControl): ReturnType<Connection["listSkills"]> {
		const list = await this.requests.run(control, (client) => listSkills(client, control));
		for (const why of list.refused) this.request.handlers.onTrouble(why);
		return list;
	}

	async readSkill(...[skill, path, control]: Parameters<Connection["readSkill"]>): ReturnType<Connection["readSkill"]> {
		return this.requests.run(control, (client) => readSkill(client, skill, path, control));
	}

	watchResources(uris: readonly string[]): Promise<void> {
		return this.listening.watch(uris);
	}

	/** See `Listening.listenForLists`. */
	listenForLists(): Promise<void> {
		return this.listening.listenForLists();
	}

	async notifyRootsChanged(): Promise<void> {
		// From 2026-07-28 on servers ask for the roots when they need them; the message is gone.
		if (this.facts.era === "modern") return;
		await this.requests.run({ signal: this.keeper.signal }, (client) => client.sendRootsListChanged());
	}

	async updateLogLevel(): Promise<void> {
		// Modern requests carry the level themselves.
		if (this.facts.era === "modern" || this.facts.capabilities.logging === undefined) return;
		// There is no level for silence; the highest comes closest.
		const level = this.request.logLevel() ?? "emergency";
		const control = { signal: AbortSignal.any([this.keeper.signal, AbortSignal.timeout(levelMs)]) };
		const send = (client: Client): Promise<unknown> => client.setLoggingLevel(level, requestOptions(control));
		await this.requests.run(control, send, { isPreparation: true });
	}

	/** Notes that the event stream of the server's own messages opened, or ended, on one of the connection's sessions. */
	noteStream(transport: WatchedTransport, isOpen: boolean): void {
		if (transport !== this.keeper.link.transport || this.keeper.signal.aborted) return;
		this.stream.note(isOpen);
		// A stream that ended may mean that the server is gone, or has forgotten the session.
		if (!isOpen) this.health?.check();
	}

	async close(): Promise<void> {
		const link = this.end();
		await this.listening.close();
		await Promise.race([link.transport.terminateSession(), delay(leaveMs, undefined, { ref: false })]);
		await link.close().catch((error: unknown) => this.request.handlers.onTrouble(messageOf(error)));
	}

	private watchHealth(): Health | undefined {
		if (this.facts.era === "modern" || this.facts.transport === "stdio") return undefined;
		const patient = {
			lastHeard: () => this.keeper.link.transport.lastHeard,
			isBusy: () => this.keeper.link.running > 0,
			ping: (signal: AbortSignal) =>
				this.requests.run({ signal }, (client) => client.ping(requestOptions({ signal })), { isPreparation: true }),
			onDead: () => this.handleEnd("does not answer any more"),
		};
		return new Health(patient, this.request.pingAfterMs ?? pingAfterMs);
	}

	/** Readies a session that was just opened. */
	private prepare({ client }: Link): void {
		client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
			this.pagesCompleted.fire(params.elicitationId),
		);
		this.updateLogLevel().catch((error: unknown) => {
			const { handlers } = this.request;
			if (!this.keeper.signal.aborted) handlers.onTrouble(`The log level was not set: ${oneLine(messageOf(error))}`);
		});
	}

	private startAnew(link: Link): void {
		const { handlers } = this.request;
		this.current = this.factsOf(link);
		this.prepare(link);
		this.listening.restore();
		if (handlers.onRenewed !== undefined) return handlers.onRenewed(this.current);
		for (const kind of ["tools", "prompts", "resources"] as const) handlers.onListChanged(kind);
	}

	/** Stops what the connection does by itself. */
	private end(): Link {
		this.isEnded = true;
		// What fails because of the end is no trouble.
		this.keeper.link.client.onerror = () => undefined;
		this.health?.dispose();
		this.stream.dispose();
		return this.keeper.end();
	}

	private handleEnd(reason: string): void {
		if (this.isEnded) return;
		this.end();
		this.request.handlers.onClosed(reason);
	}

	/** What each request of the modern era says about log messages (specification, "Logging"). */
	private get meta(): { readonly _meta?: { readonly [LOG_LEVEL_META_KEY]: string } } {
		const level = this.facts.era === "modern" ? this.request.logLevel() : undefined;
		return level === undefined ? {} : { _meta: { [LOG_LEVEL_META_KEY]: level } };
	}

	private list<M extends "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list">(
		method: M,
		cursor: string | undefined,
		control: RequestControl,
	) {
		const params = { ...(cursor === undefined ? {} : { cursor }), ...this.meta };
		return this.requests.run(control, (client: Client) =>
			client.request<M>({ method, params }, requestOptions(control)),
		);
	}

	/** A tool whose parameters claim invalid headers must not be offered (spec.md H4); the log says which and why. */
	private isOffered(tool: Tool): boolean {
		if (this.facts.era === "legacy" || this.facts.transport !== "http") return true;
		const fault = headerFault(tool.inputSchema as JsonObject);
		if (fault === undefined) return true;
		this.request.handlers.onTrouble(`The tool ${oneLine(tool.name, 80)} is left out. ${fault}`);
		return false;
	}

	private factsOf({ client, transport }: Link): ServerFacts {
		return {
			server: client.getServerVersion(),
			capabilities: client.getServerCapabilities() ?? {},
			protocolVersion: client.getNegotiatedProtocolVersion() ?? "unknown",
			era: client.getProtocolEra() === "modern" ? "modern" : "legacy",
			instructions: client.getInstructions(),
			transport: this.kind,
			pid: "pid" in transport && typeof transport.pid === "number" ? transport.pid : undefined,
		};
	}
}
