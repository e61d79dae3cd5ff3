/**
 * The bench's server: speaks revision 2025-11-25 by hand and has its answers ready, so that only the client is
 * measured. `node server.ts [--tools n] [--resources n] [--shelves] [--megabytes n] [--compute ms] [--wait ms]
 * [--starts path] [--http]` With `--http` it prints its port and serves Streamable HTTP without sessions.
 */
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";

const { values } = parseArgs({
	options: {
		tools: { type: "string", default: "1" },
		resources: { type: "string", default: "0" },
		/** Whether the resources are in many deep folders and have a priority. */
		shelves: { type: "boolean", default: false },
		megabytes: { type: "string", default: "0" },
		/** How long the start keeps a processor busy, or waits without using one. */
		compute: { type: "string", default: "0" },
		wait: { type: "string", default: "0" },
		/** A file that gets one line per process. */
		starts: { type: "string" },
		http: { type: "boolean", default: false },
	},
});
const pageSize = 100;
/** How many notifications of a burst are written before input is looked at again. */
const burstSlice = 100;

interface Message {
	readonly id?: number | string;
	readonly method?: string;
	readonly params?: {
		readonly cursor?: string;
		readonly name?: string;
		readonly arguments?: { readonly count?: number };
	};
}

if (values.starts !== undefined) appendFileSync(values.starts, `${process.pid}\n`);
const pages = makePages();
const answers = new Map<string, string>([
	["initialize", initializeResult()],
	["ping", "{}"],
	["tools/list", toolsResult()],
	["tools/call", JSON.stringify({ content: [{ type: "text", text: "ok" }] })],
	["resources/templates/list", JSON.stringify({ resourceTemplates: [] })],
	["resources/read", resourceResult(Number(values.megabytes))],
]);
const busyUntil = performance.now() + Number(values.compute);
while (performance.now() < busyUntil);
if (Number(values.wait) > 0) await new Promise((resolve) => setTimeout(resolve, Number(values.wait)));
if (values.http) serveHttp();
else serveStdio();

/** One answer as text, without a line end. */
function answer({ id, method = "", params }: Message): string {
	const result = method === "resources/list" ? pages.get(params?.cursor ?? "") : answers.get(method);
	const outcome = result === undefined ? '"error":{"code":-32601,"message":"Method not found"}' : `"result":${result}`;
	return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}`;
}

function serveStdio(): void {
	let rest = "";
	process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
		const lines = (rest + chunk).split("\n");
		rest = lines.pop() ?? "";
		let output = "";
		for (const line of lines) {
			const message = JSON.parse(line) as Message;
			if (message.params?.name === "burst") burst(message);
			else if (message.id !== undefined) output += `${answer(message)}\n`;
		}
		// One write for all answers: the server's own work must not hide the client's.
		if (output !== "") process.stdout.write(output);
	});
}

/** Sends that many log messages, answering calls in between, and answers the call for the burst last. */
function burst(message: Message, sent = 0): void {
	const count = message.params?.arguments?.count ?? 0;
	const end = Math.min(sent + burstSlice, count);
	let output = "";
	for (let index = sent; index < end; index++) {
		const params = { level: "info", logger: "bench", data: `Message ${index}: the quick brown fox jumps over it` };
		output += `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params })}\n`;
	}
	if (end === count) output += `${answer(message)}\n`;
	const isTaken = process.stdout.write(output);
	if (end === count) return;
	// As a server does that limits its memory: otherwise a call would wait for all queued messages of the server.
	if (isTaken) setImmediate(burst, message, end);
	else process.stdout.once("drain", () => burst(message, end));
}

function serveHttp(): void {
	const server = createServer((request, response) => {
		void readBody(request).then((body) => {
			if (request.method !== "POST") return response.writeHead(405).end();
			const message = JSON.parse(body) as Message;
			if (message.id === undefined) return response.writeHead(202).end();
			return response.writeHead(200, { "content-type": "application/json" }).end(answer(message));
		});
	});
	server.keepAliveTimeout = 60_000;
	server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

function initializeResult(): string {
	const hasResources = values.resources !== "0" || values.megabytes !== "0";
	return JSON.stringify({
		protocolVersion: "2025-11-25",
		capabilities: { tools: {}, logging: {}, ...(hasResources ? { resources: {} } : {}) },
		serverInfo: { name: "bench", version: "1" },
	});
}

/** Tools of the usual size, the first of them called by the bench. */
function toolsResult(): string {
	const properties = {
		path: { type: "string", description: "Absolute path of the file that is read." },
		head: { type: "number", description: "If given, only that many first lines are returned." },
	};
	const tools = Array.from({ length: Number(values.tools) }, (_, index) => ({
		name: index === 0 ? "echo" : `tool_${index}`,
		title: `Tool ${index}`,
		description: `Reads the whole content of a file as text, number ${index}, and says so when it cannot be read.`,
		inputSchema: { type: "object", properties, required: index === 0 ? [] : ["path"] },
		annotations: { readOnlyHint: true },
	}));
	return JSON.stringify({ tools });
}

/** The pages of the list of resources by the cursor that asks for them. */
function makePages(): ReadonlyMap<string, string> {
	const made = new Map<string, string>([["", JSON.stringify({ resources: [] })]]);
	const count = Number(values.resources);
	for (let start = 0; start < count; start += pageSize) {
		const resources = Array.from({ length: Math.min(pageSize, count - start) }, (_, index) => ({
			uri: uriOf(start + index),
			name: `${start + index}.txt`,
			title: `File ${start + index}`,
			mimeType: "text/plain",
			size: 1000 + index,
			...(values.shelves && { annotations: { priority: ((start + index) % 11) / 10 } }),
		}));
		const next = start + pageSize;
		made.set(
			start === 0 ? "" : String(start),
			JSON.stringify({ resources, ...(next < count ? { nextCursor: String(next) } : {}) }),
		);
	}
	return made;
}

/** On shelves, a few dozen resources share each of many folders. */
function uriOf(index: number): string {
	return values.shelves
		? `bench://hall-${index % 7}/floor-${index % 5}/shelf-${index % 31}/${index}.txt`
		: `bench://folder/${index}.txt`;
}

/** A log file, so that its line ends are escaped like those of every text. */
function resourceResult(megabytes: number): string {
	const line = "2026-11-21T12:00:00.000Z INFO  the request 42 was answered with status 200 after 17 ms by worker 3\n";
	const text = line.repeat(Math.ceil((megabytes * 1_000_000) / line.length));
	return JSON.stringify({ contents: [{ uri: "bench://log", mimeType: "text/plain", text }] });
}
