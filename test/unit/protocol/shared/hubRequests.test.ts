import { describe, expect, it } from "vitest";
import { HubScene } from "./hubScene.ts";

const call = (id: number): Record<string, unknown> => ({ id, method: "tools/call", params: { name: "t" } });
const taskKey = "io.modelcontextprotocol/related-task";

describe("the unanswered requests of several clients (GST-16)", () => {
	it("gives an answer without an id to the only one who waits, whose request is over then", async () => {
		const scene = new HubScene();
		await scene.shake();
		await scene.send({ id: 1, method: "ping" });
		scene.process.say({ id: 1, result: {} });
		const guest = scene.join();
		await guest.send(call(1));
		scene.process.say({ error: { code: 1, message: "no" } });
		expect(guest.received).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } }]);
		// Nothing is left of it: the next question is for the owner, and the id is free.
		scene.process.say({ id: 2, method: "elicitation/create", params: {} });
		expect(scene.received).toMatchObject([{ id: 1 }, { id: 2 }]);
		await guest.send(call(1));
		const { id } = scene.process.last;
		// It may be about a notification, whose answer nobody waits for.
		await scene.send({ method: "notifications/roots/list_changed" });
		scene.process.say({ error: { code: 2, message: "no" } });
		expect(guest.received).toHaveLength(1);
		scene.process.say({ id, result: {} });
		expect(guest.received.at(-1)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
	});

	it("gives a guest an answer that writes all members", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		await guest.send(call(1));
		const all = { id: scene.process.last.id, method: null, params: null, result: {}, error: null };
		scene.process.onmessage?.({ jsonrpc: "2.0", ...all } as never);
		expect(guest.received).toMatchObject([{ id: 1, result: {} }]);
	});

	it("forgets a request of the owner that does not reach the process", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		await guest.send(call(1));
		scene.process.fault = new Error("The pipe is full.");
		await expect(scene.send(call(1))).rejects.toThrow("The pipe is full.");
		scene.process.say({ id: 2, method: "elicitation/create", params: {} });
		expect(guest.received).toMatchObject([{ id: 2 }]);
	});

	it("gives a guest an answer without an id although the owner has a subscription open", async () => {
		const scene = new HubScene();
		const guest = scene.join();
		await scene.send({ id: "listen:0", method: "subscriptions/listen", params: { notifications: {} } });
		await guest.send(call(1));
		scene.process.say({ error: { code: 1, message: "no" } });
		expect(guest.received).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } }]);
		expect(scene.received).toEqual([]);
	});

	it("asks the client whose call made the task of a question, while it is there", async () => {
		const scene = new HubScene();
		await scene.shake();
		const [guest, other] = [scene.join(), scene.join()];
		const asTask = (id: number): Record<string, unknown> => ({
			...call(id),
			params: { name: "t", task: { ttl: 1000 } },
		});
		const elicit = (id: number, taskId: string): void =>
			scene.process.say({ id, method: "elicitation/create", params: { _meta: { [taskKey]: { taskId } } } });
		await guest.send(asTask(1));
		scene.process.say({ id: scene.process.last.id, result: { task: { taskId: "of-guest", status: "working" } } });
		await scene.send(asTask(1));
		scene.process.say({ id: 1, result: { task: { taskId: "of-owner", status: "working" } } });
		await other.send(call(1));
		elicit(1, "of-guest");
		elicit(2, "of-owner");
		elicit(3, "of-nobody");
		expect(guest.received.at(-1)).toMatchObject({ id: 1, method: "elicitation/create" });
		expect(scene.received.at(-1)).toMatchObject({ id: 2, method: "elicitation/create" });
		expect(other.received).toMatchObject([{ id: 3, method: "elicitation/create" }]);
		guest.port.leave();
		elicit(4, "of-guest");
		expect(other.received.at(-1)).toMatchObject({ id: 4 });
	});

	it("knows the latest tasks only", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		for (let count = 0; count <= 1000; count++) {
			await guest.send(call(1));
			scene.process.say({ id: scene.process.last.id, result: { task: { taskId: `task-${count}` } } });
		}
		guest.received.splice(0);
		for (const [id, taskId] of ["task-0", "task-1", "task-1000"].entries())
			scene.process.say({ id, method: "elicitation/create", params: { _meta: { [taskKey]: { taskId } } } });
		expect(scene.received).toMatchObject([{ id: 0 }]);
		expect(guest.received).toMatchObject([{ id: 1 }, { id: 2 }]);
	});
});
