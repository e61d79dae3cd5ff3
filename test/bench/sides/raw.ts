import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { commandOf } from "./commandOf.ts";
import { eagerTree, type ListedItem } from "./eagerTree.ts";
import { connectEach, readPages, type Client, type ConnectOptions, type Reach, type Side } from "../side.ts";

interface Page {
	readonly tools?: readonly ListedItem[];
	readonly resources?: readonly ListedItem[];
	readonly nextCursor?: string;
}

type Request = (method: string, params: object) => Promise<unknown>;

/** A wire without a protocol: carries requests by id and notifications by name. */
interface Wire {
	readonly request: Request;
	notify(method: string): void;
	close(): Promise<void>;
}

/** A client written by hand, without any check: the lower limit of Node. */
export const raw: Side = {
	connect: (servers, options = {}) => connectEach(servers, (server) => open(server, options)),
};

async function open(server: Reach, options: ConnectOptions): Promise<{ client: Client; close(): Promise<void> }> {
	const wire = server.kind === "stdio" ? pipe(server.args, options.onLog) : web(server.url);
	await wire.request("initialize", {
		protocolVersion: "2025-11-25",
		capabilities: {},
		clientInfo: { name: "raw", version: "1" },
	});
	wire.notify("notifications/initialized");
	return { client: clientOf(wire.request), close: () => wire.close() };
}

function clientOf(request: Request): Client {
	return {
		callTool: (name, args) => request("tools/call", { name, arguments: args }),
		async readText(uri) {
			const { contents } = (await request("resources/read", { uri })) as { contents: { text: string }[] };
			return contents[0]?.text.length ?? 0;
		},
		list: (kind, onPage) =>
			readPages(async (cursor) => {
				const page = (await request(`${kind}/list`, { cursor })) as Page;
				return { count: page[kind]?.length ?? 0, nextCursor: page.nextCursor };
			}, onPage),
		openTree: (onPage) =>
			eagerTree(async (kind, cursor) => {
				const page = (await request(`${kind}/list`, { cursor })) as Page;
				return { items: page[kind] ?? [], nextCursor: page.nextCursor };
			}, onPage),
	};
}

function pipe(args: readonly string[], onLog: (() => void) | undefined): Wire {
	const launch = commandOf(args);
	const child = spawn(launch.command, launch.args, { stdio: ["pipe", "pipe", "ignore"] });
	const waiting = new Map<number, (result: unknown) => void>();
	let lastId = 0;
	let chunks: Buffer[] = [];
	const accept = (line: Buffer): void => {
		const message = JSON.parse(line.toString()) as { id?: number; result?: unknown };
		if (message.id === undefined) {
			onLog?.();
			return;
		}
		waiting.get(message.id)?.(message.result);
		waiting.delete(message.id);
	};
	child.stdout.on("data", (chunk: Buffer) => {
		let start = 0;
		for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
			const piece = chunk.subarray(start, end);
			accept(chunks.length === 0 ? piece : Buffer.concat([...chunks, piece]));
			chunks = [];
			start = end + 1;
		}
		if (start < chunk.length) chunks.push(chunk.subarray(start));
	});
	const send = (message: object): void => {
		child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	};
	return {
		request: (method, params) =>
			new Promise((resolve) => {
				waiting.set(++lastId, resolve);
				send({ id: lastId, method, params });
			}),
		notify: (method) => send({ method }),
		async close() {
			const exit = once(child, "exit");
			child.stdin.end();
			await exit;
		},
	};
}

function web(url: string): Wire {
	const agent = new Agent({ keepAlive: true });
	let lastId = 0;
	const post = (message: object): Promise<Buffer> =>
		new Promise((resolve, reject) => {
			const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
			const sent = httpRequest(url, { method: "POST", agent, headers }, (response) => {
				const chunks: Buffer[] = [];
				response.on("data", (chunk: Buffer) => chunks.push(chunk));
				response.on("end", () => resolve(Buffer.concat(chunks)));
			});
			sent.on("error", reject);
			sent.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
		});
	return {
		async request(method, params) {
			const answer = await post({ id: ++lastId, method, params });
			return (JSON.parse(answer.toString()) as { result?: unknown }).result;
		},
		notify: (method) => void post({ method }),
		async close() {
			agent.destroy();
		},
	};
}
