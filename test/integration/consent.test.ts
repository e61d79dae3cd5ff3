import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { OpenFolder } from "../../src/servers/roots/roots.ts";
import type { ConfigOrigin, ConfigSource } from "../../src/servers/definitions/config.ts";
import { readReceived } from "../servers/received.ts";
import { smallConfig, textOf } from "./fixtures.ts";
import { factsOf, TestHost } from "./testHost.ts";

/** `.vscode/mcp.json` of the test's folder with this text. */
function mcpJson(host: TestHost, text: string): ConfigSource {
	const origin: ConfigOrigin = {
		kind: "mcp-json",
		label: ".vscode/mcp.json",
		file: host.path(".vscode", "mcp.json"),
		folder: host.folder,
		isWorkspace: true,
	};
	return { origin, content: { text } };
}

function servers(entries: JsonObject): string {
	return JSON.stringify({ servers: entries });
}

describe("a server that a workspace defines", () => {
	it("does not start before the user approved it, however the start is requested (BLT-02)", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern", log) }))], false);
		const session = host.session("small");
		await host.host.startApproved();
		await host.host.start(session.definition.id);
		await session.restart();
		expect(session.state.kind).toBe("needs-approval");
		expect(readReceived(log)).toEqual([]);
		await host.host.approve(session.definition);
		await session.start();
		expect(textOf(await session.callTool("echo", { text: "approved" }))).toBe("approved");
	});

	it("does not start in an untrusted workspace, approved or not (CFG-01, BLT-01)", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern", log) }))], false);
		await host.host.approve(host.session("small").definition);
		host.isWorkspaceTrusted = false;
		await host.host.startApproved();
		expect(host.session("small").state).toMatchObject({
			kind: "needs-approval",
			reason: expect.stringContaining("trust"),
		});
		expect(readReceived(log)).toEqual([]);
	});

	it("is stopped and asks again when its definition changes", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		const config = smallConfig("modern", log);
		await host.host.configure([mcpJson(host, servers({ small: config }))], false);
		await host.host.approve(host.session("small").definition);
		await host.session("small").start();
		const { pid } = factsOf(host.session("small"));

		await host.host.configure([mcpJson(host, servers({ small: { ...config, env: { ADDED: "1" } } }))], false);
		expect(host.session("small").state).toMatchObject({
			kind: "needs-approval",
			reason: expect.stringContaining("changed"),
		});
		await expect.poll(() => readReceived(log).some((entry) => entry.pid === pid && entry.kind === "end")).toBe(true);
		await host.host.startApproved();
		expect(readReceived(log).filter(({ kind }) => kind === "start")).toHaveLength(1);
	});

	it("whose command changes does not run before it is reviewed again (CFG-02, BLT-03, BLT-04)", async () => {
		await using host = new TestHost();
		const [log, changedLog] = [host.path("small.log"), host.path("changed.log")];
		const { command, args } = smallConfig("modern", changedLog);
		const changed = {
			command: "sh",
			args: ["-c", 'echo CHANGED; exec "$@"', "sh", command, ...(args as string[])],
		} as JsonObject;
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern", log) }))], false);
		await host.host.approve(host.session("small").definition);
		await host.session("small").start();
		await host.session("small").stop();

		await host.host.configure([mcpJson(host, servers({ small: changed }))], false);
		const session = host.session("small");
		await host.host.startApproved();
		await host.host.start(session.definition.id);
		await session.restart();
		expect(session.state).toMatchObject({ kind: "needs-approval", reason: expect.stringContaining("changed") });
		expect(readReceived(changedLog)).toEqual([]);
		// The approved definition is kept, so that the review can show it for comparison.
		expect(host.host.approvals.former(session.definition)?.config).toMatchObject({ command });
	});

	it("keeps running when only another one changes", async () => {
		await using host = new TestHost();
		const configure = (other: JsonObject): Promise<unknown> =>
			host.host.configure([mcpJson(host, servers({ small: smallConfig("modern"), other }))], false);
		await configure({ command: "one" });
		await host.host.approve(host.session("small").definition);
		await host.session("small").start();
		const { pid } = factsOf(host.session("small"));
		await configure({ command: "two" });
		expect(factsOf(host.session("small")).pid).toBe(pid);
	});

	it("is stopped when its approval is withdrawn", async () => {
		await using host = new TestHost();
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern") }))], false);
		const session = host.session("small");
		await host.host.approve(session.definition);
		await session.start();
		await host.host.revoke(session.definition.id);
		expect(session.state.kind).toBe("needs-approval");
		await session.start();
		expect(session.state.kind).toBe("needs-approval");
	});
});

