import { afterEach, describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { isInterrupted } from "../../../../src/protocol/connection/requestFailure.ts";
import { StdioTransport } from "../../../../src/protocol/stdio/stdioTransport.ts";
import { launchOf, livingInGroup, nodeLaunch, until, type StdioLaunch } from "./processes.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";

interface Heard {
	readonly messages: unknown[];
	readonly errors: Error[];
	readonly noise: string[];
	readonly troubles: string[];
	readonly ends: string[];
	stderr: string;
	closes: number;
}

const open: StdioTransport[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((transport) => transport.close()));
});

function make(
	launch: StdioLaunch,
	maxMessageBytes = defaultConnectionLimits.maxMessageBytes,
): { readonly transport: StdioTransport; readonly heard: Heard } {
	const heard: Heard = { messages: [], errors: [], noise: [], troubles: [], ends: [], stderr: "", closes: 0 };
	const listener = {
		onStderr: (piece: string) => void (heard.stderr += piece),
		onNoise: (line: string) => void heard.noise.push(line),
		onTrouble: (message: string) => void heard.troubles.push(message),
		onEnd: (reason: string) => void heard.ends.push(reason),
	};
	const transport = new StdioTransport(launch, listener, { ...defaultConnectionLimits, maxMessageBytes });
	transport.onmessage = (message) => void heard.messages.push(message);
	transport.onerror = (error) => void heard.errors.push(error);
	transport.onclose = () => void heard.closes++;
	open.push(transport);
	return { transport, heard };
}

const ping = { jsonrpc: "2.0" as const, id: 1, method: "ping" };
/** Sends every line back. */
const echo = "process.stdin.pipe(process.stdout)";
/** Reads nothing, and ends a minute later. */
const livesOn = "setTimeout(() => {}, 60_000)";
const closesInput = `require("fs").closeSync(0); require("fs").writeSync(2, "closed"); ${livesOn}`;

