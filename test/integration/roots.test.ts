/** Roots as servers see them: real ones of both eras, over stdio and HTTP, in windows of several folders. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ConfigOrigin, ConfigSource } from "../../src/servers/definitions/config.ts";
import { fileUri } from "../../src/servers/roots/roots.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { startHttpServer } from "../servers/httpServer.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { packageConfig, smallConfig, textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

const changed = "notifications/roots/list_changed";

/** The names of the roots that a server receives on request. */
async function rootsOf(session: ServerSession): Promise<readonly (string | undefined)[]> {
	const roots = JSON.parse(textOf(await session.callTool("roots", {}))) as readonly { name?: string }[];
	return roots.map(({ name }) => name);
}

async function pidOf(session: ServerSession): Promise<number> {
	return (JSON.parse(textOf(await session.callTool("whoami", {}))) as { pid: number }).pid;
}

/** The `.vscode/mcp.json` of a folder that is open. */
function mcpJson(host: TestHost, folder: string, servers: JsonObject): ConfigSource {
	const origin: ConfigOrigin = {
		kind: "mcp-json",
		label: `.vscode/mcp.json in ${folder}`,
		file: host.path(folder, ".vscode", "mcp.json"),
		folder: host.path(folder),
		isWorkspace: true,
	};
	return { origin, content: { text: JSON.stringify({ servers }) } };
}

describe("a window of several folders", () => {
	it("sends its roots to servers of both eras, and each change to the affected ones (ROOT-02, BLT-31, BLT-32)", async () => {
		await using host = new TestHost();
		await using http = await startHttpServer({ speaks: "legacy" });
		const log = (name: string): string => host.path(`${name}.log`);
		host.openFolders("client", "server");
		await host.configure({
			legacy: smallConfig("legacy", log("legacy")),
			narrow: { ...smallConfig("legacy", log("narrow")), roots: { folders: ["client"] } },
			none: { ...smallConfig("legacy", log("none")), roots: false },
			modern: smallConfig("modern", log("modern")),
			web: { url: http.url },
		});
		const names = ["legacy", "narrow", "none", "modern", "web"];
		for (const name of names) await host.session(name).start();
		const seen = (): Promise<unknown> => Promise.all(names.map((name) => rootsOf(host.session(name))));
		const heard = (): readonly number[] =>
			names.map((name) => messagesOf(name === "web" ? http.received : readReceived(log(name)), changed).length);

		expect(await rootsOf(host.session("modern"))).toEqual(["client", "server"]);
		host.openFolders("client", "server", "docs");
		// The legacy ones have not asked yet, and are notified nevertheless.
		await expect.poll(heard).toEqual([1, 0, 0, 0, 1]);
		const all = ["client", "server", "docs"];
		expect(await seen()).toEqual([all, ["client"], [], all, all]);

		host.openFolders("server");
		await expect.poll(heard).toEqual([2, 1, 0, 0, 2]);
		expect(await seen()).toEqual([["server"], [], [], ["server"], ["server"]]);
	});

	it("shows a server of a folder's file only that folder, and stops it with the folder (CFG-23, BLT-31, BLT-33)", async () => {
		await using host = new TestHost();
		host.openFolders("client", "server");
		const config = { ...smallConfig("modern"), cwd: "${workspaceFolder}", env: { FOLDER: "${workspaceFolder}" } };
		const files = ["client", "server"].map((folder) => mcpJson(host, folder, { small: config }));
		await host.host.configure(files, false);
		for (const folder of ["client", "server"]) {
			const session = host.session(`small (.vscode/mcp.json in ${folder})`);
			await host.host.approve(session.definition);
			await session.start();
			expect(await rootsOf(session)).toEqual([folder]);
			expect(JSON.parse(textOf(await session.callTool("whoami", {})))).toMatchObject({
				cwd: host.path(folder),
				env: { FOLDER: host.path(folder) },
			});
		}
		host.openFolders("client");
		await host.host.configure(files.slice(0, 1), false);
		expect(host.host.registry.sessions.map(({ definition }) => definition.origin.folder)).toEqual([
			host.path("client"),
		]);
	});

	it("gives a user's own server the first folder as its variable, and logs it (BLT-33)", async () => {
		await using host = new TestHost();
		host.openFolders("client", "server");
		const env = { FOLDER: "${workspaceFolder}", OTHER: "${workspaceFolder:server}" };
		const session = await host.run("small", { ...smallConfig("modern"), env });
		expect(JSON.parse(textOf(await session.callTool("whoami", {})))).toMatchObject({
			env: { FOLDER: host.path("client"), OTHER: host.path("server") },
		});
		expect(host.log.filter((line) => line.includes("${workspaceFolder}"))).toEqual([
			`small info \${workspaceFolder} is ${host.path("client")}, the first of 2 folders. Write \${workspaceFolder:name} to use another folder.`,
		]);
	});
});

