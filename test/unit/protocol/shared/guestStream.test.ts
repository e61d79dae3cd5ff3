import { duplexPair, type Duplex } from "node:stream";
import { ProtocolError, type JSONRPCMessage, type RequestId } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { requestFailure } from "../../../../src/protocol/connection/requestFailure.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";
import { tooDeep } from "../../../../src/protocol/messages/limitErrors.ts";
import { brokenBy } from "../../../../src/protocol/messages/wireText.ts";
import type { WireForm } from "../../../../src/protocol/wireTap.ts";
import { serveGuest } from "../../../../src/protocol/shared/guestStream.ts";
import { GuestTransport } from "../../../../src/protocol/shared/guestTransport.ts";
import { HubScene } from "./hubScene.ts";

const refused = (id: RequestId, data: unknown): JSONRPCMessage => ({
	jsonrpc: "2.0",
	id,
	error: { code: -32603, message: data instanceof Error ? data.message : "It is forged.", data },
});
const patience = { timeout: 60_000 };

/** A guest over a stream, as another window is one. */
function joined(limits = defaultConnectionLimits): {
	readonly scene: HubScene;
	readonly far: Duplex;
	readonly guest: GuestTransport;
	readonly ends: string[];
	readonly onEnd: ReturnType<typeof vi.fn<() => void>>;
} {
	const scene = new HubScene();
	const [near, far] = duplexPair();
	const onEnd = vi.fn<() => void>();
	serveGuest(scene.owner.hub, near, limits, onEnd);
	const ends: string[] = [];
	const listener = { onTrouble: () => undefined, onEnd: (reason: string) => void ends.push(reason) };
	const guest = new GuestTransport({ stream: far, pid: 1 }, listener, defaultConnectionLimits);
	return { scene, far, guest, ends, onEnd };
}

