/** The extension io.modelcontextprotocol/tasks of 2026-07-28, against a server that speaks it by hand. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { rejectedByUser } from "../../../../src/base/refusal.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { textResult, type Reply } from "../../../servers/lineServer.ts";
import { researchTool, startModernServer, type ModernMethods } from "../../../servers/modernServer.ts";
import { until } from "../stdio/processes.ts";
import { control, http, Scene, textOf } from "./connectScene.ts";

const research: Tool = researchTool;
const withHeader: Tool = {
	name: "research",
	inputSchema: { type: "object", properties: { topic: { type: "string", "x-mcp-header": "Topic" } } },
};
const found = { content: [{ type: "text", text: "found" }] };
const form = (message: string): JsonObject => ({
	method: "elicitation/create",
	params: { mode: "form", message, requestedSchema: { type: "object", properties: { name: { type: "string" } } } },
});

function taskOf(state: JsonObject): JsonObject {
	const now = "2026-01-01T00:00:00Z";
	return { taskId: "t1", createdAt: now, lastUpdatedAt: now, ttlMs: null, pollIntervalMs: 1, ...state };
}

/** One task whose states follow one another, the last one for ever. */
function taskServer(states: readonly JsonObject[], methods: ModernMethods = {}) {
	let asked = 0;
	return startModernServer({
		"tools/call": () => ({ result: taskOf({ resultType: "task", status: "working" }) }),
		"tasks/get": () => ({ result: taskOf(states[Math.min(asked++, states.length - 1)] ?? {}) }),
		"tasks/update": () => ({ result: {} }),
		"tasks/cancel": () => ({ result: {} }),
		...methods,
	});
}

const working = { status: "working" };
const completed = { status: "completed", result: found };

