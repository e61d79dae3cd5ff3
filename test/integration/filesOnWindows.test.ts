/** Paths, stores and pipes on Windows alone: `npm run test:windows` runs them elsewhere too, under Wine. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compact } from "../../src/base/store/compact.ts";
import { Journal } from "../../src/base/store/journal.ts";
import { insideFolders, realPath } from "../../src/protocol/stdio/insideFolders.ts";
import { followedOrigin } from "../../src/servers/definitions/followedFile.ts";
import { define } from "../../src/servers/definitions/parseConfig.ts";
import { partInside } from "../../src/servers/definitions/partInside.ts";
import { placeOf } from "../../src/servers/definitions/workspacePlace.ts";
import { smallConfig, textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** Has another program open a file to write, as a backup or a virus scanner may; returns what closes it. */
async function held(file: string): Promise<() => Promise<void>> {
	const args = ["/d", "/c", `set /p held= >> "${file}"`];
	const program = spawn("cmd.exe", args, { windowsVerbatimArguments: true, stdio: ["pipe", "ignore", "ignore"] });
	const isHeld = (): boolean => {
		try {
			closeSync(openSync(file, "a"));
			return false;
		} catch {
			return true;
		}
	};
	await expect.poll(isHeld).toBe(true);
	return async () => {
		program.kill();
		await expect.poll(isHeld).toBe(false);
	};
}

/** The place of a server of the user's own whose argument is a path from the environment, while a folder is open. */
function placeIn(path: string, folder: string): Promise<string | undefined> {
	const config = {
		kind: "stdio",
		command: process.execPath,
		args: ["${env:MCP_HOST_PLACE}"],
		env: {},
		protocol: "auto",
	} as const;
	const definition = define("placed", config, { kind: "user-settings", label: "User Settings", isWorkspace: false });
	return placeOf(definition, [{ name: "a", path: folder }], { MCP_HOST_PLACE: path });
}

describe.skipIf(process.platform !== "win32")("On Windows", () => {
	it("a folder is the same by its short name of 8.3", async () => {
		await using host = new TestHost();
		const folder = host.path("My Long Folder");
		mkdirSync(folder);
		writeFileSync(join(folder, "index.js"), "");
		const listed = execFileSync("cmd.exe", ["/d", "/c", "dir", "/x", host.folder]).toString();
		const name = /(\S+~\S+)\s+My Long Folder/.exec(listed)?.[1] ?? "";
		const short = host.path(name);
		expect(name).toMatch(/~/);
		expect(await realPath(join(short, "none", "a.js"))).toBe(join(folder, "none", "a.js"));
		const launch = {
			kind: "stdio",
			command: process.execPath,
			args: [],
			env: {},
			envFile: undefined,
			cwd: host.folder,
		} as const;
		for (const text of [join(short, "index.js"), `--require=${join(short, "none.js")}`, `${name}\\index.js`])
			expect([text, await partInside({ ...launch, args: [text] }, [folder], false)]).toEqual([text, "argument 1"]);
		expect(await partInside(launch, [folder], false)).toBeUndefined();
		expect(await followedOrigin(join(short, "mcp.json"), [folder])).toMatchObject({ isWorkspace: true, folder });
		expect(await placeIn(short, folder)).toBe(folder);
		expect(await placeIn(host.folder, folder)).toBeUndefined();
	});

	it.each([
		["in capitals", (path: string) => path.toUpperCase()],
		["with slashes", (path: string) => path.replaceAll("\\", "/")],
		["with the prefix of long paths", (path: string) => `\\\\?\\${path}`],
		["after an option", (path: string) => `--config=${path}`],
		["relative to where it runs", (path: string) => `.\\${path.split("\\").slice(-2).join("\\")}`],
	])("a part of a command in an untrusted folder is found, written %s (CFG-26)", async (_how, write) => {
		await using host = new TestHost();
		const folder = host.path("Open");
		mkdirSync(folder);
		const launch = {
			kind: "stdio",
			command: process.execPath,
			args: [write(join(folder, "a.js"))],
			env: {},
			envFile: undefined,
			cwd: host.folder,
		} as const;
		expect(await partInside(launch, [folder], false)).toBe("argument 1");
		expect(await partInside(launch, [host.path("Opener")], false)).toBeUndefined();
	});

	it("decisions are kept while another program has their file open, and written once it closes it", async () => {
		await using host = new TestHost();
		const problems: string[] = [];
		const journal = (window: string): Journal =>
			new Journal({
				folder: host.path("store"),
				name: "grants",
				window,
				now: Date.now,
				onProblem: (text) => problems.push(text),
			});
		const own = journal("a");
		own.put("one", 1);
		const [file = ""] = readdirSync(host.path("store"));
		const closed = await held(host.path("store", file));
		own.put("two", 2);
		expect(own.get("two")?.value).toBe(2);
		expect(problems).toEqual([expect.stringMatching(/^Your decisions cannot be saved \(EBUSY/)]);
		await closed();
		own.refresh();
		expect(own.fault).toBeUndefined();
		const other = journal("b");
		other.refresh();
		expect(["one", "two"].map((key) => other.get(key)?.value)).toEqual([1, 2]);
	});

	it("a journal is rewritten around a file that another program has open, and nothing is lost", async () => {
		await using host = new TestHost();
		const journal = (window: string): Journal =>
			new Journal({ folder: host.path("store"), name: "grants", window, now: Date.now, onProblem: () => undefined });
		journal("a").put("one", 1);
		const [file = ""] = readdirSync(host.path("store"));
		const closed = await held(host.path("store", file));
		const other = journal("b");
		other.put("two", 2);
		await compact(other).catch(() => undefined);
		await closed();
		await compact(other);
		const third = journal("c");
		third.refresh();
		expect(["one", "two"].map((key) => third.get(key)?.value)).toEqual([1, 2]);
	});

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
