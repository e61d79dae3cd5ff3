import type { LoggingLevel } from "@modelcontextprotocol/client";
import type { SignInBrowser } from "../protocol/authorization.ts";
import type { ProviderServices } from "./accounts/identityProviders.ts";
import { SignIns } from "./accounts/signIns.ts";
import { HostError, messageOf } from "../base/errors.ts";
import type { Event } from "../base/event.ts";
import { lazy } from "../base/lazy.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { SecretsInUse } from "../base/secrets/secretsInUse.ts";
import type { KeyValue, Secrets } from "../base/storage.ts";
import type { Store } from "../base/store/store.ts";
import { PendingDecisions } from "../questions/decisions/pendingDecisions.ts";
import { HostRoots } from "./roots/hostRoots.ts";
import type { OpenFolders } from "./roots/roots.ts";
import { Approvals, approvalsName } from "./approval/approvals.ts";
import { whyNotStart } from "./approval/mayStart.ts";
import type {
	ConfigOrigin,
	ConfigProblem,
	ConfigSource,
	InputDefinition,
	ServerDefinition,
	ServerId,
} from "./definitions/config.ts";
import { EraCache } from "./sessions/eraCache.ts";
import { notedSecrets } from "./accounts/notedSecrets.ts";
import { SwitchedOff, switchedName } from "./approval/switchedOff.ts";
import { ServerRegistry } from "./sessions/registry.ts";
import { ServerSession } from "./sessions/serverSession.ts";
import type { SessionServices } from "./sessions/sessionServices.ts";
import { describeState } from "./sessions/describeState.ts";
import type { RefusedState, SessionState } from "./sessions/session.ts";
import type { Launch } from "../protocol/launch.ts";
import type { StartDependencies } from "./approval/dependencies.ts";

type SessionParts = Pick<
	SessionServices,
	"requests" | "extensions" | "canSample" | "limits" | "listLimits" | "network" | "sharing" | "tap" | "timeouts"
>;

/** All that the core needs of an editor, a terminal or a test. */
export interface HostServices extends SessionParts, ProviderServices {
	readonly version: string;
	/** How a user signs in; absent where none can. */
	readonly browser?: SignInBrowser;
	/** The log of one server, by its name. */
	serverLog(name: string): Log;
	/** The least severe level of message that each server's log shows, by name; undefined for none. */
	readonly logLevels: { of(name: string): LoggingLevel | undefined; readonly onDidChange: Event<string> };
	/** Opens the data that all windows share. Called once. */
	readonly openStore: () => Promise<Store>;
	readonly state: KeyValue;
	/** The state that is kept for this workspace only. */
	readonly workspaceState: KeyValue;
	readonly secrets: Secrets;
	readonly isWorkspaceTrusted: () => boolean;
	/** Whether the user left the servers of a place to VS Code's own host; absent if there is none. */
	isLeft?(origin: ConfigOrigin): boolean;
	/** The open folders: the values of variables, and the roots of servers. */
	readonly folders: OpenFolders;
	/** Asks the user for a value of `${input:id}`; undefined when they give none. */
	askInput(definition: ServerDefinition, input: InputDefinition): Promise<string | undefined>;
	/** The demo server's command, offered while `isDemoOffered` is true. */
	readonly demo: {
		readonly command: string;
		readonly args: readonly string[];
		readonly env: Readonly<Record<string, string>>;
	};
}

const demoOrigin: ConfigOrigin = { kind: "demo", label: "Demo", isWorkspace: false };

/** The host's core: which servers exist, which may start, and who answers them. Independent of VS Code. */
export class McpHost implements Disposable {
	readonly approvals = new Approvals();
	readonly switchedOff = new SwitchedOff();
	readonly registry: ServerRegistry;
	readonly pending = new PendingDecisions();
	readonly signIns: SignIns;
	readonly roots: HostRoots;
	/** The secrets that no log, state or error may show. */
	readonly secretsInUse = new SecretsInUse();
	/** The key store; who reads from it or writes into it has noted the secret. */
	readonly secrets: Secrets;
	private readonly services: HostServices;
	private readonly store = new DisposableStore();
	private readonly inputs = lazy(async () => {
		const { InputValues } = await import("./definitions/inputValues.ts");
		return new InputValues(this.secrets, (...input) => this.services.askInput(...input));
	});
	/** Reads how servers are reached, and what that depends on. */
	readonly starts = lazy(async () => {
		const { Starts } = await import("./approval/startLaunch.ts");
		return new Starts(this, this.services, this.inputs, () => this.localFolders);
	});
	/** Reads the configuration; the parser is loaded with the first one. */
	private readonly sources = lazy(
		async () => new (await import("./definitions/configuredServers.ts")).ConfiguredServers(),
	);
	/** The sign-in at the identity provider of an organization. */
	readonly identity = lazy(async () =>
		this.store.add(new (await import("./accounts/identityProviders.ts")).IdentityProviders(this, this.services)),
	);
	/** The data that all windows share, opened when it is first needed. */
	readonly shared = lazy(async () => {
		const store = await this.services.openStore();
		this.approvals.open(store.journal(approvalsName));
		this.switchedOff.open(store.journal(switchedName));
		return store;
	});

