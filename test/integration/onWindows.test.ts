/** Servers and programs on Windows alone: `npm run test:windows` runs them elsewhere too, under Wine. */
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { startProcess } from "../../src/protocol/stdio/childProcess.ts";
import { endProcess } from "../../src/protocol/stdio/endProcess.ts";
import { onLines, processesOf, readReceived } from "../servers/received.ts";
import { faultyConfig, isAlive, smallConfig, textOf } from "./fixtures.ts";
import { failureOf, TestHost } from "./testHost.ts";

/** Writes a batch file as npm does for a package's program, and returns the entry that starts a server by it. */
function batchFile(host: TestHost, name: string, config: ReturnType<typeof smallConfig>) {
	const [, , script = ""] = config["args"] as readonly string[];
	mkdirSync(host.path("bin"), { recursive: true });
	writeFileSync(host.path("bin", name), `@ECHO off\r\n"${process.execPath}" "${script}" %*\r\n`);
	// As npm puts it beside, for sh.
	writeFileSync(host.path("bin", name.replace(/\.cmd$/, "")), "#!/bin/sh\nexit 1\n");
	return { args: (config["args"] as readonly string[]).slice(3), env: { PATH: host.path("bin") } };
}

/** The file npx.cmd of npm 11. */
const npxCmd = String.raw`:: Created by npm, please don't edit manually.
@ECHO OFF

SETLOCAL

SET "NODE_EXE=%~dp0\node.exe"
IF NOT EXIST "%NODE_EXE%" (
  SET "NODE_EXE=node"
)

SET "NPM_PREFIX_JS=%~dp0\node_modules\npm\bin\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\node_modules\npm\bin\npx-cli.js"
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (
  SET "NPM_PREFIX_NPX_CLI_JS=%%F\node_modules\npm\bin\npx-cli.js"
)
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (
  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"
)

"%NODE_EXE%" "%NPX_CLI_JS%" %*
`;

/** An entry that starts a server by `npx -y …`, with a program of npm's name that starts Node below itself as npx does. */
function npx(host: TestHost, config: ReturnType<typeof smallConfig>) {
	const bin = host.path("nodejs");
	const npm = join(bin, "node_modules/npm/bin");
	mkdirSync(npm, { recursive: true });
	writeFileSync(join(bin, "npx.cmd"), npxCmd.replaceAll("\n", "\r\n"));
	writeFileSync(join(npm, "npm-prefix.js"), `console.log(${JSON.stringify(bin)})`);
	writeFileSync(
		join(npm, "npx-cli.js"),
		'require("node:child_process").spawn(process.execPath, process.argv.slice(3), { stdio: "inherit" }).on("exit", (code) => process.exit(code));',
	);
	const path = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(";");
	return { command: "npx", args: ["-y", ...(config["args"] as readonly string[])], env: { PATH: path } };
}

