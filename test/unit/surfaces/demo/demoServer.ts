import {
	Client,
	type CreateMessageRequestParams,
	type CreateMessageResult,
	type ElicitRequestFormParams,
	type ElicitResult,
	type LoggingMessageNotification,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as esbuild from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Era } from "../../../../src/protocol/connection.ts";

/** The demo server as a bundle of its own, as in the VSIX. */
export interface DemoServerBundle {
	readonly path: string;
	/** The packages that went into it. */
	readonly inputs: readonly string[];
	readonly bytes: number;
	remove(): Promise<void>;
}

/** Bundles the demo server as esbuild.mjs does for production. */
export async function bundleDemoServer(): Promise<DemoServerBundle> {
	const folder = await mkdtemp(join(tmpdir(), "mcp-host-demo-"));
	const path = join(folder, "demoServer.mjs");
	const { metafile } = await esbuild.build({
		entryPoints: ["src/surfaces/demo/server.ts"],
		outfile: path,
		bundle: true,
		platform: "node",
		target: "node22",
		format: "esm",
		minify: true,
		metafile: true,
		alias: { "@modelcontextprotocol/server/_shims": resolve("src/surfaces/demo/sdkShims.ts") },
		logLevel: "warning",
	});
	const [output] = Object.values(metafile.outputs);
	return {
		path,
		inputs: Object.keys(metafile.inputs),
		bytes: output?.bytes ?? 0,
		remove: () => rm(folder, { recursive: true }),
	};
}

/** A client connected to a demo server of its own. The fields determine the answers of the user and the model behind it. */
export interface DemoConnection {
	readonly client: Client;
	readonly logs: LoggingMessageNotification["params"][];
	readonly updates: string[];
	/** All received progress, also progress together with the answer of its call, which the client itself drops. */
	readonly progress: unknown[];
	answerForm: (params: ElicitRequestFormParams) => ElicitResult;
	answerSampling: (params: CreateMessageRequestParams) => CreateMessageResult | Promise<CreateMessageResult>;
	close(): Promise<void>;
}

/** Starts the bundle, whose board moves on every 20 milliseconds, and connects in one era without probing for it. */
export async function connectDemo(path: string, era: Era): Promise<DemoConnection> {
	const client = new Client(
		{ name: "demo-test", version: "1.0.0" },
		{
			capabilities: { sampling: {}, elicitation: { form: {} } },
			versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } },
		},
	);
	const connection: DemoConnection = {
		client,
		logs: [],
		updates: [],
		progress: [],
		answerForm: () => ({ action: "cancel" }),
		answerSampling: () => {
			throw new Error("no model");
		},
		close: () => client.close(),
	};
	client.setRequestHandler("elicitation/create", ({ params }) => {
		if (params.mode === "url") throw new Error("the demo asks for no address");
		return connection.answerForm(params);
	});
	client.setRequestHandler("sampling/createMessage", ({ params }) => connection.answerSampling(params));
	client.setNotificationHandler("notifications/message", ({ params }) => void connection.logs.push(params));
	client.setNotificationHandler(
		"notifications/resources/updated",
		({ params }) => void connection.updates.push(params.uri),
	);
	const args = [path, "--step", "0", "--board", "20"];
	const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" });
	await client.connect(transport);
	const { onmessage } = transport;
	transport.onmessage = (message) => {
		if ("method" in message && message.method === "notifications/progress") connection.progress.push(message.params);
		onmessage?.(message);
	};
	return connection;
}
