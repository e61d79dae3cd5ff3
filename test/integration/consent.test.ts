import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ConfigOrigin, ConfigSource } from "../../src/servers/config.ts";
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
	it("does not start before the person approved it, however it is asked to (built-in.md claim 2)", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern", log) }))], false);
		const session = host.session("small");
		await host.host.startApproved();
		await host.host.start(session.definition.id);
		await session.restart();
		expect(session.state.kind).toBe("needs-approval");
		expect(readReceived(log)).toEqual([]);
		await host.host.approvals.approve(session.definition);
		await session.start();
		expect(textOf(await session.callTool("echo", { text: "approved" }))).toBe("approved");
	});

	it("does not start in an untrusted workspace, approved or not (built-in.md claim 1)", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern", log) }))], false);
		await host.host.approvals.approve(host.session("small").definition);
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
		await host.host.approvals.approve(host.session("small").definition);
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

	it("whose command changes is run by nobody before it is reviewed anew (CFG-02, built-in.md claims 3 and 4)", async () => {
		await using host = new TestHost();
		const [log, changedLog] = [host.path("small.log"), host.path("changed.log")];
		const { command, args } = smallConfig("modern", changedLog);
		const changed = {
			command: "sh",
			args: ["-c", 'echo CHANGED; exec "$@"', "sh", command, ...(args as string[])],
		} as JsonObject;
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern", log) }))], false);
		await host.host.approvals.approve(host.session("small").definition);
		await host.session("small").start();
		await host.session("small").stop();

		await host.host.configure([mcpJson(host, servers({ small: changed }))], false);
		const session = host.session("small");
		await host.host.startApproved();
		await host.host.start(session.definition.id);
		await session.restart();
		expect(session.state).toMatchObject({ kind: "needs-approval", reason: expect.stringContaining("changed") });
		expect(readReceived(changedLog)).toEqual([]);
		// What was approved is kept for the review to show beside it.
		expect(host.host.approvals.former(session.definition)?.config).toMatchObject({ command });
	});

	it("keeps running when only another one changes", async () => {
		await using host = new TestHost();
		const configure = (other: JsonObject): Promise<unknown> =>
			host.host.configure([mcpJson(host, servers({ small: smallConfig("modern"), other }))], false);
		await configure({ command: "one" });
		await host.host.approvals.approve(host.session("small").definition);
		await host.session("small").start();
		const { pid } = factsOf(host.session("small"));
		await configure({ command: "two" });
		expect(factsOf(host.session("small")).pid).toBe(pid);
	});

	it("is stopped when its approval is taken back", async () => {
		await using host = new TestHost();
		await host.host.configure([mcpJson(host, servers({ small: smallConfig("modern") }))], false);
		const session = host.session("small");
		await host.host.approvals.approve(session.definition);
		await session.start();
		await host.host.revoke(session.definition.id);
		expect(session.state.kind).toBe("needs-approval");
		await session.start();
		expect(session.state.kind).toBe("needs-approval");
	});
});

describe("a configuration file", () => {
	it("with a bad entry has its problem told at its place, and runs the others", async () => {
		await using host = new TestHost();
		const good = JSON.stringify(smallConfig("modern"));
		const text = `{\n\t// the good and the bad\n\t"servers": {\n\t\t"bad": { "command": 5 },\n\t\t"good": ${good},\n\t}\n}`;
		const problems = await host.host.configure([mcpJson(host, text)], false);
		expect(problems.map(({ message }) => message)).toEqual(['"command" must be a text.']);
		const [problem] = problems;
		const offset = problem?.range?.offset ?? -1;
		expect(text.slice(0, offset).split("\n")).toHaveLength(4);
		await host.host.approvals.approve(host.session("good").definition);
		await host.session("good").start();
		expect(textOf(await host.session("good").callTool("echo", { text: "runs" }))).toBe("runs");
	});

	it("has its variables and inputs filled in at the start, and no secret in what is kept of it", async () => {
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
		await host.host.approvals.approve(session.definition);
		// A start that no person asked for must not ask them for anything.
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
