/** The tasks of revision 2026-07-28, judged by the package of the extension: our test server, and what the host sends to it. */
import { resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import {
	hasTaskClientCapabilityV2,
	isCancelTaskRequestV2,
	isCreateTaskResultV2,
	isDetailedTaskV2,
	isGetTaskRequestV2,
	isUpdateTaskRequestV2,
} from "@modelcontextprotocol/ext-tasks/core/v2";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { startModernServer, type ModernMethods } from "../servers/modernServer.ts";
import { startTaskOracle } from "../servers/taskOracle.ts";
import { StoredTask } from "../servers/taskStore.ts";
import { textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

const answer = { action: "accept", content: { name: "Ada" } } as const;

/** The methods of a task, with its answers noted. */
function noting(task: StoredTask, answers: [method: string, result: unknown][]): ModernMethods {
	const noted = Object.entries(task.methods).map(([method, reply]) => {
		const note: ModernMethods[string] = async (params) => {
			const answered = await reply(params);
			if (answered !== "silence" && "result" in answered)
				answers.push([method, { resultType: "complete", ...answered.result }]);
			return answered;
		};
		return [method, note] as const;
	});
	return Object.fromEntries(noted);
}

/** A task that asks for a name as soon as it was polled once. */
function asking(): StoredTask {
	const task = new StoredTask();
	task.askForName();
	return task;
}

describe("by the requester of the extension's package", () => {
	it("the test server's task is a task, and its end is the end that the host returns (TSK-14)", async () => {
		const answers: [string, unknown][] = [];
		const [ofOracle, ofHost] = [asking(), asking()];
		await using server = await startModernServer(noting(ofOracle, answers));
		await using session = startTaskOracle(server.url, answer);
		const execution = await session.callTool("research", { topic: "x" });
		expect(execution.kind).toBe("task");
		const { outcome } = await execution.settle();
		const expected = resultFromTaskOutcome(outcome);

		await using other = await startModernServer(ofHost.methods);
		await using host = new TestHost();
		host.user.elicit = () => Promise.resolve(answer);
		const running = await host.run("works", { type: "http", url: other.url });
		await expect.poll(() => running.tools.get("research")).toBeDefined();
		const result = await running.callTool("research", { topic: "x" });
		expect(textOf(result)).toContain("asked and answered");
		expect(expected).toMatchObject({ content: result.content });

		for (const [method, result] of answers) {
			if (method === "tools/call") expect(isCreateTaskResultV2(result)).toBe(true);
			if (method === "tasks/get") expect(isDetailedTaskV2(result)).toBe(true);
		}
		expect(answers.map(([method]) => method)).toEqual(
			expect.arrayContaining(["tools/call", "tasks/get", "tasks/update"]),
		);
	});

	it("each request of the host about a task is valid, and says that the host takes tasks (TSK-14)", async () => {
		const task = asking();
		await using server = await startModernServer(task.methods);
		await using host = new TestHost();
		host.user.elicit = () => Promise.resolve(answer);
		const session = await host.run("works", { type: "http", url: server.url });
		await expect.poll(() => session.tools.get("research")).toBeDefined();
		await session.callTool("research", { topic: "x" });
		task.state = { status: "working" };
		const stopping = new AbortController();
		const stopped = session.callTool("research", {}, { signal: stopping.signal, onTask: () => stopping.abort() });
		await expect(stopped).rejects.toMatchObject({ code: "cancelled" });
		await expect.poll(() => server.paramsOf("tasks/cancel").length).toBe(1);
		const requestsOf = (method: string): readonly JsonObject[] =>
			server.paramsOf(method).map((params) => ({ jsonrpc: "2.0", id: 1, method, params }));
		const judges = {
			"tasks/get": isGetTaskRequestV2,
			"tasks/update": isUpdateTaskRequestV2,
			"tasks/cancel": isCancelTaskRequestV2,
		};
		for (const [method, isValid] of Object.entries(judges)) {
			const requests = requestsOf(method);
			expect(requests.length).toBeGreaterThan(0);
			expect(requests.every((request) => isValid(request))).toBe(true);
		}
		const all = ["tools/call", ...Object.keys(judges)].flatMap((method) => server.paramsOf(method));
		expect(all.every((params) => hasTaskClientCapabilityV2(params))).toBe(true);
	});

	it("a task that the host left is resumed, and one that it left is followed by the host (TSK-14)", async () => {
		const task = new StoredTask();
		await using server = await startModernServer(task.methods);
		await using oracle = startTaskOracle(server.url, answer);
		const execution = await oracle.callTool("research", {});
		if (execution.kind !== "task") return expect.fail();
		const reference = execution.serializeReference();
		await execution.detach();
		await using host = new TestHost();
		const session = await host.run("works", { type: "http", url: server.url });
		const followed = session.call("tools/call research", {}, (connection, control) =>
			connection.followTask(
				{ taskId: reference.taskId, kind: "extension", tool: "research", arguments: {}, createdAt: 0 },
				control,
			),
		);
		task.complete("found");
		expect(textOf(await followed)).toBe("found");
		const resumed = await oracle.resumeTask(reference);
		expect(resultFromTaskOutcome(await resumed.result())).toMatchObject({ content: [{ type: "text", text: "found" }] });
	});
});
