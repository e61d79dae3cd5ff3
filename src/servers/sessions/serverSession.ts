import type { CompleteResult } from "@modelcontextprotocol/client";
import { orAborted } from "../../base/abort.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import type { Departure } from "../../protocol/departure.ts";
import type { CompletionReference, Connection, RequestControl } from "../../protocol/connection.ts";
import type { RequestKind } from "./sessionCalls.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import { RequestLog } from "./requestLog.ts";
import { givenUp, Restarts } from "./restarts.ts";
import { SessionRun, type Cause, type RunOwner } from "./sessionRun.ts";
import type { CallOptions, Session, SessionState } from "./session.ts";
import { SessionLists } from "./sessionLists.ts";
import type { SessionServices } from "./sessionServices.ts";
import { WatchedResources } from "./watchedResources.ts";

/** One configured server: starts it, keeps its lists, and carries its calls. At most one run lives at a time. */
export class ServerSession implements Session, Disposable {
	readonly tools: SessionLists["tools"];
	readonly prompts: SessionLists["prompts"];
	readonly resources: SessionLists["resources"];
	readonly resourceTemplates: SessionLists["resourceTemplates"];
	readonly skills: SessionLists["skills"];
	readonly requestLog = new RequestLog();
	readonly departures: Departure[] = [];
	private readonly lists: SessionLists;
	private readonly services: SessionServices;
	private readonly stateChanged = new Emitter<SessionState>();
	private readonly resourceUpdated = new Emitter<string>();
	private readonly resourceSubscribed = new Emitter<string>();
	readonly onDidChangeState: Event<SessionState> = this.stateChanged.event;
	readonly onDidUpdateResource: Event<string> = this.resourceUpdated.event;
	readonly onDidSubscribeResource: Event<string> = this.resourceSubscribed.event;
	private defined: ServerDefinition;
	private current: SessionState;
	private run: SessionRun | undefined;
	/** Resolves when the processes of all former runs are gone; never rejects. */
	private stopping: Promise<void> = Promise.resolve();
	/** Counts the requested states, so that an outdated restart does not start anything. */
	private intent = 0;
	private isDisposed = false;
	private readonly watched = new WatchedResources((uris) => this.watch(uris));
	private readonly restarts = new Restarts();

	constructor(definition: ServerDefinition, services: SessionServices) {
		this.defined = definition;
		this.services = services;
		this.lists = new SessionLists(services.listLimits);
		({ tools: this.tools, prompts: this.prompts, resources: this.resources, skills: this.skills } = this.lists);
		this.resourceTemplates = this.lists.resourceTemplates;
		this.current = this.idleState();
	}

	get definition(): ServerDefinition {
		return this.defined;
	}

	get state(): SessionState {
		return this.current;
	}

	/**
	 * Starts the server unless it runs or starts already. Resolves with the state reached; failures are states.
	 * `isAutomatic`: no user waits for it, so that a server which cannot be reached now is tried again later.
	 */
	start({ isAutomatic = false }: { readonly isAutomatic?: boolean } = {}): Promise<SessionState> {
		this.intent++;
		this.restarts.reset();
		return this.begin(isAutomatic ? "window" : "user");
	}

	/** Stops the server; resolves when its process tree is gone. */
	async stop(): Promise<void> {
		const intent = ++this.intent;
		this.restarts.reset();
		if (this.run !== undefined) this.end(this.run, "The server was stopped.");
		await this.stopping;
		if (intent === this.intent) this.setState(this.idleState());
	}

	/** Stops the server and starts it again, unless another action was requested meanwhile. */
	async restart(): Promise<SessionState> {
		const stopped = this.stop();
		const { intent } = this;
		await stopped;
		return intent === this.intent ? this.begin("anew") : (this.run?.started ?? this.idleState());
	}

	/** Takes a definition that differs only in parts that do not affect a run: its roots. */
	redefine(definition: ServerDefinition): void {
		this.defined = definition;
		this.reconsider();
	}

	/** Looks again whether the server may start, after an approval or the trust of the workspace changed. */
	reconsider(): void {
		if (this.run !== undefined) return;
		const idle = this.idleState();
		const saysMore = this.current.kind === "failed" || this.current.kind === "needs-sign-in";
		if (!saysMore || idle.kind !== "stopped") this.setState(idle);
	}

	/** Ends a run whose sign-in was withdrawn; the next start by a user asks them to sign in. */
	async requireSignIn(message: string): Promise<void> {
		const intent = ++this.intent;
		this.restarts.reset();
		if (this.run !== undefined) this.end(this.run, message);
		await this.stopping;
		if (intent === this.intent) this.setState({ kind: "needs-sign-in", message });
	}

