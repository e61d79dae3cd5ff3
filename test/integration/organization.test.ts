/** The policy file of a machine, with real servers: in a window, and on the command line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { machineAlone } from "../../src/servers/definitions/editorLimits.ts";
import { leaveOut } from "../../src/servers/definitions/leftOut.ts";
import { readMachinePolicy } from "../../src/servers/definitions/policyFile.ts";
import type { ConfigProblem } from "../../src/servers/definitions/config.ts";
import { checkCommand } from "../../src/surfaces/doctor/commandLine/checkCommand.ts";
import { type Terminal, testCommand } from "../../src/surfaces/namedCalls/commandLine/testCommand.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

let folder: string;
let policyFile: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "mcp-organization-"));
	policyFile = path.join(folder, "policy.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function decree(policy: unknown): void {
	writeFileSync(policyFile, typeof policy === "string" ? policy : JSON.stringify(policy));
}

/** Reads the configuration of the user under the policy, as a window does whenever one of them changed. */
async function configure(host: TestHost, servers: JsonObject): Promise<readonly ConfigProblem[]> {
	const { isLeftOut, problems } = leaveOut(() => false, machineAlone(await readMachinePolicy(policyFile)));
	const origin = { kind: "user-settings", label: "User Settings", isWorkspace: false } as const;
	await host.host.configure([{ origin, content: { value: servers } }], false, isLeftOut);
	return problems;
}

const named = (host: TestHost): readonly string[] =>
	host.host.registry.sessions.map(({ definition }) => definition.name);

describe("a policy file of the machine (REG-18)", () => {
	it("stops a running server that it no longer allows, whose approval helps nothing; and lets it go on afterwards", async () => {
		await using host = new TestHost();
		const servers = { small: smallConfig("modern", host.path("small.log")) };
		expect(await configure(host, servers)).toEqual([]);
		const { definition } = host.session("small");
		await host.host.approve(definition);
		expect(await host.host.start(definition.id)).toMatchObject({ kind: "running" });
		const session = host.session("small");

		decree({ servers: { denied: [{ command: "*" }] } });
		expect(await configure(host, servers)).toMatchObject([
			{
				server: "small",
				isByPolicy: true,
				message: `Your organization does not allow the server “small” (servers.denied in ${policyFile}).`,
			},
		]);
		expect(named(host)).toEqual([]);
		await expect.poll(() => session.state.kind).not.toBe("running");
		await expect(host.host.start(definition.id)).rejects.toThrow("no longer configured");

		decree("{ not JSON");
		const [broken] = await configure(host, servers);
		expect(broken?.message).toMatch(/^Your organization's policy .*policy\.json cannot be read: line 1: /);
		expect(named(host)).toEqual([]);

		decree({});
		expect(await configure(host, servers)).toEqual([]);
		expect(await host.host.start(definition.id)).toMatchObject({ kind: "running" });
	});
});

describe("the command line under a policy file (REG-18)", () => {
	let output: string;
	let log: string;
	beforeEach(() => {
		output = "";
		log = path.join(folder, "received.log");
		mkdirSync(path.join(folder, ".vscode"));
		const mcp = { servers: { small: smallConfig("modern", log) } };
		writeFileSync(path.join(folder, ".vscode", "mcp.json"), JSON.stringify(mcp));
		const calls = { say: { server: "small", tool: "echo", arguments: { text: "hello" } } };
		writeFileSync(path.join(folder, "a.mcp-calls.json"), JSON.stringify({ version: 1, calls }));
	});

	/** Runs a command in the folder; resolves with its exit code. */
	function run(command: (args: readonly string[], terminal: Terminal) => Promise<number>, ...args: string[]) {
		const write = (text: string): void => void (output += text);
		return command(args, {
			folder,
			environment: process.env,
			version: "0.0.0",
			policyFile,
			signal: new AbortController().signal,
			write,
			writeError: write,
		});
	}

	const received = (): number => messagesOf(readReceived(log), "tools/call").length;

	it("makes the calls that it allows, and none that one of its rules denies", async () => {
		decree({ rules: [{ decision: "deny", tool: "write*" }] });
		expect(await run(testCommand, "a.mcp-calls.json", "--allow-all"), output).toBe(0);
		expect(received()).toBe(1);
		decree({ rules: [{ decision: "deny", tool: "echo", reason: "not here" }] });
		expect(await run(testCommand, "a.mcp-calls.json", "--allow-all")).not.toBe(0);
		expect(output).toContain(`rule 1 of your organization's policy (${policyFile}): deny * · echo (not here)`);
		expect(received()).toBe(1);
	});

	it("starts no server of a workspace if it allows none", async () => {
		decree({ servers: { ofWorkspaces: false } });
		expect(await run(testCommand, "a.mcp-calls.json", "--allow-all")).not.toBe(0);
		expect(output).toContain("Your organization does not allow servers of workspaces");
		await run(checkCommand, "--all").catch(() => undefined);
		expect(readReceived(log)).toEqual([]);
	});
});
