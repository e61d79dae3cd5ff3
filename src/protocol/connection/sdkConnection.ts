import { type Client, type CompleteResult, type StandardSchemaV1, type Tool } from "@modelcontextprotocol/client";
import { setTimeout as delay } from "node:timers/promises";
import { orAborted } from "../../base/abort.ts";
import { messageOf } from "../../base/errors.ts";
import { Emitter } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { getSkill, listSkills, readSkill, readSkillFolder } from "./skills.ts";
import { completionSchema, type AnswerSchemas, answerSchemas } from "./answerSchemas.ts";
import { ClientRenewal } from "./clientRenewal.ts";
import type { ConnectedClient } from "./connectedClient.ts";
import type {
	CompletionReference,
	ConnectRequest,
	Connection,
	EraVerdict,
	Page,
	RawAnswer,
	RequestControl,
	ServerFacts,
} from "../connection.ts";
import type { TaskReference } from "../followedTask.ts";
import { rawRequest } from "./rawRequest.ts";
import { Health, StreamWatch } from "./health.ts";
import { held } from "./heldAnswers.ts";
import { Listening, LogLevel, UnknownTools } from "./listening.ts";
import type { ConnectionEnd } from "./makeTransport.ts";
import { visitPages } from "./pageVisits.ts";
import { isUnknownMethod, modernRevision, overdueCall } from "./requestFailure.ts";
import { type RequestNature, requestOptions, Requests } from "./requests.ts";
import { answerInput } from "./sdkClient.ts";
import type { AnswerInput } from "./taskExtension.ts";
import type { TaskContext } from "./taskPolling.ts";
import { taskStatusSchema } from "./taskShapes.ts";
import { callTool, followEarlier, natureOf } from "./toolCall.ts";
import { offeredTools } from "./toolHeaders.ts";
import { SaidOnce } from "../messages/saidOnce.ts";
import type { WatchedTransport } from "./watchedTransport.ts";

/** After how long a silence an idle server is pinged, in milliseconds. */
const pingAfterMs = 60_000;
/** How long a server may take to take a notification, in milliseconds. */
const notifyMs = 30_000;
/** How long a server may take to note that it is left, in milliseconds. */
const leaveMs = 1000;

/** The parts of an established connection. */
export interface ConnectionParts {
	readonly request: ConnectRequest;
	readonly client: ConnectedClient;
	/** Another session with the same server; lets go of what it made when the signal is aborted. */
	readonly openAgain: (signal: AbortSignal) => Promise<ConnectedClient>;
	readonly end: ConnectionEnd;
}

/** A connection by clients of the SDK: one, and another one each time when the server forgot its session. */
export class SdkConnection implements Connection {
	private readonly request: ConnectRequest;
	private readonly clients: ClientRenewal;
	private readonly requests: Requests;
	private readonly listening: Listening;
	private readonly logLevel: LogLevel;
	private readonly health: Health | undefined;
	private readonly stream: StreamWatch;
	private readonly pagesCompleted = new Emitter<string>();
	private readonly tasksChanged = new Emitter<string>();
	private readonly unknownTools: UnknownTools;
	private readonly schemas: AnswerSchemas;
	private readonly said: SaidOnce;
	private current: ServerFacts;
	/** Whether its end is intended, or was reported. */
	private isEnded = false;

	constructor({ request, client, openAgain, end }: ConnectionParts) {
		this.request = request;
		this.current = client.facts;
		this.clients = new ClientRenewal(client, openAgain, {
			onRenewed: (renewed) => this.startAnew(renewed),
			onGone: (reason) => this.handleEnd(reason ?? end.exit ?? "closed the connection"),
		});
		const { era, transport } = client.facts;
		if (era === "legacy" && transport !== "stdio") {
			const patient = {
				lastHeard: () => this.clients.current.transport.lastHeard,
				isBusy: () => this.clients.current.running > 0,
				ping: (signal: AbortSignal) =>
					this.requests.run({ signal }, (sdk) => sdk.ping(requestOptions({ signal })), { isPreparation: true }),
				onDead: () => this.handleEnd("no longer answers"),
			};
			this.health = new Health(patient, request.pingAfterMs ?? pingAfterMs);
		}
		const { handlers } = request;
		this.requests = new Requests(this.clients, {
			exit: () => end.exit,
			onInterrupted: () => this.health?.check(),
			visitPages: (error, opened, signal) =>
				visitPages(error, opened, {
					elicit: (question, asked) => handlers.elicit(question, asked),
					onCompleted: this.pagesCompleted.event,
					signal,
				}),
		});
		this.listening = new Listening(this.clients, this.requests, () => this.current, handlers);
		this.logLevel = new LogLevel(request.logLevel, this.requests, this.clients.signal);
		this.said = new SaidOnce((what, [message = ""]) =>
			handlers.onTrouble(what, [{ rule: "capability", what, message }]),
		);
		this.schemas = answerSchemas((...trouble) => handlers.onTrouble(...trouble));
		this.unknownTools = new UnknownTools(() => handlers.onListChanged("tools"));
		this.stream = new StreamWatch(() => {
			this.clients.current.transport
				.listenAgain()
				.catch((error: unknown) => handlers.onTrouble(oneLine(messageOf(error))));
		});
		this.prepare(client);
	}

