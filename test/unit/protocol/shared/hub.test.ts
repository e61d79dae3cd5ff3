import { describe, expect, it } from "vitest";
import { unmeasured } from "../../../../src/protocol/messages/tappedTransport.ts";
import { handshake, HubScene } from "./hubScene.ts";

const call = (id: number | string, progressToken?: number | string): Record<string, unknown> => ({
	id,
	method: "tools/call",
	params: { name: "t", ...(progressToken === undefined ? {} : { _meta: { progressToken } }) },
});
const streamKey = "io.modelcontextprotocol/subscriptionId";
const levelKey = "io.modelcontextprotocol/logLevel";

describe("a process with several clients (GST-16)", () => {
	it("answers each client by the id that it chose, whatever the others chose", async () => {
		const scene = new HubScene();
		await scene.shake();
		const [one, two] = [scene.join(), scene.join()];
		await scene.send(call(1));
		await one.send(call(1));
		await two.send(call("1"));
		const [own, first, second] = scene.process.received.map((message) => ("id" in message ? message.id : undefined));
		expect(own).toBe(1);
		expect(new Set([own, first, second]).size).toBe(3);
		expect([typeof first, typeof second]).toEqual(["number", "string"]);
		scene.process.say({ id: second, result: { of: "two" } });
		// Some servers answer a number with a text.
		scene.process.say({ id: String(first), error: { code: 1, message: "one" } });
		scene.process.say({ id: own, result: { of: "owner" } });
		expect(scene.received).toEqual([{ jsonrpc: "2.0", id: 1, result: { of: "owner" } }]);
		expect(one.received).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "one" } }]);
		expect(two.received).toEqual([{ jsonrpc: "2.0", id: "1", result: { of: "two" } }]);
	});

	it("carries the owner's messages as they are", async () => {
		const scene = new HubScene();
		const message = { jsonrpc: "2.0", id: 5, method: "tools/call", params: {} } as const;
		await scene.owner.send(message);
		expect(scene.process.received[0]).toBe(message);
		const answer = { jsonrpc: "2.0", id: 5, result: {} } as const;
		scene.process.onmessage?.(answer);
		expect(scene.received[0]).toBe(answer);
	});

	it("reports progress to the client whose call it is of", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		await scene.send(call(3, 3));
		await guest.send(call(3, 3));
		const token = (scene.process.last["params"] as { _meta: { progressToken: number } })._meta.progressToken;
		const progress = (progressToken: number): object => ({ progressToken, progress: 1 });
		scene.process.say({ method: "notifications/progress", params: progress(token) });
		expect(guest.received).toEqual([{ jsonrpc: "2.0", method: "notifications/progress", params: progress(3) }]);
		scene.process.say({ method: "notifications/progress", params: progress(3) });
		expect(scene.received).toEqual([{ jsonrpc: "2.0", method: "notifications/progress", params: progress(3) }]);
		scene.process.say({ id: scene.process.last.id, result: {} });
		// Late progress is nobody's.
		scene.process.say({ method: "notifications/progress", params: progress(token) });
		expect([guest.received.length, scene.received.length]).toEqual([2, 1]);
	});

	it("cancels the request that a client means, and drops its late answer", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		await scene.send(call(1));
		await guest.send(call(1));
		const { id } = scene.process.last;
		await guest.send({ method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } });
		expect(scene.process.last["params"]).toEqual({ requestId: id, reason: "enough" });
		await guest.send({ method: "notifications/cancelled", params: { requestId: 99 } });
		expect(scene.process.received).toHaveLength(3);
		scene.process.say({ id, result: {} });
		expect([guest.received, scene.received]).toEqual([[], []]);
	});

	it("answers the handshake of a guest as the server answered that of the owner, if it is the same", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		await guest.send({ id: 0, method: "server/discover", params: {} });
		await guest.send({ id: 1, method: "initialize", params: { ...handshake, protocolVersion: "2024-11-05" } });
		await guest.send({ method: "notifications/initialized" });
		await guest.send({ id: 2, method: "initialize", params: { ...handshake, capabilities: {} } });
		expect(scene.process.received).toEqual([]);
		expect(guest.received).toMatchObject([
			{ id: 0, error: { code: -32601 } },
			{ id: 1, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} } } },
			{ id: 2, error: { code: -32602 } },
		]);
	});

	it("has the most verbose level that a client wants, and each client gets only its own", async () => {
		const scene = new HubScene();
		await scene.shake();
		const [guest, quiet] = [scene.join(), scene.join()];
		await scene.send({ id: 1, method: "logging/setLevel", params: { level: "warning" } });
		await guest.send({ id: 1, method: "logging/setLevel", params: { level: "debug" } });
		expect(scene.process.last["params"]).toEqual({ level: "debug" });
		await quiet.send({ id: 1, method: "logging/setLevel", params: { level: "error" } });
		// The server has that level already.
		expect(quiet.received).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
		const log = (level: string): void =>
			scene.process.say({ method: "notifications/message", params: { level, data: level } });
		for (const level of ["debug", "warning", "error"]) log(level);
		const heard = [scene.received, guest.received, quiet.received.slice(1)].map((all) =>
			all.map((message) => ("params" in message ? message.params?.["level"] : undefined)),
		);
		expect(heard).toEqual([["warning", "error"], ["debug", "warning", "error"], ["error"]]);
		// A change of the owner does not take the level of the guest.
		await scene.send({ id: 2, method: "logging/setLevel", params: { level: "info" } });
		expect(scene.process.last["params"]).toEqual({ level: "debug" });
		guest.port.leave();
		expect(scene.process.last).toMatchObject({ method: "logging/setLevel", params: { level: "info" } });
	});

	it("counts subscriptions, and reports a changed resource to its subscribers only", async () => {
		const scene = new HubScene();
		await scene.shake();
		const [one, two] = [scene.join(), scene.join()];
		const subscribe = { id: 1, method: "resources/subscribe", params: { uri: "a://b" } };
		const unsubscribe = { id: 2, method: "resources/unsubscribe", params: { uri: "a://b" } };
		await one.send(subscribe);
		scene.process.say({ id: scene.process.last.id, result: {} });
		await scene.send(subscribe);
		scene.process.say({ id: 1, result: {} });
		scene.process.say({ method: "notifications/resources/updated", params: { uri: "a://b/c" } });
		expect(one.received.at(-1)).toMatchObject({ params: { uri: "a://b/c" } });
		expect(scene.received.at(-1)).toMatchObject({ params: { uri: "a://b/c" } });
		expect(two.received).toEqual([]);
		const before = scene.process.received.length;
		await one.send(unsubscribe);
		expect(one.received.at(-1)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
		expect(scene.process.received).toHaveLength(before);
		// One that the server refuses is none.
		await two.send({ ...subscribe, params: { uri: "x://y" } });
		scene.process.say({ id: scene.process.last.id, error: { code: 1, message: "no" } });
		scene.process.say({ method: "notifications/resources/updated", params: { uri: "x://y" } });
		expect(two.received).toHaveLength(1);
	});

	it("keeps a subscription that the owner gives up and a guest still has", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		const about = (id: number, what: string): Record<string, unknown> => ({
			id,
			method: `resources/${what}`,
			params: { uri: "a://b" },
		});
		await guest.send(about(1, "subscribe"));
		scene.process.say({ id: scene.process.last.id, result: {} });
		await scene.send(about(1, "subscribe"));
		scene.process.say({ id: 1, result: {} });
		const before = scene.process.received.length;
		await scene.send(about(2, "unsubscribe"));
		expect(scene.received.at(-1)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
		expect(scene.process.received).toHaveLength(before);
		expect(scene.owner.sentForm).toEqual(unmeasured);
		scene.process.say({ method: "notifications/resources/updated", params: { uri: "a://b" } });
		expect(guest.received.at(-1)).toMatchObject({ params: { uri: "a://b" } });
		// The last one who follows it ends it.
		await guest.send(about(2, "unsubscribe"));
		expect(scene.process.last).toMatchObject({ method: "resources/unsubscribe" });
	});

	it("reports changed lists to all clients", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guests = [scene.join(), scene.join()];
		scene.process.say({ method: "notifications/tools/list_changed" });
		for (const { received } of [...guests, scene]) expect(received).toHaveLength(1);
		// None of them is dropped unread for the owner's sake.
		scene.owner.isUnwanted = () => true;
		expect(scene.process.isUnwanted?.('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"')).toBe(false);
		expect(scene.process.isUnwanted?.('{"jsonrpc":"2.0","method":"notifications/message"')).toBe(true);
		for (const { port } of guests) port.leave();
		expect(scene.process.isUnwanted?.('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"')).toBe(true);
	});

	it("asks the client whose call is open, of several the latest, otherwise the owner", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		const elicit = (id: number): void => scene.process.say({ id, method: "elicitation/create", params: {} });
		elicit(1);
		expect(scene.received).toMatchObject([{ id: 1 }]);
		await guest.send(call(1));
		// A list asks nothing.
		await scene.send({ id: 1, method: "tools/list" });
		elicit(2);
		expect(guest.received).toMatchObject([{ id: 2 }]);
		// Only who was asked can answer.
		const before = scene.process.received.length;
		await guest.send({ id: 1, result: { action: "accept" } });
		expect(scene.process.received).toHaveLength(before);
		await guest.send({ id: 2, result: { action: "decline" } });
		expect(scene.process.last).toEqual({ jsonrpc: "2.0", id: 2, result: { action: "decline" } });
		elicit(3);
		scene.process.say({ method: "notifications/cancelled", params: { requestId: 3 } });
		expect(guest.received.at(-1)).toMatchObject({ method: "notifications/cancelled", params: { requestId: 3 } });
		scene.process.say({ id: 4, method: "ping" });
		expect(scene.received.at(-1)).toMatchObject({ id: 4 });
		await scene.send(call(2));
		elicit(5);
		expect(scene.received.at(-1)).toMatchObject({ id: 5 });
	});

	it("takes back all that a client has when it ends, and goes on for the others", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		await guest.send({ id: 1, method: "resources/subscribe", params: { uri: "a://b" } });
		scene.process.say({ id: scene.process.last.id, result: {} });
		await guest.send(call(2));
		const { id } = scene.process.last;
		scene.process.say({ id: 9, method: "elicitation/create", params: {} });
		scene.process.received.splice(0);
		guest.port.leave();
		expect(scene.process.received).toMatchObject([
			{ method: "notifications/cancelled", params: { requestId: id } },
			{ id: 9, error: { code: -32603 } },
			{ method: "resources/unsubscribe", params: { uri: "a://b" } },
		]);
		scene.process.say({ id: scene.process.last.id, result: {} });
		scene.process.say({ id, result: {} });
		await guest.send(call(3));
		expect([scene.received, guest.received.length, scene.process.received.length]).toEqual([[], 2, 3]);
		await scene.send(call(1));
		scene.process.say({ id: 1, result: {} });
		expect(scene.received).toHaveLength(1);
	});

	it("lets a client go that asks too much at once, and no other", async () => {
		const scene = new HubScene();
		await scene.shake();
		const [flood, other] = [scene.join(), scene.join()];
		for (let id = 0; id < 300; id++) await flood.send(call(id));
		expect(flood.ends).toHaveLength(1);
		await other.send(call(1));
		scene.process.say({ id: scene.process.last.id, result: {} });
		expect(other.received).toHaveLength(1);
	});

	it("refuses the request of a guest that does not reach the process", async () => {
		const scene = new HubScene();
		await scene.shake();
		const guest = scene.join();
		scene.process.fault = new Error("The pipe is full.");
		await guest.send(call(1));
		expect(guest.received).toMatchObject([{ id: 1, error: { message: "The pipe is full." } }]);
		await expect(scene.send(call(1))).rejects.toThrow("The pipe is full.");
	});

	it("ends the guests with the process, and takes no more", async () => {
		const scene = new HubScene();
		const guest = scene.join();
		scene.owner.hub.endGuests("has other roots");
		const second = scene.join();
		await scene.owner.close();
		expect(guest.ends).toEqual(["has other roots"]);
		expect(second.ends).toEqual(["was stopped in the window that ran it"]);
		expect(() => scene.join()).toThrow("has ended");
		await scene.owner.hub.ended;
	});
});

