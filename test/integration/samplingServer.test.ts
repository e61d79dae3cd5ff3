import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rejectedByUser } from "../../src/base/refusal.ts";
import type { UserRequests } from "../../src/servers/sessions/session.ts";
import { answersOf, samplingConfig, samplingReaches } from "./samplingReach.ts";
import { TestHost } from "./testHost.ts";

type CreateMessage = UserRequests["createMessage"];

/** Answers each request with the number of those before, and records the requests. */
function answering(host: TestHost, createMessage?: CreateMessage): CreateMessageRequestParams[] {
	const asked: CreateMessageRequestParams[] = [];
	host.answerWith({
		elicit: () => Promise.reject(new Error("Nobody asks a form.")),
		createMessage: (session, params, context) => {
			asked.push(params);
			if (createMessage !== undefined) return createMessage(session, params, context);
			const text = `answer ${asked.length}`;
			return Promise.resolve({ model: "m", role: "assistant", content: { type: "text", text }, stopReason: "endTurn" });
		},
	});
	return asked;
}

describe.each(samplingReaches)("the sampling server over $name", ({ era, reach }) => {
	it("passes on whole params, and returns the result or the error", async () => {
		await using host = new TestHost();
		await using server = await reach();
		const asked = answering(host);
		const session = await host.run("sampling", server.config);
		const params = {
			messages: [{ role: "user", content: { type: "text", text: "Q" } }],
			maxTokens: 7,
			temperature: 0.5,
		};
		const result = await session.callTool("sample", { params });
		expect(asked).toMatchObject([params]);
		expect(answersOf(result)).toMatchObject([
			{ result: { model: "m", content: { type: "text", text: "answer 1" }, stopReason: "endTurn" } },
		]);
	});

	it("asks in the exchange of the call during which it asks (JRN-17)", async () => {
		await using host = new TestHost();
		await using server = await reach();
		const exchanges: (string | undefined)[] = [];
		answering(host, async (_session, _params, { exchange }) => {
			exchanges.push(exchange);
			return { model: "m", role: "assistant", content: { type: "text", text: "x" } };
		});
		const session = await host.run("sampling", server.config);
		let followed = "";
		await session.callTool(
			"sampleMany",
			{ count: 2, text: "Q" },
			{ onFollowed: ({ exchange }) => (followed = exchange) },
		);
		expect(exchanges).toEqual([followed, followed]);
		expect(host.trace.get(host.trace.find(followed) ?? 0)).toMatchObject({ method: "tools/call" });
	});

	it("samples many at once, and in a loop until it is refused", async () => {
		await using host = new TestHost();
		await using server = await reach();
		const asked = answering(host, async () => {
			if (asked.length > 5) throw rejectedByUser();
			return { model: "m", role: "assistant", content: { type: "text", text: "x" } };
		});
		const session = await host.run("sampling", server.config);
		expect(answersOf(await session.callTool("sampleMany", { count: 3, text: "question {n}" }))).toHaveLength(3);
		expect(asked.map(({ messages }) => JSON.stringify(messages)).join()).toMatch(/question 1.*question 2.*question 3/);
		const loop = session.callTool("loop", {});
		if (era === "modern") await expect(loop).rejects.toThrow();
		else expect(answersOf(await loop).at(-1)).toEqual({ error: expect.objectContaining({ code: -1 }) });
		expect(asked).toHaveLength(6);
	});

	it("runs the tools that its agent offers", async () => {
		await using host = new TestHost();
		await using server = await reach();
		const asked = answering(host, async (_session, params) => {
			const isFirst = params.messages.length === 1;
			const input = { city: "Rome" };
			return {
				model: "m",
				role: "assistant",
				content: isFirst
					? [{ type: "tool_use", id: "1", name: "getWeather", input }]
					: [{ type: "text", text: "Sunny." }],
				stopReason: isFirst ? "toolUse" : "endTurn",
			};
		});
		const session = await host.run("sampling", server.config);
		expect(answersOf(await session.callTool("agent", {}))).toHaveLength(2);
		expect(asked[1]?.messages.at(-1)).toMatchObject({
			role: "user",
			content: [{ type: "tool_result", toolUseId: "1", content: [{ text: "Sunny, 24 degrees in Rome" }] }],
		});
	});
});

describe("the sampling server", () => {
	it("asks on its own, outside of any call", async () => {
		await using host = new TestHost();
		const contexts: unknown[] = [];
		const methods: unknown[] = [];
		const asked = answering(host, async (_session, _params, { during, exchange = "" }) => {
			contexts.push(during);
			methods.push(host.trace.get(host.trace.find(exchange) ?? 0)?.method);
			return { model: "m", role: "assistant", content: { type: "text", text: "x" } };
		});
		const session = await host.run("sampling", samplingConfig("legacy"));
		const whenThere = host.path("over");
		expect(answersOf(await session.callTool("later", { whenThere }))).toEqual([]);
		writeFileSync(whenThere, "");
		await expect.poll(() => asked.length).toBe(1);
		expect(contexts).toEqual([undefined]);
		// An exchange of its own (JRN-17).
		expect(methods).toEqual(["sampling/createMessage"]);
		await expect.poll(async () => answersOf(await session.callTool("later", { read: true }))).toHaveLength(1);
	});

	it("asks on its own when its request arrives in one piece with its answer to a call (TRN-61)", async () => {
		await using host = new TestHost();
		const seen: unknown[] = [];
		answering(host, async (_session, _params, { during, signal, exchange = "" }) => {
			seen.push([during, signal.aborted, host.trace.get(host.trace.find(exchange) ?? 0)?.method]);
			return { model: "m", role: "assistant", content: { type: "text", text: "x" } };
		});
		const script = `
			const line = (message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n";
			const params = { messages: [{ role: "user", content: { type: "text", text: "Q" } }], maxTokens: 1 };
			const results = {
				initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } },
				"tools/list": { tools: [{ name: "do", inputSchema: { type: "object" } }] },
				"tools/call": { content: [] },
			};
			require("readline").createInterface({ input: process.stdin }).on("line", (text) => {
				const { id, method } = JSON.parse(text);
				if (method === undefined || id === undefined) return;
				const asks = method === "tools/call" ? line({ id: "q", method: "sampling/createMessage", params }) : "";
				process.stdout.write(line({ id, result: results[method] ?? {} }) + asks);
			});`;
		const session = await host.run("x", { command: process.execPath, args: ["-e", script], protocol: "legacy" });
		await session.callTool("do", {});
		await expect.poll(() => seen).toEqual([[undefined, false, "sampling/createMessage"]]);
	});
});
