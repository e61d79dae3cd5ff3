import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { SafeWriter } from "../../src/base/secrets/writer.ts";
import { mockRecording } from "../../src/records/trace/mockRecording.ts";
import { FileTrace, readTrace } from "../../src/records/trace/readTraceFile.ts";
import { withBodies, writeTrace } from "../../src/records/trace/traceFile.ts";
import { knownServer } from "../../src/servers/sessions/knownServer.ts";
import { packageConfig, scriptConfig, smallConfig, textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** Has no secrets. */
const unchanged = { redact: (text: string) => text };

const cli = resolve("dist/cli.js");

/** The requests to server-everything, and to its recording; all that depend on neither time nor chance. */
async function exercise(session: ServerSession): Promise<unknown> {
	await expect.poll(() => session.tools.get("get-sum")).toBeDefined();
	await expect.poll(() => session.prompts.items.length).toBeGreaterThan(2);
	await expect.poll(() => session.resources.items.length).toBeGreaterThan(0);
	await expect.poll(() => session.resourceTemplates.items.length).toBeGreaterThan(0);
	const failed = await session.getPrompt("nowhere", {}).catch((error: unknown) => String(error));
	const [first] = session.resources.items;
	return {
		tools: session.tools.items,
		prompts: session.prompts.items,
		echo: textOf(await session.callTool("echo", { message: "hello" })),
		sum: textOf(await session.callTool("get-sum", { a: 2, b: 3 })),
		content: await session.callTool("get-tiny-image", {}),
		structured: await session.callTool("get-structured-content", { location: "New York" }),
		prompt: await session.getPrompt("simple-prompt", {}),
		completed: await session.complete(
			{ type: "ref/prompt", name: "completable-prompt" },
			{ name: "department", value: "E" },
		),
		resource: first === undefined ? undefined : await session.readResource(first.uri),
		failed,
	};
}

/** Records the work with a server into a file; returns the results. */
async function record<T>(
	host: TestHost,
	config: JsonObject,
	file: string,
	work: (session: ServerSession) => Promise<T>,
) {
	host.traceLevel = "bodies";
	const session = await host.run("recorded", config);
	const result = await work(session);
	const written = writeTrace(host.trace, {
		contents: "contents",
		host: "test",
		now: Date.now(),
		home: homedir(),
		redactor: unchanged,
	});
	writeFileSync(file, written.text);
	return { result, written, session };
}

function mockConfig(file: string): JsonObject {
	return scriptConfig(cli, "mock", file);
}

function folder(): string {
	const path = mkdtempSync(join(tmpdir(), "mcp-host-mock-"));
	onTestFinished(() => rmSync(path, { recursive: true }));
	return path;
}

describe("A recording", () => {
	beforeAll(() => {
		expect(readFileSync(cli, "utf8")).not.toBe("");
	});

	it("of server-everything answers as the server did (TRC-09)", async () => {
		const file = join(folder(), "everything.jsonl");
		await using host = new TestHost();
		const { result } = await record(host, packageConfig("everything", "stdio"), file, exercise);
		await using second = new TestHost();
		expect(await exercise(await second.run("recorded", mockConfig(file)))).toEqual(result);
	});

	it.each(["legacy", "modern"] as const)("asks the user the server's questions (TRC-09): %s", async (era) => {
		const file = join(folder(), "small.jsonl");
		await using host = new TestHost();
		const book = async (session: ServerSession): Promise<string> => {
			await expect.poll(() => session.tools.get("elicit")).toBeDefined();
			return textOf(await session.callTool("elicit", {}));
		};
		const { result } = await record(host, smallConfig(era), file, book);
		await using second = new TestHost();
		const session = await second.run("mock", mockConfig(file));
		expect(await book(session)).toBe(result);
		expect(second.user.asked.map(({ kind }) => kind)).toEqual(["elicitation"]);
		expect(session.state).toMatchObject({ kind: "running", facts: { era } });
		await expect(session.callTool("echo", { text: "never recorded" })).rejects.toThrow(
			/The recording contains no tools\/call/,
		);
	});

	it.each(["legacy", "modern"] as const)(
		"of a server whose start was not recorded lets an SDK client list everything (TRC-48): %s",
		async (era) => {
			const file = join(folder(), "late.jsonl");
			await using host = new TestHost();
			host.traceLevel = "metadata";
			const session = await host.run("small", smallConfig(era));
			await expect.poll(() => session.resourceTemplates.status.kind).toBe("ready");
			await expect.poll(() => session.tools.status.kind).toBe("ready");
			await expect.poll(() => session.prompts.status.kind).toBe("ready");
			await expect.poll(() => session.resources.status.kind).toBe("ready");
			host.traceLevel = "recent";
			host.trace.reconsider();
			await session.callTool("echo", { text: "late" });
			const recorded = host.trace.snapshot(0).exchanges.map((one) => withBodies(host.trace, one));
			const recording = mockRecording(recorded, knownServer(session), new SafeWriter(unchanged));
			if (recording.kind !== "complete") throw new Error(recording.missing.join());
			const options = { contents: "contents", host: "test", now: 0, home: homedir(), redactor: unchanged } as const;
			writeFileSync(file, writeTrace(new FileTrace(recording.exchanges), options).text);

			const client = new Client(
				{ name: "sdk", version: "1" },
				{ versionNegotiation: { mode: era === "modern" ? "auto" : "legacy" } },
			);
			await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, "mock", file] }));
			expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
				session.tools.items.map(({ name }) => name),
			);
			expect((await client.listPrompts()).prompts).toHaveLength(session.prompts.items.length);
			expect((await client.listResources()).resources).toHaveLength(session.resources.items.length);
			expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(
				session.resourceTemplates.items.length,
			);
			expect(client.getServerVersion()?.name).toBe(
				session.state.kind === "running" ? session.state.facts.server?.name : undefined,
			);
			expect(textOf(await client.callTool({ name: "echo", arguments: { text: "late" } }))).toBe("late");
			await client.close();

			// Of a server that does not run nothing else is known.
			expect(mockRecording(recorded, undefined, new SafeWriter(unchanged))).toMatchObject({
				kind: "incomplete",
				missing: expect.arrayContaining(["the handshake"]) as string[],
			});
		},
	);

	it("is restored from its file unchanged, without contents if they were left out (TRC-07, TRC-08)", async () => {
		const file = join(folder(), "small.jsonl");
		await using host = new TestHost();
		await record(host, smallConfig("both"), file, (session) => session.callTool("echo", { text: "private words" }));
		const { trace, skipped } = readTrace(readFileSync(file, "utf8"));
		expect(skipped).toBe(0);
		const { exchanges } = host.trace.snapshot(0);
		expect(trace.snapshot(0).exchanges).toHaveLength(exchanges.length);
		const call = trace.snapshot(0).exchanges.find(({ method }) => method === "tools/call");
		expect(call).toMatchObject({ target: "echo", outcome: { kind: "ok" }, serverName: "recorded" });
		expect(JSON.stringify(trace.body(call?.id ?? 0))).toContain("private words");
		const bare = writeTrace(host.trace, {
			contents: "metadata",
			host: "test",
			now: 0,
			home: homedir(),
			redactor: unchanged,
		});
		expect(bare.text).not.toContain("private words");
		expect(readTrace(bare.text).trace.get(1)?.hasBodies).toBe(false);
	});

	it("is served by the command line only if it can be (TRC-09)", async () => {
		const path = folder();
		const run = async (...args: readonly string[]) => {
			const child = spawn(process.execPath, [cli, "mock", ...args], { stdio: ["ignore", "pipe", "pipe"] });
			let said = "";
			child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
			const { promise, resolve: ended } = Promise.withResolvers<number | null>();
			child.once("close", ended);
			return { code: await promise, said };
		};
		expect(await run()).toMatchObject({ code: 2, said: expect.stringContaining("Usage") as string });
		expect(await run(join(path, "none.jsonl"))).toMatchObject({
			code: 2,
			said: expect.stringContaining("ENOENT") as string,
		});
		writeFileSync(join(path, "other.json"), "{}\n");
		expect(await run(join(path, "other.json"))).toMatchObject({
			code: 2,
			said: expect.stringContaining("not a trace of MCP Host") as string,
		});
		await using host = new TestHost();
		host.traceLevel = "metadata";
		await host.run("small", smallConfig("both"));
		writeFileSync(
			join(path, "bare.jsonl"),
			writeTrace(host.trace, { contents: "metadata", host: "t", now: 0, home: "/", redactor: unchanged }).text,
		);
		expect(await run(join(path, "bare.jsonl"))).toMatchObject({
			code: 2,
			said: expect.stringContaining("no messages") as string,
		});
		expect(execFileSync(process.execPath, [cli, "mock", "--help"], { encoding: "utf8" })).toContain("mock FILE");
	});
});