	/** Notifies the server that its log level changed. */
	updateLogLevel(): void {
		const updating = this.run?.connection?.updateLogLevel();
		updating?.catch((error: unknown) => this.services.log.warn(`logging/setLevel: ${messageOf(error)}`));
	}

	/** Notifies the server that the roots changed. */
	notifyRootsChanged(): void {
		const connection = this.run?.connection;
		connection?.notifyRootsChanged().catch((error: unknown) => this.services.log.warn(`roots: ${messageOf(error)}`));
	}

	callTool(name: string, args: JsonObject, options: CallOptions = {}): ReturnType<Session["callTool"]> {
		const tool = this.tools.get(name);
		return this.call(
			`tools/call ${name}`,
			options,
			(connection, control) => connection.callTool(name, args, tool, control),
			// Regardless of its annotations: nobody has checked them.
			{ mayHaveEffect: true },
		);
	}

	readResource(uri: string, options: CallOptions = {}): ReturnType<Session["readResource"]> {
		return this.call(`resources/read ${uri}`, options, (connection, control) => connection.readResource(uri, control));
	}

	getPrompt(...[name, args, options = {}]: Parameters<Session["getPrompt"]>): ReturnType<Session["getPrompt"]> {
		const label = `prompts/get ${name}`;
		return this.call(label, options, (connection, control) => connection.getPrompt(name, args, control));
	}

	getSkill(uri: string, options: CallOptions = {}): ReturnType<Session["getSkill"]> {
		return this.call(`skills/get ${uri}`, options, (connection, control) => connection.getSkill(uri, control));
	}

	readSkill(...[skill, path, options = {}]: Parameters<Session["readSkill"]>): ReturnType<Session["readSkill"]> {
		const label = `resources/read ${path ?? skill.uri}`;
		return this.call(label, options, (connection, control) => connection.readSkill(skill, path, control));
	}

