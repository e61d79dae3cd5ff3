import { createMcpHandler } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { resolve } from "node:path";
import { expect } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { ChatPart } from "../../src/surfaces/chat/parts.ts";
import { FinishedCalls } from "../../src/features/tools/results/finishedCalls.ts";
import type { TurnEvent } from "../../src/surfaces/chat/turnEvents.ts";
import type { TurnLimits } from "../../src/surfaces/chat/turnBudget.ts";
import { TurnView } from "../../src/surfaces/chat/turnView.ts";
import { PinnedDefinitions } from "../../src/permissions/pinning/pinnedDefinitions.ts";
import { Grants } from "../../src/permissions/grants/grants.ts";
import { RulesAndGrants } from "../../src/permissions/policy/policy.ts";
import { KeptResults, readingLimits, ResultReading } from "../../src/features/tools/results/resultReading.ts";
import { resultTools } from "../../src/features/agentTools/resultTools.ts";
import { RunningCalls } from "../../src/features/tools/runningCall.ts";
import { openToolBox, type ToolBox } from "../../src/features/agentTools/toolBox.ts";
import { canaryPlace } from "../servers/poison.ts";
import { poisonedServer } from "../servers/poisonedServer.ts";
import { messagesOf, readReceived, type Received } from "../servers/received.ts";
import { play, type ScriptedModel, wideLimits } from "../unit/surfaces/chat/scripted.ts";
import { memoryStore } from "../unit/base/store/storeFolder.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { scriptConfig, smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** How the attacker is reached. */
export interface Reach {
	readonly transport: "stdio" | "http";
	readonly era: "legacy" | "modern";
}

/** The outcome of a turn. */
export interface Attack {
	readonly events: readonly TurnEvent[];
	/** The content of the chat. */
	readonly shown: readonly ChatPart[];
}

/** An effect on a server. */
export interface Action {
	readonly method: string;
	/** The tool's or prompt's real name, or the URI. */
	readonly target: string;
	readonly arguments: Json | undefined;
}

/** The methods with an effect on a server, beside listing. */
const actions = ["tools/call", "resources/read", "prompts/get", "completion/complete", "resources/subscribe"];

/**
 * The product's whole loop over an attacker and a victim, both real servers; only the model, the user and the pixels
 * are not real. Addresses that must never be opened or fetched are those of the canary.
 */
export class AttackScene implements AsyncDisposable {
	readonly host = new TestHost();
	readonly finished = new FinishedCalls();
	readonly kept = new KeptResults();
	private readonly web: Received[] = [];
	/** The number of taken actions of each log. */
	private readonly seen: number[] = [];
	private readonly canary: Canary;
	private readonly stack: AsyncDisposableStack;
	private readonly pins = new PinnedDefinitions(this.host.host.registry, memoryStore());
	private readonly policy = new RulesAndGrants({
		rules: { lists: [], onDidChange: () => ({ dispose: () => undefined }) },
		grants: new Grants({ store: memoryStore() }),
		pins: this.pins,
	});

	private constructor(canary: Canary, stack: AsyncDisposableStack) {
		this.canary = canary;
		this.stack = stack;
		this.host.user.elicit = () => Promise.resolve({ action: "decline" });
		this.host.user.sample = () => Promise.reject(new Error("The user declined."));
	}

	/** Starts the attacker, under the name `poisoned`, and the victim `small`, and waits for their lists. */
	static async open(reach: Reach): Promise<AttackScene> {
		await using stack = new AsyncDisposableStack();
		const canary = stack.use(await Canary.start());
		const scene = new AttackScene(canary, stack.move());
		const { host } = scene;
		await host.configure({
			small: smallConfig("modern", host.path("small.log")),
			poisoned: reach.transport === "http" ? await scene.serve(reach) : scene.command(reach),
		});
		await host.host.startApproved();
		for (const name of ["small", "poisoned"]) {
			const session = host.session(name);
			await expect.poll(() => [session.state.kind, session.tools.status.kind]).toEqual(["running", "ready"]);
		}
		await expect.poll(() => host.session("poisoned").resources.status.kind).toBe("ready");
		return scene;
	}

