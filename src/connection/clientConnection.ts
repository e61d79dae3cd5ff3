import {
	specTypeSchemas,
	type CallToolRequestParams,
	type CallToolResult,
	type Client,
	type StandardSchemaV1,
	type Tool,
} from "@modelcontextprotocol/client";
import { setTimeout as delay } from "node:timers/promises";
import { orAborted } from "../base/abort.ts";
import { messageOf } from "../base/errors.ts";
import { Emitter } from "../base/event.ts";
import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { listSkills, readSkill } from "../skills/skills.ts";
import type { Connection, ConnectRequest, EraVerdict, RequestControl } from "./connection.ts";
import { completionSchema } from "./completionSchema.ts";
import { Health } from "./health.ts";
import { asSent, held } from "./heldAnswers.ts";
import type { Link } from "./link.ts";
import { Listening } from "./listening.ts";
import { LogLevel } from "./logLevel.ts";
import type { ConnectionEnd } from "./makeTransport.ts";
import type { Page } from "../servers/managedList.ts";
import { pageSchemas, type PageSchemas } from "./pageSchemas.ts";
import { visitPages } from "./pageVisits.ts";
import { modernRevision } from "./requestFailure.ts";
import { requestOptions, Requests } from "./requests.ts";
import { SessionKeeper } from "./sessionKeeper.ts";
import { factsOf } from "./serverFacts.ts";
import type { CompletionReference, ServerFacts } from "../servers/session.ts";
import { StreamWatch } from "./streamWatch.ts";
import { callAsTask, runsAsTask } from "./taskCall.ts";
import { mayHaveHeaders, offeredTools } from "./toolHeaders.ts";
import { toolResultSchema } from "./toolResultSchema.ts";
import { UnknownTools } from "./unknownTools.ts";
import type { WatchedTransport } from "./watchedTransport.ts";

