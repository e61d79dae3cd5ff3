/** Named calls on the command line: the shipped script, against real servers of both eras. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { startModernServer } from "../servers/modernServer.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { StoredTask } from "../servers/taskStore.ts";
import { smallConfig } from "./fixtures.ts";

const script = path.resolve("dist/cli.js");

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "mcp-calls-"));
	mkdirSync(path.join(folder, ".vscode"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Ended {
	readonly code: number | null;
	readonly out: string;
	readonly errors: string;
}

/** Runs the script in the folder of the test; `onStart` gets its process. */
function cli(
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
	onStart: (kill: (signal: "SIGTERM") => void) => void = () => undefined,
): Promise<Ended> {
	const child = spawn(process.execPath, [script, ...args], {
		cwd: folder,
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	onStart((signal) => child.kill(signal));
	let out = "";
	let errors = "";
	child.stdout.on("data", (data: Buffer) => (out += data.toString()));
	child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
	return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, errors })));
}

function write(name: string, value: JsonObject | string): void {
	writeFileSync(path.join(folder, name), typeof value === "string" ? value : JSON.stringify(value, undefined, "\t"));
}

/** Writes a configuration with the small server; returns the path of its log. */
function configure(era: "legacy" | "modern", more: JsonObject = {}): string {
	const log = path.join(folder, "received.log");
	write(".vscode/mcp.json", { servers: { small: { ...smallConfig(era, log), ...more } } });
	return log;
}

function received(log: string): readonly unknown[] {
	return messagesOf(readReceived(log), "tools/call").map(({ params }) => {
		const { name, arguments: args } = params as { name: string; arguments: JsonObject };
		return { [name]: args };
	});
}

const echo = { server: "small", tool: "echo", arguments: { text: "hello" } };

describe.each(["legacy", "modern"] as const)("the command `test` with a %s server (CAL-09)", (era) => {
	it("makes its allowed calls in order, and exits with 0 when every result matches", async () => {
		const log = configure(era);
		write("it.mcp-calls.json", {
			version: 1,
			calls: {
				echoes: { ...echo, expect: { text: { contains: "hello" } } },
				adds: {
					server: "small",
					tool: "add",
					arguments: { a: 2, b: 3 },
					expect: { structuredContent: { at: { "/sum": 5 } } },
				},
				fails: { server: "small", tool: "fail", arguments: { how: "result" }, expect: { isError: true } },
				"asks nobody": { server: "small", tool: "elicit", expect: { result: { schema: { type: "object" } } } },
			},
		});
		const { code, out, errors } = await cli(["test", "it.mcp-calls.json", "--allow", "small", "--reporter", "tap"]);
		expect(errors).toBe("");
		expect(out.split("\n").filter((line) => /^(?:not )?ok|^1\.\./.test(line))).toEqual([
			"1..4",
			"ok 1 - it.mcp-calls.json › echoes",
			"ok 2 - it.mcp-calls.json › adds",
			"ok 3 - it.mcp-calls.json › fails",
			"ok 4 - it.mcp-calls.json › asks nobody",
		]);
		expect(code).toBe(0);
		expect(received(log).slice(0, 3)).toEqual([
			{ echo: { text: "hello" } },
			{ add: { a: 2, b: 3 } },
			{ fail: { how: "result" } },
		]);
	});

	it("reads prompts and resources, and reports a mismatch with 1 and its place", async () => {
		configure(era);
		write(
			"it.mcp-calls.json",
			`{
	"version": 1,
	"calls": {
		"reads": {
			"server": "small",
			"resource": "small://none",
		},
		"echoes": {
			"server": "small", "tool": "echo", "arguments": { "text": "hello" },
			"expect": {
				"text": { "equals": "good bye" },
			},
		},
	},
}`,
		);
		const { code, out } = await cli(["test", "it.mcp-calls.json", "--allow-all"]);
		expect(code).toBe(1);
		expect(out).toContain("ERROR  it.mcp-calls.json › reads");
		expect(out).toContain("    at it.mcp-calls.json:11:25\n    expected:\n      good bye\n    actual:\n");
		expect(out).toContain("1 failed, 1 errors");
	});
});

