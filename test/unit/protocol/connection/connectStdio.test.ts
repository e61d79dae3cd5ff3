import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messagesOf, processesOf } from "../../../servers/received.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";
import { control, fixtures, Scene, textOf } from "./connectScene.ts";
import { launchOf, nodeLaunch } from "../stdio/processes.ts";

describe.concurrent("connect over stdio", () => {
	it.each([
		["both", "modern", "2026-07-28"],
		["modern", "modern", "2026-07-28"],
		["legacy", "legacy", "2025-11-25"],
	] as const)("finds the era of a server of %s with one process", async (speaks, era, version) => {
		await using scene = new Scene();
		const connection = await scene.connect(scene.small(speaks));
		expect(connection.facts).toMatchObject({
			era,
			protocolVersion: version,
			transport: "stdio",
			server: { name: "small" },
		});
		expect(connection.verdict.kind).toBe(era);
		expect(textOf(await connection.callTool("echo", { text: "hello" }, undefined, control()))).toBe("hello");
		expect((await connection.listTools(undefined, control())).items.length).toBeGreaterThan(5);
		const [pid] = processesOf(scene.received);
		expect([scene.starts, connection.facts.pid]).toEqual([1, pid]);
		await connection.close();
		expect([scene.host.ends, scene.host.retries, scene.host.troubles]).toEqual([[], [], []]);
		expect(() => process.kill(pid ?? -1, 0)).toThrow();
	});

	it.each([
		["modern", "legacy", (scene: Scene) => scene.small("legacy"), 2],
		["legacy", "modern", (scene: Scene) => scene.small("modern"), 2],
		["legacy", "legacy", (scene: Scene) => scene.small("both"), 1],
		["modern", "legacy", (scene: Scene) => scene.faulty("exitOnDiscover"), 2],
	] as const)("with the memory of a %s server finds that it is %s now", async (remembered, era, launch, count) => {
		await using scene = new Scene();
		const verdict = remembered === "legacy" ? { kind: remembered } : { kind: remembered, version: "2026-07-28" };
		const connection = await scene.connect(launch(scene), { verdict });
		expect(connection.facts.era).toBe(era);
		expect([scene.starts, scene.host.retries.length]).toEqual([count, count - 1]);
	});

	it("starts a server that dies of the era probe once more, without it", async () => {
		await using scene = new Scene();
		const connection = await scene.connect(scene.faulty("exitOnDiscover"));
		expect(connection.facts).toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
		expect(scene.starts).toBe(2);
		expect(scene.host.retries).toEqual([
			"The server exited with code 1 during the handshake. Starting the server again without asking for its revision.",
		]);
	});

	it("treats a server that ignores the era probe as legacy in time", async () => {
		await using scene = new Scene();
		const connection = await scene.connect(scene.faulty("hangDiscover"), { probeTimeoutMs: 1500 });
		expect(connection.facts.era).toBe("legacy");
		expect([scene.starts, messagesOf(scene.received, "server/discover").length]).toEqual([1, 1]);
	});

	it("connects to a modern server that is too slow for the era probe", async () => {
		await using scene = new Scene();
		// Like a package that is downloaded first: the second start is quick.
		const server = JSON.stringify(join(fixtures, "everythingSmall.ts"));
		const script = `setTimeout(() => import(${server}), require("fs").existsSync(${JSON.stringify(scene.log)}) ? 0 : 1500)`;
		const args = ["-e", script, "--", "--era", "modern", "--log", scene.log];
		const connection = await scene.connect(launchOf(process.execPath, args), { probeTimeoutMs: 1200 });
		expect([connection.facts.era, scene.host.retries.length]).toEqual(["modern", 1]);
	});

	it("remembers the era of a server that answered the era probe too late", async () => {
		await using scene = new Scene();
		const server = JSON.stringify(join(fixtures, "everythingSmall.ts"));
		const args = ["-e", `setTimeout(() => import(${server}), 600)`, "--", "--era", "both", "--log", scene.log];
		const connection = await scene.connect(launchOf(process.execPath, args), { probeTimeoutMs: 300 });
		expect([connection.facts.era, connection.verdict]).toEqual(["legacy", { kind: "modern", version: "2026-07-28" }]);
		expect([scene.host.troubles, scene.host.retries]).toEqual([[], []]);
	});

	it("reports that a server exited, and keeps its last output", async () => {
		await using scene = new Scene();
		await expect(scene.connect(scene.faulty("exitAtOnce"), { protocol: "legacy" })).rejects.toMatchObject({
			code: "not-connected",
			message: "The server exited with code 3 during the handshake.",
		});
		expect(scene.host.stderr).toContain("the API key is missing");
		expect(scene.starts).toBe(1);
	});

	it("reports that a command was not found, and tries nothing else", async () => {
		await using scene = new Scene();
		await expect(scene.connect(launchOf("no-such-command"), { verdict: { kind: "legacy" } })).rejects.toMatchObject({
			code: "start-failed",
			message: expect.stringMatching(/^The command no-such-command was not found\./),
		});
		expect(scene.host.retries).toEqual([]);
	});

	it("ends a server that hangs when the time of the handshake is over", async () => {
		await using scene = new Scene();
		await expect(scene.connect(scene.faulty("hang"), { handshakeTimeoutMs: 700 })).rejects.toMatchObject({
			code: "timeout",
			message: "The server did not answer the handshake within 1 s. Its log may say why.",
		});
		scene.expectNoProcess();
	});

	it.each([0, 1, 20, 400])("leaves nothing when it is cancelled after %i ms", async (ms) => {
		await using scene = new Scene();
		const controller = new AbortController();
		const reason = new Error("given up");
		setTimeout(() => controller.abort(reason), ms);
		await expect(scene.connect(scene.faulty("hang"), { signal: controller.signal })).rejects.toBe(reason);
		scene.expectNoProcess();
	});

	it("fails the request whose answer is too large or too deep like over HTTP, and continues", async () => {
		await using scene = new Scene();
		const launch = nodeLaunch(`require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
			const { id, method, params } = JSON.parse(line);
			const answers = {
				initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } },
				large: { content: [{ type: "text", text: "x".repeat(200_000) }] },
				deep: { content: [], structuredContent: JSON.parse('{"a":'.repeat(300) + "1" + "}".repeat(300)) },
				small: { content: [{ type: "text", text: "well" }] },
			};
			if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[params.name ?? method] }));
		})`);
		const limits = { ...defaultConnectionLimits, maxMessageBytes: 100_000 };
		const connection = await scene.connect(launch, { verdict: { kind: "legacy" }, limits });
		const call = (name: string) => connection.callTool(name, {}, undefined, control());
		await expect(call("large")).rejects.toMatchObject({
			code: "limit",
			message: expect.stringMatching(
				/^The server's response .*is larger .*mcpHost\.limits\.messageSize\)\. It was dropped\. The tool may have run\. Check before/,
			),
		});
		await expect(call("deep")).rejects.toMatchObject({
			code: "limit",
			message: expect.stringMatching(/^The server's response is nested deeper than the limit of \d+ levels\./),
		});
		expect(textOf(await call("small"))).toBe("well");
	});

	it("reports a crash, and fails the pending calls", async () => {
		await using scene = new Scene();
		const connection = await scene.connect(scene.faulty("crashLater"));
		await expect(connection.callTool("crash", {}, undefined, control())).rejects.toMatchObject({
			code: "outcome-unknown",
			message: expect.stringMatching(/^The server exited with code 7\./),
		});
		expect(scene.host.ends).toEqual(["exited with code 7"]);
		await expect(connection.callTool("echo", {}, undefined, control())).rejects.toMatchObject({
			code: "not-connected",
		});
		await connection.close();
		expect(scene.host.ends).toHaveLength(1);
	});
});
