import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ActivityEntry, ActivityNotes } from "../../src/records/activity/journal/entry.ts";
import type { ToolAnswer, ToolQuestion } from "../../src/features/tools/approval.ts";
import { ResourceWatches } from "../../src/features/resources/subscriptions.ts";
import { Bridge } from "../../src/surfaces/bridge/bridge.ts";
import { ClientKeys } from "../../src/surfaces/bridge/clientKeys.ts";
import { ClientConsents, consentsName } from "../../src/surfaces/bridge/consents.ts";
import type { ClientProgram } from "../../src/surfaces/bridge/program.ts";
import type { AskingAgent } from "../../src/surfaces/guest/guestQuestions.ts";
import { onLines } from "../servers/received.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { TestHost } from "./testHost.ts";

/** The shipped command line, as agents start it. */
export const commandLine = path.resolve("dist/cli.js");

/** A window in this process that shares the servers of a test's host, and its user. */
export class BridgeScene implements AsyncDisposable {
	readonly host = new TestHost();
	readonly user = new User({ kind: "deny" });
	readonly notes: ActivityEntry[] = [];
	/** The questions about programs, and about calls with the agents that want them. */
	readonly programs: ClientProgram[] = [];
	readonly questions: { readonly agent: AskingAgent; readonly question: ToolQuestion }[] = [];
	readonly bridges: Bridge[] = [];
	readonly clients: Client[] = [];
	private readonly windows: ChildProcess[] = [];
	/** The answers of the user; undefined leaves a question open. */
	allowsProgram: boolean | undefined = true;
	answer: ToolAnswer | undefined = { kind: "allow" };
	mostUnasked = 100;
	/** Of the window that was opened last. */
	consents: ClientConsents | undefined;
	keys: ClientKeys | undefined;

	/** Where windows and commands meet. */
	get folder(): string {
		return this.host.path("meeting");
	}

	/** Receives the steps of calls in the windows of this process. */
	readonly sink: ActivityNotes = {
		note: (entry) => {
			this.notes.push(entry);
			this.journal?.note(entry);
		},
	};
	private journal: ActivityNotes | undefined;

	/** Opens a window with a folder of this test; `journal` receives its activity, too. */
	async open(name = "work", journal?: ActivityNotes): Promise<Bridge> {
		this.journal = journal;
		const { registry } = this.host.host;
		const { policy, pins, approvals } = this.user;
		const work = this.host.path(name);
		mkdirSync(work, { recursive: true });
		const shared = await this.host.host.shared.get();
		const notes = this.sink;
		const consents = new ClientConsents({
			journal: shared.journal(consentsName),
			notes,
			ask: async (program) => {
				this.programs.push(program);
				return this.allowsProgram ?? new Promise<never>(() => undefined);
			},
			home: "/home/nobody",
			now: () => performance.now(),
		});
		this.consents = consents;
		const keys = new ClientKeys({ secrets: this.host.host.secrets, notes });
		this.keys = keys;
		const bridge = new Bridge({
			consents,
			keys,
			secrets: this.host.host.secrets,
			version: "0.0.0",
			directory: registry,
			policy,
			pins,
			approvals,
			notes,
			refreshRules: async () => undefined,
			mostUnasked: () => this.mostUnasked,
			now: () => performance.now(),
			callerOf: (agent) => ({
				during: agent.during,
				...(agent.client === undefined ? {} : { client: agent.client }),
				list: (question) => {
					this.questions.push({ agent, question });
					const { answer } = this;
					if (answer !== undefined) queueMicrotask(() => question.decision.answer(answer));
				},
			}),
			start: async (id) => registry.get(id)?.start({ isAutomatic: true }) ?? { kind: "stopped" },
			makeWatches: (listener) => new ResourceWatches(registry, listener),
			folder: this.folder,
			workspaceFolders: async () => [realpathSync(work)],
			home: "/home/nobody",
			shared,
			log: { info: () => undefined, error: () => undefined },
		});
		this.bridges.push(bridge);
		await bridge.turn(true);
		return bridge;
	}

	/** Opens a window without servers in a process of its own. */
	async openElsewhere(name: string): Promise<ChildProcess> {
		const script = fileURLToPath(new URL("./bridgeWindow.ts", import.meta.url));
		const child = spawn(process.execPath, [script, this.folder, this.host.path(name)], {
			stdio: ["ignore", "pipe", "inherit"],
		});
		this.windows.push(child);
		await once(child.stdout, "data");
		return child;
	}

	/** How an agent starts the command. */
	command(cwd = "work"): { readonly command: string; readonly args: string[]; readonly cwd: string } {
		mkdirSync(this.host.path(cwd), { recursive: true });
		return {
			command: process.execPath,
			args: [commandLine, "serve", "--folder", this.folder],
			cwd: this.host.path(cwd),
		};
	}

	/** Connects a client of the newest generation, which tries the newest revision first. */
	async connect(name = "agent", cwd = "work"): Promise<Client> {
		const client = new Client(
			{ name, version: "1.0.0" },
			{ capabilities: { sampling: {}, elicitation: {} }, versionNegotiation: { mode: "auto" } },
		);
		await client.connect(new StdioClientTransport({ ...this.command(cwd), stderr: "ignore" }));
		this.clients.push(client);
		return client;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		for (const client of this.clients) await client.close();
		for (const bridge of this.bridges) bridge.dispose();
		for (const window of this.windows) window.kill("SIGKILL");
		await this.host[Symbol.asyncDispose]();
	}
}

/** The names of the tools that a client is offered. */
export async function toolNames(client: Client): Promise<readonly string[]> {
	return (await client.listTools()).tools.map(({ name }) => name);
}

/** An answer as it is on the wire. */
export interface RawAnswer {
	readonly id?: number;
	readonly method?: string;
	readonly result?: JsonObject;
	readonly error?: JsonObject;
}

/** A client without an SDK, as an old agent speaks. */
export class RawAgent {
	readonly child: ChildProcessWithoutNullStreams;
	readonly received: RawAnswer[] = [];
	private lastId = 0;

	private constructor(child: ChildProcessWithoutNullStreams) {
		this.child = child;
		onLines(child.stdout, (line) => this.received.push(JSON.parse(line) as RawAnswer));
		child.stderr.resume();
	}

	static start(scene: BridgeScene): RawAgent {
		const { command, args, cwd } = scene.command();
		return new RawAgent(spawn(command, args, { cwd }));
	}

	async initialize(name: string): Promise<void> {
		const clientInfo = { name, version: "1" };
		await this.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
		this.notify("notifications/initialized");
	}

	async request(method: string, params: JsonObject): Promise<RawAnswer> {
		const id = ++this.lastId;
		this.write({ jsonrpc: "2.0", id, method, params });
		return vi.waitUntil(() => this.received.find((one) => one.id === id), { timeout: 60_000 });
	}

	notify(method: string): void {
		this.write({ jsonrpc: "2.0", method });
	}

	/** Waits for a notification. */
	async notified(method: string): Promise<void> {
		await vi.waitUntil(() => this.received.some((one) => one.method === method), { timeout: 60_000 });
	}

	write(message: JsonObject): void {
		this.child.stdin.write(`${JSON.stringify(message)}\n`);
	}

	/** Closes its input, and waits for the command to end. */
	async end(): Promise<number | null> {
		const ended = once(this.child, "exit");
		this.child.stdin.end();
		await ended;
		return this.child.exitCode;
	}
}

/** The text of a result. */
export function textIn(result: object): string {
	const { content } = result as { readonly content?: readonly { readonly text?: string }[] };
	return (content ?? []).map(({ text = "" }) => text).join("\n");
}
