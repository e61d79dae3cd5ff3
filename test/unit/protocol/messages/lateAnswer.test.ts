import { expect, it } from "vitest";
import { makeScene } from "./gateScene.ts";

it("assigns no late answer without an id to the next call of the same kind (TRN-64)", async () => {
	const scene = await makeScene();
	const ask = (id: number, method: string, params = {}) => scene.gated.send({ jsonrpc: "2.0", id, method, params });
	await ask(0, "initialize");
	scene.say({ id: 0, result: { protocolVersion: "2025-11-25" } });
	await ask(1, "tools/call", { name: "balanceOfAnn" });
	// The user cancels call 1, and another request is sent and answered.
	await scene.gated.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
	await ask(2, "ping");
	scene.say({ id: 2, result: {} });
	await ask(3, "tools/call", { name: "balanceOfBob" });
	// The late answer to call 1.
	scene.say({ result: { content: [{ type: "text", text: "balance of Ann" }] } });
	expect(scene.passed.filter((message) => "id" in message && message.id === 3)).toEqual([]);
});
