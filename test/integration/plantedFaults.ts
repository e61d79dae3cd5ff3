/** Ten faults of servers, planted and triggered, for which users search the trace (docs/finding-faults.md, TRC-43). */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { vi } from "vitest";
import { runCall } from "../../src/features/tools/call.ts";
import { readCatalog } from "../../src/permissions/catalog/catalog.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import type { Exchange } from "../../src/records/trace/exchange.ts";
import { type HttpServer, startHttpServer } from "../servers/httpServer.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { scriptConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** The time limit for each step, in milliseconds: a machine under load is slow. */
const patience = 50_000;

/** The rows of docs/finding-faults.md: the symptom, the steps, the words of the row, and other facts found there. */
export const writtenFaults = readFileSync(resolve("docs/finding-faults.md"), "utf8")
	.split("\n")
	.filter((line) => /^\| [A-Z]/.test(line))
	.slice(1)
	.map((line, index) => {
		const [symptom = "", steps = "", row = "", more = ""] = line.slice(2, -2).split(" | ");
		const [what = "", outcome = ""] = quotedIn(row);
		return { index, symptom, steps: steps.split(" → "), what, outcome, more: quotedIn(more) };
	});

function quotedIn(text: string): readonly string[] {
	return [...text.matchAll(/`([^`]+)`/g)].map(([, piece = ""]) => piece);
}

interface PlantedFault {
	/** The server that has it, and the tool that the user called first. */
	readonly server: "planted" | "weak";
	readonly tool: string;
	/** Whose time the row shows, and its minimum in milliseconds. */
	readonly takes: { readonly of: "user" | "server" | "nobody"; readonly ms?: number };
	/** Triggers it; resolves as soon as its row can be there. */
	meet(scene: PlantedFaults, session: ServerSession): Promise<unknown>;
}

/** In the order of `writtenFaults`. */
export const plantedFaults: readonly PlantedFault[] = [
	{
		server: "planted",
		tool: "report",
		takes: { of: "server", ms: 1000 },
		meet: (_scene, session) => session.callTool("report", {}),
	},
	{
		server: "planted",
		tool: "lookup",
		takes: { of: "nobody" },
		async meet(scene, session) {
			const stop = new AbortController();
			const looking = session.callTool("lookup", {}, { signal: stop.signal }).catch(() => undefined);
			await scene.isRecorded((one) => one.method === "response");
			stop.abort();
			await looking;
		},
	},
	{
		server: "planted",
		tool: "save",
		takes: { of: "server" },
		meet: (_scene, session) => session.callTool("save", {}, { asker: "model" }),
	},
	{
		server: "planted",
		tool: "forecast",
		takes: { of: "server" },
		meet: (scene) => scene.callAsUser("forecast"),
	},
	{
		server: "weak",
		tool: "echo",
		takes: { of: "server" },
		async meet({ http }, session) {
			http.loseSessions();
			// A call would be preceded by a ping, which would notice the loss.
			await session.getPrompt("plain", {});
		},
	},
	{
		server: "weak",
		tool: "change",
		takes: { of: "server" },
		meet: (_scene, session) => session.callTool("change", { what: "prompts" }).catch(() => undefined),
	},
	{
		server: "planted",
		tool: "watch",
		takes: { of: "nobody" },
		meet: (_scene, session) => session.callTool("watch", {}),
	},
	{
		server: "weak",
		tool: "echo",
		takes: { of: "server" },
		async meet(_scene, session) {
			await vi.waitUntil(() => session.resources.items.length > 0, patience);
			await session.readResource(session.resources.items[0]?.uri ?? "");
		},
	},
	{
		server: "planted",
		tool: "order",
		takes: { of: "user" },
		async meet(scene, session) {
			const { user } = scene.host;
			user.elicit = () => new Promise(() => undefined);
			session.callTool("order", {}).catch(() => undefined);
			await vi.waitUntil(() => user.asked.length === 1, patience);
			await scene.isRecorded(({ target, durations }) => target === "order" && durations.user > 0);
		},
	},
	{
		server: "planted",
		tool: "search",
		takes: { of: "nobody" },
		async meet(scene, session) {
			const stop = new AbortController();
			const searching = session.callTool("search", {}, { signal: stop.signal }).catch(() => undefined);
			await scene.isRecorded(({ target }) => target === "search");
			stop.abort();
			await searching;
			await scene.isRecorded(({ method, target }) => method === "response" && target === "search");
		},
	},
];

/** A host with the two servers that have the faults. */
export class PlantedFaults implements AsyncDisposable {
	readonly host: TestHost;
	readonly http: HttpServer;

	private constructor(host: TestHost, http: HttpServer) {
		this.host = host;
		this.http = http;
	}

	/** Starts the servers, with messages kept as while the trace is open, and triggers all ten, one after the other. */
	static async meet(): Promise<PlantedFaults> {
		const scene = new PlantedFaults(new TestHost(), await startWeakServer());
		const { host, http } = scene;
		host.traceLevel = "bodies";
		await host.configure({
			planted: scriptConfig(resolve("test/servers/plantedFaults.ts")),
			weak: { url: http.url },
		});
		for (const { definition } of host.host.registry.sessions) await host.host.start(definition.id);
		for (const { server, tool, meet } of plantedFaults) {
			const session = host.session(server);
			await vi.waitUntil(() => session.tools.get(tool) !== undefined, patience);
			await meet(scene, session);
		}
		return scene;
	}

	/** Waits until such an exchange is in the trace. */
	async isRecorded(isMeant: (exchange: Exchange) => boolean): Promise<void> {
		await vi.waitUntil(() => this.host.trace.snapshot(0).exchanges.some(isMeant), patience);
	}

	/** Calls a tool as users and models do: the result is checked against its schema. */
	async callAsUser(name: string): Promise<void> {
		const entry = readCatalog(this.host.host.registry).entries.find(({ tool }) => tool.name === name);
		if (entry === undefined) throw new Error(`There is no tool ${name}.`);
		const user = new User({ kind: "allow" });
		const { approvals, policy, pins } = user;
		const { signal } = new AbortController();
		const events = runCall({ callId: "1", entry, arguments: {} }, { approvals, policy, pins, signal });
		for (let next = await events.next(); next.done !== true; next = await events.next()) user.see(next.value);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.host[Symbol.asyncDispose]();
		await this.http[Symbol.asyncDispose]();
	}
}

/** The small server, which cuts its first answer to a read, and to a call of the modifying tool. */
function startWeakServer(): Promise<HttpServer> {
	const broken = new Set<string>();
	return startHttpServer({
		speaks: "legacy",
		intercept({ body }) {
			const text = JSON.stringify(body ?? "");
			const what = ["resources/read", '"name":"change"'].find((words) => text.includes(words) && !broken.has(words));
			if (what === undefined) return undefined;
			broken.add(what);
			return { status: 200, headers: { "content-type": "text/event-stream" }, body: ": here it comes\n\n" };
		},
	});
}