describe("a process of revision 2026-07-28 with several clients (GST-16)", () => {
	it("has its subscriptions answered, fed and ended by the ids of their clients", async () => {
		const scene = new HubScene();
		const guest = scene.join();
		const listen = { id: "listen:0", method: "subscriptions/listen", params: { notifications: {} } };
		await scene.send(listen);
		await guest.send(listen);
		const { id } = scene.process.last;
		const update = (stream: unknown): void =>
			scene.process.say({
				method: "notifications/resources/updated",
				params: { uri: "a://b", _meta: { [streamKey]: stream } },
			});
		update(id);
		expect(guest.received).toMatchObject([{ params: { uri: "a://b", _meta: { [streamKey]: "listen:0" } } }]);
		update("listen:0");
		expect(scene.received).toMatchObject([{ params: { _meta: { [streamKey]: "listen:0" } } }]);
		scene.process.say({ method: "notifications/cancelled", params: { requestId: id } });
		expect(guest.received.at(-1)).toMatchObject({ params: { requestId: "listen:0" } });
		scene.process.say({ id, result: { _meta: { [streamKey]: id } } });
		expect(guest.received.at(-1)).toMatchObject({ id: "listen:0", result: { _meta: { [streamKey]: "listen:0" } } });
		expect(scene.received).toHaveLength(1);
	});

	it("has its log messages read by the clients whose open requests ask for them", async () => {
		const scene = new HubScene();
		const guest = scene.join();
		const wanting = (level: string): object => ({ ...call(1), params: { _meta: { [levelKey]: level } } });
		await guest.send({ ...wanting("warning") });
		const log = (level: string): void => scene.process.say({ method: "notifications/message", params: { level } });
		log("error");
		expect([guest.received.length, scene.received.length]).toEqual([1, 0]);
		await scene.send({ ...wanting("debug") });
		log("info");
		log("error");
		expect([guest.received.length, scene.received.length]).toEqual([2, 2]);
	});
});
