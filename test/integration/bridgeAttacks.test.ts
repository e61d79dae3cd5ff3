/** Attacks on the bridge, by processes of the same user that speak to the socket themselves. */
import { chmodSync, readdirSync, readFileSync, openSync, closeSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { linkVersion } from "../../src/surfaces/bridge/link.ts";
import { BridgeListener } from "../../src/surfaces/bridge/listener.ts";
import { messagesOf, onLines, readReceived } from "../servers/received.ts";
import { BridgeScene, RawAgent, type RawAnswer, textIn, toolNames } from "./bridgeScene.ts";
import { smallConfig } from "./fixtures.ts";

/** A connection of an attacker, and all that it received. */
class Attacker {
	readonly socket: Socket;
	readonly received: JsonObject[] = [];
	isClosed = false;

	constructor(address: string) {
		this.socket = connect(address);
		this.socket.on("error", () => undefined);
		this.socket.on("close", () => (this.isClosed = true));
		onLines(this.socket, (line) => this.received.push(JSON.parse(line) as JsonObject));
	}

	send(message: Json): void {
		this.socket.write(`${JSON.stringify(message)}\n`);
	}

	/** The first received message with a member. */
	async take(member: string): Promise<Json | undefined> {
		const found = await vi.waitUntil(() => this.received.find((one) => member in one), { timeout: 60_000 });
		return found[member];
	}
}

/** The file of the one window of a scene. */
function windowOf({ folder }: BridgeScene): { readonly socket: string; readonly key: string } {
	const name = readdirSync(folder).find((one) => one.endsWith(".json")) ?? "";
	return JSON.parse(readFileSync(path.join(folder, name), "utf8")) as { socket: string; key: string };
}

const call = {
	id: 1,
	method: "tools/call",
	client: { name: "agent", version: "1" },
	params: { name: "small_echo", arguments: { text: "evil" } },
};

async function opened(scene: BridgeScene): Promise<string> {
	const log = scene.host.path("small.log");
	await scene.host.run("small", smallConfig("both", log));
	await scene.open();
	return log;
}

describe("a process that connects to the socket of a window (GST-10)", () => {
	it("without the key, before it says who it is, or with a message in another form, is refused", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		const { socket, key } = windowOf(scene);
		const openings: readonly (readonly [Json, RegExp])[] = [
			[{ hello: { link: linkVersion, key: "guessed", pid: process.pid } }, /does not have the key/],
			[{ hello: { link: 99, key, pid: process.pid } }, /another version/],
			[call, /did not say who it is first/],
			[{ held: true }, /was not asked for a proof/],
			[{ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }, /cannot be read/],
			["x".repeat(5000), /too long/],
		];
		for (const [message, why] of openings) {
			const attacker = new Attacker(socket);
			attacker.send(message);
			expect(await attacker.take("refused")).toMatch(why);
			await expect.poll(() => attacker.isClosed).toBe(true);
		}
		expect([scene.programs, scene.questions, messagesOf(readReceived(log), "tools/call")]).toEqual([[], [], []]);
	});

	it.skipIf(process.platform !== "linux")("under the number of another process is refused", async () => {
		await using scene = new BridgeScene();
		await opened(scene);
		const { socket, key } = windowOf(scene);
		const attacker = new Attacker(socket);
		attacker.send({ hello: { link: linkVersion, key, pid: process.ppid } });
		const file = String(await attacker.take("hold"));
		const handle = openSync(file, "r");
		attacker.send({ held: true });
		expect(await attacker.take("refused")).toMatch(/did not prove its process/);
		closeSync(handle);
		await expect.poll(() => readdirSync(scene.folder).filter((name) => name.endsWith(".proof"))).toEqual([]);
	});

	it.skipIf(process.platform !== "linux")(
		"under the name of an agent that the user allowed is asked about, since its parents are others (GST-08)",
		async () => {
			await using scene = new BridgeScene();
			const log = await opened(scene);
			const client = await scene.connect("agent");
			await expect.poll(() => toolNames(client)).toContain("small_echo");
			scene.allowsProgram = undefined;
			const { socket, key } = windowOf(scene);
			const attacker = new Attacker(socket);
			attacker.send({ hello: { link: linkVersion, key, pid: process.pid } });
			const handle = openSync(String(await attacker.take("hold")), "r");
			attacker.send({ held: true });
			await attacker.take("ready");
			attacker.send(call);
			expect(textIn((await attacker.take("result")) as JsonObject)).toContain("has not allowed this program");
			closeSync(handle);
			expect(scene.programs.map(({ name }) => name)).toEqual(["agent", "agent"]);
			expect(scene.programs[0]?.chain).not.toEqual(scene.programs[1]?.chain);
			expect(messagesOf(readReceived(log), "tools/call")).toEqual([]);
			attacker.socket.destroy();
		},
	);

	it("and takes another name on the same connection is asked about again (GST-08)", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		const { socket, key } = windowOf(scene);
		const attacker = new Attacker(socket);
		attacker.send({ hello: { link: linkVersion, key, pid: process.pid } });
		const handle = process.platform === "linux" ? openSync(String(await attacker.take("hold")), "r") : undefined;
		if (handle !== undefined) attacker.send({ held: true });
		await attacker.take("ready");
		const list = { method: "tools/list", client: call.client, params: {} };
		for (let id = 10; !JSON.stringify(attacker.received).includes("small_echo"); id++) {
			attacker.send({ id, ...list });
			await vi.waitUntil(() => attacker.received.some((one) => one["id"] === id), { timeout: 60_000 });
		}
		scene.allowsProgram = undefined;
		const other = { name: "other", version: "1" };
		attacker.send({ ...call, id: 1, client: other });
		attacker.send({ id: 2, method: "resources/read", client: other, params: { uri: "small://counter" } });
		for (const id of [1, 2]) {
			const answer = await vi.waitUntil(() => attacker.received.find((one) => one["id"] === id), { timeout: 60_000 });
			expect(JSON.stringify(answer)).toContain("has not allowed this program");
		}
		expect(scene.programs.map(({ name }) => name)).toEqual(["agent", "other"]);
		for (const method of ["tools/call", "resources/read"]) expect(messagesOf(readReceived(log), method)).toEqual([]);
		if (handle !== undefined) closeSync(handle);
		attacker.socket.destroy();
	});

	it("a thousand times, with half messages, harms no other client and leaves nothing (GST-10)", async () => {
		await using scene = new BridgeScene();
		await opened(scene);
		const { socket } = windowOf(scene);
		const client = await scene.connect("agent");
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		const flood = Array.from({ length: 1000 }, () => new Attacker(socket));
		for (const attacker of flood) attacker.socket.write('{"hello":{"link":2,');
		expect(textIn(await client.callTool({ name: "small_echo", arguments: { text: "fine" } }))).toBe("fine");
		// A new client gets through while the flood lasts, too.
		const second = await scene.connect("agent");
		await expect.poll(() => toolNames(second)).toContain("small_echo");
		for (const attacker of flood) attacker.socket.destroy();
		await expect.poll(() => scene.bridges[0]?.clients).toBe(2);
		expect(scene.programs).toHaveLength(1);
	});

	it("a hundred times, under its own number, takes no other program's place (GST-10)", async () => {
		await using scene = new BridgeScene();
		await opened(scene);
		const { socket, key } = windowOf(scene);
		const client = await scene.connect("agent");
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		const flood: Attacker[] = [];
		for (let count = 0; count < 100; count++) {
			const attacker = new Attacker(socket);
			flood.push(attacker);
			attacker.send({ hello: { link: linkVersion, key, pid: process.pid } });
			const handle = process.platform === "linux" ? openSync(String(await attacker.take("hold")), "r") : undefined;
			if (handle !== undefined) attacker.send({ held: true });
			await attacker.take("ready");
			if (handle !== undefined) closeSync(handle);
		}
		expect(textIn(await client.callTool({ name: "small_echo", arguments: { text: "fine" } }))).toBe("fine");
		const second = await scene.connect("agent");
		await expect.poll(() => toolNames(second)).toContain("small_echo");
		expect(scene.bridges[0]?.clients).toBe(64);
		for (const attacker of flood) attacker.socket.destroy();
		await expect.poll(() => scene.bridges[0]?.clients).toBe(2);
	});

	it("with more open requests than allowed, has the others refused", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		scene.answer = undefined;
		const raw = RawAgent.start(scene);
		await raw.initialize("agent");
		await expect.poll(async () => JSON.stringify((await raw.request("tools/list", {})).result)).toContain("small_echo");
		for (let id = 1000; id < 1040; id++) {
			const params = { name: "small_echo", arguments: { text: `call ${id}` } };
			raw.write({ jsonrpc: "2.0", id, method: "tools/call", params });
		}
		// Changes of lists may arrive in between.
		const answers = (): readonly RawAnswer[] => raw.received.filter(({ id }) => typeof id === "number" && id >= 1000);
		await expect.poll(() => answers().length).toBe(24);
		for (const { result } of answers()) expect(result).toMatchObject({ isError: true });
		await expect.poll(() => scene.questions.length).toBe(16);
		// The questions end with their client.
		await raw.end();
		await expect
			.poll(() => scene.questions.every(({ question }) => question.decision.outcome?.by === "lapse"))
			.toBe(true);
		expect(messagesOf(readReceived(log), "tools/call")).toEqual([]);
	});

	it.skipIf(process.platform === "win32")("through a folder that others can open: nothing is shared", async () => {
		await using scene = new BridgeScene();
		await opened(scene);
		chmodSync(scene.folder, 0o777);
		const raw = RawAgent.start(scene);
		await raw.initialize("agent");
		const refused = await raw.request("tools/call", { name: "small_echo", arguments: {} });
		expect(textIn(refused.result ?? {})).toContain("No VS Code window");
		await raw.end();
		const calls = { handle: async () => ({}), leave: () => undefined, mayNotify: () => false };
		const windows = { application: async () => "none", take: async () => undefined };
		const again = BridgeListener.open({ folder: scene.folder, calls, windows, workspaceFolders: async () => [] });
		await expect(again).rejects.toThrow("Other users can open");
		chmodSync(scene.folder, 0o700);
	});
});
