/**
 * A server that uses the client's model in every possible way, in both eras, over stdio or, with a port, over HTTP:
 * `node samplingServer.ts [--era both|legacy|modern] [--name name] [--log path] [--port n] [--eager]`: an eager legacy
 * one asks as soon as the connection is open. Its tools are in samplingTools.ts; `later` and `exit` are here. The
 * answers to a tool's requests are its structured content: `answers`, each a `result` or an `error`. In revision
 * 2026-07-28 a refused request ends the call at the client, as the protocol requires.
 */
import {
	inputRequired,
	ProtocolError,
	Server,
	type CallToolResult,
	type InputRequiredResult,
	type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../../src/base/json.ts";
import { recorderFromProcess, recordStdio } from "./received.ts";
import { paramsOf, report, runSampling, samplingTools, type Answer, type Sampling } from "./samplingTools.ts";

/** A user may take their time. */
const patience = { timeout: 3_600_000 };

/** Makes a server for one connection. */
export function samplingServer(name = "sampling"): Server {
	const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });
	const later: Answer[] = [];
	server.setRequestHandler("tools/list", () => ({
		tools: [
			...samplingTools,
			{
				name: "later",
				description: "Returns at once and asks after `delayMs`, on its own; with `read`, says what came of it.",
				inputSchema: {
					type: "object",
					properties: {
						delayMs: { type: "integer" },
						/** How many it asks for at once; one unless given. */
						count: { type: "integer" },
						/** It asks once this file exists. */
						whenThere: { type: "string" },
						read: { type: "boolean" },
						params: { type: "object" },
						text: { type: "string" },
					},
				},
			},
			{ name: "exit", description: "Ends the process.", inputSchema: { type: "object" } },
		],
	}));
	server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
		const args = (params.arguments ?? {}) as JsonObject;
		if (params.name === "exit") return process.exit(3);
		if (params.name === "later") {
			if (args["read"] === true) return report(later);
			void askLater(server, args, later);
			return report([]);
		}
		await untilThere(args);
		const start = (): Sampling => {
			const sampling = runSampling(params.name, args);
			if (sampling === undefined) throw new ProtocolError(-32602, `Unknown tool ${params.name}`);
			return sampling;
		};
		const isModern = (server.getNegotiatedProtocolVersion() ?? "") >= "2026";
		return isModern ? nextRound(start(), mcpReq) : runThrough(start(), mcpReq);
	});
	return server;
}

async function askLater(server: Server, args: JsonObject, answers: Answer[]): Promise<void> {
	const { delayMs = 0, count = 1 } = args;
	await wait(Number(delayMs));
	await untilThere(args);
	for (let number = 1; number <= Number(count); number++) {
		void ask((request) => server.request(request, patience), paramsOf(args, number)).then((answer) =>
			answers.push(answer),
		);
	}
}

/** Lets a test choose the moment: any tool waits for the file `whenThere`, if it is given one. */
async function untilThere({ whenThere }: JsonObject): Promise<void> {
	const mayGoOn = (): boolean => typeof whenThere !== "string" || existsSync(whenThere);
	while (!mayGoOn()) await wait(20);
}

type Request = ServerContext["mcpReq"];
type CreateMessage = { readonly method: "sampling/createMessage"; readonly params: never };

/** Sends the params unchanged, valid or not. */
async function ask(send: (request: CreateMessage) => Promise<unknown>, params: JsonObject): Promise<Answer> {
	try {
		const result = await send({ method: "sampling/createMessage", params: params as never });
		return { result: result as JsonObject };
	} catch (error) {
		if (error instanceof ProtocolError) return { error: { code: error.code, message: error.message } };
		return { error: { code: 0, message: String(error) } };
	}
}

async function runThrough(sampling: Sampling, mcpReq: Request): Promise<CallToolResult> {
	let step = sampling.next([]);
	while (step.done !== true) {
		const answers = step.value.map((params) => ask((request) => mcpReq.send(request, patience), params));
		step = sampling.next(await Promise.all(answers));
	}
	return step.value;
}

/** Revision 2026-07-28 keeps nothing between the rounds of a call: earlier answers travel with the request's state. */
function nextRound(sampling: Sampling, mcpReq: Request): CallToolResult | InputRequiredResult {
	const state = mcpReq.requestState<string>();
	const past = state === undefined ? [] : (JSON.parse(state) as Answer[][]);
	const given = Object.entries(mcpReq.inputResponses ?? {});
	if (given.length > 0) {
		const inOrder = given.toSorted(([a], [b]) => Number(a) - Number(b));
		past.push(inOrder.map(([, result]) => ({ result: result as JsonObject })));
	}
	let step = sampling.next([]);
	for (const answers of past) if (step.done !== true) step = sampling.next(answers);
	if (step.done === true) return step.value;
	const requests = step.value.map((params, index) => [String(index), inputRequired.createMessage(params as never)]);
	return inputRequired({ inputRequests: Object.fromEntries(requests) as never, requestState: JSON.stringify(past) });
}

if (process.argv[1]?.endsWith("samplingServer.ts") === true) {
	const { values } = parseArgs({
		options: {
			era: { type: "string", default: "both" },
			name: { type: "string", default: "sampling" },
			log: { type: "string" },
			port: { type: "string" },
			eager: { type: "boolean", default: false },
		},
	});
	const { era, name, port, eager } = values;
	if (port !== undefined) {
		const { startSamplingServer } = await import("./samplingHttp.ts");
		const speaks = era === "legacy" || era === "modern" ? era : "both";
		const { url } = await startSamplingServer({ port: Number(port), speaks, name });
		console.log(`Sampling server on ${url}`);
	} else {
		recordStdio(recorderFromProcess());
		if (era === "legacy") {
			const server = samplingServer(name);
			if (eager) server.oninitialized = () => void askLater(server, { text: "Are you back?" }, []);
			await server.connect(new StdioServerTransport());
		} else serveStdio(() => samplingServer(name), { legacy: era === "modern" ? "reject" : "serve" });
	}
}