describe("a configuration file", () => {
	it("with a bad entry has its problem reported at its place, and runs the others", async () => {
		await using host = new TestHost();
		const good = JSON.stringify(smallConfig("modern"));
		const text = `{\n\t// the good and the bad\n\t"servers": {\n\t\t"bad": { "command": 5 },\n\t\t"good": ${good},\n\t}\n}`;
		const problems = await host.host.configure([mcpJson(host, text)], false);
		expect(problems.map(({ message }) => message)).toEqual(['"command" must be a string.']);
		const [problem] = problems;
		const offset = problem?.range?.offset ?? -1;
		expect(text.slice(0, offset).split("\n")).toHaveLength(4);
		await host.host.approve(host.session("good").definition);
		await host.session("good").start();
		expect(textOf(await host.session("good").callTool("echo", { text: "runs" }))).toBe("runs");
	});

	it("has its variables and inputs resolved at the start, and keeps no secret", async () => {
		await using host = new TestHost();
		writeFileSync(host.path(".env"), "FROM_FILE=of the file\n");
		const config = {
			...smallConfig("modern"),
			cwd: "${workspaceFolder}",
			envFile: "${workspaceFolder}/.env",
			env: { FOLDER: "${workspaceFolder}", TOKEN: "${input:token}" },
		};
		const inputs = [{ id: "token", type: "promptString", description: "A token", password: true }];
		await host.host.configure([mcpJson(host, JSON.stringify({ inputs, servers: { small: config } }))], false);
		const session = host.session("small");
		await host.host.approve(session.definition);
		// A start that no user requested must not ask them for anything.
		await host.host.startApproved();
		expect(session.state.kind).toBe("stopped");
		await host.host.start(session.definition.id);
		const who = JSON.parse(textOf(await session.callTool("whoami", {}))) as unknown;
		expect(who).toMatchObject({
			cwd: host.folder,
			env: { FOLDER: host.folder, TOKEN: "a typed secret", FROM_FILE: "of the file" },
		});
		expect(JSON.stringify([...host.host.approvals.all])).not.toContain("a typed secret");
		expect(host.log.join("\n")).not.toContain("a typed secret");
	});
});

