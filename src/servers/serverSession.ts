import type { CompleteResult } from "@modelcontextprotocol/client";
import type { Authorization } from "../authorization/authorization.ts";
import { orAborted } from "../base/abort.ts";
import { HostError, messageOf } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import type { JsonObject } from "../base/json.ts";
import type { Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { oneLine } from "../base/text.ts";
import { RequestRefusal } from "../decisions/refusal.ts";
import { Calls, type CallTimeouts } from "./calls.ts";
import type { ServerDefinition } from "./config.ts";
import type { Connection, ConnectionHandlers, ConnectRequest, EraVerdict, RequestControl } from "./connection.ts";
import type { ConnectionLimits, NetworkSettings } from "./limits.ts";
import { logServerMessage } from "./serverLog.ts";
import { SessionLists } from "./sessionLists.ts";
import type {
	CallOptions,
	CompletionReference,
	ServerRequestContext,
	ServerRequestHandler,
	Session,
	SessionState,
} from "./session.ts";
import { StderrTail } from "./stderrTail.ts";
import type { Launch } from "./variables.ts";
import { WatchedResources } from "./watchedResources.ts";

/** What a session needs of the host. */
export interface SessionServices {
	readonly log: Log;
	readonly client: ConnectRequest["client"];
	readonly requests: ServerRequestHandler;
	/** Resolves the definition's variables, asking for inputs; see `resolveVariables`. */
	resolve(definition: ServerDefinition): Promise<Launch>;
	/** Why the server may not start, or undefined when it may. Asked before every start, never cached. */
	whyNot(definition: ServerDefinition): string | undefined;
	verdict: { get(hash: string): EraVerdict | undefined; set(hash: string, verdict: EraVerdict | undefined): void };
	/** Read at each start, so that a changed setting counts from then on. */
	readonly limits: ConnectionLimits;
	readonly network: NetworkSettings;
	/** How to sign in at the server with this definition; absent where nobody can. */
	authorization?(
		definition: ServerDefinition,
		asks: Pick<Authorization, "isInteractive" | "whileAsking" | "onDidChangeSignedIn">,
	): Authorization;
	/** Milliseconds; read at each use, so that a changed setting counts. */
	readonly timeouts: CallTimeouts & { readonly handshakeMs: number };
	/** Loads the connection module, which brings the SDK with it. */
	connect(request: ConnectRequest): Promise<Connection>;
}

/** A server's life from one start to its end. */
interface Run {
	readonly controller: AbortController;
	readonly stderr: StderrTail;
	connection: Connection | undefined;
	/** Resolves when the start has succeeded, failed or been given up, with nothing left behind; never rejects. */
	started: Promise<SessionState>;
}

/** One configured server: starts it, keeps its lists, and carries its calls. At most one run lives at a time. */
export class ServerSession implements Session, Disposable {
	readonly definition: ServerDefinition;
	private readonly lists = new SessionLists();
	readonly tools = this.lists.tools;
	readonly prompts = this.lists.prompts;
	readonly resources = this.lists.resources;
	readonly resourceTemplates = this.lists.resourceTemplates;
	private readonly services: SessionServices;
	private readonly stateChanged = new Emitter<SessionState>();
	private readonly resourceUpdated = new Emitter<string>();
	readonly onDidChangeState: Event<SessionState> = this.stateChanged.event;
	readonly onDidUpdateResource: Event<string> = this.resourceUpdated.event;
	private current: SessionState;
	private run: Run | undefined;
	/** Resolves when the processes of all former runs are gone; never rejects. */
	private stopping: Promise<void> = Promise.resolve();
	/** Counts what was wanted, so that a restart that was overtaken does not start anything. */
	private intent = 0;
	private isDisposed = false;
	private readonly watched = new WatchedResources((uris) => this.watch(uris));
	private readonly calls: Calls;

	constructor(definition: ServerDefinition, services: SessionServices) {
		this.definition = definition;
		this.services = services;
		this.calls = new Calls(definition.name, services.timeouts);
		this.current = this.idleState();
	}

	get state(): SessionState {
		return this.current;
	}

	/** Starts the server unless it runs or starts already. Resolves with the state reached; failures are states. */
	start(): Promise<SessionState> {
		this.intent++;
		return this.begin();
	}

	/** Stops the server; resolves when its process tree is gone. */
	async stop(): Promise<void> {
		const intent = ++this.intent;
		if (this.run !== undefined) this.end(this.run, "The server was stopped.");
		await this.stopping;
		if (intent === this.intent) this.setState(this.idleState());
	}

	/** Stops the server and starts it again, unless something else was asked for meanwhile. */
	async restart(): Promise<SessionState> {
		const stopped = this.stop();
		const { intent } = this;
		await stopped;
		if (intent === this.intent) return this.begin();
		return this.run?.started ?? this.idleState();
	}

	/** Looks again whether the server may start, after an approval or the trust of the workspace changed. */
	reconsider(): void {
		if (this.run === undefined && this.current.kind !== "failed") this.setState(this.idleState());
	}

	/** Tells the server that the roots changed. */
	notifyRootsChanged(): void {
		const connection = this.run?.connection;
		connection?.notifyRootsChanged().catch((error: unknown) => this.services.log.warn(`roots: ${messageOf(error)}`));
	}

	async callTool(name: string, args: JsonObject, options: CallOptions = {}): ReturnType<Session["callTool"]> {
		const tool = this.tools.items.find((candidate) => candidate.name === name);
		return this.call(`tools/call ${name}`, options, (connection, control) =>
			connection.callTool(name, args, tool, control),
		);
	}

	async readResource(uri: string, options: CallOptions = {}): ReturnType<Session["readResource"]> {
		return this.call(`resources/read ${uri}`, options, (connection, control) => connection.readResource(uri, control));
	}

	async getPrompt(
		name: string,
		args: Readonly<Record<string, string>>,
		options: CallOptions = {},
	): ReturnType<Session["getPrompt"]> {
		return this.call(`prompts/get ${name}`, options, (connection, control) =>
			connection.getPrompt(name, args, control),
		);
	}

	async complete(
		reference: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		known: Readonly<Record<string, string>> = {},
		options: CallOptions = {},
	): Promise<CompleteResult["completion"]> {
		return this.call("completion/complete", options, (connection, control) =>
			connection.complete(reference, argument, known, control),
		);
	}

	subscribe(uri: string): Disposable {
		return this.watched.add(uri);
	}

	/** Stops the server for good. Whoever has to know when it is gone awaits `stop`. */
	dispose(): void {
		this.isDisposed = true;
		void this.stop();
		this.lists.dispose();
		this.stateChanged.dispose();
		this.resourceUpdated.dispose();
	}

	/** The state of a server that does not run: ready to start, or waiting for approval. */
	private idleState(): SessionState {
		const reason = this.services.whyNot(this.definition);
		return reason === undefined ? { kind: "stopped" } : { kind: "needs-approval", reason };
	}

	private setState(state: SessionState): void {
		if (state.kind === this.current.kind && JSON.stringify(state) === JSON.stringify(this.current)) return;
		this.current = state;
		this.stateChanged.fire(state);
	}

	private begin(): Promise<SessionState> {
		if (this.run !== undefined) return this.run.started;
		if (this.isDisposed) return Promise.resolve(this.current);
		const reason = this.services.whyNot(this.definition);
		if (reason !== undefined) {
			this.setState({ kind: "needs-approval", reason });
			return Promise.resolve(this.current);
		}
		const { log } = this.services;
		const run: Run = {
			controller: new AbortController(),
			stderr: new StderrTail((line) => log.info(`[stderr] ${line}`)),
			connection: undefined,
			started: Promise.resolve(this.current),
		};
		// The run is whole before anybody hears of it: a listener may call `start` or `stop`.
		this.run = run;
		run.started = this.launch(run);
		this.setState({ kind: "starting" });
		return run.started;
	}

	private async launch(run: Run): Promise<SessionState> {
		const { definition, services } = this;
		const { signal } = run.controller;
		try {
			// The former process is gone before the next one starts: one process per server (security.md PRC-08).
			await this.stopping;
			signal.throwIfAborted();
			// An input may never be given; a stop must not wait for it.
			const launch = await orAborted(services.resolve(definition), signal);
			services.log.info(`Starting ${definition.name}`);
			const connection = await services.connect({
				launch,
				protocol: definition.config.protocol,
				verdict: services.verdict.get(definition.hash),
				client: services.client,
				limits: services.limits,
				network: services.network,
				logLevel: () => "info",
				handshakeTimeoutMs: services.timeouts.handshakeMs,
				signal,
				handlers: this.handlers(run),
			});
			if (signal.aborted) {
				await connection.close();
				return this.idleState();
			}
			run.connection = connection;
			this.announce(run, connection);
		} catch (error) {
			if (this.run !== run) return this.idleState();
			this.end(run, messageOf(error));
			// A server that hung may do so because of what is remembered of it.
			if (HostError.is(error, "timeout")) services.verdict.set(definition.hash, undefined);
			this.fail(run, messageOf(error), HostError.is(error, "cancelled"));
		}
		return this.current;
	}

	private announce(run: Run, connection: Connection): void {
		const { services } = this;
		services.verdict.set(this.definition.hash, connection.verdict);
		const { protocolVersion, era, transport } = connection.facts;
		services.log.info(`Connected over ${transport}, revision ${oneLine(protocolVersion, 40)} (${era})`);
		this.setState({ kind: "running", facts: connection.facts });
		// A listener may have stopped it.
		if (this.run !== run) return;
		this.lists.connect(connection, (label, signal, send) =>
			this.call(label, { signal }, (_connection, control) => send(control), true),
		);
		this.watch(this.watched.uris);
	}

	private fail(run: Run, message: string, isCancelled = false): void {
		this.services.log.error(message);
		// A person who gave no input did not make the server fail.
		if (isCancelled) this.setState(this.idleState());
		else this.setState({ kind: "failed", message, stderr: run.stderr.last(10) });
	}

	/** Ends a run: its calls and questions at once, its processes in the time they take. */
	private end(run: Run, reason: string): void {
		this.run = undefined;
		run.controller.abort(new HostError("not-connected", reason));
		this.lists.disconnect();
		this.stopping = run.started
			.then(() => run.connection?.close())
			.catch((error: unknown) => this.services.log.warn(`While it was stopped: ${messageOf(error)}`));
	}

	private handlers(run: Run): ConnectionHandlers {
		const { log, requests } = this.services;
		return {
			listRoots: () => requests.listRoots(this),
			createMessage: (params, signal) =>
				this.ask(run, signal, (context) => requests.createMessage(this, params, context)),
			elicit: (params, signal) => this.ask(run, signal, (context) => requests.elicit(this, params, context)),
			onListChanged: (kind) => {
				if (this.run === run) this.lists.invalidate(kind);
			},
			onResourceUpdated: (uri) => {
				if (this.run === run && this.watched.has(uri)) this.resourceUpdated.fire(uri);
			},
			onLog: (level, logger, data) => logServerMessage(log, level, logger, data),
			onStderr: (text) => run.stderr.write(text),
			onRetry: (why) => {
				log.warn(why);
				run.stderr.clear();
			},
			onTrouble: (message) => log.warn(message),
			onClosed: (reason) => {
				if (this.run !== run) return;
				this.end(run, `The server ${reason}.`);
				this.fail(run, `The server ${reason}.`);
			},
		};
	}

	private watch(uris: readonly string[]): void {
		const watching = this.run?.connection?.watchResources(uris);
		watching?.catch((error: unknown) => this.services.log.warn(`Subscriptions: ${messageOf(error)}`));
	}

	/** Lets the server ask a person something. */
	private async ask<T>(
		run: Run,
		signal: AbortSignal,
		question: (context: ServerRequestContext) => Promise<T>,
	): Promise<T> {
		run.controller.signal.throwIfAborted();
		// Before the handshake a server may only ping (specification, "Lifecycle"; security.md TRN-14).
		if (run.connection === undefined) throw new RequestRefusal(-32603, "denied", "The handshake is not finished.");
		const { protocolVersion } = run.connection.facts;
		const { during } = this.calls;
		return this.calls.pausedWhile((orphaned) =>
			question({ signal: AbortSignal.any([signal, run.controller.signal, orphaned]), protocolVersion, during }),
		);
	}

	private async call<T>(
		label: string,
		options: CallOptions,
		send: (connection: Connection, control: RequestControl) => Promise<T>,
		isBackground = false,
	): Promise<T> {
		const { run } = this;
		const connection = run?.connection;
		if (run === undefined || connection === undefined) {
			throw new HostError("not-connected", `${this.definition.name} is not running. Start it and try again.`);
		}
		return this.calls.run(label, options, run.controller.signal, (control) => send(connection, control), isBackground);
	}
}
