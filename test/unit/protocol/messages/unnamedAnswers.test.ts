/** Answers without a request's id over a transport that all requests share: class E of the inputs from the field. */
import { describe, expect, it } from "vitest";
import { makeScene, type GateScene } from "./gateScene.ts";

const initialized = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
const tools = { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
const content = [{ type: "text", text: "row written" }];

async function sceneWith(...methods: readonly string[]): Promise<GateScene> {
	const scene = await makeScene();
	await scene.gated.send(initialized);
	for (const [index, method] of methods.entries()) {
		await scene.gated.send({ jsonrpc: "2.0", id: index + 1, method, params: {} });
	}
	return scene;
}

describe("TRN-64: a result without an id", () => {
	it.each([
		["tools/list", tools],
		["prompts/list", { prompts: [] }],
		["resources/list", { resources: [] }],
		["resources/templates/list", { resourceTemplates: [] }],
		["resources/read", { contents: [] }],
		["prompts/get", { messages: [] }],
		["tools/call", { content }],
		["tools/call", { structuredContent: { rows: 1 }, content: [] }],
		["completion/complete", { completion: { values: [] } }],
		["tools/list", { tools: null }],
	])("answers the %s that is open, also after a notification of ours", async (method, result) => {
		const scene = await sceneWith(method);
		scene.say({ id: null, result });
		expect(scene.passed).toMatchObject([{ id: 1, result: {} }]);
	});

	it("answers the one of several open requests that has such a result", async () => {
		const scene = await sceneWith("prompts/list", "tools/list", "resources/list", "ping");
		scene.say({ id: null, result: { resources: [] } });
		scene.say({ id: null, result: tools });
		scene.say({ id: "", result: { prompts: [] } });
		expect(scene.passed).toMatchObject([{ id: 3 }, { id: 2, result: tools }, { id: 1 }]);
	});

	it("is assigned to none while two open requests have such a result, and both are answered later", async () => {
		const scene = await sceneWith("tools/call", "tools/call");
		scene.say({ id: null, result: { content } });
		expect(scene.passed).toEqual([]);
		scene.say({ id: 2, result: { content } });
		scene.say({ id: 1, result: { content } });
		expect(scene.passed).toMatchObject([{ id: 2 }, { id: 1 }]);
		expect(scene.troubles).toEqual([
			"A response without a request ID was ignored: the request that it answers is unknown.",
		]);
	});

	it.each([{}, { ok: true }, { prompts: [] }, { content }])(
		"that is %j is not treated as a list of tools while it may answer a notification of ours",
		async (result) => {
			const scene = await sceneWith("tools/list");
			scene.say({ id: null, result });
			expect(scene.passed).toEqual([]);
			scene.say({ id: 1, result: tools });
			expect(scene.passed).toMatchObject([{ id: 1, result: tools }]);
		},
	);

	it("is no answer to the request after one that was cancelled, which it may answer", async () => {
		const scene = await sceneWith("tools/call");
		await scene.gated.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
		scene.say({ id: null, result: { content } });
		await scene.gated.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
		await scene.gated.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: {} });
		scene.say({ id: null, result: { content } });
		expect(scene.passed).toEqual([]);
	});
});

describe("an answer without an open request", () => {
	it("is reported, unless it confirms that a subscription ended", async () => {
		const scene = await sceneWith("tools/call", "subscriptions/listen");
		for (const requestId of [1, 2]) {
			await scene.gated.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
		}
		scene.say({ id: 2, result: {} });
		expect(scene.troubles).toEqual([]);
		scene.say({ id: 1, result: { content } });
		expect(scene.troubles).toEqual([expect.stringMatching(/^A response was ignored/)]);
		expect(scene.passed).toEqual([]);
	});
});
