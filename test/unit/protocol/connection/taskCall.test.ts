import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { textResult, type Reply } from "../../../servers/lineServer.ts";
import { initialized, startSessionServer, type SessionServerOptions } from "../../../servers/sessionServer.ts";
import { control, http, Scene, textOf } from "./connectScene.ts";
import { nodeLaunch, until } from "../stdio/processes.ts";

const legacy = { verdict: { kind: "legacy" } } as const;
const research: Tool = { name: "research", inputSchema: { type: "object" }, execution: { taskSupport: "required" } };
const tasks = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } };

/** One task whose states follow one another, the last one for ever. */
function taskServer(states: readonly JsonObject[], options: SessionServerOptions = {}) {
	let asked = 0;
	const polled = (): Reply => ({ result: taskOf(states[Math.min(asked++, states.length - 1)] ?? {}) });
	return startSessionServer({
		...options,
		methods: {
			initialize: () => initialized(tasks),
			"tools/call": () => ({ result: { task: taskOf({ status: "working" }) } }),
			"tasks/get": polled,
			"tasks/result": () => textResult("found"),
			"tasks/cancel": () => ({ result: taskOf({ status: "cancelled" }) }),
			...options.methods,
		},
	});
}

const working = { status: "working", statusMessage: "Reading…" };
const completed = { status: "completed" };