/** After how long a silence an idle server is pinged, in milliseconds. */
const pingAfterMs = 60_000;
/** How long a server may take to take a notification, in milliseconds. */
const notifyMs = 30_000;
/** How long a server may take to note that it is left, in milliseconds. */
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
	private readonly logLevel: LogLevel;
	private readonly health: Health | undefined;
	private readonly stream: StreamWatch;
	private readonly pagesCompleted = new Emitter<string>();
	private readonly unknownTools: UnknownTools;
	private readonly pages: PageSchemas;
	private current: ServerFacts;
	/** Whether its end is wanted, or was told. */
	private isEnded = false;

	constructor({ request, link, openAgain, transport, end }: ConnectionParts) {
		this.request = request;
		this.kind = transport;
		this.current = factsOf(link, this.kind);
		this.keeper = new SessionKeeper(link, openAgain, {
			onRenewed: (renewed) => this.startAnew(renewed),
			onGone: (reason) => this.handleEnd(reason ?? end.exit ?? "closed the connection"),
		});
		const { handlers } = request;
		this.requests = new Requests(this.keeper, {
			exit: () => end.exit,
			visitPages: (error, opened, signal) =>
				visitPages(error, opened, {
					elicit: (request, asked) => handlers.elicit(request, asked),
					onCompleted: this.pagesCompleted.event,
					signal,
				}),
		});
		this.listening = new Listening(this.keeper, this.requests, () => this.current, handlers);
		this.logLevel = new LogLevel(request.logLevel, this.requests, this.keeper.signal);
		this.pages = pageSchemas((why) => handlers.onTrouble(why));
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
		const page = await this.list("tools/list", this.pages.tools, cursor, control);
		return { ...page, items: offeredTools(page.items, this.facts, this.request.handlers) };
	}

	listPrompts(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listPrompts"]> {
		return this.list("prompts/list", this.pages.prompts, cursor, control);
	}

	listResources(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listResources"]> {
		return this.list("resources/list", this.pages.resources, cursor, control);
	}

	listResourceTemplates(
		cursor: string | undefined,
		control: RequestControl,
	): ReturnType<Connection["listResourceTemplates"]> {
		return this.list("resources/templates/list", this.pages.resourceTemplates, cursor, control);
	}

	async callTool(
		name: string,
		args: JsonObject,
		tool: Tool | undefined,
		control: RequestControl,
	): ReturnType<Connection["callTool"]> {
		// Whatever its annotations say: they are not checked, and one yes of a person is for one call (issue 5).
		const nature = { mayHaveEffect: true };
		try {
			if (runsAsTask(tool, this.facts)) return await callAsTask(this.requests, name, args, control, nature);
			const params = { name, arguments: { ...args }, ...this.meta };
			return await this.requests.run(control, (client) => this.sendCall(client, params, tool, control), nature);
		} catch (error) {
			// Where the server announces changes, it has told of this one.
			if (this.facts.capabilities.tools?.listChanged !== true) this.unknownTools.note(error);
			throw error;
		}
	}

	readResource(uri: string, control: RequestControl): ReturnType<Connection["readResource"]> {
		// Not the SDK's own verb, which may answer from memory: a person who opens a resource wants it as it is now.
		const request = { method: "resources/read", params: held({ uri, ...this.meta }) };
		return this.requests.run(control, (client) =>
			client.request(request, asSent(specTypeSchemas.ReadResourceResult), requestOptions(control)),
		);
	}

	getPrompt(
		name: string,
		args: Readonly<Record<string, string>>,
		control: RequestControl,
	): ReturnType<Connection["getPrompt"]> {
		const request = { method: "prompts/get", params: held({ name, arguments: { ...args }, ...this.meta }) };
		return this.requests.run(control, (client) =>
			client.request(request, asSent(specTypeSchemas.GetPromptResult), requestOptions(control)),
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
		const request = { method: "completion/complete", params: held(params) };
		const { completion } = await this.requests.run(control, (client) =>
			client.request(request, completionSchema, requestOptions(control)),
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
		// Over a connection that died without a word it would count as under way for ever, and health waits for that.
		const signal = AbortSignal.any([this.keeper.signal, AbortSignal.timeout(notifyMs)]);
		await this.requests.run({ signal }, (client) => orAborted(client.sendRootsListChanged(), signal));
	}

	updateLogLevel(): Promise<void> {
		return this.logLevel.update(this.facts);
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

	private sendCall(
		client: Client,
		params: CallToolRequestParams,
		tool: Tool | undefined,
		control: RequestControl,
	): Promise<CallToolResult> {
		const options = requestOptions(control);
		const { era, transport } = this.facts;
		// The SDK's own verb is needed for headers only: it checks the result as a whole, and by its tool's output schema, and
		// gives nothing of one that does not fit. The host shows what came, and what is wrong with it (results/outputSchema.ts).
		return tool === undefined ||
			era === "legacy" ||
			transport !== "http" ||
			!mayHaveHeaders(tool.inputSchema as JsonObject)
			? client.request({ method: "tools/call", params: held(params) }, asSent(toolResultSchema), options)
			: client.callTool(params, { ...options, toolDefinition: { ...tool, outputSchema: undefined } });
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
		client.setNotificationHandler("notifications/elicitation/complete", ({ params: { elicitationId } }) => {
			this.pagesCompleted.fire(elicitationId);
			this.request.handlers.onVisited?.(elicitationId);
		});
		this.updateLogLevel().catch((error: unknown) => {
			const { handlers } = this.request;
			if (!this.keeper.signal.aborted) handlers.onTrouble(`The log level was not set: ${oneLine(messageOf(error))}`);
		});
	}

	private startAnew(link: Link): void {
		const { handlers } = this.request;
		this.current = factsOf(link, this.kind);
		// The stream that is missed, if any, was the former session's.
		this.stream.note(true);
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

	private get meta(): ReturnType<LogLevel["metaFor"]> {
		return this.logLevel.metaFor(this.facts);
	}

	private list<T>(
		method: string,
		schema: StandardSchemaV1<unknown, Page<T>>,
		cursor: string | undefined,
		control: RequestControl,
	): Promise<Page<T>> {
		const params = held({ ...(cursor === undefined ? {} : { cursor }), ...this.meta });
		return this.requests.run(control, (client) => client.request({ method, params }, schema, requestOptions(control)));
	}
}