	complete(
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

	noteRefused(...refusal: Parameters<NonNullable<Session["noteRefused"]>>): string | undefined {
		return this.run?.tap?.refused(...refusal);
	}

	/** Stops the server for good. Await `stop` to know when it has ended. */
	dispose(): void {
		this.isDisposed = true;
		void this.stop();
		this.lists.dispose();
		this.requestLog.dispose();
		this.stateChanged.dispose();
		this.resourceUpdated.dispose();
		this.resourceSubscribed.dispose();
	}

	/** The state of a server that does not run: ready to start (`stopped`), or why it may not. */
	private idleState(): SessionState {
		return this.services.whyNot(this.definition) ?? { kind: "stopped" };
	}

	private setState(reached: SessionState): void {
		const state = reached.kind === "running" ? reached : this.services.secrets.redactAll(reached);
		if (state.kind === this.current.kind && JSON.stringify(state) === JSON.stringify(this.current)) return;
		this.current = state;
		this.stateChanged.fire(state);
	}

	private begin(cause: Cause): Promise<SessionState> {
		if (this.run !== undefined) {
			// A user joins a start that nobody waited for.
			if (cause === "user" && this.run.connectedAt === undefined) this.run.isAwaited = true;
			return this.run.started;
		}
		if (this.isDisposed) return Promise.resolve(this.current);
		const idle = this.idleState();
		if (idle.kind !== "stopped") {
			this.setState(idle);
			return Promise.resolve(this.current);
		}
		const run = new SessionRun(cause, this.ownerOfRuns());
		// The run is complete before listeners are called: a listener may call `start` or `stop`.
		this.run = run;
		run.started = this.launch(run);
		this.setState({ kind: "starting" });
		return run.started;
	}

	private async launch(run: SessionRun): Promise<SessionState> {
		const { definition, services } = this;
		const { signal } = run;
		try {
			// The former process is gone before the next one starts: one process per server (PRC-08).
			await this.stopping;
			signal.throwIfAborted();
			// An input may never be given; a stop must not wait for it.
			const launch = await orAborted(
				services.resolve(definition, () => run.isAwaited),
				signal,
			);
			services.log.info(`Starting ${definition.name}`);
			const { connectRequest } = await import("./connectRequest.ts");
			const { listsReader } = await import("./listReaders.ts");
			run.tap = await services.tap?.(definition);
			signal.throwIfAborted();
			const connection = await services.connect(await connectRequest(run, launch));
			if (signal.aborted) {
				await connection.close();
				return this.idleState();
			}
			run.connection = connection;
			run.readLists = listsReader(this.lists, connection, (label, signal, send) =>
				this.call(label, { signal }, (_connection, control) => send(control), { isBackground: true }),
			);
			this.announce(run, connection);
		} catch (error) {
			if (this.run !== run) return this.idleState();
			this.end(run, messageOf(error));
			// A server may have hung because of its remembered era.
			if (HostError.is(error, "timeout")) services.verdict.set(definition.hash, undefined);
			this.fail(run, error);
		}
		return this.current;
	}

	/** The dependencies of a run; a run that is no longer this session's reports nothing. */
	private ownerOfRuns(): RunOwner {
		return {
			session: this,
			services: this.services,
			onListChanged: (kind) => this.lists.invalidate(kind),
			onRenewed: (facts) => {
				this.setState({ kind: "running", facts });
				// A listener may have stopped it.
				void this.run?.readLists?.();
			},
			onResourceUpdated: (uri) => {
				if (this.watched.concerns(uri)) this.resourceUpdated.fire(uri);
			},
			onResourceSubscribed: (uri) => this.resourceSubscribed.fire(uri),
			onWaiting: (note) => this.setState({ kind: "starting", note }),
			onGone: (reason) => {
				const { run } = this;
				if (run === undefined) return;
				this.end(run, `The server ${reason}.`);
				this.fail(run, new HostError("not-connected", `The server ${reason}.`));
			},
		};
	}

	private announce(run: SessionRun, connection: Connection): void {
		run.connectedAt = performance.now();
		this.services.verdict.set(this.definition.hash, connection.verdict);
		const { protocolVersion, era, transport, isElsewhere } = connection.facts;
		const way = isElsewhere === true ? "another window" : transport;
		this.services.log.info(`Connected over ${way}, revision ${oneLine(protocolVersion, 40)} (${era})`);
		this.setState({ kind: "running", facts: connection.facts });
		// A listener may have stopped it.
		if (this.run !== run) return;
		void run.readLists?.().then(() => (run.isAwaited = false));
		this.watch(this.watched.uris);
	}

	/** Shows why a run ended, and starts the server again where that is of use. */
	private fail(run: SessionRun, error: unknown): void {
		const message = messageOf(error);
		// The window that ran the process has ended it: no failure of the server.
		if (run.connection?.facts.isElsewhere === true) return void this.begin("restart");
		// A missing input of the user, or a missing approval, is not a failure of the server.
		if (HostError.is(error, "cancelled") || HostError.is(error, "not-approved")) return this.setState(this.idleState());
		if (HostError.is(error, "needs-sign-in")) return this.setState({ kind: "needs-sign-in", message });
		const failed = run.failure(error);
		this.services.log.error(failed.message);
		const isRemote = this.definition.config.kind !== "stdio";
		if (!run.isWorthRepeating(error, isRemote)) return this.setState(failed);
		const delay = this.restarts.schedule(() => void this.begin("restart"), run.connectedMs, isRemote);
		const next = delay === undefined ? { message: `${failed.message} ${givenUp}` } : { retryAt: Date.now() + delay };
		return this.setState({ ...failed, ...next });
	}

	/** Ends a run: its calls and questions immediately, its processes in their own time. */
	private end(run: SessionRun, reason: string): void {
		this.run = undefined;
		run.end(new HostError("not-connected", reason));
		this.lists.disconnect();
		this.stopping = run.started
			.then(() => run.connection?.close())
			.catch((error: unknown) => this.services.log.warn(`While it was stopped: ${messageOf(error)}`));
	}

	private watch(uris: readonly string[]): void {
		const watching = this.run?.connection?.watchResources(uris);
		watching?.catch((error: unknown) => this.services.log.warn(`Subscriptions: ${messageOf(error)}`));
	}

	call<T>(
		label: string,
		options: CallOptions,
		send: (connection: Connection, control: RequestControl) => Promise<T>,
		kind: RequestKind = {},
	): Promise<T> {
		const { run } = this;
		const connection = run?.connection;
		if (run?.calls === undefined || connection === undefined) {
			const text = `${this.definition.name} is not running. Start it and try again.`;
			return Promise.reject(new HostError("not-connected", text));
		}
		const carried = run.calls.run(label, options, (control) => send(connection, control), kind);
		return carried.catch((error: unknown) => {
			// A grant ended while nobody could be asked: the server is unusable until a user signs in.
			if (HostError.is(error, "needs-sign-in") && this.run === run) {
				// The server's row names it already.
				const needed = HostError.is(error.cause) ? error.cause : error;
				this.end(run, needed.message);
				this.fail(run, needed);
			}
			if (error instanceof Error) error.message = this.services.secrets.redact(error.message);
			throw error;
		});
	}
}
