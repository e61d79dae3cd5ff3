import type { CreateMessageResult, ElicitResult } from "@modelcontextprotocol/client";
import { Store } from "../../src/base/store/store.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SignInBrowser } from "../../src/protocol/authorization.ts";
import { HostError } from "../../src/base/errors.ts";
import { Emitter } from "../../src/base/event.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { KeyValue } from "../../src/base/storage.ts";
import { Recorder } from "../../src/records/trace/recorder.ts";
import type { WantedTrace } from "../../src/records/trace/exchange.ts";
import { McpHost } from "../../src/servers/host.ts";
import type { ConfiguredProvider } from "../../src/servers/definitions/identityProviderSetting.ts";
import type { OpenFolder } from "../../src/servers/roots/roots.ts";
import type { ConfigOrigin } from "../../src/servers/definitions/config.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import type { UserRequests, ServerRequestContext } from "../../src/servers/sessions/session.ts";
import type { ConnectRequest, ServerFacts } from "../../src/protocol/connection.ts";
import type { SharingWindows } from "../../src/protocol/shared/sharing.ts";
import { defaultConnectionLimits, type ConnectionLimits } from "../../src/protocol/limits.ts";
import { defaultListLimits, type ListLimits } from "../../src/servers/sessions/managedList.ts";

/** A server's question to the user, and the call during which it was asked. */
interface Asked {
	readonly kind: "sampling" | "elicitation";
	readonly params: unknown;
	readonly context: ServerRequestContext;
}

/** The user at the other end: answers as configured by the test. */
export interface User {
	readonly asked: Asked[];
	sample: (context: ServerRequestContext) => Promise<CreateMessageResult>;
	elicit: (context: ServerRequestContext) => Promise<ElicitResult>;
}

/**
 * Milliseconds and caps in place of the settings and defaults; `requestMs`, `handshakeMs` and `probeMs`, for the era
 * probe, are short only where a test is about them.
 */
export interface Timeouts {
	readonly handshakeMs?: number;
	readonly probeMs?: number;
	readonly requestMs?: number;
	readonly maxRequestMs?: number;
	/** Caps in place of the settings' own. */
	readonly limits?: Partial<ConnectionLimits>;
	readonly listLimits?: Partial<ListLimits>;
	/** The extensions that servers receive in the capabilities. */
	readonly extensions?: ConnectRequest["extensions"];
	/** The key store, to share with another window. */
	readonly secrets?: Map<string, string>;
}

/** Reports each change of a key store to all windows that share it. */
const changes = new WeakMap<object, Emitter<{ readonly key: string }>>();

function changesOf(secrets: object): Emitter<{ readonly key: string }> {
	const emitter = changes.get(secrets) ?? new Emitter();
	changes.set(secrets, emitter);
	return emitter;
}

const userSettings: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };

/** The product's core, whole; only the editor's parts are replaced by the test. */
export class TestHost implements AsyncDisposable {
	readonly host: McpHost;
	/** A folder of this test, removed at the end. */
	readonly folder = mkdtempSync(join(tmpdir(), "mcp-host-test-"));
	/** The logs of the servers, one `server level message` per line. */
	readonly log: string[] = [];
	readonly user: User = {
		asked: [],
		sample: () =>
			Promise.resolve({ model: "scripted", role: "assistant", content: { type: "text", text: "Because." } }),
		elicit: () => Promise.resolve({ action: "accept", content: { name: "Ann", nights: 3 } }),
	};
	isWorkspaceTrusted = true;
	/** The key store. */
	readonly secrets: Map<string, string>;
	/** The identity provider that is configured. */
	identityProvider: ConfiguredProvider | undefined;
	/** How much the trace keeps; read when a server is started. */
	traceLevel: WantedTrace = "recent";
	readonly trace: Recorder = new Recorder({
		wanted: () => this.traceLevel,
		redactor: { redact: (text) => this.host.secretsInUse.redact(text) },
	});
	/** The processes that windows share, as a window that shares its servers has them. */
	sharing: (() => SharingWindows | undefined) | undefined;
	/** Read at each use; a test may change them. */
	readonly timeouts: { handshakeMs: number; probeMs: number; requestMs: number; maxRequestMs: number };
	private requests: UserRequests = {
		createMessage: (_session, params, context) => {
			this.user.asked.push({ kind: "sampling", params, context });
			return this.user.sample(context);
		},
		elicit: (_session, params, context) => {
			this.user.asked.push({ kind: "elicitation", params, context });
			return this.user.elicit(context);
		},
		onVisited: () => undefined,
	};
	private browser: SignInBrowser = {
		openReceiver: () => Promise.reject(new HostError("needs-sign-in", "This test has no browser.")),
		open: () => Promise.reject(new HostError("needs-sign-in", "This test has no browser.")),
	};
	private readonly foldersChanged = new Emitter<void>();
	private folders: readonly OpenFolder[] = [{ name: "folder", scheme: "file", path: this.folder }];