describe("the command `test` (CAL-09)", () => {
	it("waits for the task that a server makes of a call (TSK-16)", async () => {
		const task = new StoredTask();
		await using server = await startModernServer({
			...task.methods,
			"tasks/get": (params) => {
				if (server.paramsOf("tasks/get").length > 2) task.complete("found after a while");
				return task.methods["tasks/get"]?.(params) ?? "silence";
			},
		});
		write(".vscode/mcp.json", { servers: { works: { type: "http", url: server.url } } });
		const research = { server: "works", tool: "research", expect: { text: { contains: "after a while" } } };
		write("it.mcp-calls.json", { version: 1, calls: { researches: research } });
		const { code, out } = await cli(["test", "it.mcp-calls.json", "--allow", "works/research"]);
		expect(out).toContain("ok  it.mcp-calls.json › researches");
		expect(code).toBe(0);
	});

	it("starts and calls nothing that is not named, and reports it with 2", async () => {
		const log = configure("modern");
		write("it.mcp-calls.json", { version: 1, calls: { one: echo, two: { server: "small", tool: "roots" } } });
		const none = await cli(["test", "it.mcp-calls.json", "--allow", "smal", "--allow", "other/echo"]);
		expect(none.code).toBe(2);
		expect(none.out).toContain('Not called: the server "small" may not start: --allow does not name it.');
		expect(none.errors).toContain("name their servers or tools with --allow");
		expect(existsSync(log)).toBe(false);

		const one = await cli(["test", "it.mcp-calls.json", "--allow", "small/echo"]);
		expect(one.code).toBe(2);
		expect(one.out).toContain("ok  it.mcp-calls.json › one");
		expect(one.out).toContain("NOT ALLOWED  it.mcp-calls.json › two");
		expect(received(log)).toEqual([{ echo: { text: "hello" } }]);
	});

	it("does not read the name of a tool as a server's, and shows the correct form (CAL-09)", async () => {
		const log = path.join(folder, "received.log");
		const name = "small/echo";
		write(".vscode/mcp.json", { servers: { [name]: smallConfig("modern", log) } });
		write("it.mcp-calls.json", { version: 1, calls: { one: { ...echo, server: name } } });
		const tool = await cli(["test", "it.mcp-calls.json", "--allow", name]);
		expect(tool.code).toBe(2);
		expect(tool.out).toContain('--allow does not name it. Write it as --allow "small%2Fecho".');
		expect(existsSync(log)).toBe(false);
		expect(await cli(["test", "it.mcp-calls.json", "--allow", "small%2Fecho"])).toMatchObject({ code: 0 });
		expect(received(log)).toEqual([{ echo: { text: "hello" } }]);
	});

	it("reads the values of inputs from the environment, and writes none of the secret ones (CAL-06)", async () => {
		const log = configure("modern");
		const inputs = [{ id: "api-token", type: "promptString", password: true }];
		const call = { ...echo, arguments: { text: "${input:api-token}" }, expect: { text: { equals: "no" } } };
		write("it.mcp-calls.json", { version: 1, inputs, calls: { it: call } });
		// A value for an input of another server is not sent to this one.
		const others = { MCP_INPUT_API_TOKEN: "s3cr3t-canary", MCP_CALL_INPUT_OTHER__API_TOKEN: "s3cr3t-canary" };
		const without = await cli(["test", "it.mcp-calls.json", "--allow", "small"], others);
		expect([without.code, without.out]).toEqual([1, expect.stringContaining("set MCP_CALL_INPUT_SMALL__API_TOKEN.")]);
		const { code, out, errors } = await cli(["test", "it.mcp-calls.json", "--allow", "small", "--verbose"], {
			MCP_CALL_INPUT_SMALL__API_TOKEN: "s3cr3t-canary",
		});
		expect(code).toBe(1);
		expect(received(log)).toEqual([{ echo: { text: "s3cr3t-canary" } }]);
		expect(out + errors).not.toContain("s3cr3t-canary");
		expect(out).toMatch(/actual:\n +⟦[^⟧]+⟧/);
	});

	it("runs nothing of a file with a fault, and reports its place with 2", async () => {
		const log = configure("modern");
		write("it.mcp-calls.json", { version: 1, calls: { good: echo, bad: { server: "small" } } });
		const { code, out, errors } = await cli(["test", "it.mcp-calls.json", "--allow-all"]);
		expect([code, out]).toEqual([2, ""]);
		expect(errors).toMatch(
			/^it\.mcp-calls\.json:\d+:\d+: error: A call must have exactly one of "tool", "prompt" and "resource"\.$/m,
		);
		expect(existsSync(log)).toBe(false);
	});

	it.each([
		[["test"], /Name a file of calls/],
		[["test", "none.json", "--allow-all"], /ENOENT.*none\.json/],
		[["test", "it.json", "--reporter", "html"], /Use text, tap or junit/],
		[["test", "it.json", "--alow", "x"], /--alow/],
		[["test", "empty.json", "--allow-all"], /empty\.json: error: This file contains no calls/],
		[["test", "it.json", "--allow-all"], /neither \.vscode\/mcp\.json nor \.mcp\.json/],
		[["tets"], /Usage/],
		[[], /Usage/],
	])("shows its usage with 2: %j", async (args, said) => {
		write("it.json", { version: 1, calls: { it: echo } });
		write("empty.json", { version: 1, calls: {} });
		const { code, out, errors } = await cli(args);
		expect([code, out]).toEqual([2, ""]);
		expect(errors).toMatch(said);
	});

	it("shows its options on request", async () => {
		expect(await cli(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("test FILE…") as string });
		const { code, out } = await cli(["test", "--help"]);
		expect([code, out]).toEqual([0, expect.stringContaining("--allow NAME")]);
	});

	it("stops with its servers on a signal, with 1", async () => {
		const log = configure("modern");
		const slow = { server: "small", tool: "slow", arguments: { steps: 1000, stepMs: 1000 } };
		write("it.mcp-calls.json", { version: 1, calls: { slow, after: echo } });
		const { promise: started, resolve: start } = Promise.withResolvers<(signal: "SIGTERM") => void>();
		const ended = cli(["test", "it.mcp-calls.json", "--allow-all"], {}, start);
		const kill = await started;
		await expect.poll(() => existsSync(log) && received(log).length).toBe(1);
		kill("SIGTERM");
		const { code, out } = await ended;
		expect([code, out]).toEqual([1, expect.stringContaining("2 skipped")]);
	});
});
