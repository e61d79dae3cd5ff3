/** Ten faults of servers, each found in the trace by the steps of docs/finding-faults.md (TRC-43). */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { applySchema } from "../../src/base/schema/schema.ts";
import type { ServerSession } from "../../src/servers/serverSession.ts";
import { filterPresets } from "../../src/trace/filterWords.ts";
import { bodiesOf, searchedText } from "../../src/trace/view/messages.ts";
import { misfitsOf } from "../../src/trace/view/traceActions.ts";
import { detailOf } from "../../src/trace/view/traceDetail.ts";
import { TraceList } from "../../src/trace/view/traceList.ts";
import { readTraceRequest } from "../../src/trace/view/traceRequest.ts";
import { type HttpServer, startHttpServer } from "../servers/httpServer.ts";
import { scriptConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** The rows of the table: what is seen, by which steps, what is found. */
const table = readFileSync(resolve("docs/finding-faults.md"), "utf8")
	.split("\n")
	.filter((line) => /^\| [A-Z]/.test(line))
	.slice(1)
	.map((line, index) => {
		const [symptom = "", steps = "", found = ""] = line.slice(2, -2).split(" | ");
		return {
			index,
			symptom,
			steps: steps.split(" → "),
			pieces: [...found.matchAll(/`([^`]+)`/g)].map(([, piece = ""]) => piece),
		};
	});

/** Who looks: the host whose trace it is, the server, and the tool that the person began with. */
interface Scene {
	readonly host: TestHost;
	readonly session: ServerSession;
	readonly tool: string;
	/** The server over HTTP, where it is one. */
	readonly http: HttpServer | undefined;
}

/** What a person reads of the exchanges that the steps lead to: their rows, what is below them, and their details. */
async function read({ host, session, tool }: Scene, steps: readonly string[]): Promise<readonly string[]> {
	const list = new TraceList(host.trace, (exchange) => searchedText(host.trace, exchange));
	list.update();
	for (const step of steps) {
		const preset = filterPresets.find(({ label }) => step === `*${label}*`);
		const [, typed] = /^`(.+)`$/.exec(step) ?? [];
		const server = session.definition.id;
		const shown =
			step === "*Show in Trace*" ? readTraceRequest({ server, tool }, host.host.registry, host.trace) : undefined;
		const filter = preset?.filter ?? typed ?? shown?.filter;
		if (filter !== undefined) expect(list.find(filter)).toBeUndefined();
		else expect(["*Show Trace*", "the row"]).toContain(step);
	}
	for (const { id } of list.all) list.fold(String(id), true);
	const keys = list.rows(0, 1000).map(({ key }) => key);
	const texts: string[] = [];
	for (const key of keys) {
		const place = list.named(key);
		if (place === undefined) continue;
		const [row] = list.rows(list.indexOf(key) ?? -1, 1);
		const bodies = bodiesOf(host.trace, place);
		const found = session.tools.get(place.exchange.target ?? "");
		const misfits =
			found === undefined || place.child !== undefined
				? []
				: await misfitsOf(
						bodies,
						{
							inputSchema: found.inputSchema as JsonObject,
							outputSchema: found.outputSchema as JsonObject | undefined,
						},
						applySchema,
					);
		const detail = detailOf({ place, bodies, tokensOf: () => 0, notKept: "", misfits, actions: [], copies: [] });
		texts.push([row?.what, row?.outcome, ...detail.facts.map(({ value }) => value), ...detail.notes].join("\n"));
	}
	return texts;
}

/** The planted faults in the order of the table: each is done to a running server until its trace can be there. */
const planted: readonly {
	readonly tool: string;
	readonly over: "stdio" | "http";
	act(scene: Scene): Promise<unknown>;
}[] = [
	{ tool: "report", over: "stdio", act: ({ session }) => session.callTool("report", {}) },
	{
		tool: "lookup",
		over: "stdio",
		act: async ({ session }) => void session.callTool("lookup", {}).catch(() => undefined),
	},
	{ tool: "save", over: "stdio", act: ({ session }) => session.callTool("save", {}) },
	{ tool: "forecast", over: "stdio", act: ({ session }) => session.callTool("forecast", {}) },
	{
		tool: "echo",
		over: "http",
		async act({ session, http }) {
			http?.loseSessions();
			await session.callTool("echo", { text: "again" });
		},
	},
	{
		tool: "change",
		over: "http",
		act: ({ session }) => session.callTool("change", { what: "prompts" }).catch(() => undefined),
	},
	{ tool: "watch", over: "stdio", act: ({ session }) => session.callTool("watch", {}) },
	{
		tool: "echo",
		over: "http",
		async act({ session }) {
			await expect.poll(() => session.resources.items.length).toBeGreaterThan(0);
			await session.readResource(session.resources.items[0]?.uri ?? "");
		},
	},
	{
		tool: "order",
		over: "stdio",
		async act({ host, session }) {
			host.person.elicit = () => new Promise(() => undefined);
			session.callTool("order", {}).catch(() => undefined);
			await expect.poll(() => host.person.asked.length).toBe(1);
		},
	},
	{
		tool: "search",
		over: "stdio",
		async act({ host, session }) {
			const stop = new AbortController();
			const searching = session.callTool("search", {}, { signal: stop.signal }).catch(() => undefined);
			await expect.poll(() => host.trace.snapshot(0).exchanges.some(({ target }) => target === "search")).toBe(true);
			stop.abort();
			await searching;
		},
	},
];

/** The small server, which breaks off its first answer to a read, and to a call of the tool that changes something. */
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

describe("A fault is found in at most three steps (TRC-43)", () => {
	it("of which each is written down", () => {
		expect(table).toHaveLength(planted.length);
		for (const { steps } of table) expect(steps.length).toBeLessThanOrEqual(3);
	});

	it.each(table)("$symptom", async ({ steps, pieces, index }) => {
		const fault = planted[index];
		if (fault === undefined) throw new Error("Nobody planted this fault.");
		await using host = new TestHost();
		host.traceLevel = "bodies";
		await using http = fault.over === "http" ? await startWeakServer() : undefined;
		const config = http === undefined ? scriptConfig(resolve("test/servers/plantedFaults.ts")) : { url: http.url };
		const session = await host.run("planted", config);
		await expect.poll(() => session.tools.get(fault.tool)).toBeDefined();
		const scene = { host, session, tool: fault.tool, http };
		await fault.act(scene);
		for (const piece of pieces)
			await expect.poll(async () => (await read(scene, steps)).join("\n---\n")).toContain(piece);
	});
});