describe.concurrent("a call that its server answers with a task", () => {
	it.each([
		["a plain tool", research],
		["a tool whose calls carry a header of an argument", withHeader],
		["an unknown tool", undefined],
	])("returns the result of the task: %s (TSK-01, TSK-05)", async (_, tool) => {
		await using scene = new Scene();
		await using server = await taskServer([{ status: "working", statusMessage: "Reading…" }, working, completed]);
		const connection = await scene.connect(http(server.url));
		const progress: unknown[] = [];
		const result = await connection.callTool("research", { topic: "x" }, tool, {
			...control(),
			onProgress: ({ message }) => void progress.push(message),
		});
		expect(textOf(result)).toBe("found");
		expect(progress).toContain("Reading…");
		expect(server.paramsOf("tools/call")).toEqual([
			expect.objectContaining({
				_meta: expect.objectContaining({
					"io.modelcontextprotocol/clientCapabilities": expect.objectContaining({
						extensions: { "io.modelcontextprotocol/tasks": {} },
					}),
				}),
			}),
		]);
		expect(server.headersOf("tasks/get").map((headers) => headers["mcp-name"])).toEqual(["t1", "t1", "t1"]);
		expect(result).not.toHaveProperty("_meta");
	});

	it("returns the plain result where the server creates none (TSK-01)", async () => {
		await using scene = new Scene();
		await using server = await taskServer([], { "tools/call": () => textResult("plain") });
		const connection = await scene.connect(http(server.url));
		const required: Tool = { ...research, execution: { taskSupport: "required" } };
		for (const tool of [research, withHeader, required])
			expect(textOf(await connection.callTool("research", {}, tool, control()))).toBe("plain");
		expect(server.paramsOf("tools/call").every((params) => !("task" in params))).toBe(true);
	});

	it("is invalid for any other request (TSK-02)", async () => {
		await using scene = new Scene();
		const created = (): Reply => ({ result: taskOf({ resultType: "task", status: "working" }) });
		await using server = await taskServer([completed], { "tools/list": created, "resources/read": created });
		const connection = await scene.connect(http(server.url));
		await expect(connection.listTools(undefined, control())).rejects.toMatchObject({ code: "protocol" });
		await expect(connection.readResource("a://b", control())).rejects.toMatchObject({ code: "protocol" });
		expect(server.paramsOf("tasks/get")).toEqual([]);
	});

	it("answers each input request once, like the same request outside of a task, and withdraws the others (TSK-03)", async () => {
		await using scene = new Scene();
		const asked: unknown[] = [];
		const withdrawn: unknown[] = [];
		scene.host.elicit = async (request, signal, id) => {
			asked.push([request.message, id]);
			if (id === "who") return { action: "accept", content: { name: "Ada" } };
			return new Promise((_, reject) =>
				signal.addEventListener("abort", () => {
					withdrawn.push(id);
					reject(signal.reason);
				}),
			);
		};
		let isAnswered = false;
		const wants = {
			status: "input_required",
			inputRequests: { who: form("Who?"), never: form("Never?"), where: { method: "roots/list" } },
		};
		await using server = await taskServer([], {
			"tasks/get": () => ({ result: taskOf(isAnswered ? completed : wants) }),
			"tasks/update": () => {
				isAnswered = server.paramsOf("tasks/update").length === 2;
				return { result: {} };
			},
		});
		const connection = await scene.connect(http(server.url));
		expect(textOf(await connection.callTool("research", {}, research, control()))).toBe("found");
		expect(asked).toEqual([
			["Who?", "who"],
			["Never?", "never"],
		]);
		expect(withdrawn).toEqual(["never"]);
		const answers = Object.assign({}, ...server.paramsOf("tasks/update").map(({ inputResponses }) => inputResponses));
		expect(answers).toEqual({
			who: { action: "accept", content: { name: "Ada" } },
			where: { roots: [{ uri: "file:///root", name: "root" }] },
		});
		expect(server.headersOf("tasks/update").map((headers) => headers["mcp-name"])).toEqual(["t1", "t1"]);
	});

	it("is cancelled when the user rejects its sampling request, or it asks for what no task may ask (TSK-03, TSK-04)", async () => {
		for (const [request, message] of [
			[{ method: "sampling/createMessage", params: { messages: [], maxTokens: 5 } }, /rejected/],
			[{ method: "tools/call", params: {} }, /“tools\/call”, which MCP Host does not offer/],
			["no request", /something without a method/],
		] as const) {
			await using scene = new Scene();
			scene.host.createMessage = () => Promise.reject(rejectedByUser());
			await using server = await taskServer([{ status: "input_required", inputRequests: { a: request } }]);
			const connection = await scene.connect(http(server.url));
			await expect(connection.callTool("research", {}, research, control())).rejects.toMatchObject({
				message: expect.stringMatching(message),
			});
			await until(() => server.paramsOf("tasks/cancel").length === 1);
			expect([server.paramsOf("tasks/update"), server.paramsOf("notifications/cancelled")]).toEqual([[], []]);
		}
	});

	it("is cancelled by tasks/cancel when the call is, and its open question is withdrawn (TSK-04)", async () => {
		await using scene = new Scene();
		const open = Promise.withResolvers<AbortSignal>();
		scene.host.elicit = (_, signal) => {
			open.resolve(signal);
			return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
		};
		await using server = await taskServer([{ status: "input_required", inputRequests: { a: form("Who?") } }]);
		const connection = await scene.connect(http(server.url));
		const controller = new AbortController();
		const call = connection.callTool("research", {}, research, { signal: controller.signal });
		const signal = await open.promise;
		controller.abort(new Error("enough"));
		await expect(call).rejects.toThrow("enough");
		await until(() => server.paramsOf("tasks/cancel").length === 1);
		expect(signal.aborted).toBe(true);
		expect(server.paramsOf("notifications/cancelled")).toEqual([]);
	});

	it("ends when it asks for more inputs than a user can answer (TSK-03)", async () => {
		await using scene = new Scene();
		const inputRequests = Object.fromEntries(
			Array.from({ length: 101 }, (_, n) => [`k${n}`, { method: "roots/list" }]),
		);
		await using server = await taskServer([{ status: "input_required", inputRequests }]);
		const connection = await scene.connect(http(server.url));
		await expect(connection.callTool("research", {}, research, control())).rejects.toThrow(/more than 100 inputs/);
		await until(() => server.paramsOf("tasks/cancel").length === 1);
	});

	it("needs no id in the answers about it (TSK-06)", async () => {
		await using scene = new Scene();
		await using server = await taskServer([], { "tasks/get": () => ({ result: { ...completed, statusMessage: 5 } }) });
		const connection = await scene.connect(http(server.url));
		expect(textOf(await connection.callTool("research", {}, research, control()))).toBe("found");
	});

	it.each([
		[
			"a failure of the tool is a result",
			{ status: "completed", result: { ...found, isError: true } },
			{ isError: true },
		],
		["a task that is over at its creation is asked for once", completed, { content: found.content }],
	])("%s (TSK-06)", async (_, state, result) => {
		await using scene = new Scene();
		await using server = await taskServer([state]);
		const connection = await scene.connect(http(server.url));
		expect(await connection.callTool("research", {}, research, control())).toMatchObject(result);
	});

	it.each([
		[
			{ status: "cancelled", statusMessage: "by an operator" },
			{},
			"protocol",
			/cancelled the task \(by an operator\)\.$/,
		],
		[
			{ status: "failed", statusMessage: "no sources", error: { code: -32_000, message: "Upstream is down" } },
			{},
			"protocol",
			/^The task failed \(no sources\)\. Upstream is down \(error -32000\)$/,
		],
		[{ status: "failed", error: null }, {}, "protocol", /^The task failed\.$/],
		[{ status: "completed", result: "text" }, {}, "protocol", /invalid result/],
		[{ status: "paused" }, {}, "protocol", /a task with the unknown status “paused”/],
		[{ status: "working", taskId: "t2" }, {}, "protocol", /another task/],
		[
			working,
			{ "tasks/get": (): Reply => ({ error: { code: -32_602, message: "Task not found" } }) },
			"outcome-unknown",
			/no longer knows the task.*Task not found.*may have completed/,
		],
		[
			working,
			{ "tools/call": (): Reply => ({ result: { resultType: "task", status: "working" } }) },
			"protocol",
			/not a task with an id\. The tool may have run/,
		],
	] as const)("explains the end in %j (TSK-06)", async (state, methods, code, message) => {
		await using scene = new Scene();
		await using server = await taskServer([state], methods);
		const connection = await scene.connect(http(server.url));
		await expect(connection.callTool("research", {}, research, control())).rejects.toMatchObject({
			code,
			message: expect.stringMatching(message),
		});
	});
});

describe("a server that cannot do without an extension", () => {
	it("is named with the extension that it requires", async () => {
		await using scene = new Scene();
		const requiredCapabilities = { extensions: { "com.example/other": {} } };
		await using server = await taskServer([], {
			"tools/call": () => ({
				error: { code: -32_021, message: "Missing required client capability", data: { requiredCapabilities } },
			}),
		});
		const connection = await scene.connect(http(server.url));
		await expect(connection.callTool("research", {}, research, control())).rejects.toThrow(/com\.example\/other/);
	});
});
