import type { Log } from "../../../src/base/log.ts";
import { Store } from "../../../src/base/store/store.ts";
import { McpHost } from "../../../src/servers/host.ts";
import { defaultConnectionLimits } from "../../../src/protocol/limits.ts";
import { defaultListLimits } from "../../../src/servers/sessions/managedList.ts";
import type { ServerSession } from "../../../src/servers/sessions/serverSession.ts";
import type { TraceLevel } from "../../../src/records/trace/exchange.ts";
import { Recorder } from "../../../src/records/trace/recorder.ts";
import { openToolBox } from "../../../src/features/agentTools/toolBox.ts";
import type { Client, Reach, Side } from "../side.ts";
import { HostBridge } from "./hostBridge.ts";
import { HostLoop } from "./hostLoop.ts";
import { HostSampling } from "./hostSampling.ts";
import { hostTree } from "./hostTree.ts";

const origin = { kind: "user-settings", label: "Bench", isWorkspace: false } as const;

/**
 * The product's core, whole: approval, order of starts, session, log of requests, timers and transports, and the lists it
 * keeps.
 */
export const host: Side = {
	showsApps: true,
	connect(servers, { asksEra = false, onLog } = {}) {
		let level: TraceLevel = "metadata";
		const trace = new Recorder({ wanted: () => level, redactor: { redact: (text) => text } });
		const setTrace = (wanted: TraceLevel): void => {
			level = wanted;
			trace.reconsider();
		};
		const core = makeCore(onLog, trace);
		const sessions = configure(core, servers, asksEra ? "auto" : "legacy");
		const started = sessions.then(() => core.startApproved());
		return {
			clients: servers.map(async (_, index) => ({
				...(await running(core, (await sessions)[index], started)),
				setTrace,
			})),
			async close() {
				await started;
				await core.shutdown();
			},
		};
	},
};

/** Takes a configuration with these servers and approves them, as the user would. Starts none. */
async function configure(
	core: McpHost,
	servers: readonly Reach[],
	protocol: "auto" | "legacy",
): Promise<readonly ServerSession[]> {
	const value = Object.fromEntries(
		servers.map((server, index) => [
			`server-${index}`,
			server.kind === "stdio"
				? { command: process.execPath, args: [...server.args], protocol }
				: { url: server.url, protocol },
		]),
	);
	await core.configure([{ origin, content: { value } }], false);
	const { sessions } = core.registry;
	for (const { definition } of sessions) await core.approvals.approve(definition);
	return sessions;
}

function makeCore(onLog: (() => void) | undefined, trace: Recorder): McpHost {
	const state = new Map<string, unknown>();
	const ignore = (): undefined => undefined;
	// A server's log messages arrive at their own level; the host itself logs less important ones there as well.
	const log: Log = { trace: ignore, debug: ignore, info: onLog ?? ignore, warn: ignore, error: ignore };
	return new McpHost({
		version: "bench",
		requests: async () => ({
			createMessage: () => Promise.reject(new Error("Nobody asks for a completion.")),
			elicit: () => Promise.reject(new Error("Nobody asks for an answer.")),
			onVisited: ignore,
		}),
		serverLog: () => log,
		openStore: async () => new Store({ folder: undefined, onProblem: ignore }),
		state: {
			get: (key) => state.get(key) as never,
			update: async (key, value) => void state.set(key, value),
		},
		secrets: {
			get: async () => undefined,
			store: async () => undefined,
			delete: async () => undefined,
			keys: async () => [],
		},
		isWorkspaceTrusted: () => true,
		workspaceState: { get: ignore, update: async () => undefined },
		folders: { current: [], onDidChange: () => ({ dispose: ignore }) },
		askInput: async () => undefined,
		limits: defaultConnectionLimits,
		listLimits: defaultListLimits,
		logLevels: { of: () => "info", onDidChange: () => ({ dispose: ignore }) },
		network: { environment: {} },
		tap: async ({ id, name }) => trace.tap(id, name),
		timeouts: { handshakeMs: 60_000, requestMs: 600_000, maxRequestMs: 600_000 },
		demo: { command: "", args: [], env: {} },
	});
}

/** Resolves at the moment in which the session runs, before its lists are read. */
async function running(core: McpHost, session: ServerSession | undefined, started: Promise<void>): Promise<Client> {
	if (session === undefined) throw new Error("A server was not configured.");
	const { promise, resolve } = Promise.withResolvers<Client>();
	const subscription = session.onDidChangeState(({ kind }) => {
		if (kind === "running") resolve(clientOf(core, session));
	});
	const failed = (async () => {
		await started;
		if (session.state.kind !== "running") throw new Error(`Not running: ${JSON.stringify(session.state)}`);
		return promise;
	})();
	return Promise.race([promise, failed]).finally(() => subscription.dispose());
}

function clientOf(core: McpHost, session: ServerSession): Client {
	// Made on first use: a server that only runs does not need it.
	let made: HostLoop | undefined;
	const loop = (): HostLoop => (made ??= new HostLoop(core));
	return {
		loop: {
			call: (name, args) => loop().call(`${session.definition.name}_${name}`, args),
			firstText: () => loop().firstText(),
			prepared: () => loop().prepared(),
		},
		callTool: (name, args) => session.callTool(name, args),
		async openBridge() {
			const bridge = await HostBridge.open(core);
			return {
				callTool: (name, args) => bridge.call(`${session.definition.name}_${name}`, args),
				close: () => bridge.close(),
			};
		},
		async sample(characters, times) {
			const sampling = new HostSampling(session);
			try {
				const taken: number[] = [];
				while (taken.length < times) {
					const start = performance.now();
					await sampling.ask(characters);
					taken.push(performance.now() - start);
				}
				return taken;
			} finally {
				sampling.dispose();
			}
		},
		async readText(uri) {
			const { contents } = await session.readResource(uri);
			const [first] = contents;
			return first !== undefined && "text" in first ? first.text.length : 0;
		},
		openTree: (onPage) => hostTree(core, session, onPage),
		openToolBox: (budgetTokens) =>
			openToolBox({ pins: { approvedTools: () => new Map() }, directory: core.registry, budgetTokens }),
		// The host reads its lists on its own; this waits for the tree's content.
		list: (kind, onPage) =>
			new Promise((resolve, reject) => {
				const list = session[kind];
				const look = (): void => {
					if (list.items.length > 0) onPage();
					if (list.status.kind === "failed") reject(new Error(list.status.message));
					if (list.status.kind !== "ready") return;
					subscription.dispose();
					resolve(list.items.length);
				};
				const subscription = list.onDidChange(look);
				look();
			}),
	};
}
