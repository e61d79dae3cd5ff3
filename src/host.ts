import { availableParallelism } from "node:os";
import type { CreateMessageRequestParams, LoggingLevel } from "@modelcontextprotocol/client";
import type { SignInBrowser } from "./authorization/authorization.ts";
import { SignIns } from "./authorization/signIns.ts";
import { HostError, messageOf } from "./base/errors.ts";
import type { Event } from "./base/event.ts";
import { DisposableStore, type Disposable } from "./base/lifecycle.ts";
import type { Log } from "./base/log.ts";
import type { KeyValue, Secrets } from "./base/storage.ts";
import { PendingDecisions } from "./decisions/decision.ts";
import { RequestRefusal } from "./decisions/refusal.ts";
import { HostRoots } from "./roots/hostRoots.ts";
import type { OpenFolders } from "./roots/roots.ts";
import { Approvals, whyNotStart } from "./servers/approvals.ts";
import type { ConfigProblem, ConfigSource, InputDefinition, ServerDefinition, ServerId } from "./servers/config.ts";
import { EraCache } from "./servers/eraCache.ts";
import { InputValues } from "./servers/inputValues.ts";
import type { ConnectionLimits, NetworkSettings } from "./connection/limits.ts";
import type { ListLimits } from "./servers/managedList.ts";
import type { define } from "./servers/parseConfig.ts";
import { ServerRegistry } from "./servers/registry.ts";
import { ServerSession } from "./servers/serverSession.ts";
import type { SessionServices } from "./servers/sessionServices.ts";
import type {
	ElicitationRequest,
	ServerRequestContext,
	ServerRequestHandler,
	Session,
	SessionState,
} from "./servers/session.ts";
import { startInOrder } from "./servers/startOrder.ts";
import type { Launch } from "./servers/variables.ts";

/** All that the core needs of an editor, a terminal or a test. */
export interface HostServices {
	readonly version: string;
	/** The log of one server, by its name. */
	serverLog(name: string): Log;
	/** The least severe level of message that each server's log shows, by name; undefined for none. */
	readonly logLevels: { of(name: string): LoggingLevel | undefined; readonly onDidChange: Event<string> };
	readonly state: KeyValue;
	/** What is kept for this workspace alone. */
	readonly workspaceState: KeyValue;
	readonly secrets: Secrets;
	readonly isWorkspaceTrusted: () => boolean;
	/** The folders that are open: what variables mean, and what servers see as roots. */
	readonly folders: OpenFolders;
	/** Asks the person for a value of `${input:id}`; undefined when they give none. */
	askInput(definition: ServerDefinition, input: InputDefinition): Promise<string | undefined>;
	readonly timeouts: SessionServices["timeouts"];
	/** Read at each start of a server. */
	readonly limits: ConnectionLimits;
	readonly listLimits: ListLimits;
	readonly network: NetworkSettings;
	/** The demo server's command, offered while `isDemoOffered` is true. */
	readonly demo: {
		readonly command: string;
		readonly args: readonly string[];
		readonly env: Readonly<Record<string, string>>;
	};
}

type Sampling = ServerRequestHandler["createMessage"];
type Elicitation = ServerRequestHandler["elicit"];

/** The host's core: which servers exist, which may start, and who answers them. Knows no editor. */
export class McpHost implements Disposable {
	readonly approvals: Approvals;
	readonly registry: ServerRegistry;
	readonly pending = new PendingDecisions();
	readonly signIns: SignIns;
	readonly roots: HostRoots;
	private readonly services: HostServices;
	private readonly store = new DisposableStore();
	private readonly inputs: InputValues;
	/** What each source held when it was last whole. */
	private lastIntact: ReadonlyMap<string, readonly ServerDefinition[]> = new Map();
	private sampling: Sampling | undefined;
	private elicitation: Elicitation | undefined;
	private visited: ServerRequestHandler["onVisited"];