describe("StdioTransport", () => {
	it("carries messages both ways, and standard error beside them", async () => {
		const { transport, heard } = make(nodeLaunch(`process.stderr.write("grüße 😀"); ${echo}`));
		await transport.start();
		expect(transport.pid).toBeGreaterThan(0);
		const big = { jsonrpc: "2.0" as const, id: 2, method: "x", params: { text: "😀é\n".repeat(200_000) } };
		await Promise.all([transport.send(ping), transport.send(big)]);
		await until(() => heard.messages.length === 2);
		expect(heard.messages).toEqual([ping, big]);
		await transport.close();
		expect(heard).toMatchObject({ errors: [], noise: [], ends: [], closes: 1, stderr: "grüße 😀" });
	});

	it("skips noise and reports it", async () => {
		const { transport, heard } = make(nodeLaunch(`console.log("Welcome!\\n[]\\n{}"); ${echo}`));
		await transport.start();
		await transport.send(ping);
		await until(() => heard.messages.length === 1);
		expect(heard.noise).toEqual(["Welcome!", "[]", "{}"]);
	});

	it.each([
		["process.exit(3)", "exited with code 3"],
		["process.exit(0)", "exited with code 0"],
		// Windows has no signals: Node ends a process there with the code 1.
		[
			"process.kill(process.pid, 'SIGKILL')",
			process.platform === "win32" ? "exited with code 1" : "was killed by SIGKILL",
		],
	])("reports how %s ended, once, after its last output", async (script, reason) => {
		const { transport, heard } = make(
			nodeLaunch(
				`require("fs").writeSync(1, '{"jsonrpc":"2.0","method":"bye"}\\n'); require("fs").writeSync(2, "last words"); ${script}`,
			),
		);
		await transport.start();
		await until(() => heard.closes === 1);
		expect(heard.ends).toEqual([reason]);
		expect(heard.messages).toEqual([{ jsonrpc: "2.0", method: "bye" }]);
		expect(heard.stderr).toBe("last words");
		await expect(transport.send(ping)).rejects.toMatchObject({
			code: "not-connected",
			message: `The server ${reason}.`,
		});
		await transport.close();
		expect(heard.closes).toBe(1);
	});

	it("reads all output of a server before its end, however long that takes", async () => {
		const script = `require("fs").writeSync(1, '{"jsonrpc":"2.0","method":"word"}\\n'.repeat(1000)); process.exit(0)`;
		const { transport, heard } = make(nodeLaunch(script));
		transport.onmessage = (message) => {
			heard.messages.push(message);
			const end = performance.now() + 0.1;
			while (performance.now() < end);
		};
		await transport.start();
		await until(() => heard.closes === 1);
		expect(heard.messages).toHaveLength(1000);
	});

	it("keeps the last output of a process that is closed as it ends", async () => {
		const { transport, heard } = make(nodeLaunch(`process.stderr.write("x".repeat(60000)); process.exitCode = 3`));
		await transport.start();
		await until(() => heard.ends.length === 1);
		await transport.close();
		expect(heard.stderr).toHaveLength(60_000);
	});

	it("ends a server whose message is too long, and reports why", async () => {
		const script = `process.stdout.on("error", () => {}); setInterval(() => process.stdout.write("x".repeat(65536)), 1)`;
		const { transport, heard } = make(nodeLaunch(script), 2 * 1024 * 1024);
		await transport.start();
		await until(() => heard.closes === 1);
		expect(heard.ends).toEqual(["wrote more than 2 MB without a line break and was stopped"]);
		await transport.close();
		expect([heard.closes, heard.ends.length]).toEqual([1, 1]);
	});

	it("fails the request whose answer is too long, and continues", async () => {
		const script = `process.stdin.on("data", (line) => {
			const { id, method } = JSON.parse(line);
			const text = "x".repeat(method === "big" ? 5_000_000 : 5);
			process.stdout.write(JSON.stringify({ result: { text }, jsonrpc: "2.0", id }) + "\\n");
		})`;
		const { transport, heard } = make(nodeLaunch(script), 2 * 1024 * 1024);
		await transport.start();
		await transport.send({ jsonrpc: "2.0", id: 1, method: "big" });
		await until(() => heard.messages.length === 1);
		await transport.send({ jsonrpc: "2.0", id: 2, method: "small" });
		await until(() => heard.messages.length === 2);
		const message =
			"The server's response (4 MB) is larger than the limit of 2 MB (setting mcpHost.limits.messageSize). " +
			"It was dropped.";
		expect(heard.messages).toMatchObject([
			{ id: 1, error: { message } },
			{ id: 2, result: { text: "xxxxx" } },
		]);
		expect(heard).toMatchObject({ closes: 0, noise: [], troubles: [expect.stringMatching(/^The server's response/)] });
	});

	it("reports how a server ended that never read its input", async () => {
		const { transport } = make(nodeLaunch("process.exit(5)"));
		await transport.start();
		const message = { ...ping, params: { text: "x".repeat(1024 * 1024) } };
		await expect(transport.send(message)).rejects.toMatchObject({
			code: "not-connected",
			message: "The server exited with code 5.",
		});
	});

	it("queues only a limited amount for a server that does not read (TRN-29)", async () => {
		const { transport } = make(nodeLaunch(livesOn));
		await transport.start();
		const message = { ...ping, params: { text: "x".repeat(1024 * 1024) } };
		const sent = Array.from({ length: 40 }, () =>
			transport.send(message).then(
				() => "sent",
				(error: unknown) => error,
			),
		);
		expect(await sent.at(-1)).toMatchObject({ code: "limit" });
		await transport.close();
		// Of the last accepted one the end is surely missing; what the server received of the others is unknown.
		const ends = await Promise.all(sent);
		const taken = ends.findIndex((end) => HostError.is(end, "limit"));
		expect(ends[taken - 1]).toMatchObject({ code: "not-connected" });
		expect(ends.slice(0, taken).every((end) => end instanceof Error)).toBe(true);
	});

	it("ends a server that closes its input and keeps running", async () => {
		const { transport, heard } = make(nodeLaunch(closesInput));
		await transport.start();
		await until(() => heard.stderr.includes("closed"));
		await transport.send(ping).catch(() => undefined);
		await until(() => heard.closes === 1);
		expect(heard).toMatchObject({ ends: ["closed its standard input"], errors: [] });
	});

	it("ends a server that closes its output and keeps running", async () => {
		const { transport, heard } = make(nodeLaunch(`require("fs").closeSync(1); ${livesOn}`));
		await transport.start();
		await until(() => heard.closes === 1);
		expect(heard.ends).toEqual(["closed its standard output"]);
	});

	it.skipIf(process.platform !== "linux")(
		"does not wait for an unrelated process that holds the pipes of a server that is gone",
		async () => {
			const { transport, heard } = make(launchOf("sh", ["-c", "setsid sleep 30 & echo $!; exit 4"]));
			await transport.start();
			await until(() => heard.closes === 1);
			expect(heard.ends).toEqual(["exited with code 4"]);
			// It left the group on purpose, so that no host can reach it; do not leave it to the next test.
			process.kill(Number(heard.noise[0] ?? 0), "SIGKILL");
		},
	);

	it.skipIf(process.platform !== "linux")("leaves no process when it is closed while it starts", async () => {
		const { transport, heard } = make(nodeLaunch("setInterval(() => {}, 1000)"));
		const started = transport.start();
		const closed = transport.close();
		await expect(started).rejects.toMatchObject({ code: "not-connected" });
		await closed;
		expect(livingInGroup(transport.pid ?? -1)).toEqual([]);
		expect(heard.ends).toEqual([]);
		await expect(transport.start()).rejects.toMatchObject({ code: "protocol" });
	});

	it("starts nothing after it was closed, and closes without having started", async () => {
		const { transport } = make(nodeLaunch(echo));
		await transport.close();
		await expect(transport.start()).rejects.toMatchObject({ code: "not-connected" });
		expect(transport.pid).toBeNull();
		await expect(transport.send(ping)).rejects.toMatchObject({ code: "not-connected" });
	});

	it("rejects messages to a server that closed its input or is gone", async () => {
		const { transport, heard } = make(nodeLaunch(closesInput));
		await transport.start();
		await until(() => heard.stderr.includes("closed"));
		const sent = Array.from({ length: 20 }, () =>
			transport.send({ ...ping, params: { text: "x".repeat(10_000) } }).then(
				() => "sent",
				() => "failed",
			),
		);
		expect((await Promise.all(sent)).at(-1)).toBe("failed");
	});

	it("does not report a message as unsent that the server received before it stopped in the next one (TRN-57)", async () => {
		const readsOne = `process.stdin.once("data", (text) => { process.stderr.write(String(text).split("\\n")[0]); process.exit(3); })`;
		const { transport, heard } = make(nodeLaunch(readsOne));
		await transport.start();
		const big = { ...ping, id: 2, params: { text: "x".repeat(8 * 1024 * 1024) } };
		const [first, second] = await Promise.allSettled([transport.send(ping), transport.send(big)]);
		expect(JSON.parse(heard.stderr)).toEqual(ping);
		const unsent = { status: "rejected", reason: expect.objectContaining({ code: "not-connected" }) };
		expect(second).toEqual(unsent);
		expect(first).toMatchObject({ status: "rejected" });
		expect(first).not.toEqual(unsent);
		expect(isInterrupted((first as PromiseRejectedResult).reason)).toBe(true);
	});

	it("surfaces errors of a listener, and continues", async () => {
		const { transport, heard } = make(nodeLaunch(echo));
		transport.onmessage = (message) => {
			heard.messages.push(message);
			throw new Error("a listener's fault");
		};
		await transport.start();
		await transport.send(ping);
		await transport.send(ping);
		await until(() => heard.errors.length === 2);
		expect(heard.messages).toHaveLength(2);
	});
});