	get facts(): ServerFacts {
		return this.current;
	}

	get verdict(): EraVerdict {
		const { era, protocolVersion } = this.facts;
		if (era === "modern") return { kind: "modern", version: protocolVersion };
		// It answered the question for its era too late, as one does whose package is downloaded first.
		const isSlow = this.clients.current.transport.revisionsOfferedLate.includes(modernRevision);
		return isSlow ? { kind: "modern", version: modernRevision } : { kind: "legacy" };
	}

	async listTools(cursor: string | undefined, control: RequestControl): Promise<Page<Tool>> {
		const page = await this.list("tools/list", this.schemas.tools, cursor, control);
		return { ...page, items: offeredTools(page.items, this.facts, this.request.handlers) };
	}

	listPrompts(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listPrompts"]> {
		return this.list("prompts/list", this.schemas.prompts, cursor, control);
	}

	listResources(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listResources"]> {
		return this.list("resources/list", this.schemas.resources, cursor, control);
	}

	listResourceTemplates(
		cursor: string | undefined,
		control: RequestControl,
	): ReturnType<Connection["listResourceTemplates"]> {
		return this.list("resources/templates/list", this.schemas.resourceTemplates, cursor, control);
	}

	async callTool(
		name: string,
		args: JsonObject,
		tool: Tool | undefined,
		control: RequestControl,
	): ReturnType<Connection["callTool"]> {
		const params = { name, arguments: { ...args }, ...this.meta };
		try {
			return await callTool(this.taskContext(control, natureOf(tool)), params, tool, this.facts);
		} catch (error) {
			// If the server announces changes, it has announced this one.
			if (this.facts.capabilities.tools?.listChanged !== true) this.unknownTools.note(error);
			throw overdueCall(error);
		}
	}

	followTask(task: TaskReference, control: RequestControl): ReturnType<Connection["followTask"]> {
		return followEarlier(this.taskContext(control, { mayHaveEffect: true }), task);
	}

	readResource(uri: string, control: RequestControl): ReturnType<Connection["readResource"]> {
		// Not the SDK's own method, which may answer from memory: a user who opens a resource wants the current contents.
		const request = { method: "resources/read", params: held({ uri, ...this.meta }, control) };
		return this.requests.run(control, (client) =>
			client.request(request, this.schemas.resource, requestOptions(control)),
		);
	}

