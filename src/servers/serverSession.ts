import type { CompleteResult } from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import type { JsonObject } from "../base/json.ts";
import { toDisposable, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { cap, oneLine, showHidden } from "../base/text.ts";
import type { ServerDefinition } from "./config.ts";
import type { Connection, ConnectionHandlers, ConnectRequest, EraVerdict, RequestControl } from "./connection.ts";
import { ManagedList } from "./managedList.ts";
import { RequestTimer } from "./requestTimer.ts";
import type {
	CallOptions,
	CompletionReference,
	Prompt,
	Resource,
	ResourceTemplate,
	ServerRequestContext,
	ServerRequestHandler,
	Session,
	SessionState,
	Tool,
} from "./session.ts";
import { StderrTail } from "./stderrTail.ts";
import type { Launch } from "./variables.ts";

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
	/** Milliseconds; read at each use, so that a changed setting counts. */
	readonly timeouts: { readonly handshakeMs: number; readonly requestMs: number; readonly maxRequestMs: number };
	/** Loads the connection module, which brings the SDK with it. */
	connect(request: ConnectRequest): Promise<Connection>;
}

/** A server's life from one start to its end. */
interface Run {
	readonly controller: AbortController;
	readonly stderr: StderrTail;
	connection: Connection | undefined;
	started: Promise<SessionState> | undefined;
}

/** One configured server: starts it, keeps its lists, and carries its calls. At most one run lives at a time. */
export class ServerSession implements Session, Disposable {
	readonly definition: ServerDefinition;
	readonly tools = new ManagedList<Tool>((tool) => tool.name);
	readonly prompts = new ManagedList<Prompt>((prompt) => prompt.name);
	readonly resources = new ManagedList<Resource>((resource) => resource.uri);
	readonly resourceTemplates = new ManagedList<ResourceTemplate>((template) => template.uriTemplate);
	private readonly services: SessionServices;
	private readonly stateChanged = new Emitter<SessionState>();
	private readonly resourceUpdated = new Emitter<string>();
	readonly onDidChangeState: Event<SessionState> = this.stateChanged.event;
	readonly onDidUpdateResource: Event<string> = this.resourceUpdated.event;
	private current: SessionState;
	private run: Run | undefined;
	private stopping: Promise<void> = Promise.resolve();
	private readonly watched = new Map<string, number>();
	private readonly calls = new Map<RequestTimer, string>();

	constructor(definition: ServerDefinition, services: SessionServices) {
		this.definition = definition;
		this.services = services;
		this.current = this.idleState();
	}

	get state(): SessionState {
		return this.current;
	}

