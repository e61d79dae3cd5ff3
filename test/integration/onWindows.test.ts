/** Shown on Windows alone: `npm run test:windows` runs it elsewhere too, under Wine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { insideFolders } from "../../src/protocol/stdio/insideFolders.ts";
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

	it("ends with all that it started when the extension host is killed (PRC-03)", async () => {
		await using host = new TestHost();
		const log = host.path("doomed.log");
		const { command, args } = faultyConfig("deaf", log);
		const launch = { kind: "stdio", command, args, env: {}, cwd: host.folder };
		const script = resolve(import.meta.dirname, "../servers/doomedHost.ts");
		const doomed = spawn(process.execPath, [script, JSON.stringify([launch])], { stdio: ["pipe", "pipe", "inherit"] });
		onLines(doomed.stdout, () => undefined);
		await expect.poll(() => processesOf(readReceived(log)).filter(isAlive).length).toBeGreaterThanOrEqual(2);
		doomed.kill("SIGKILL");
		await expect.poll(() => processesOf(readReceived(log)).filter(isAlive)).toEqual([]);
	});
});

describe.skipIf(process.platform !== "win32")("On Windows", () => {
	it("a path is inside a folder however it is written", async () => {
		await using host = new TestHost();
		const folder = host.path("Work");
		mkdirSync(folder);
		const { isInside, names } = await insideFolders([folder]);
		const file = join(folder, "a.js");
		for (const path of [file, file.toUpperCase(), file.replaceAll("\\", "/"), `\\\\?\\${file}`, `${folder}.\\a.js`])
			expect([path, isInside(path), names(`--file=${path}`)]).toEqual([path, true, true]);
		expect(isInside(`${folder}shop\\a.js`)).toBe(false);
	});

	it("a named pipe carries messages", async () => {
		const pipe = `\\\\.\\pipe\\mcp-host-test-${process.pid}`;
		const server = createServer((socket) => socket.pipe(socket)).listen(pipe);
		await once(server, "listening");
		const client = connect(pipe);
		client.write("hello");
		const [answer] = (await once(client, "data")) as [Buffer];
		client.destroy();
		server.close();
		expect(answer.toString()).toBe("hello");
	});

	it("an environment file that PowerShell wrote is read", async () => {
		await using host = new TestHost();
		writeFileSync(host.path(".env"), Buffer.from("\uFEFFGREETING=Grüße\r\n", "utf16le"));
		const session = await host.run("env", { ...smallConfig("modern"), cwd: host.folder, envFile: ".env" });
		expect(textOf(await session.callTool("whoami", {}))).toContain("Grüße");
		expect(readFileSync(host.path(".env")).length).toBeGreaterThan(0);
	});
});