	getPrompt(
		name: string,
		args: Readonly<Record<string, string>>,
		control: RequestControl,
	): ReturnType<Connection["getPrompt"]> {
		const request = { method: "prompts/get", params: held({ name, arguments: { ...args }, ...this.meta }, control) };
		return this.requests.run(control, (client) =>
			client.request(request, this.schemas.prompt, requestOptions(control)),
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
		const request = { method: "completion/complete", params: held(params, control) };
		try {
			const send = (client: Client): Promise<CompleteResult> =>
				client.request(request, completionSchema, requestOptions(control));
			return (await this.requests.run(control, send)).completion;
		} catch (error) {
			if (isUnknownMethod(error)) return { values: [] };
			throw error;
		}
	}

	async listSkills(control: RequestControl): ReturnType<Connection["listSkills"]> {
		const list = await this.requests.run(control, (client) => listSkills(client, control));
		for (const why of list.refused) this.request.handlers.onTrouble(why);
		return list;
	}

	getSkill(uri: string, control: RequestControl): ReturnType<Connection["getSkill"]> {
		return this.requests.run(control, (client) => getSkill(client, uri, control));
	}

	async readSkill(...[skill, path, control]: Parameters<Connection["readSkill"]>): ReturnType<Connection["readSkill"]> {
		return this.requests.run(control, (client) => readSkill(client, skill, path, control));
	}

	readSkillFolder(
		...[uri, control]: Parameters<Connection["readSkillFolder"]>
	): ReturnType<Connection["readSkillFolder"]> {
		return this.requests.run(control, (client) => readSkillFolder(client, uri, control));
	}

	raw(method: string, params: JsonObject, control: RequestControl): Promise<RawAnswer> {
		return this.requests.run(control, (client) => rawRequest(client, method, { ...params, ...this.meta }, control));
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
		// Over a connection that died silently it would count as running for ever, and the health check waits for that.
		const signal = AbortSignal.any([this.clients.signal, AbortSignal.timeout(notifyMs)]);
		await this.requests.run({ signal }, (client) => orAborted(client.sendRootsListChanged(), signal));
	}

	updateLogLevel(): Promise<void> {
		return this.logLevel.update(this.facts);
	}

	/** Notes that the event stream of the server's own messages opened, or ended, on one of the connection's sessions. */
	noteStream(transport: WatchedTransport, isOpen: boolean): void {
		if (transport !== this.clients.current.transport || this.clients.signal.aborted) return;
		this.stream.note(isOpen);
		// A stream that ended may mean that the server is gone, or has forgotten the session.
		if (isOpen) return;
		this.requests.noteStreamEnd();
		this.health?.check();
	}

	async close(): Promise<void> {
		const client = this.end();
		await this.listening.close();
		await Promise.race([client.transport.terminateSession(), delay(leaveMs, undefined, { ref: false })]);
		await client.close().catch((error: unknown) => this.request.handlers.onTrouble(messageOf(error)));
	}

	private taskContext(control: RequestControl, nature: RequestNature): TaskContext & { readonly answer: AnswerInput } {
		return {
			requests: this.requests,
			control,
			nature,
			onChanged: this.tasksChanged.event,
			handlers: this.request.handlers,
			answer: (...input) => answerInput(this.clients.current.sdk, ...input),
		};
	}

	/** Readies a session that was just opened. */
	private prepare({ sdk }: ConnectedClient): void {
		sdk.setNotificationHandler("notifications/elicitation/complete", ({ params: { elicitationId } }) => {
			this.pagesCompleted.fire(elicitationId);
			this.request.handlers.onVisited?.(elicitationId);
		});
		sdk.setNotificationHandler("notifications/tasks/status", { params: taskStatusSchema }, ({ taskId }) =>
			this.tasksChanged.fire(taskId),
		);
		this.updateLogLevel().catch((error: unknown) => {
			const { handlers } = this.request;
			if (!this.clients.signal.aborted) handlers.onTrouble(`The log level was not set: ${oneLine(messageOf(error))}`);
		});
	}

	private startAnew(client: ConnectedClient): void {
		const { handlers } = this.request;
		this.current = client.facts;
		// The stream that is missed, if any, was the former session's.
		this.stream.note(true);
		this.prepare(client);
		this.listening.restore();
		if (handlers.onRenewed !== undefined) return handlers.onRenewed(this.current);
		for (const kind of ["tools", "prompts", "resources"] as const) handlers.onListChanged(kind);
	}

	/** Stops the automatic work of the connection. */
	private end(): ConnectedClient {
		this.isEnded = true;
		// Failures that the end causes are not problems.
		this.clients.current.sdk.onerror = () => undefined;
		this.health?.dispose();
		this.stream.dispose();
		return this.clients.end();
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
		const params = held({ ...(cursor === undefined ? {} : { cursor }), ...this.meta }, control);
		if (cursor === undefined) this.schemas.begin(method);
		const send = (client: Client): Promise<Page<T>> =>
			client.request({ method, params }, schema, requestOptions(control));
		return this.requests.run(control, send).catch((error: unknown) => {
			if (cursor !== undefined || !isUnknownMethod(error)) throw error;
			// A mistake in the server's bookkeeping cannot be fixed by trying again.
			const note = `The server declares this capability, but does not implement ${method} (error -32601).`;
			this.said.say([method], () => note);
			return { items: [], note };
		});
	}
}