describe.concurrent("a tool that runs as a task", () => {
	it("is created, polled and fetched, and reports its progress meanwhile", async () => {
		await using scene = new Scene();
		await using server = await taskServer([working, { status: "working", statusMessage: "Writing…" }, completed]);
		const connection = await scene.connect(http(server.url), legacy);
		const told: unknown[] = [];
		const result = await connection.callTool("research", { topic: "x" }, research, {
			...control(),
			onProgress: ({ progress, message }) => void told.push([progress, message]),
		});
		expect(textOf(result)).toBe("found");
		expect(server.paramsOf("tools/call")).toEqual([
			expect.objectContaining({ name: "research", arguments: { topic: "x" }, task: { ttl: 86_400_000 } }),
		]);
		expect(server.paramsOf("tasks/result")).toEqual([expect.objectContaining({ taskId: "t1" })]);
		expect(told).toEqual([
			[1, undefined],
			[2, "Reading…"],
			[3, "Writing…"],
			[4, undefined],
		]);
	});

	it("is called plainly if possible, and not at all by a server without tasks", async () => {
		await using scene = new Scene();
		await using plain = await taskServer([], { methods: { "tools/call": () => textResult("plain") } });
		const connection = await scene.connect(http(plain.url), legacy);
		const optional: Tool = { ...research, execution: { taskSupport: "optional" } };
		expect(textOf(await connection.callTool("research", {}, optional, control()))).toBe("plain");
		expect(plain.paramsOf("tools/call")[0]).not.toHaveProperty("task");
		await using without = await taskServer([], { methods: { initialize: () => initialized({ tools: {} }) } });
		const other = await scene.connect(http(without.url), legacy);
		await expect(other.callTool("research", {}, research, control())).rejects.toMatchObject({
			code: "protocol",
			message: expect.stringContaining("runs only as a task"),
		});
		expect(without.paramsOf("tools/call")).toEqual([]);
	});

	it("is called as a task if it may be and the user wants that (TSK-15)", async () => {
		await using scene = new Scene();
		const optional: Tool = { ...research, execution: { taskSupport: "optional" } };
		const asked: string[] = [];
		scene.host.wantsTask = async (tool) => asked.push(tool) > 0;
		await using server = await taskServer([completed]);
		const connection = await scene.connect(http(server.url), legacy);
		expect(textOf(await connection.callTool("research", {}, optional, control()))).toBe("found");
		expect(server.paramsOf("tools/call")[0]).toHaveProperty("task");
		await connection.callTool("research", {}, research, control());
		expect(asked).toEqual(["research"]);
	});

	it("is fetched while it waits for a user", async () => {
		await using scene = new Scene();
		const answered = Promise.withResolvers<Reply>();
		await using server = await taskServer([working, { status: "input_required" }], {
			methods: { "tasks/result": () => answered.promise },
		});
		const connection = await scene.connect(http(server.url), legacy);
		const call = connection.callTool("research", {}, research, control());
		await until(() => server.paramsOf("tasks/result").length === 1 && server.paramsOf("tasks/get").length > 3);
		answered.resolve(textResult("with your answer"));
		expect(textOf(await call)).toBe("with your answer");
		expect(server.paramsOf("tasks/result")).toHaveLength(1);
	});

	it("continues after the session was lost", async () => {
		await using scene = new Scene();
		let isReady = false;
		await using server = await taskServer([], {
			methods: { "tasks/get": () => ({ result: isReady ? taskOf(completed) : taskOf(working) }) },
		});
		const connection = await scene.connect(http(server.url), legacy);
		const call = connection.callTool("research", {}, research, control());
		await until(() => server.paramsOf("tasks/get").length > 1);
		server.loseSessions();
		await until(() => server.paramsOf("initialize").length === 2);
		isReady = true;
		expect(textOf(await call)).toBe("found");
		expect([server.paramsOf("tools/call").length, server.paramsOf("initialize").length]).toEqual([1, 2]);
	});

	it("continues after an interruption of its network", async () => {
		await using scene = new Scene();
		let polls = 0;
		await using server = await taskServer([working, working, working, completed], {
			mishap: ({ method }) => (method === "tasks/get" && polls++ < 3 ? "reset" : undefined),
		});
		const connection = await scene.connect(http(server.url), legacy);
		expect(textOf(await connection.callTool("research", {}, research, control()))).toBe("found");
		expect(server.paramsOf("tools/call")).toHaveLength(1);
	});

	it("is polled at once when the server reports a changed state (TSK-07)", async () => {
		await using scene = new Scene();
		let isReady = false;
		await using server = await taskServer([], {
			methods: {
				// Without the notification the call would wait longer than the test may run.
				"tasks/get": () => ({ result: { ...taskOf(isReady ? completed : working), pollInterval: 30_000 } }),
				"tools/call": () => ({ result: { task: { ...taskOf(working), pollInterval: 1 } } }),
			},
		});
		const connection = await scene.connect(http(server.url), legacy);
		const call = connection.callTool("research", {}, research, control());
		await until(() => server.paramsOf("tasks/get").length === 1 && server.streams.size > 0);
		isReady = true;
		// The host begins to wait after it has read the answer, so the notification is repeated until it has asked.
		const { taskId, ...state } = taskOf(completed);
		await until(() => {
			server.push({ method: "notifications/tasks/status", params: { taskId: "other", ...state } });
			server.push({ method: "notifications/tasks/status", params: { taskId, ...state } });
			return server.paramsOf("tasks/result").length === 1;
		});
		expect(textOf(await call)).toBe("found");
	});

	it("is cancelled when the call is", async () => {
		await using scene = new Scene();
		await using server = await taskServer([working]);
		const connection = await scene.connect(http(server.url), legacy);
		const controller = new AbortController();
		const call = connection.callTool("research", {}, research, { signal: controller.signal });
		const given = expect(call).rejects.toThrow("enough");
		await until(() => server.paramsOf("tasks/get").length > 0);
		controller.abort(new Error("enough"));
		await given;
		await until(() => server.paramsOf("tasks/cancel").length === 1);
		expect(server.paramsOf("tasks/cancel")[0]).toMatchObject({ taskId: "t1" });
	});

	it.each([
		[{ status: "cancelled", statusMessage: "by an operator" }, {}, "protocol", /cancelled the task \(by an operator\)/],
		[
			{ status: "failed", statusMessage: "no sources" },
			{ "tasks/result": (): Reply => ({ error: { code: -32_603, message: "No result" } }) },
			"protocol",
			/^The task failed \(no sources\)\.$/,
		],
		[
			working,
			{ "tasks/get": (): Reply => ({ error: { code: -32_602, message: "Task not found" } }) },
			"outcome-unknown",
			/no longer knows the task.*Task not found.*may have completed/,
		],
	] as const)("explains the end in %j", async (state, methods, code, message) => {
		await using scene = new Scene();
		await using server = await taskServer([state], { methods });
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.callTool("research", {}, research, control())).rejects.toMatchObject({
			code,
			message: expect.stringMatching(message),
		});
	});

	it("leaves no question open when it ends without the expected result", async () => {
		await using scene = new Scene();
		await using server = await taskServer([{ status: "input_required" }, { status: "cancelled" }], {
			methods: { "tasks/result": () => "silence" },
		});
		const connection = await scene.connect(http(server.url), legacy);
		const call = connection.callTool("research", {}, research, control());
		await expect(call).rejects.toMatchObject({ message: "The server cancelled the task." });
		await until(() => server.received.includes("notifications/cancelled"));
		expect(server.paramsOf("tasks/cancel")).toEqual([]);
	});

	it("returns the result of a failure to the model", async () => {
		await using scene = new Scene();
		await using server = await taskServer([{ status: "failed" }]);
		const connection = await scene.connect(http(server.url), legacy);
		const result = await connection.callTool("research", {}, research, control());
		expect([result.isError, textOf(result)]).toEqual([true, "found"]);
	});
});

describe.concurrent("a question during a task", () => {
	it("is answered as part of the task", async () => {
		await using scene = new Scene();
		const related = { "io.modelcontextprotocol/related-task": { taskId: "t1" } };
		scene.host.elicit = () => Promise.resolve({ action: "accept", content: {} });
		await scene.connect(
			nodeLaunch(`
				const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
				require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
					const { id, method, result } = JSON.parse(line);
					if (method === "initialize")
						write({ id, result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "x", version: "1" } } });
					else if (method === "notifications/initialized")
						write({ id: "q", method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} }, _meta: ${JSON.stringify(related)} } });
					else if (id === "q") process.stderr.write(JSON.stringify(result._meta) + "\\n");
					else if (id !== undefined) write({ id, error: { code: -32601, message: "Method not found" } });
				});`),
			legacy,
		);
		await until(() => scene.host.stderr !== "");
		expect(JSON.parse(scene.host.stderr)).toEqual(related);
	});
});

function taskOf(state: JsonObject): JsonObject {
	const now = "2026-01-01T00:00:00Z";
	return { taskId: "t1", ttl: 60_000, createdAt: now, lastUpdatedAt: now, pollInterval: 1, ...state };
}
