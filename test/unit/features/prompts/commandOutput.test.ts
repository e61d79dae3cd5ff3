/** Commands that the user types, run for real. */
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { readProcess } from "../../../../src/protocol/stdio/processTable.ts";
import {
	cleanEnvironment,
	commandLimits,
	outputOf,
	type CommandLimits,
} from "../../../../src/features/prompts/commandOutput.ts";

let folder: string;
beforeAll(async () => {
	folder = await realpath(await mkdtemp(path.join(tmpdir(), "mcp-host-command-")));
});
// Windows removes no folder in which a process runs, and Wine does not end all of them.
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined));

/** A command that runs a script in Node, whose path may hold blanks. */
function node(script: string): string {
	return `"${process.execPath}" -e "${script}"`;
}

function run(
	command: string,
	limits: Partial<CommandLimits> = {},
	signal = new AbortController().signal,
): Promise<string> {
	return outputOf({ command, cwd: folder, env: process.env, signal, limits: { ...commandLimits, ...limits } });
}

describe("the output of a command", () => {
	test("is exact: line ends, blanks and letters of every language", async () => {
		expect(await run(node("process.stdout.write('a\\r\\n  b\\t\\u00e9\\u{1f600}\\n\\n')"))).toBe("a\r\n  b\té😀\n\n");
		expect(await run(node(""))).toBe("");
	});

	test("comes from the shell, in the folder, without input", async () => {
		expect(await run(`${node("process.stdout.write(process.cwd())")} && echo !`)).toMatch(/!\s*$/);
		expect(await run(node("process.stdout.write(process.cwd())"))).toBe(folder);
		const count = "let n=0;process.stdin.on('data',d=>n+=d.length).on('end',()=>console.log(n))";
		expect((await run(node(count))).trim()).toBe("0");
	});

	test("a failure shows the exit code and the end of its error output", async () => {
		const failed = run(node("console.error('no such \\u202e thing');process.exit(3)"));
		await expect(failed).rejects.toThrow("The command failed with exit code 3: no such \\u202E thing");
		await expect(failed).rejects.toBeInstanceOf(HostError);
		await expect(
			outputOf({
				command: "x",
				cwd: path.join(folder, "gone"),
				env: process.env,
				signal: new AbortController().signal,
			}),
		).rejects.toThrow("The command could not be run.");
	});

	test("output beyond the limit is refused, not cut", async () => {
		const endless = run(node("setInterval(()=>process.stdout.write('x'.repeat(1000)),0)"), { output: 5000 });
		await expect(endless).rejects.toMatchObject({ code: "limit" });
	});

	test("a command that does not end is stopped", async () => {
		await expect(run(node("setInterval(()=>{},1000)"), { time: 50 })).rejects.toMatchObject({ code: "timeout" });
	});

	test.runIf(process.platform === "linux")("cancelling ends all that it started", async () => {
		const controller = new AbortController();
		const pidFile = path.join(folder, "pid");
		const running = run(`sleep 1000 & echo $! > pid; wait`, {}, controller.signal);
		const pid = await expect
			.poll(() => readFile(pidFile, "utf8").then(Number, () => 0))
			.toBeGreaterThan(0)
			.then(() => readFile(pidFile, "utf8").then(Number));
		controller.abort(new HostError("cancelled", "Cancelled."));
		await expect(running).rejects.toMatchObject({ code: "cancelled" });
		// A zombie has ended; whether it is collected is up to the first process of the machine.
		expect(readProcess(pid)?.isZombie ?? true).toBe(true);
		await expect(run("echo x", {}, controller.signal)).rejects.toMatchObject({ code: "cancelled" });
	});

	test("does not run as a part of the editor", () => {
		expect(cleanEnvironment({ PATH: "p", ELECTRON_RUN_AS_NODE: "1", VSCODE_IPC_HOOK: "x" })).toEqual({ PATH: "p" });
	});
});