	constructor(services: HostServices) {
		this.services = services;
		this.approvals = new Approvals(services.state);
		this.signIns = this.store.add(
			new SignIns(services.secrets, async (definition, credentials) => {
				// Where the address cannot be told any more, what is kept is deleted all the same.
				const launch = await this.resolve(definition, () => false).catch(() => undefined);
				if (launch === undefined || launch.kind === "stdio") return;
				const { revoke } = await import("./connection/connect.ts");
				await revoke(credentials, new URL(launch.url), services.network);
			}),
		);
		this.inputs = new InputValues(services.secrets, (definition, input) => services.askInput(definition, input));
		const eras = new EraCache(services.state);
		const requests: ServerRequestHandler = {
			listRoots: (session) => this.roots.list(session),
			createMessage: (session, params, context) => this.createMessage(session, params, context),
			elicit: (session, request, context) => this.elicit(session, request, context),
			onVisited: (session, elicitationId) => this.visited?.(session, elicitationId),
		};
		this.registry = new ServerRegistry(
			(definition) =>
				new ServerSession(definition, {
					log: services.serverLog(definition.name),
					client: { name: "mcp-host", title: "MCP Host", version: services.version },
					requests,
					resolve: (wanted, isAwaited) => this.resolve(wanted, isAwaited),
					whyNot: (wanted) => whyNotStart(wanted, this.approvals, services.isWorkspaceTrusted()),
					verdict: eras,
					timeouts: services.timeouts,
					limits: services.limits,
					listLimits: services.listLimits,
					get network() {
						return services.network;
					},
					authorization: (wanted, config, asks) => this.signIns.authorization(wanted, config, asks),
					logLevel: () => services.logLevels.of(definition.name),
					connect: async (request) => (await import("./connection/connect.ts")).connect(request),
				}),
		);
		this.roots = this.store.add(
			new HostRoots({
				folders: services.folders,
				workspaceState: services.workspaceState,
				approvals: this.approvals,
				directory: this.registry,
				loadGlob: () => import("./base/glob.ts"),
			}),
		);
		this.store.add(
			this.registry.onDidEnd(({ definition }) => {
				this.pending.lapseServer(definition.id);
			}),
		);
		this.store.add(
			services.logLevels.onDidChange((name) => {
				for (const session of this.registry.sessions) if (session.definition.name === name) session.updateLogLevel();
			}),
		);
		this.store.add(this.approvals.onDidChange(() => this.registry.reconsider()));
	}

	/** Whether the demo server runs now, so that its scripted model is offered. */
	get demoRuns(): { readonly value: boolean; readonly onDidChange: Event<unknown> } {
		const { registry } = this;
		return {
			get value() {
				return registry.sessions.some(
					({ definition, state }) => definition.origin.kind === "demo" && state.kind === "running",
				);
			},
			onDidChange: registry.onDidChange,
		};
	}

	/**
	 * Sets who answers `sampling/createMessage` and `elicitation/create`, and how a person signs in. Without them such
	 * requests are refused.
	 */
	answerWith(answers: {
		readonly createMessage: Sampling;
		readonly elicit: Elicitation;
		readonly onVisited?: NonNullable<ServerRequestHandler["onVisited"]>;
		readonly browser?: SignInBrowser;
	}): void {
		this.sampling = answers.createMessage;
		this.elicitation = answers.elicit;
		this.visited = answers.onVisited;
		if (answers.browser !== undefined) this.signIns.useBrowser(answers.browser);
	}

	/**
	 * Takes the configuration as it is now and returns what is wrong with it. Starts nothing. `isDemoOffered` adds the
	 * demo server; `isIgnored` tells the names that the person leaves out; `roots` is the setting of that name. The parser
	 * is loaded by the first call; the next call must wait for the end of this one.
	 */
	async configure(
		sources: readonly ConfigSource[],
		isDemoOffered: boolean,
		isIgnored: (name: string) => boolean = () => false,
		roots?: unknown,
	): Promise<readonly ConfigProblem[]> {
		const parser = await import("./servers/parseConfig.ts");
		if (this.store.isDisposed) return [];
		const parsed = sources.map(parser.parseConfig);
		const problems = parsed.flatMap((one) => one.problems);
		const kept = new Map<string, readonly ServerDefinition[]>();
		const definitions = sources.map(({ origin }, index) => {
			const key = `${origin.kind}:${origin.file ?? origin.folder ?? ""}`;
			const { definitions: found = [], isIntact = false } = parsed[index] ?? {};
			// While somebody writes a file it is broken now and then; that must not stop its servers (security.md CFG-20).
			const used = isIntact ? found : (this.lastIntact.get(key) ?? found);
			if (isIntact || this.lastIntact.has(key)) kept.set(key, used);
			return used.filter(({ name }) => !isIgnored(name));
		});
		this.lastIntact = kept;
		if (isDemoOffered) definitions.push([this.demoDefinition(parser.define)]);
		// Before any of them may start.
		const rootProblems = await this.roots.configure(roots, definitions.flat());
		if (this.store.isDisposed) return [];
		this.registry.apply(parser.mergeDefinitions(definitions, this.namesInUse()));
		this.roots.model?.refresh();
		for (const { definition } of this.registry.sessions) void this.signIns.restore(definition);
		return [...problems, ...rootProblems];
	}

