/** A call that its server answers with a task, through the whole core: questions, log, trace. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { startModernServer } from "../servers/modernServer.ts";
import { textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

const taskId = "0197f2b4-6d61-7a52-9c1e-4f2f6f6e1a11";

function taskOf(state: JsonObject): JsonObject {
	const now = "2026-01-01T00:00:00Z";
	return { taskId, createdAt: now, lastUpdatedAt: now, ttlMs: null, pollIntervalMs: 1, ...state };
}

describe("a server that works on a call as a task", () => {
	it("asks the user during that call, and its id is nowhere in what is written (TSK-08)", async () => {
		const form = { type: "object", properties: { name: { type: "string" } } };
		const inputRequests = {
			who: { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema: form } },
		};
		let answered: unknown;
		await using server = await startModernServer({
			"tools/call": () => ({ result: taskOf({ resultType: "task", status: "working" }) }),
			"tasks/get": () => {
				if (answered === undefined) return { result: taskOf({ status: "input_required", inputRequests }) };
				const content = [{ type: "text", text: `${JSON.stringify(answered)} by ${taskId}` }];
				return { result: taskOf({ status: "completed", result: { content } }) };
			},
			"tasks/update": ({ inputResponses }) => {
				answered = inputResponses;
				return { result: {} };
			},
		});
		await using host = new TestHost();
		host.traceLevel = "bodies";
		host.user.elicit = () => Promise.resolve({ action: "accept", content: { name: "Ada" } });
		const session = await host.run("works", { type: "http", url: server.url });
		await expect.poll(() => session.tools.get("research")).toBeDefined();
		const result = await session.callTool("research", { topic: "x" });
		expect(textOf(result)).toContain('{"who":{"action":"accept","content":{"name":"Ada"}}}');
		expect(host.user.asked).toEqual([expect.objectContaining({ kind: "elicitation" })]);
		expect(host.user.asked[0]?.context.during).toBeDefined();
		expect(host.host.secretsInUse.redact(`task ${taskId}`)).toBe("task ⟦task id⟧");
		expect(host.log.join("\n")).not.toContain(taskId);
		expect(session.requestLog.running).toEqual([]);
	});
});