	constructor({
		handshakeMs = 60_000,
		probeMs = 20_000,
		requestMs = 30_000,
		maxRequestMs = 60_000,
		limits = {},
		listLimits = {},
		extensions,
		secrets: shared = new Map(),
	}: Timeouts = {}) {
		this.secrets = shared;
		this.timeouts = { handshakeMs, probeMs, requestMs, maxRequestMs };
		const state = new Map<string, unknown>();
		const workspaceState = new Map<string, unknown>();
		const { secrets } = this;
		const write = (server: string, level: string) => (message: string) =>
			void this.log.push(`${server} ${level} ${message}`);
		const foldersNow = (): readonly OpenFolder[] => this.folders;
		this.host = new McpHost({
			version: "0.0.0",
			requests: async () => this.requests,
			identityProvider: async () => this.identityProvider,
			extensions: () => extensions,
			browser: {
				openReceiver: async (port) => this.browser.openReceiver(port),
				open: async (...request) => this.browser.open(...request),
			},
			serverLog: (server) => ({
				trace: write(server, "trace"),
				debug: write(server, "debug"),
				info: write(server, "info"),
				warn: write(server, "warn"),
				error: write(server, "error"),
			}),
			openStore: async () =>
				new Store({ folder: undefined, onProblem: (message) => write("MCP Host", "error")(message) }),
			state: storeOf(state),
			workspaceState: storeOf(workspaceState),
			secrets: {
				get: async (key) => secrets.get(key),
				store: async (key, value) => {
					secrets.set(key, value);
					changesOf(secrets).fire({ key });
				},
				delete: async (key) => {
					secrets.delete(key);
					changesOf(secrets).fire({ key });
				},
				onDidChange: changesOf(secrets).event,
				keys: async () => [...secrets.keys()],
			},
			isWorkspaceTrusted: () => this.isWorkspaceTrusted,
			folders: {
				get current() {
					return foldersNow();
				},
				onDidChange: this.foldersChanged.event,
			},
			askInput: () => Promise.resolve("a typed secret"),
			limits: { ...defaultConnectionLimits, ...limits },
			listLimits: { ...defaultListLimits, ...listLimits },
			logLevels: { of: () => "info", onDidChange: () => ({ dispose() {} }) },
			network: { environment: process.env },
			timeouts: this.timeouts,
			tap: async ({ id, name }) => this.trace.tap(id, name),
			sharing: async () => this.sharing?.(),
			demo: { command: process.execPath, args: [resolve("dist/demoServer.js"), "--step", "1"], env: {} },
		});
	}

	/** Replaces `user`. */
	answerWith(requests: Omit<UserRequests, "onVisited"> & Partial<UserRequests>): void {
		this.requests = { onVisited: () => undefined, ...requests };
	}

	/** Gives the user a browser, which they do not have by default. */
	signInWith(browser: SignInBrowser): void {
		this.browser = browser;
	}

	/** A path in this test's folder. */
	path(...names: readonly string[]): string {
		return join(this.folder, ...names);
	}

	/** Creates folders in this test's folder and opens them, as an editor's window would, in place of the previous ones. */
	openFolders(...names: readonly string[]): void {
		for (const name of names) mkdirSync(this.path(name), { recursive: true });
		this.show(...names.map((name) => ({ name, scheme: "file", path: this.path(name) })));
	}

	/** Opens any folders, in place of the previous ones. */
	show(...folders: readonly OpenFolder[]): void {
		this.folders = folders;
		this.foldersChanged.fire();
	}

	/** Applies the user's settings with these servers, approves them as the user would, and starts none. */
	async configure(servers: JsonObject): Promise<void> {
		await this.host.configure([{ origin: userSettings, content: { value: servers } }], false);
		for (const { definition } of this.host.registry.sessions) await this.host.approve(definition);
	}

	/** The session of a server by its name. */
	session(name: string): ServerSession {
		const session = this.host.registry.sessions.find(({ definition }) => definition.name === name);
		if (session === undefined) throw new Error(`No server ${name} is configured.`);
		return session;
	}

	/** Configures one server, and starts it, whatever the result. */
	async start(name: string, config: JsonObject): Promise<ServerSession> {
		await this.configure({ [name]: config });
		const session = this.session(name);
		await this.host.start(session.definition.id);
		return session;
	}

	/** Configures one server, and starts it. Throws the tree's text if it does not run. */
	async run(name: string, config: JsonObject): Promise<ServerSession> {
		const session = await this.start(name, config);
		factsOf(session);
		return session;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.host.shutdown();
		// A process that is just ending may still write its last line to a log there.
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
	}
}

/** A store that keeps nothing. As untyped as an editor's: the reader checks the type. */
function storeOf(values: Map<string, unknown>): KeyValue {
	return {
		get: (key) => structuredClone(values.get(key)) as never,
		update: async (key, value) => void values.set(key, structuredClone(value)),
	};
}

/** A running server's description of itself; throws the tree's text when it does not run. */
export function factsOf({ definition, state }: ServerSession): ServerFacts {
	if (state.kind === "running") return state.facts;
	throw new Error(
		`${definition.name}: ${state.kind}${state.kind === "failed" ? `: ${state.message}\n${state.stderr.join("\n")}` : ""}`,
	);
}

/** The message of a server that failed; throws when it did not. */
export function failureOf({ definition, state }: ServerSession): string {
	if (state.kind === "failed") return state.message;
	throw new Error(`${definition.name} is ${state.kind}`);
}
