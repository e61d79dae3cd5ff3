import { Client, InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatedTransport } from "../../../../src/protocol/messages/gatedTransport.ts";
import { makeScene, type GateScene } from "./gateScene.ts";

const ask = (scene: GateScene, id: number | string, method: string, params: object = {}): Promise<void> =>
	scene.gated.send({ jsonrpc: "2.0", id, method, params: { ...params } });
const note = (method: string, params: object = {}): object => ({ method: `notifications/${method}`, params });
const paramsOf = (message: JSONRPCMessage | undefined): unknown =>
	message !== undefined && "params" in message ? message.params : undefined;

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

describe("GatedTransport", () => {
	it("passes calls on to the inner transport, and receives its end and its errors", async () => {
		const [near] = InMemoryTransport.createLinkedPair();
		const asked: string[] = [];
		const like = Object.assign(near, {
			sessionId: "s",
			hasPerRequestStream: true,
			setProtocolVersion: (version: string) => void asked.push(version),
			terminateSession: async () => void asked.push("terminated"),
			resumeStream: async (id: string) => void asked.push(`resumed ${id}`),
		});
		const gated = new GatedTransport(like, { onTrouble: () => undefined, logLevel: () => "info" });
		expect([gated.sessionId, gated.hasPerRequestStream]).toEqual(["s", true]);
		gated.setProtocolVersion("2025-11-25");
		await gated.terminateSession();
		await gated.resumeStream("7");
		expect(asked).toEqual(["2025-11-25", "terminated", "resumed 7"]);
		const [onclose, onerror] = [vi.fn(), vi.fn()];
		Object.assign(gated, { onclose, onerror });
		near.onerror?.(new Error("noise"));
		expect(onerror).toHaveBeenCalledOnce();
		await gated.close();
		expect(onclose).toHaveBeenCalledOnce();
	});

	it("uses only those functions of the inner transport that the SDK uses of every one", async () => {
		const [near] = InMemoryTransport.createLinkedPair();
		const gated = new GatedTransport(near, { onTrouble: () => undefined, logLevel: () => "info" });
		gated.setProtocolVersion("2025-11-25");
		await expect(Promise.all([gated.terminateSession(), gated.resumeStream("")])).resolves.toBeDefined();
		expect([gated.sessionId, gated.hasPerRequestStream, "pid" in gated]).toEqual([undefined, false, false]);
	});

	it("passes everything else in order and unchanged", async () => {
		const scene = await makeScene();
		await ask(scene, 1, "initialize");
		const messages = [
			{ jsonrpc: "2.0", id: "a", method: "sampling/createMessage", params: { deep: [1] } },
			{ jsonrpc: "2.0", ...note("elicitation/complete", { elicitationId: "x" }) },
			{
				jsonrpc: "2.0",
				id: 1,
				result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "a", version: "1" } },
			},
			{ jsonrpc: "2.0", ...note("own/kind") },
		];
		for (const message of messages) scene.say(message);
		expect(scene.passed).toEqual(messages);
	});

	describe("of changes", () => {
		it("lets the first through at once, then one in 250 ms, and never loses the last", async () => {
			const scene = await makeScene();
			for (let count = 0; count < 10_000; count++) scene.say(note("tools/list_changed", { count }));
			scene.say(note("prompts/list_changed"));
			expect(scene.passed).toHaveLength(2);
			vi.advanceTimersByTime(249);
			expect(scene.passed).toHaveLength(2);
			vi.advanceTimersByTime(1);
			expect(paramsOf(scene.passed[2])).toEqual({ count: 9999 });
			vi.advanceTimersByTime(10_000);
			expect(scene.passed).toHaveLength(3);
			scene.say(note("tools/list_changed", { count: -1 }));
			expect(scene.passed).toHaveLength(4);
		});

		it("distinguishes resources, and drops no subscribed one", async () => {
			const scene = await makeScene();
			await ask(scene, 1, "resources/subscribe", { uri: "file:///mine" });
			await ask(scene, "listen:0", "subscriptions/listen", {
				notifications: { resourceSubscriptions: ["file:///its"] },
			});
			for (let count = 0; count < 10_000; count++) scene.say(note("resources/updated", { uri: `file:///${count}` }));
			expect(scene.passed.length).toBeLessThan(1000);
			for (const uri of ["file:///mine", "file:///its"]) scene.say(note("resources/updated", { uri }));
			expect(scene.passed.slice(-2).map(paramsOf)).toEqual([{ uri: "file:///mine" }, { uri: "file:///its" }]);
			scene.say(note("resources/updated", {}));
			vi.advanceTimersByTime(1000);
			expect(paramsOf(scene.passed.at(-1))).toEqual({ uri: "file:///its" });
		});

		it("delivers nothing after the end", async () => {
			const scene = await makeScene();
			for (let count = 0; count < 3; count++) scene.say(note("tools/list_changed"));
			await scene.gated.close();
			vi.advanceTimersByTime(1000);
			expect(scene.passed).toHaveLength(1);
			expect(vi.getTimerCount()).toBe(0);
		});
	});

	describe("of log messages", () => {
		it("drops messages without a reader", async () => {
			const scene = await makeScene();
			const say = (): void => {
				for (const level of ["debug", "info", "emergency", "odd"]) scene.say(note("message", { level, data: level }));
			};
			say();
			scene.level = undefined;
			say();
			expect(scene.passed.map(paramsOf)).toEqual([
				{ level: "info", data: "info" },
				{ level: "emergency", data: "emergency" },
			]);
		});

		it("lets a flood through at a bounded rate and reports the omitted ones", async () => {
			const scene = await makeScene();
			for (let count = 0; count < 100_000; count++) scene.say(note("message", { level: "info", data: count }));
			const passed = scene.passed.length;
			expect(passed).toBeGreaterThan(50);
			expect(passed).toBeLessThan(1000);
			vi.advanceTimersByTime(1000);
			expect(scene.troubles).toEqual([`${100_000 - passed} log messages of the server were dropped: too many.`]);
			scene.say(note("message", { level: "info", data: "calm" }));
			expect(scene.passed).toHaveLength(passed + 1);
		});

		it("limits other kinds that come in a flood", async () => {
			const scene = await makeScene();
			for (let count = 0; count < 10_000; count++) scene.say(note("whatever"));
			expect(scene.passed.length).toBeLessThan(1000);
			await scene.gated.close();
			expect(scene.troubles).toEqual([`${10_000 - scene.passed.length} notifications were dropped: too many.`]);
		});
	});

	describe("of progress", () => {
		const progress = (progressToken: unknown, amount: unknown): object =>
			note("progress", { progressToken, progress: amount });

		it("reduces it per call, and delivers the latest before the answer", async () => {
			const scene = await makeScene();
			await ask(scene, 1, "tools/call", { _meta: { progressToken: 1 } });
			await ask(scene, 2, "tools/call", { _meta: { progressToken: "two" } });
			for (let count = 0; count <= 1000; count++) scene.say(progress(1, count));
			scene.say(progress("two", 5));
			expect(scene.passed.map(paramsOf)).toMatchObject([{ progress: 0 }, { progress: 5 }]);
			vi.advanceTimersByTime(50);
			expect(paramsOf(scene.passed[2])).toMatchObject({ progress: 1000 });
			for (let count = 1001; count <= 1010; count++) scene.say(progress(1, count));
			scene.say({ id: 1, result: {} });
			scene.say(note("own/kind"));
			await Promise.resolve();
			expect(scene.passed.slice(3)).toMatchObject([
				{ params: { progress: 1010 } },
				{ id: 1, result: {} },
				{ method: "notifications/own/kind" },
			]);
		});

		it("ignores unknown, late, invalid and decreasing values", async () => {
			const scene = await makeScene();
			await ask(scene, 1, "tools/call", { _meta: { progressToken: 1 } });
			await ask(scene, 2, "tools/call", { _meta: { progressToken: 2 } });
			for (const one of [progress(7, 1), progress(undefined, 1), progress(1, "3"), progress(1, null)]) scene.say(one);
			scene.say(progress(1, 3));
			vi.advanceTimersByTime(100);
			scene.say(progress(1, 2));
			await scene.gated.send({ jsonrpc: "2.0", ...note("cancelled", { requestId: 2 }) } as JSONRPCMessage);
			scene.say(progress(2, 1));
			scene.say({ id: 1, result: {} });
			scene.say(progress(1, 4));
			vi.advanceTimersByTime(100);
			await Promise.resolve();
			expect(scene.passed).toMatchObject([{ params: { progress: 3 } }, { id: 1 }]);
		});

		it("reaches the caller through the SDK, even right before the answer", async () => {
			vi.useRealTimers();
			const [near, far] = InMemoryTransport.createLinkedPair();
			const gated = new GatedTransport(near, { onTrouble: () => undefined, logLevel: () => "info" });
			far.onmessage = (message) => {
				if (!("id" in message) || !("method" in message)) return;
				const answer = (result: object): void =>
					void far.send({ jsonrpc: "2.0", id: message.id, result: { ...result } });
				if (message.method === "initialize")
					answer({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } });
				else {
					const progressToken = message.params?._meta?.progressToken;
					for (const amount of [1, 2, 3])
						void far.send({
							jsonrpc: "2.0",
							...note("progress", { progressToken, progress: amount }),
						} as JSONRPCMessage);
					answer({});
				}
			};
			await far.start();
			const client = new Client({ name: "c", version: "1" });
			const errors: Error[] = [];
			client.onerror = (error) => errors.push(error);
			await client.connect(gated);
			const heard: number[] = [];
			await client.request({ method: "ping" }, { onprogress: (one) => heard.push(one.progress) });
			expect([heard.at(-1), errors]).toEqual([3, []]);
			await client.close();
		});
	});

	it("reports a failure to handle a delayed message, and passes on those behind it", async () => {
		const scene = await makeScene();
		const errors: Error[] = [];
		scene.gated.onerror = (error) => errors.push(error);
		scene.gated.onmessage = (message) => {
			scene.passed.push(message);
			if (scene.passed.length > 1) throw new Error("a listener's fault");
		};
		await ask(scene, 1, "tools/call", { _meta: { progressToken: 1 } });
		scene.say(note("progress", { progressToken: 1, progress: 1 }));
		scene.say({ id: 1, result: {} });
		scene.say(note("tools/list_changed"));
		await Promise.resolve();
		expect([scene.passed.length, errors.length]).toEqual([3, 2]);
		scene.say(note("tools/list_changed"));
		vi.advanceTimersByTime(250);
		expect([scene.passed.length, errors.length]).toEqual([4, 3]);
	});

	describe("of answers", () => {
		it("ignores those to unknown, answered and cancelled requests, and reports it a few times", async () => {
			const scene = await makeScene();
			await ask(scene, 1, "tools/list");
			await ask(scene, 2, "tools/list");
			await scene.gated.send({ jsonrpc: "2.0", ...note("cancelled", { requestId: 2 }) } as JSONRPCMessage);
			scene.say({ id: 1, result: { first: true } });
			scene.say({ id: 1, error: { code: 1, message: "second" } });
			scene.say({ id: 2, result: {} });
			for (let count = 0; count < 100; count++) scene.say({ id: `nobody-${count}`, result: {} });
			for (const id of [null, undefined, {}]) scene.say({ id, error: { code: -32700, message: "Parse error" } });
			expect(scene.passed).toEqual([{ jsonrpc: "2.0", id: 1, result: { first: true } }]);
			expect(scene.troubles.length).toBeGreaterThan(0);
			expect(scene.troubles.length).toBeLessThan(10);
		});

		it("accepts an id that is returned as text, like the SDK", async () => {
			const scene = await makeScene();
			await ask(scene, 1, "tools/list");
			scene.say({ id: "1", result: {} });
			expect(scene.passed).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
		});

		it.each([
			[{ result: {}, error: { code: 1, message: "m" } }, /both a result and an error/],
			[{}, /neither a result nor an error/],
			[{ result: null }, /neither a result nor an error/],
			[{ result: "text" }, /result that is not an object/],
			[{ error: "text" }, /error that is not an object/],
			[{ error: { code: 1 } }, /gave no reason/],
		])("fails the request whose answer is %j", async (answer, reason) => {
			const scene = await makeScene();
			await ask(scene, 1, "tools/list");
			scene.say({ id: 1, ...answer });
			expect(scene.passed).toMatchObject([{ id: 1, error: { message: expect.stringMatching(reason) } }]);
		});

		it.each([
			[{ result: { a: 1 }, error: null }, { result: { a: 1 } }],
			[{ result: null, error: { code: -1, message: "no", data: 3 } }, { error: { code: -1, message: "no", data: 3 } }],
			[{ error: { code: 1.5, message: "odd" } }, { error: { code: -32603, message: "odd" } }],
		])("reads %j as well as possible", async (answer, meant) => {
			const scene = await makeScene();
			await ask(scene, 1, "tools/list");
			scene.say({ id: 1, ...answer });
			expect(scene.passed).toEqual([{ jsonrpc: "2.0", id: 1, ...meant }]);
		});

		it("holds an answer that arrives right before the end", async () => {
			const scene = await makeScene();
			await ask(scene, 1, "tools/call", { _meta: { progressToken: 1 } });
			scene.say(note("progress", { progressToken: 1, progress: 1 }));
			scene.say({ id: 1, result: {} });
			await scene.gated.close();
			expect(scene.passed).toMatchObject([{ params: { progress: 1 } }, { id: 1 }]);
		});
	});

	describe("of the server's requests", () => {
		const refusals = (scene: GateScene): number => scene.sent.filter((message) => "error" in message).length;

		it("refuses more than a maximum of open ones", async () => {
			const scene = await makeScene();
			await ask(scene, 1, "initialize");
			for (let id = 0; id < 200; id++) scene.say({ id, method: "ping" });
			expect(scene.passed).toHaveLength(128);
			await vi.advanceTimersByTimeAsync(0);
			expect(refusals(scene)).toBe(72);
			// One is answered and one withdrawn, which makes room for two.
			await scene.gated.send({ jsonrpc: "2.0", id: 0, result: {} });
			scene.say(note("cancelled", { requestId: 1 }));
			scene.passed.length = 0;
			for (let id = 300; id < 303; id++) scene.say({ id, method: "ping" });
			expect(scene.passed).toMatchObject([{ id: 300 }, { id: 301 }]);
		});

		it("passes a request once that the server sends again before it is answered, like after a broken stream (SMP-09)", async () => {
			const scene = await makeScene();
			const request = { id: "r1", method: "sampling/createMessage", params: { maxTokens: 1 } };
			for (let count = 0; count < 3; count++) scene.say(request);
			scene.say({ ...request, id: "r2" });
			expect(scene.passed).toMatchObject([{ id: "r1" }, { id: "r2" }]);
			expect(scene.troubles).toContainEqual(expect.stringMatching(/^The server repeated a request/));
			await vi.advanceTimersByTimeAsync(0);
			expect(scene.sent).toEqual([]);
			// Once it is answered or withdrawn, the id may be reused.
			await scene.gated.send({ jsonrpc: "2.0", id: "r1", result: {} });
			scene.say(note("cancelled", { requestId: "r2" }));
			scene.passed.length = 0;
			scene.say(request);
			scene.say({ ...request, id: "r2" });
			expect(scene.passed).toMatchObject([{ id: "r1" }, { id: "r2" }]);
		});

		it("sends no answers to a server of the second era, which must not get any", async () => {
			const scene = await makeScene();
			await ask(scene, "probe", "server/discover");
			for (let id = 0; id < 1000; id++) scene.say({ id, method: "ping" });
			await vi.advanceTimersByTimeAsync(0);
			expect([scene.passed.length, refusals(scene)]).toEqual([128, 0]);
		});

		it("lets a server withdraw its own requests and subscriptions only (TRN-23)", async () => {
			const scene = await makeScene();
			await ask(scene, 5, "tools/call");
			await ask(scene, "listen:0", "subscriptions/listen");
			scene.say({ id: 9, method: "elicitation/create" });
			scene.passed.length = 0;
			for (const requestId of [5, 77, undefined, "listen:0", 9]) scene.say(note("cancelled", { requestId }));
			expect(scene.passed.map(paramsOf)).toEqual([{ requestId: "listen:0" }, { requestId: 9 }]);
		});
	});
});
