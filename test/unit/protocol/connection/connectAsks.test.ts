import { describe, expect, it } from "vitest";
import { RequestRefusal } from "../../../../src/base/refusal.ts";
import type { Launch } from "../../../../src/protocol/launch.ts";
import { control, Scene, textOf } from "./connectScene.ts";
import { nodeLaunch, until } from "../stdio/processes.ts";

describe.concurrent("listening for changes on a modern connection", () => {
	/** A server that answers each `subscriptions/listen` as the code defines; `id` is the request's. */
	const modernServer = (onListen: string): Launch =>
		nodeLaunch(`
			const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
			let listens = 0;
			require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id, method } = JSON.parse(line);
				if (method === "server/discover") {
					const capabilities = { tools: { listChanged: true } };
					write({ id, result: { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities, ttlMs: 0, cacheScope: "private" } });
				} else if (method === "subscriptions/listen") {
					listens++;
					process.stderr.write("listen\\n");
					${onListen}
				} else if (method === "tools/list")
					write({ id, result: { resultType: "complete", tools: [{ name: "t" + listens, inputSchema: { type: "object" } }], ttlMs: 0, cacheScope: "private" } });
			});`);
	const listensOf = ({ host }: Scene): number => host.stderr.split("listen").length - 1;

	it("is optional for a connection", async () => {
		await using scene = new Scene();
		const connection = await scene.connect(
			modernServer('write({ id, error: { code: -32601, message: "No such method" } });'),
		);
		expect((await connection.listTools(undefined, control())).items.map(({ name }) => name)).toEqual(["t1"]);
		expect(scene.host.troubles).toEqual([expect.stringMatching(/^Listening for changes failed: /)]);
		await connection.close();
		expect([scene.host.ends, listensOf(scene)]).toEqual([[], 1]);
	});

	it("continues after the server ended it, and reports that anything may have changed", async () => {
		await using scene = new Scene();
		const changed: string[] = [];
		scene.host.onListChanged = (kind) => void changed.push(kind);
		const acknowledge = `write({ method: "notifications/subscriptions/acknowledged", params: { notifications: { toolsListChanged: true }, _meta: { "io.modelcontextprotocol/subscriptionId": id } } });`;
		const end = `if (listens === 1) setTimeout(() => write({ id, result: { resultType: "complete" } }), 20);`;
		await scene.connect(modernServer(acknowledge + end));
		await until(() => changed.length === 3);
		expect([changed, listensOf(scene)]).toEqual([["tools", "prompts", "resources"], 2]);
	});
});

describe.concurrent("a server's request", () => {
	const ask = async (scene: Scene, era: "legacy" | "modern"): Promise<unknown> => {
		const connection = await scene.connect(scene.small(era));
		return connection
			.callTool("ask", { question: "Why?" }, undefined, control())
			.then(textOf, (error: unknown) => error);
	};

	it("is answered with -1 when the user rejects it (specification, Sampling)", async () => {
		await using scene = new Scene();
		// By hand, since a server's SDK hides the answer that it got.
		const script = `
			const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
			const sampling = { id: "s", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
			let call;
			require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id, method, error } = JSON.parse(line);
				if (method === "initialize")
					write({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
				else if (method === "tools/call") { call = id; write(sampling); }
				else if (id === "s") write({ id: call, result: { content: [{ type: "text", text: JSON.stringify(error) }] } });
				else if (id !== undefined) write({ id, error: { code: -32601, message: "Method not found" } });
			});`;
		const connection = await scene.connect(nodeLaunch(script));
		const call = async (): Promise<unknown> =>
			JSON.parse(textOf(await connection.callTool("x", {}, undefined, control())));
		expect(await call()).toEqual({ code: -1, message: "User rejected sampling request" });
		scene.host.createMessage = () =>
			Promise.reject(new RequestRefusal(-32_602, "invalid", "Tool result missing in request"));
		expect(await call()).toEqual({ code: -32_602, message: "Tool result missing in request" });
		// The host's own fault is not reported to the server.
		scene.host.createMessage = () => Promise.reject(new Error("http://10.0.0.1/v1 says: bad key sk-secret"));
		expect(await call()).toEqual({ code: -32_603, message: "The host could not handle this request." });
		expect(scene.host.troubles).toEqual([
			"A request from the server was not answered: http://10.0.0.1/v1 says: bad key sk-secret",
		]);
	});

	it.each(["legacy", "modern"] as const)("is answered on a %s connection", async (era) => {
		await using scene = new Scene();
		scene.host.createMessage = ({ systemPrompt }) =>
			Promise.resolve({ role: "assistant", model: "m", content: { type: "text", text: `because (${systemPrompt})` } });
		expect(await ask(scene, era)).toContain("because (Answer in one sentence.)");
	});

	it("fails the call on a modern connection when the user rejects it", async () => {
		await using scene = new Scene();
		expect(await ask(scene, "modern")).toMatchObject({
			code: "protocol",
			message: expect.stringContaining("User rejected sampling request"),
		});
	});
});
