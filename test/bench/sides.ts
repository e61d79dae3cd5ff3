import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { silentLog } from "../../src/base/log.ts";
import { McpHost } from "../../src/host.ts";
import { defaultConnectionLimits } from "../../src/servers/limits.ts";

/** One way to talk to a stdio server: what is measured against the others. */
export interface Side {
	readonly name: string;
	/** Starts the server with these arguments of Node and resolves when it can be called. */
	start(args: readonly string[]): Promise<Running>;
}

/** A started server. */
export interface Running {
	callTool(name: string, args: Record<string, string | number>): Promise<unknown>;
	stop(): Promise<void>;
}

/** A hand-written client without validation: the floor that nothing on Node can go below. */
const raw: Side = {
	name: "raw",
	async start(args) {
		const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
		const waiting = new Map<number, (result: unknown) => void>();
		let chunks: Buffer[] = [];
		let lastId = 0;
		const accept = (line: Buffer): void => {
			const message = JSON.parse(line.toString()) as { id?: number; result?: unknown };
			if (message.id === undefined) return;
			waiting.get(message.id)?.(message.result);
			waiting.delete(message.id);
		};
		child.stdout.on("data", (chunk: Buffer) => {
			let start = 0;
			for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
				accept(Buffer.concat([...chunks, chunk.subarray(start, end)]));
				chunks = [];
				start = end + 1;
			}
			if (start < chunk.length) chunks.push(chunk.subarray(start));
		});
		const send = (message: object): void =>
			void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
		const request = (method: string, params: object): Promise<unknown> =>
			new Promise((resolve) => {
				waiting.set(++lastId, resolve);
				send({ id: lastId, method, params });
			});
		await request("initialize", {
			protocolVersion: "2025-11-25",
			capabilities: {},
			clientInfo: { name: "raw", version: "1" },
		});
		send({ method: "notifications/initialized" });
		return {
			callTool: (name, args) => request("tools/call", { name, arguments: args }),
			async stop() {
				const exit = once(child, "exit");
				child.stdin.end();
				await exit;
			},
		};
	},
};

/** The SDK's client over the SDK's own transport. */
const sdk: Side = {
	name: "SDK v2",
	async start(args) {
		const client = new Client({ name: "sdk", version: "1" });
		await client.connect(
			new StdioClientTransport({
				command: process.execPath,
				args: [...args],
				stderr: "ignore",
				maxBufferSize: 2 ** 30,
			}),
		);
		return { callTool: (name, args) => client.callTool({ name, arguments: args }), stop: () => client.close() };
	},
};

/** The product's own core: approval, session, timers and transport included. */
const host: Side = {
	name: "MCP Host",
	async start(args) {
		const state = new Map<string, unknown>();
		const core = new McpHost({
			version: "bench",
			serverLog: () => silentLog,
			state: {
				get: (key) => state.get(key) as never,
				update: async (key, value) => void state.set(key, value),
			},
			secrets: { get: async () => undefined, store: async () => undefined, delete: async () => undefined },
			isWorkspaceTrusted: () => true,
			folders: () => [],
			roots: { current: [], onDidChange: () => ({ dispose() {} }) },
			askInput: async () => undefined,
			limits: defaultConnectionLimits,
			network: { environment: process.env },
			timeouts: { handshakeMs: 60_000, requestMs: 120_000, maxRequestMs: 600_000 },
			demo: { command: "", args: [], env: {} },
		});
		const origin = { kind: "user-settings", label: "Bench", isWorkspace: false } as const;
		const value = { server: { command: process.execPath, args: [...args], protocol: "legacy" } };
		core.configure([{ origin, content: { value } }], false);
		const session = core.registry.sessions[0];
		if (session === undefined) throw new Error("The server was not configured.");
		await core.approvals.approve(session.definition);
		const result = await core.start(session.definition.id);
		if (result.kind !== "running") throw new Error(`The server did not start: ${JSON.stringify(result)}`);
		return { callTool: (name, args) => session.callTool(name, args), stop: () => core.shutdown() };
	},
};

/** All sides, the floor first. */
export const sides: readonly Side[] = [raw, sdk, host];