describe.each(["legacy", "modern"] as const)("the roots of one %s server", (era) => {
	it("follow its entry, the setting and the user's choice, and nothing restarts it", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		host.openFolders("client", "server");
		const config = smallConfig(era, log);
		const session = await host.run("small", config);
		const pid = await pidOf(session);
		const { id } = session.definition;
		const configure = async (roots: JsonObject | undefined, setting?: JsonObject): Promise<void> => {
			const entry = roots === undefined ? config : { ...config, roots };
			const origin: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };
			await host.host.configure([{ origin, content: { value: { small: entry } } }], false, undefined, setting);
		};

		expect(await rootsOf(session)).toEqual(["client", "server"]);
		await configure({ folders: ["!client"], extra: ["/data/set"] });
		expect(await rootsOf(session)).toEqual(["server", "set"]);
		await configure({ folders: ["!client"], extra: ["/data/set"] }, { "s*": { folders: ["client"] } });
		expect(await rootsOf(session)).toEqual(["client"]);
		await host.host.roots.model?.choose(id, { folders: [], extra: [] });
		expect(await rootsOf(session)).toEqual([]);
		await host.host.roots.model?.choose(id, { folders: [fileUri(host.path("server"))], extra: [fileUri("/picked")] });
		expect(await rootsOf(session)).toEqual(["server", "picked"]);
		await host.host.roots.model?.choose(id, undefined);
		await configure(undefined);
		expect(await rootsOf(session)).toEqual(["client", "server"]);

		expect(host.session("small")).toBe(session);
		expect(await pidOf(session)).toBe(pid);
		// Six changes for the legacy server; the modern one has no such message and requests roots when it needs them.
		await expect.poll(() => messagesOf(readReceived(log), changed).length).toBe(era === "legacy" ? 6 : 0);
	});

	it("are those that the specification allows, and others only if its entry declares them (ROOT-01)", async () => {
		await using host = new TestHost();
		host.openFolders("client");
		host.show(
			{ name: "home", scheme: "file", path: homedir() },
			{ name: "away", scheme: "vscode-vfs", path: "/away" },
			{ name: "client", scheme: "file", path: host.path("client") },
		);
		const strange = { extra: ["https://example.com/repo", "https://me:secret@example.com/"] };
		const log = host.path("small.log");
		const session = await host.run("small", { ...smallConfig(era, log), roots: strange });
		expect(await rootsOf(session)).toEqual(["client"]);
		expect(JSON.stringify(readReceived(log))).not.toContain("example.com");
		await host.configure({ small: { ...smallConfig(era, log), roots: { ...strange, allowNonFile: true } } });
		// This server's library refuses roots that are no folders, as the setting describes.
		await session.callTool("roots", {}).catch(() => undefined);
		const received = JSON.stringify(readReceived(log));
		expect(received).toContain("https://example.com/repo");
		expect(received).not.toContain("secret");
		expect(received).not.toContain(fileUri(homedir()) + '"');
	});
});

describe("a workspace's file", () => {
	it("shows its servers nothing outside the workspace before the user approved it (ROOT-01)", async () => {
		await using host = new TestHost();
		host.openFolders("client", "server");
		const plain = smallConfig("modern");
		const greedy = { ...plain, roots: { folders: ["*"], extra: ["/etc"] } };
		await host.host.configure([mcpJson(host, "client", { small: plain })], false);
		const session = host.session("small");
		await host.host.approve(session.definition);
		await session.start();
		const pid = await pidOf(session);

		await host.host.configure([mcpJson(host, "client", { small: greedy })], false);
		expect(await rootsOf(session)).toEqual(["client"]);
		expect(await pidOf(session)).toBe(pid);
		expect(host.host.roots.remark(session.definition)?.text).toContain("2 wait for approval");

		await host.host.approve(session.definition);
		expect(await rootsOf(session)).toEqual(["client", "server", "etc"]);
		expect(await pidOf(session)).toBe(pid);
		await session.stop();
		await host.host.configure(
			[mcpJson(host, "client", { small: { ...plain, roots: { extra: ["/", "/etc"] } } })],
			false,
		);
		expect(session.state).toMatchObject({ kind: "needs-approval" });
		expect((await session.start()).kind).toBe("needs-approval");
	});

	it("cannot give its servers the roots of the user's setting for a server of the same name (CFG-03)", async () => {
		await using host = new TestHost();
		host.openFolders("client", "server");
		const setting = { small: { extra: ["/data"] } };
		await host.host.configure([mcpJson(host, "client", { small: smallConfig("modern") })], false, undefined, setting);
		const session = host.session("small");
		await host.host.approve(session.definition);
		await session.start();
		expect(await rootsOf(session)).toEqual(["client"]);
	});
});

describe("a folder that is a symbolic link (ROOT-03)", () => {
	it("is sent as it was opened, never resolved, and a file server serves its content", async () => {
		await using host = new TestHost();
		mkdirSync(host.path("real"));
		writeFileSync(host.path("real", "note.txt"), "behind the link");
		symlinkSync(host.path("real"), host.path("link"));
		host.show({ name: "link", scheme: "file", path: host.path("link") });
		await host.configure({ files: packageConfig("filesystem"), small: smallConfig("legacy") });
		for (const name of ["files", "small"]) await host.session(name).start();
		const told = JSON.parse(textOf(await host.session("small").callTool("roots", {}))) as unknown;
		expect(told).toEqual([{ uri: fileUri(host.path("link")), name: "link" }]);
		const read = async (): Promise<string> =>
			// This server resolves its roots itself, and needs paths without links.
			textOf(await host.session("files").callTool("read_text_file", { path: host.path("real", "note.txt") }));
		await expect.poll(read).toBe("behind the link");
	});
});