	constructor(services: HostServices) {
		this.services = services;
		this.secrets = notedSecrets(services.secrets, this.secretsInUse);
		this.signIns = this.store.add(
			new SignIns(this.secrets, services.browser, services.workspaceState, async (definition, credentials) => {
				// If it may not be contacted or its address is unknown, the stored data is deleted all the same.
				const launch = await this.resolve(definition, () => false).catch(() => undefined);
				if (launch === undefined || launch.kind === "stdio") return;
				const { revoke } = await import("../protocol/connection/connect.ts");
				await revoke(credentials, new URL(launch.url), services.network);
			}),
		);
		const eras = new EraCache(services.state);
		this.roots = this.store.add(
			new HostRoots({
				folders: services.folders,
				workspaceState: services.workspaceState,
				approvals: this.approvals,
				loadGlob: () => import("../base/glob.ts"),
			}),
		);
		const { roots } = this;
		this.registry = new ServerRegistry(
			(definition) =>
				new ServerSession(definition, {
					log: this.serverLog(definition.name),
					secrets: this.secretsInUse,
					client: { name: "mcp-host", title: "MCP Host", version: services.version },
					listRoots: (session) => roots.list(session),
					roots,
					requests: services.requests,
					extensions: () => services.extensions?.(),
					canSample: services.canSample !== false,
					resolve: (wanted, isAwaited) => this.resolve(wanted, isAwaited, true),
					whyNot: (wanted) => this.whyNot(wanted),
					verdict: eras,
					timeouts: services.timeouts,
					limits: services.limits,
					listLimits: services.listLimits,
					get network() {
						return services.network;
					},
					authorization: async (...wanted) =>
						(await import("./accounts/authorizationOf.ts")).authorizationOf(this, ...wanted),
					logLevel: () => services.logLevels.of(definition.name),
					tap: async (wanted) => services.tap?.(wanted),
					sharing: async () => services.sharing?.(),
					connect: async (request) => (await import("../protocol/connection/connectShared.ts")).connectShared(request),
				}),
		);
		const announceRoots = (): void => roots.announce(this.registry.sessions);
		for (const { onDidChange } of [roots, this.registry]) this.store.add(onDidChange(announceRoots));
		this.store.add(this.registry.onDidEnd(({ definition }) => this.pending.lapseServer(definition.id)));
		this.store.add(
			services.logLevels.onDidChange((name) => {
				for (const session of this.registry.sessions) if (session.definition.name === name) session.updateLogLevel();
			}),
		);
		for (const { onDidChange } of [this.approvals, this.switchedOff])
			this.store.add(onDidChange(() => this.reconsider()));
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
	 * Takes the current configuration and returns its problems. Starts nothing. `isDemoOffered` adds the demo server;
	 * `isIgnored` returns which servers are left out; `roots` is the setting of that name. The parser is loaded by the
	 * first call; the next call must wait for the end of this one.
	 */
	async configure(
		sources: readonly ConfigSource[],
		isDemoOffered: boolean,
		isIgnored: (definition: ServerDefinition) => boolean = () => false,
		roots?: unknown,
	): Promise<readonly ConfigProblem[]> {
		const [configured] = await Promise.all([this.sources.get(), this.shared.get()]);
		if (this.store.isDisposed) return [];
		const { definitions, problems } = configured.read(sources, isIgnored);
		const demo = { kind: "stdio", ...this.services.demo, protocol: "auto" } as const;
		if (isDemoOffered) definitions.push(configured.define("travel", demo, demoOrigin));
		const { bindToPlace } = await import("./definitions/workspacePlace.ts");
		const bound = await Promise.all(definitions.map((one) => bindToPlace(one, this.localFolders)));
		// Before any of them may start.
		const rootProblems = await this.roots.configure(roots, definitions);
		if (this.store.isDisposed) return [];
		this.registry.apply(configured.merge([bound], this.namesInUse()));
		this.roots.model?.refresh();
		// A changed definition is stopped by the registry; more roots that wait for approval leave a server running.
		this.stopRefused(({ kind }) => kind === "needs-approval");
		for (const { definition } of this.registry.sessions) void this.signIns.restore(definition);
		return [...problems, ...rootProblems];
	}

	/**
	 * Starts (or restarts) one server if it may start, for a user who may be asked for its inputs.
	 * @throws HostError `not-connected` when no server has this id.
	 */
	async start(id: string, isRestart = false): Promise<SessionState> {
		const session = this.registry.get(id);
		if (session === undefined) throw new HostError("not-connected", "This server is no longer configured.");
		return isRestart ? session.restart() : session.start();
	}

	/** Starts every server that the user approved before, also for when a window opens, and that does not run. */
	async startApproved(): Promise<void> {
		const { startApproved } = await import("./sessions/startOrder.ts");
		await startApproved(this.registry.sessions, (one) => this.approvals.of(one)?.isAutomatic !== false);
	}

	/**
	 * The current variables of a server's environment file, for the search for secrets; empty while the server may not
	 * start, because its file must not be read then. Rejects when it cannot be read.
	 */
	async environmentFile(definition: ServerDefinition): Promise<Readonly<Record<string, string>>> {
		const { config } = definition;
		if (config.kind !== "stdio" || config.envFile === undefined) return {};
		if (this.whyNot(definition) !== undefined) return {};
		return (await this.starts.get()).environmentFile(definition);
	}

	/** The current dependencies of a server's start, for a review and the approval that follows it. Never rejects. */
	async dependencies(definition: ServerDefinition): Promise<StartDependencies> {
		return (await this.starts.get()).now(definition);
	}

	/**
	 * Approves a definition with its start's dependencies, as they were shown; otherwise as they are now. Inputs of
	 * another definition that it replaces are deleted (CFG-11). `isAutomatic` says whether it also starts whenever a
	 * window opens.
	 */
	async approve(definition: ServerDefinition, dependencies?: StartDependencies, isAutomatic = true): Promise<void> {
		const former = this.approvals.former(definition)?.hash;
		const { contents } = dependencies ?? (await this.dependencies(definition));
		await this.approvals.approve(definition, contents, isAutomatic);
		if (former !== undefined && former !== definition.hash)
			await (await this.inputs.get()).forget(definition.id, former);
	}

	/** Withdraws an approval with the values given and the roots chosen for it, and stops the server. */
	async revoke(id: string): Promise<void> {
		const session = this.registry.get(id);
		// First, so that nothing can start it again meanwhile.
		await this.approvals.revoke(id);
		await session?.stop();
		await (await this.inputs.get()).forget(id);
		await this.signIns.forget(id);
		await this.roots.model?.choose(id, undefined);
	}

	/**
	 * Ends the sign-in at a server: its connection first, which has its own tokens; then the stored data is withdrawn.
	 */
	async signOut(id: string): Promise<void> {
		const session = this.registry.get(id);
		if (session === undefined) return;
		await session.requireSignIn("You signed out.");
		await this.signIns.signOut(session.definition);
	}

	/** Settles pending decisions, stops all servers; resolves when their processes have ended. Never rejects. */
	async shutdown(): Promise<void> {
		this.pending.dispose();
		const stopped = this.registry.stopAll();
		// Synchronously, so that nothing starts while the others end.
		this.dispose();
		await stopped.catch((error: unknown) => this.serverLog("MCP Host").error(messageOf(error)));
	}

	dispose(): void {
		this.store.dispose();
		this.registry.dispose();
	}

	/**
	 * Checks again which servers may run: an approval may have been given or revoked here or in another window, or
	 * servers switched off or left to VS Code's own host.
	 */
	reconsider(): void {
		this.registry.reconsider();
		// A temporary failure to read approvals is no reason to stop running servers.
		this.stopRefused(({ kind }) => kind === "needs-approval" && this.approvals.isIncomplete);
	}

	/**
	 * Why a server may not start, be contacted, or have its variables resolved now, as its state; undefined when it may.
	 * Reads other windows' decisions first.
	 */
	whyNot(definition: ServerDefinition): RefusedState | undefined {
		this.approvals.refresh();
		return whyNotStart(definition, this, this.services);
	}

	/** Stops running servers that may not run, except those for which `isKept` returns true. */
	private stopRefused(isKept: (refused: RefusedState) => boolean): void {
		for (const session of this.registry.sessions) {
			if (session.state.kind !== "running" && session.state.kind !== "starting") continue;
			const refused = whyNotStart(session.definition, this, this.services);
			if (refused !== undefined && !isKept(refused)) void session.stop();
		}
	}

	/** The names of the servers that run or start: a name that changed would end them. */
	private namesInUse(): ReadonlyMap<ServerId, string> {
		const alive = this.registry.sessions.filter(({ state }) => state.kind === "running" || state.kind === "starting");
		return new Map(alive.map(({ definition }) => [definition.id, definition.name]));
	}

	private get localFolders(): OpenFolders["current"] {
		return this.services.folders.current.filter(({ scheme }) => scheme === "file");
	}

	private serverLog(name: string): Log {
		return this.secretsInUse.log(this.services.serverLog(name));
	}

	/**
	 * How a server that may start is reached, its secrets noted; asks for inputs while a user waits. `isStart`: it starts by it.
	 * @throws HostError `not-approved` when it may not start, or what its start depends on is not what was approved; and as
	 * `readStart` does.
	 */
	async resolve(definition: ServerDefinition, isAwaited: () => boolean, isStart?: boolean): Promise<Launch> {
		const refused = this.whyNot(definition);
		if (refused !== undefined)
			throw new HostError("not-approved", `Server "${definition.name}" was not started: ${describeState(refused)}.`);
		return (await this.starts.get()).bound(definition, isAwaited, isStart);
	}
}