describe("a user's own server that runs a file from the open folder", () => {
	const origin: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };

	/** Two folders, each with a program that leaves a mark when it runs. */
	function twoFolders(host: TestHost): { readonly folders: readonly OpenFolder[]; readonly marks: () => string[] } {
		const folders = ["a", "b"].map((name) => {
			const path = host.path(name);
			mkdirSync(path);
			writeFileSync(join(path, "server.mjs"), `import fs from "node:fs"; fs.writeFileSync("../${name}.mark", "");`);
			return { name, scheme: "file", path };
		});
		return { folders, marks: () => ["a", "b"].filter((name) => existsSync(host.path(`${name}.mark`))) };
	}

	const atFolder: readonly (readonly [string, JsonObject])[] = [
		["its command", { command: "${workspaceFolder}/server.mjs", cwd: "${workspaceFolder}" }],
		["an argument", { command: process.execPath, args: ["${workspaceFolder}/server.mjs"], cwd: "${workspaceFolder}" }],
		["its working directory", { command: process.execPath, args: ["server.mjs"], cwd: "${workspaceFolder}" }],
		["a variable", { command: process.execPath, args: ["-e", "0"], env: { NODE_PATH: "${workspaceFolder}" } }],
		["its environment file", { command: process.execPath, args: ["-e", "0"], envFile: "${workspaceFolder}/.env" }],
		["the folder's name", { command: process.execPath, args: ["/x/${workspaceFolderBasename}/server.mjs"] }],
		["a folder by its name", { command: process.execPath, args: ["${workspaceFolder:b}/server.mjs"] }],
	];

	it.each(atFolder)("is approved for that folder only, and waits for its trust: %s (CFG-26)", async (_part, config) => {
		await using host = new TestHost();
		const { folders, marks } = twoFolders(host);
		const [a, b] = folders;
		const read = (): Promise<unknown> => host.host.configure([{ origin, content: { value: { own: config } } }], false);
		host.show(...(a === undefined ? [] : [a]));
		await read();
		await host.host.approve(host.session("own").definition);
		expect(host.host.approvals.isApproved(host.session("own").definition)).toBe(true);

		host.show(...(b === undefined ? [] : [b]));
		await read();
		await host.host.startApproved();
		await host.host.start(host.session("own").definition.id);
		expect(host.session("own").state).toMatchObject({ kind: "needs-approval", reason: "unapproved" });

		host.isWorkspaceTrusted = false;
		await host.host.approve(host.session("own").definition);
		await host.host.startApproved();
		await host.host.start(host.session("own").definition.id);
		expect(host.session("own").state).toMatchObject({
			kind: "needs-approval",
			reason: "the workspace is not trusted",
		});
		expect(marks()).toEqual([]);

		// Each folder keeps its approval.
		host.isWorkspaceTrusted = true;
		host.show(...(a === undefined ? [] : [a]));
		await read();
		expect(host.host.approvals.isApproved(host.session("own").definition)).toBe(true);
		await host.host.revoke(host.session("own").definition.id);
		for (const folder of folders) {
			host.show(folder);
			await read();
			expect(host.host.approvals.isApproved(host.session("own").definition)).toBe(false);
		}
	});

	it("does not run when the folders of the window change between its approval and its start", async () => {
		await using host = new TestHost();
		const { folders, marks } = twoFolders(host);
		const [a, b] = folders;
		const config = { command: process.execPath, args: ["${workspaceFolder}/server.mjs"], cwd: "${workspaceFolder}" };
		host.show(...(a === undefined ? [] : [a]));
		await host.host.configure([{ origin, content: { value: { own: config } } }], false);
		await host.host.approve(host.session("own").definition);
		host.show(...(b === undefined ? [] : [b]));
		await host.host.start(host.session("own").definition.id);
		expect(host.session("own").state).toMatchObject({
			kind: "failed",
			message: expect.stringContaining("the open folders or linked files changed"),
		});
		expect(marks()).toEqual([]);
	});

	it("is approved for the folder in the environment, in each window separately (CFG-26)", async () => {
		await using host = new TestHost();
		const { folders, marks } = twoFolders(host);
		const config = { command: process.execPath, args: ["${env:MCP_HOST_TEST_PLACE}/server.mjs"] };
		const open = async (folder: OpenFolder): Promise<void> => {
			process.env["MCP_HOST_TEST_PLACE"] = folder.path;
			host.show(folder);
			await host.host.configure([{ origin, content: { value: { own: config } } }], false);
			await host.host.startApproved();
		};
		for (const [index, folder] of folders.entries()) {
			await open(folder);
			expect(host.session("own").state).toMatchObject({ kind: "needs-approval", reason: "unapproved" });
			if (index === 0) await host.host.approve(host.session("own").definition);
		}
		expect(marks()).toEqual([]);
		host.isWorkspaceTrusted = false;
		for (const folder of folders) {
			await open(folder);
			expect(host.session("own").state).toMatchObject({ reason: "the workspace is not trusted" });
		}
		expect(marks()).toEqual([]);
		delete process.env["MCP_HOST_TEST_PLACE"];
	});

	it.each(["as it is written", "behind a symbolic link", "by where it runs"])(
		"does not run a program in an untrusted folder by its path: %s (CFG-26)",
		async (how) => {
			await using host = new TestHost();
			const { folders, marks } = twoFolders(host);
			const [a] = folders;
			const path = a?.path ?? "";
			symlinkSync(path, host.path("link"));
			const command = process.execPath;
			const configs: Readonly<Record<string, JsonObject>> = {
				"as it is written": { command, args: [join(path, "server.mjs")] },
				"behind a symbolic link": { command, args: [join(host.path("link"), "server.mjs")] },
				"by where it runs": { command, args: ["server.mjs"], cwd: path },
			};
			host.show(...folders);
			await host.host.configure([{ origin, content: { value: { own: configs[how] ?? {} } } }], false);
			await host.host.approve(host.session("own").definition);
			host.isWorkspaceTrusted = false;
			await host.host.startApproved();
			await host.host.start(host.session("own").definition.id);
			expect(host.session("own").state).toMatchObject({
				kind: "failed",
				message: expect.stringMatching(/^Needs trust: .+ is in this workspace, which is not/),
			});
			expect(marks()).toEqual([]);
		},
	);
});

it("the environment file of a server is searched for secrets only once the server may start", async () => {
	await using host = new TestHost();
	writeFileSync(host.path(".env"), "DB_PASSWORD=hunter2");
	const config = { command: process.execPath, args: ["-e", "0"], envFile: ".env" };
	await host.host.configure([mcpJson(host, servers({ own: config }))], false);
	const { definition } = host.session("own");
	expect(await host.host.environmentFile(definition)).toEqual({});
	await host.host.approve(definition);
	expect(await host.host.environmentFile(definition)).toEqual({ DB_PASSWORD: "hunter2" });
	host.isWorkspaceTrusted = false;
	expect(await host.host.environmentFile(definition)).toEqual({});
});
