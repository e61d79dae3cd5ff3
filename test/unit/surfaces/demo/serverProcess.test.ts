import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleDemoServer, type DemoServerBundle } from "./demoServer.ts";

let bundle: DemoServerBundle;

beforeAll(async () => {
	bundle = await bundleDemoServer();
});

afterAll(() => bundle.remove());

describe("the process of the demo server", () => {
	const start = (): ChildProcessByStdio<Writable, Readable, null> =>
		spawn(process.execPath, [bundle.path, "--step", "0"], { stdio: ["pipe", "pipe", "inherit"] });

	it("ends silently when its standard input does", async () => {
		const child = start();
		child.stdin.end();
		expect(await once(child, "exit")).toEqual([0, null]);
	});

	it("ends when its standard input does while it waits for a user", async () => {
		const child = start();
		const say = (message: object): void =>
			void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
		const clientInfo = { name: "test", version: "1" };
		const capabilities = { elicitation: {} };
		say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities, clientInfo } });
		say({ method: "notifications/initialized" });
		const stay = { city: "Paris", checkIn: "2026-06-12", nights: 1 };
		say({ id: 2, method: "tools/call", params: { name: "bookHotel", arguments: stay } });
		for await (const line of createInterface(child.stdout)) {
			if ((JSON.parse(line) as { method?: string }).method === "elicitation/create") break;
		}
		child.stdin.end();
		expect(await once(child, "exit")).toEqual([0, null]);
	});

	it("is small, and brings no code generator", () => {
		expect(bundle.bytes).toBeLessThan(400_000);
		expect(bundle.inputs.filter((input) => /ajv|src\/(?!surfaces\/demo|base)/.test(input))).toEqual([]);
	});
});