	/** Plays a turn. `isOffered` removes tools from those that the model receives; by default it receives all. */
	async turn(
		model: ScriptedModel,
		user: User,
		{ limits = { ...wideLimits, calls: 1000 }, isOffered = () => true }: AttackOptions = {},
	): Promise<Attack> {
		const shown: ChatPart[] = [];
		const view = new TurnView(
			{
				modelText: () => undefined,
				parts: (parts) => void shown.push(...parts),
				progress: () => undefined,
			},
			this.finished,
			new RunningCalls(),
		);
		const reading = new ResultReading(this.kept, readingLimits({ maxInputTokens: 100_000, supportsTools: true }));
		const box = openToolBox({
			directory: this.host.host.registry,
			pins: this.pins,
			budgetTokens: Infinity,
			hostTools: () =>
				resultTools(reading, { sessions: box.sessions, isLinked: (...link) => this.finished.isLinked(...link) }),
		});
		const { events } = await play([], [], user, {
			model,
			box: only(box, isOffered),
			policy: this.policy,
			pins: this.pins,
			reading,
			limits,
			onEvent: (event) => view.show(event),
		});
		return { events, shown };
	}

	/** The effects on the servers since the last call: methods and parameters, as on the wire. */
	takeActions(): readonly Action[] {
		const logs = ["small", "poisoned"].map((name) => readReceived(this.host.path(`${name}.log`)));
		const taken = [...logs, this.web].flatMap((log, index) => {
			const messages = actions.flatMap((method) => messagesOf(log, method));
			const first = this.seen[index] ?? 0;
			this.seen[index] = messages.length;
			return messages.slice(first);
		});
		return taken.map(({ method, params }) => {
			const { name, arguments: args, uri } = params as JsonObject;
			return { method: method as string, target: (name ?? uri) as string, arguments: args };
		});
	}

	/** A text of a poison as the attacker sends it. */
	fill(text: string): string {
		return text.replaceAll(canaryPlace, this.canary.url);
	}

	/** The number of connections to the address that must not be reached. */
	get connections(): number {
		return this.canary.connections;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.pins.dispose();
		await this.host[Symbol.asyncDispose]();
		await this.stack.disposeAsync();
	}

	private command({ era }: Reach): JsonObject {
		const file = resolve(import.meta.dirname, "../servers/poisonedServer.ts");
		const flags = ["--era", era, "--canary", this.canary.url, "--log", this.host.path("poisoned.log")];
		return scriptConfig(file, ...flags);
	}

	/** Serves the attacker in this process. */
	private async serve({ era }: Reach): Promise<JsonObject> {
		const legacy = era === "legacy" ? "stateless" : "reject";
		const handle = toNodeHandler(createMcpHandler(() => poisonedServer(this.canary.url), { legacy }));
		const server = createHttpServer(((request, response) => {
			void readBody(request).then((body) => {
				const { method = "", url = "" } = request;
				this.web.push({ pid: process.pid, kind: "http", method, path: url, headers: {}, ...(body && { body }) });
				return handle(request as Parameters<typeof handle>[0], response, body);
			});
		}) satisfies RequestListener);
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		this.stack.defer(() => {
			server.closeAllConnections();
			server.close();
		});
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
		// Served without sessions, a legacy server would also answer as a modern one.
		return era === "legacy" ? { url, protocol: "legacy" } : { url };
	}
}

interface AttackOptions {
	readonly limits?: TurnLimits;
	readonly isOffered?: (modelName: string) => boolean;
}

/** A user who allows the first calls up to this number, and declines all others. */
export function userWhoAllows(count: number): User {
	let asked = 0;
	return new User(() => ({ kind: asked++ < count ? "allow" : "deny" }));
}

/** The toolbox with fewer tools offered. Lookups are unchanged: a model may guess a name. */
function only(box: ToolBox, isOffered: (modelName: string) => boolean): ToolBox {
	return {
		get sessions() {
			return box.sessions;
		},
		get offered() {
			return box.offered.filter(({ name }) => isOffered(name));
		},
		get isLazy() {
			return box.isLazy;
		},
		find: (name) => box.find(name),
	};
}

/** An address to which nothing has a reason to connect. */
class Canary implements AsyncDisposable {
	connections = 0;
	readonly url: string;
	private readonly server: Server;

	private constructor(server: Server) {
		this.server = server;
		this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		server.on("connection", (socket: Socket) => {
			this.connections++;
			socket.destroy();
		});
	}

	static async start(): Promise<Canary> {
		const server = createServer().listen(0, "127.0.0.1");
		await once(server, "listening");
		return new Canary(server);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.server.close();
		await once(this.server, "close");
	}
}

async function readBody(request: IncomingMessage): Promise<Json | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json);
}