describe("a client of a process over a stream (GST-16)", () => {
	it("sends and receives messages, and leaves the process when it closes", async () => {
		const { scene, guest, ends, onEnd } = joined();
		const received: unknown[] = [];
		guest.onmessage = (message) => void received.push(message);
		await guest.start();
		await guest.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
		await vi.waitUntil(() => scene.process.received.length === 1, patience);
		scene.process.say({ id: scene.process.last.id, result: { tools: [] } });
		await vi.waitUntil(() => received.length === 1, patience);
		expect(received).toEqual([{ jsonrpc: "2.0", id: 1, result: { tools: [] } }]);
		await guest.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "t" } });
		await vi.waitUntil(() => scene.process.received.length === 2, patience);
		await guest.close();
		await vi.waitUntil(() => onEnd.mock.calls.length === 1, patience);
		expect(scene.process.last).toMatchObject({ method: "notifications/cancelled" });
		expect(ends).toEqual([]);
		await expect(guest.send({ jsonrpc: "2.0", method: "x" })).rejects.toThrow("not running");
	});

	it("receives the verdict on an answer that was refused, which no server can forge", async () => {
		const { scene, guest } = joined();
		const received: JSONRPCMessage[] = [];
		const forms: WireForm[] = [];
		guest.onmessage = (message) => {
			received.push(message);
			forms.push(guest.receivedForm);
		};
		await guest.start();
		const answers = [
			(id: RequestId) => brokenBy("It is broken.", id),
			(id: RequestId) => refused(id, tooDeep(3)),
			(id: RequestId) => ({ ...refused(id, { code: "limit", name: "HostError" }), mcpHostRefused: "limit" }),
		];
		for (const [index, answer] of answers.entries()) {
			await guest.send({ jsonrpc: "2.0", id: index, method: "tools/call", params: { name: "t" } });
			await vi.waitUntil(() => scene.process.received.length === index + 1, patience);
			scene.process.onmessage?.(answer(scene.process.last.id ?? 0));
			await vi.waitUntil(() => received.length === index + 1, patience);
		}
		const [broken, deep, forged] = received.map((message) => {
			const error = new ProtocolError(-32603, "x", "error" in message ? message.error.data : undefined);
			return requestFailure(error, { mayHaveEffect: true, exit: undefined });
		});
		const doubt = "The tool may have run. Check before you repeat the call.";
		expect([broken?.code, broken?.message]).toEqual(["protocol", `It is broken. ${doubt}`]);
		expect([deep?.code, deep?.message]).toEqual(["limit", `${tooDeep(3).message} ${doubt}`]);
		expect(forged?.message).not.toContain(doubt);
		expect(received.map((message) => [Object.keys(message).toSorted(), "id" in message && message.id])).toEqual(
			[0, 1, 2].map((id) => [["error", "id", "jsonrpc"], id]),
		);
		// The text of the link is not that of the server.
		expect(forms.map(({ json }) => json?.includes("mcpHostRefused") === true)).toEqual([false, false, false]);
	});

	it("receives the end of the process, after its last messages", async () => {
		const { scene, guest, ends, onEnd } = joined();
		const received: unknown[] = [];
		const onclose = vi.fn<() => void>();
		guest.onmessage = (message) => void received.push(message);
		guest.onclose = onclose;
		await guest.start();
		scene.process.say({ method: "notifications/tools/list_changed" });
		await scene.owner.close();
		await vi.waitUntil(() => onclose.mock.calls.length === 1, patience);
		expect([received.length, ends]).toEqual([1, ["ended in another window of VS Code"]]);
		await vi.waitUntil(() => onEnd.mock.calls.length === 1, patience);
		await expect(guest.send({ jsonrpc: "2.0", method: "x" })).rejects.toThrow("ended in another window");
	});

	it("receives large results one after the other, and all that arrived before the process ended", async () => {
		const { scene, guest, ends } = joined();
		const received: unknown[] = [];
		guest.onmessage = (message) => void received.push(message);
		await guest.start();
		const text = "x".repeat(10 * 1024 * 1024);
		for (const id of [1, 2, 3]) await guest.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t" } });
		await vi.waitUntil(() => scene.process.received.length === 3, patience);
		for (const message of scene.process.received)
			if ("id" in message) scene.process.say({ id: message.id, result: { content: [{ type: "text", text }] } });
		await vi.waitUntil(() => received.length === 3, patience);
		expect(ends).toEqual([]);

		const [near, far] = duplexPair();
		const late: unknown[] = [];
		const listener = { onTrouble: () => undefined, onEnd: (reason: string) => void late.push(reason) };
		const other = new GuestTransport({ stream: far, pid: 1 }, listener, defaultConnectionLimits);
		other.onmessage = () => void late.push("message");
		await other.start();
		const count = 50_000;
		near.end(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n`.repeat(count));
		await vi.waitUntil(() => late.length > count, patience);
		expect(late.at(-1)).toBe("ended in another window of VS Code");
	});

	it("is read no faster than the process takes its messages", async () => {
		const { scene, far } = joined();
		const taken: (() => void)[] = [];
		scene.process.send = () => new Promise((resolve) => void taken.push(resolve));
		const line = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: { text: "y".repeat(40_000) } })}\n`;
		let wantsMore = true;
		for (let id = 2; wantsMore; id++) wantsMore = far.write(line.replace('"id":1', `"id":${id}`));
		for (let id = 1000; id < 1050; id++) far.write(line.replace('"id":1', `"id":${id}`));
		await vi.waitUntil(() => taken.length > 0, patience);
		await new Promise((resolve) => setImmediate(resolve));
		expect(taken.length).toBeLessThan(10);
		const first = taken.length;
		for (const take of taken) take();
		await vi.waitUntil(() => taken.length > first, patience);
		far.destroy();
	});

	it("is let go when it does not read, or sends what is not a message, and the process goes on", async () => {
		const limits = { ...defaultConnectionLimits, maxMessageBytes: 100_000, maxUnsentBytes: 100_000 };
		const deaf = joined(limits);
		for (let count = 0; count < 10; count++)
			deaf.scene.process.say({ method: "notifications/x", params: { text: "y".repeat(40_000) } });
		await vi.waitUntil(() => deaf.onEnd.mock.calls.length === 1, patience);
		expect(deaf.scene.received).toHaveLength(10);
		const noisy = joined();
		noisy.far.write("this is no message\n");
		await vi.waitUntil(() => noisy.onEnd.mock.calls.length === 1, patience);
		noisy.scene.process.say({ id: 1, method: "ping" });
		expect(noisy.scene.received).toHaveLength(1);
	});
});