	/** Starts the server unless it runs or starts already. Resolves with the state reached; failures are states. */
	start(): Promise<SessionState> {
		if (this.run?.started !== undefined) return this.run.started;
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
			started: undefined,
		};
		this.run = run;
		this.setState({ kind: "starting" });
		run.started = this.launch(run);
		return run.started;
	}

	/** Stops the server; resolves when its process tree is gone. */
	async stop(): Promise<void> {
		const { run } = this;
		if (run === undefined) {
			await this.stopping;
			this.setState(this.idleState());
			return;
		}
		this.run = undefined;
		this.leave();
		run.controller.abort(new HostError("not-connected", `${this.definition.name} was stopped.`));
		this.stopping = (async () => {
			await run.started;
			await run.connection?.close();
		})();
		await this.stopping;
		if (this.run === undefined) this.setState(this.idleState());
	}

	async restart(): Promise<SessionState> {
		await this.stop();
		return this.start();
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
		return this.call(`prompts/get ${name}`, options, (connection, control) => connection.getPrompt(name, args, control));
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
		this.watched.set(uri, (this.watched.get(uri) ?? 0) + 1);
		if (this.watched.get(uri) === 1) this.updateWatched();
		return toDisposable(() => {
			const count = (this.watched.get(uri) ?? 0) - 1;
			if (count > 0) this.watched.set(uri, count);
			else if (this.watched.delete(uri)) this.updateWatched();
		});
	}

	dispose(): void {
		void this.stop();
		for (const list of this.lists) list.dispose();
		this.stateChanged.dispose();
		this.resourceUpdated.dispose();
	}

	private get lists(): readonly ManagedList<unknown>[] {
		return [this.tools, this.prompts, this.resources, this.resourceTemplates] as unknown as ManagedList<unknown>[];
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

	private async launch(run: Run): Promise<SessionState> {
		const { definition, services } = this;
		const { signal } = run.controller;
		try {
			// The former process is gone before the next one starts: one process per server (security.md PRC-08).
			await this.stopping;
			signal.throwIfAborted();
			const launch = await services.resolve(definition);
			signal.throwIfAborted();
			services.log.info(`Starting ${definition.name}`);
			const connection = await services.connect({
				launch,
				protocol: definition.config.protocol,
				verdict: services.verdict.get(definition.hash),
				client: services.client,
				handshakeTimeoutMs: services.timeouts.handshakeMs,
				signal,
				handlers: this.handlers(run),
			});
			if (signal.aborted) {
				await connection.close();
				signal.throwIfAborted();
			}
			run.connection = connection;
			services.verdict.set(definition.hash, connection.verdict);
			const { protocolVersion, era, transport } = connection.facts;
			services.log.info(`Connected over ${transport}, revision ${protocolVersion} (${era})`);
			this.setState({ kind: "running", facts: connection.facts });
			this.connectLists(connection);
			this.updateWatched();
		} catch (error) {
			if (this.run === run) {
				this.run = undefined;
				this.fail(run, messageOf(error), HostError.is(error, "cancelled"));
			}
		}
		return this.current;
	}

	private fail(run: Run, message: string, isCancelled = false): void {
		this.leave();
		this.services.log.error(message);
		// A person who gave no input did not make the server fail.
		if (isCancelled) this.setState(this.idleState());
		else this.setState({ kind: "failed", message, stderr: run.stderr.last(10) });
	}

	private leave(): void {
		for (const list of this.lists) list.disconnect();
	}

	private handlers(run: Run): ConnectionHandlers {
		const { log, requests } = this.services;
		const context = (signal: AbortSignal): ServerRequestContext => ({
			signal: AbortSignal.any([signal, run.controller.signal]),
			protocolVersion: run.connection?.facts.protocolVersion ?? "2025-11-25",
			during: this.calls.size === 0 ? undefined : [...new Set(this.calls.values())].join(", "),
		});
		return {
			listRoots: () => requests.listRoots(this),
			createMessage: (params, signal) =>
				this.ask(run, () => requests.createMessage(this, params, context(signal))),
			elicit: (params, signal) => this.ask(run, () => requests.elicit(this, params, context(signal))),
			onListChanged: (kind) => {
				this[kind].invalidate();
				if (kind === "resources") this.resourceTemplates.invalidate();
			},
			onResourceUpdated: (uri) => {
				if (this.watched.has(uri)) this.resourceUpdated.fire(uri);
			},
			onLog: (level, logger, data) => {
				const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
				const line = `${logger === undefined ? "" : `${oneLine(logger, 60)}: `}${cap(showHidden(text), 4000)}`;
				if (level === "debug") log.debug(line);
				else if (level === "info" || level === "notice") log.info(line);
				else if (level === "warning") log.warn(line);
				else log.error(line);
			},
			onStderr: (text) => run.stderr.write(text),
			onTrouble: (message) => log.warn(message),
			onClosed: (reason) => {
				if (this.run !== run) return;
				this.run = undefined;
				run.controller.abort(new HostError("not-connected", `${this.definition.name} ${reason}.`));
				this.fail(run, `The server ${reason}.`);
			},
		};
	}

	private connectLists(connection: Connection): void {
		const { capabilities } = connection.facts;
		const control = (signal: AbortSignal): RequestControl => ({ signal });
		const read =
			<T>(label: string, page: (cursor: string | undefined, control: RequestControl) => Promise<T>) =>
			(cursor: string | undefined, signal: AbortSignal): Promise<T> =>
				this.call(label, { signal }, (_connection, { signal: timed }) => page(cursor, control(timed)), false);
		this.tools.connect(
			capabilities.tools && read("tools/list", (cursor, options) => connection.listTools(cursor, options)),
		);
		this.prompts.connect(
			capabilities.prompts && read("prompts/list", (cursor, options) => connection.listPrompts(cursor, options)),
		);
		this.resources.connect(
			capabilities.resources && read("resources/list", (cursor, options) => connection.listResources(cursor, options)),
		);
		this.resourceTemplates.connect(
			capabilities.resources &&
				read("resources/templates/list", (cursor, options) => connection.listResourceTemplates(cursor, options)),
		);
	}

	private updateWatched(): void {
		void this.run?.connection?.watchResources([...this.watched.keys()]);
	}

	/** Lets the server ask a person; meanwhile the clocks of the calls to it stand still. */
	private async ask<T>(run: Run, question: () => Promise<T>): Promise<T> {
		run.controller.signal.throwIfAborted();
		const paused = [...this.calls.keys()];
		for (const timer of paused) timer.pause();
		try {
			return await question();
		} finally {
			for (const timer of paused) timer.resume();
		}
	}

	/** Carries one request: its clock, its cancellation, its errors. `isCounted`: named to people as what they do. */
	private async call<T>(
		label: string,
		options: CallOptions,
		send: (connection: Connection, control: RequestControl) => Promise<T>,
		isCounted = true,
	): Promise<T> {
		const { run } = this;
		const connection = run?.connection;
		if (run === undefined || connection === undefined) {
			throw new HostError("not-connected", `${this.definition.name} is not running. Start it and try again.`);
		}
		const { requestMs, maxRequestMs } = this.services.timeouts;
		const timer = new RequestTimer(`${this.definition.name}: ${label}`, requestMs, maxRequestMs);
		if (isCounted) this.calls.set(timer, label);
		const cancelled = new AbortController();
		const onAbort = (): void => cancelled.abort(new HostError("cancelled", `${label} was cancelled.`));
		if (options.signal?.aborted === true) onAbort();
		options.signal?.addEventListener("abort", onAbort, { once: true });
		try {
			return await send(connection, {
				signal: AbortSignal.any([timer.signal, run.controller.signal, cancelled.signal]),
				onProgress: (progress) => {
					timer.touch();
					options.onProgress?.({
						progress: progress.progress,
						...(progress.total === undefined ? {} : { total: progress.total }),
						...(progress.message === undefined ? {} : { message: oneLine(progress.message) }),
					});
				},
			});
		} catch (error) {
			if (HostError.is(error) && error.code !== "protocol" && error.code !== "not-connected") throw error;
			const code = HostError.is(error) ? error.code : "protocol";
			throw new HostError(code, `${this.definition.name}: ${messageOf(error)}`, { cause: error });
		} finally {
			options.signal?.removeEventListener("abort", onAbort);
			this.calls.delete(timer);
			timer.dispose();
		}
	}
}