	/**
	 * Starts (or starts again) one server if it may, for a person who may be asked for the inputs that it needs.
	 * @throws HostError `not-connected` when no server has this id.
	 */
	async start(id: string, isRestart = false): Promise<SessionState> {
		const session = this.registry.get(id);
		if (session === undefined) throw new HostError("not-connected", "This server is no longer configured.");
		return isRestart ? session.restart() : session.start();
	}

	/** Starts every server that the person approved before and that does not run. */
	async startApproved(): Promise<void> {
		const ready = this.registry.sessions.filter(({ state }) => state.kind === "stopped");
		const starts = (isLocal: boolean): readonly (() => Promise<unknown>)[] =>
			ready
				.filter(({ definition }) => (definition.config.kind === "stdio") === isLocal)
				.map((session) => () => session.start({ isAutomatic: true }));
		// Remote ones only wait, so nobody waits for them.
		const remote = starts(false).map((start) => start());
		await startInOrder(starts(true), availableParallelism());
		await Promise.all(remote);
	}

	/** Withdraws an approval with the values given and the roots chosen for it, and stops the server. */
	async revoke(id: string): Promise<void> {
		const session = this.registry.get(id);
		// First, so that nothing can start it again meanwhile.
		await this.approvals.revoke(id);
		await session?.stop();
		if (session !== undefined) await this.inputs.forget(session.definition);
		await this.signIns.forget(id);
		await this.roots.model?.choose(id, undefined);
	}

	/** Ends the sign-in at a server: its connection first, which holds tokens of its own; then what is kept is withdrawn. */
	async signOut(id: string): Promise<void> {
		const session = this.registry.get(id);
		if (session === undefined) return;
		await session.requireSignIn("You signed out.");
		await this.signIns.signOut(session.definition);
	}

	/** Settles what is pending, stops all servers; resolves when their processes are gone. Never rejects. */
	async shutdown(): Promise<void> {
		this.pending.dispose();
		const stopped = this.registry.stopAll();
		// At once, so that nothing starts while the others end.
		this.dispose();
		await stopped.catch((error: unknown) => this.services.serverLog("MCP Host").error(messageOf(error)));
	}

	dispose(): void {
		this.store.dispose();
		this.registry.dispose();
	}

	/** The names of the servers that run or start: a name that changed would end them. */
	private namesInUse(): ReadonlyMap<ServerId, string> {
		const alive = this.registry.sessions.filter(({ state }) => state.kind === "running" || state.kind === "starting");
		return new Map(alive.map(({ definition }) => [definition.id, definition.name]));
	}

	private async resolve(definition: ServerDefinition, isAwaited: () => boolean): Promise<Launch> {
		const { resolveVariables } = await import("./servers/variables.ts");
		return resolveVariables(definition, {
			folders: this.services.folders.current.filter(({ scheme }) => scheme === "file"),
			environment: process.env,
			input: (id) => this.inputs.get(definition, id, isAwaited),
			note: (message) => this.services.serverLog(definition.name).info(message),
		});
	}

	private demoDefinition(make: typeof define): ServerDefinition {
		const { command, args, env } = this.services.demo;
		return make(
			"travel",
			{ kind: "stdio", command, args, env, protocol: "auto" },
			{ kind: "demo", label: "Demo", isWorkspace: false },
		);
	}

	private createMessage(
		session: Session,
		params: CreateMessageRequestParams,
		context: ServerRequestContext,
	): ReturnType<Sampling> {
		if (this.sampling === undefined)
			throw new RequestRefusal(-32603, "denied", "This host does not answer sampling requests.");
		return this.sampling(session, params, context);
	}

	private elicit(
		session: Session,
		request: ElicitationRequest,
		context: ServerRequestContext,
	): ReturnType<Elicitation> {
		if (this.elicitation === undefined)
			throw new RequestRefusal(-32603, "denied", "This host does not answer elicitation requests.");
		return this.elicitation(session, request, context);
	}
}
