import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startProcess } from "../../../../src/protocol/stdio/childProcess.ts";
import { endProcess } from "../../../../src/protocol/stdio/endProcess.ts";
import { launchOf, nodeLaunch } from "./processes.ts";

let folder = "";
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "mcp-host-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void vi.unstubAllEnvs());

const isLinux = process.platform === "linux";

describe("startProcess", () => {
	it("passes the arguments unchanged, in the folder, with the clean environment", async () => {
		process.env["MCP_HOST_TEST_SECRET"] = "secret";
		const args = ['"; touch x', "$(touch x)", "`id`", "%PATH%", "a b", "", "*"];
		const script = "process.stdout.write(JSON.stringify([process.argv.slice(1), process.cwd(), process.env]))";
		const child = await startProcess(
			nodeLaunch(script, { args: ["-e", script, "--", ...args], cwd: folder, env: { MINE: "1" } }),
		);
		const [argv, cwd, environment] = JSON.parse(await text(child.stdout)) as [string[], string, Record<string, string>];
		delete process.env["MCP_HOST_TEST_SECRET"];
		expect(argv).toEqual(args);
		expect(cwd).toBe(folder);
		expect(environment).toMatchObject({ MINE: "1" });
		expect(environment["MCP_HOST_TEST_SECRET"]).toBeUndefined();
		await endProcess(child);
	});

	it("lists where a command was searched for", async () => {
		const path = ["/nowhere", folder].join(delimiter);
		await expect(startProcess(launchOf("no-such-command", [], { env: { PATH: path } }))).rejects.toMatchObject({
			code: "start-failed",
			message: `The command no-such-command was not found. Install it, or give its full path. Searched in PATH: ${path}`,
		});
	});

	it.each([
		["npx", "Node.js"],
		["uvx", "uv"],
		["docker", "Docker"],
	])("explains how to get %s", async (command, bringer) => {
		await expect(startProcess(launchOf(command, [], { env: { PATH: folder } }))).rejects.toMatchObject({
			message: `The command ${command} was not found. It comes with ${bringer}: install ${bringer}, or give the command's full path. Searched in PATH: ${folder}`,
		});
	});

	it.skipIf(!isLinux)("reports that a script's interpreter is missing", async () => {
		writeFileSync(join(folder, "script"), "#!/no/such/interpreter\n", { mode: 0o755 });
		await expect(startProcess(launchOf("./script", [], { cwd: folder }))).rejects.toMatchObject({
			message: "./script could not be started: the interpreter named in its first line was not found.",
		});
	});

	it("does not find a bare name in the working directory, nor in relative parts of PATH (CFG-15)", async () => {
		writeFileSync(join(folder, "planted"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
		await expect(
			startProcess(launchOf("planted", [], { cwd: folder, env: { PATH: `.${delimiter}${delimiter}/bin` } })),
		).rejects.toMatchObject({
			message: expect.stringMatching(/^The command planted was not found\. Install it/),
		});
		const child = await startProcess(launchOf("./planted", [], { cwd: folder }));
		await endProcess(child);
	});

	it.skipIf(!isLinux)(
		"lets no program of a server be found in relative parts of the editor's PATH (CFG-40)",
		async () => {
			writeFileSync(join(folder, "planted-git"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
			vi.stubEnv("PATH", `.:${process.env["PATH"] ?? ""}:`);
			const warnings: string[] = [];
			const launch = launchOf("sh", ["-c", "planted-git || echo none"], { cwd: folder });
			const child = await startProcess(launch, (warning) => warnings.push(warning));
			expect((await text(child.stdout)).trim()).toBe("none");
			expect(warnings).toEqual([
				"Some folders of PATH were left out, because they are not absolute or are in a workspace that is not trusted: ., an empty one.",
			]);
			await endProcess(child);
		},
	);

	it("distinguishes a missing folder from a missing command (CFG-16)", async () => {
		const start = (cwd: string): Promise<unknown> => startProcess(nodeLaunch("", { cwd }));
		for (const cwd of [join(folder, "missing"), join(folder, "planted")]) {
			await expect(start(cwd)).rejects.toMatchObject({
				code: "start-failed",
				message: `The working directory ${cwd} is not a folder.`,
			});
		}
	});

	it("reports that a path is not executable", async () => {
		writeFileSync(join(folder, "data"), "x", { mode: 0o644 });
		for (const command of ["./data", "./missing", folder]) {
			await expect(startProcess(launchOf(command, [], { cwd: folder }))).rejects.toMatchObject({
				message: `The command ${command} was not found or is not executable.`,
			});
		}
	});

	it("explains errors of the system, without repeating arguments", async () => {
		const nul = startProcess(nodeLaunch("", { args: ["hunter2\u0000"] }));
		await expect(nul).rejects.toMatchObject({
			code: "start-failed",
			message: expect.stringMatching(
				/could not be started: an argument or an environment variable contains a NUL character\.$/,
			),
		});
		await expect(nul).rejects.not.toMatchObject({ message: expect.stringContaining("hunter2") });
	});

	it("reports that arguments are too long", async () => {
		await expect(startProcess(nodeLaunch("", { args: ["x".repeat(3_000_000)] }))).rejects.toMatchObject({
			message: expect.stringMatching(/its arguments and environment are too long\.$/),
		});
	});
});