describe.skipIf(process.platform !== "win32")("On Windows, a server", () => {
	it("starts by the bare name of a batch file, beside the script of sh that npm puts there", async () => {
		await using host = new TestHost();
		const log = host.path("shim.log");
		const entry = batchFile(host, "tool.cmd", smallConfig("legacy", log));
		const session = await host.run("shim", { command: "tool", ...entry });
		expect(textOf(await session.callTool("echo", { text: "Grüße" }))).toContain("Grüße");
		await session.stop();
		await expect.poll(() => processesOf(readReceived(log)).filter(isAlive)).toEqual([]);
	});

	it.each(["legacy", "modern"] as const)("starts by npx, and ends with all below it (%s)", async (era) => {
		await using host = new TestHost();
		const log = host.path("npx.log");
		const session = await host.run("npx", npx(host, smallConfig(era, log)));
		expect(textOf(await session.callTool("echo", { text: "a & b" }))).toContain("a & b");
		await session.stop();
		await expect.poll(() => processesOf(readReceived(log)).filter(isAlive)).toEqual([]);
	});

	it("starts whatever the case and the separators of its path and its folder are", async () => {
		await using host = new TestHost();
		const config = smallConfig("legacy");
		const command = process.execPath.replaceAll("\\", "/").toUpperCase();
		const session = await host.run("upper", { ...config, command, cwd: host.folder.toUpperCase() });
		expect(session.state.kind).toBe("running");
	});

	it("is not found by a name in its folder, nor in a folder of PATH without a drive (CFG-15)", async () => {
		await using host = new TestHost();
		batchFile(host, "planted.cmd", smallConfig("legacy"));
		const session = await host.start("planted", {
			command: "planted",
			cwd: host.path("bin"),
			env: { PATH: ".;bin;\\bin" },
		});
		expect(failureOf(session)).toContain("The command planted was not found.");
	});

	it("that is missing is reported by its path", async () => {
		await using host = new TestHost();
		const session = await host.start("none", { command: "C:\\no\\server.exe", args: [] });
		expect(failureOf(session)).toContain("The command C:\\no\\server.exe was not found or is not executable.");
	});

	it("gets a variable of its definition in place of one that is inherited in another case", async () => {
		await using host = new TestHost();
		const session = await host.run("own", { ...smallConfig("modern"), env: { appData: "C:\\own" } });
		const { env } = JSON.parse(textOf(await session.callTool("whoami", {}))) as { env: Record<string, string> };
		expect(Object.entries(env).filter(([name]) => /^appdata$/i.test(name))).toEqual([["appData", "C:\\own"]]);
	});

	it("that resists ends with all that it started", async () => {
		await using host = new TestHost();
		const log = host.path("deaf.log");
		const session = await host.run("deaf", faultyConfig("deaf", log));
		await expect.poll(() => processesOf(readReceived(log)).filter(isAlive).length).toBeGreaterThanOrEqual(2);
		await session.stop();
		await expect.poll(() => processesOf(readReceived(log)).filter(isAlive)).toEqual([]);
	});

	it.each(["itself", "behind npx"])(
		"that is started %s ends with all when the extension host is killed (PRC-03)",
		async (how) => {
			await using host = new TestHost();
			const log = host.path("doomed.log");
			const config = faultyConfig("deaf", log);
			const { command, args, env } =
				how === "itself" ? { command: config["command"], args: config["args"], env: {} } : npx(host, config);
			const launch = { kind: "stdio", command, args, env, cwd: host.folder };
			const script = resolve(import.meta.dirname, "../servers/doomedHost.ts");
			const doomed = spawn(process.execPath, [script, JSON.stringify([launch])], {
				stdio: ["pipe", "pipe", "inherit"],
			});
			onLines(doomed.stdout, () => undefined);
			await expect.poll(() => processesOf(readReceived(log)).filter(isAlive).length).toBeGreaterThanOrEqual(2);
			doomed.kill("SIGKILL");
			await expect.poll(() => processesOf(readReceived(log)).filter(isAlive)).toEqual([]);
		},
	);
});

describe.skipIf(process.platform !== "win32")("On Windows, a program", () => {
	/** These have a meaning for the command processor, or for the runtime of C. */
	const words = [
		"",
		"|",
		"a'b",
		"Grüße 日本語 🎉",
		...'a b|&|^|!x!|$(id)|(x)|<in>|a;b,c=d|"q"|a\\"b|C:\\a b\\|\\\\server\\share\\|--x=*.*|a"&calc.exe&"'.split("|"),
	];
	const percents = ["%PATH%", "100%", "%", "%%", "%1"];

	it.each([
		["all arguments", ".exe", [words, percents].flat()],
		["all arguments", ".cmd", words],
		["all arguments", ".bat", words],
		["signs of percent", ".cmd", percents],
	])("receives %s as they are if it ends with %s, and runs on another drive", async (_what, ending, wanted) => {
		await using host = new TestHost();
		const script = host.path("show.mjs");
		writeFileSync(script, "process.stdout.write(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))");
		const file = host.path(`show${ending}`);
		if (ending !== ".exe") writeFileSync(file, `@ECHO off\r\n"${process.execPath}" "${script}" %*\r\n`);
		const isProgram = ending === ".exe";
		const given = { command: isProgram ? process.execPath : file, args: isProgram ? [script, ...wanted] : wanted };
		// The drive of the tests, where it is not that of the temporary files.
		const cwd = resolve(import.meta.dirname);
		const child = await startProcess({ kind: "stdio", ...given, env: {}, envFile: undefined, cwd });
		expect(JSON.parse(await text(child.stdout))).toEqual([cwd, ...wanted]);
		await endProcess(child);
	});

	it("the first extension of PATHEXT counts, and a definition may use any program by its name", async () => {
		await using host = new TestHost();
		const bin = host.path("bin");
		mkdirSync(bin);
		for (const name of ["uvx", "docker"]) {
			writeFileSync(join(bin, `${name}.cmd`), "@exit 1\r\n");
			copyFileSync(process.execPath, join(bin, `${name}.exe`));
			const session = await host.run(name, { ...smallConfig("modern"), command: name, env: { PATH: bin } });
			expect(session.state.kind).toBe("running");
			await session.stop();
		}
	});
});
