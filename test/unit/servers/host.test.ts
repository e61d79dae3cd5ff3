import { describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { Decision } from "../../../src/decisions/decision.ts";
import { McpHost, type HostServices } from "../../../src/host.ts";
import type { ConfigSource } from "../../../src/servers/config.ts";
import { MemorySecrets, MemoryStore, userOrigin, workspaceOrigin } from "./fixtures.ts";
import { defaultConnectionLimits } from "../../../src/connection/limits.ts";
import { defaultListLimits } from "../../../src/servers/managedList.ts";

/** A server that answers nothing; it is enough to be started and stopped. */
const silentServer = { command: process.execPath, args: ["-e", "process.stdin.resume()"] };

function makeHost(changes: Partial<HostServices> = {}): McpHost {
	return new McpHost({
		version: "0.0.0",
		serverLog: () => silentLog,
		state: new MemoryStore(),
		secrets: new MemorySecrets(),
		isWorkspaceTrusted: () => true,
		workspaceState: new MemoryStore(),
		folders: { current: [{ name: "ws", scheme: "file", path: "/ws" }], onDidChange: () => ({ dispose() {} }) },
		askInput: () => Promise.resolve(undefined),
		limits: defaultConnectionLimits,
		listLimits: defaultListLimits,
		logLevels: { of: () => "info", onDidChange: () => ({ dispose() {} }) },
		network: { environment: {} },
		timeouts: { handshakeMs: 300, requestMs: 1000, maxRequestMs: 10_000 },
		demo: { command: process.execPath, args: [], env: {} },
		...changes,
	});
}

const file = (text: string): ConfigSource => ({ origin: workspaceOrigin, content: { text } });
const settings = (value: ConfigSource["content"] & { value: object }): ConfigSource => ({
	origin: userOrigin,
	content: value,
});
const namesOf = (host: McpHost): readonly string[] => host.registry.sessions.map(({ definition: { name } }) => name);

describe("McpHost.configure", () => {
	it("joins the sources and the demo, leaves out what is ignored, and returns what is wrong", async () => {
		const host = makeHost();
		const sources = [
			settings({ value: { a: { command: "x" }, b: { command: "y" } } }),
			file('{"servers": {"a": {"command": "z"}, "c": 1}}'),
		];
		const problems = await host.configure(sources, true, (name) => name === "b");
		expect(namesOf(host)).toEqual(["a (User Settings)", "a (.vscode/mcp.json in ws)", "travel"]);
		expect(problems.map(({ message }) => message)).toEqual(["A server must be an object."]);
		expect(host.registry.sessions.map(({ state }) => state.kind)).toEqual([
			"needs-approval",
			"needs-approval",
			"stopped",
		]);
	});

	it("keeps the servers of a file while it is broken, and takes the file when it is whole again", async () => {
		const host = makeHost();
		await host.configure([file('{"servers": {"a": {"command": "x"}, "b": {"command": "y"}}}')], false);
		const [session] = host.registry.sessions;
		expect(await host.configure([file('{"servers": {"a": {"comm')], false)).not.toEqual([]);
		expect(namesOf(host)).toEqual(["a", "b"]);
		expect(host.registry.sessions[0]).toBe(session);
		await host.configure([file('{"servers": {"a"')], false);
		expect(namesOf(host)).toEqual(["a", "b"]);
		await host.configure([file('{"servers": {"b": {"command": "y"}}}')], false);
		expect(namesOf(host)).toEqual(["b"]);
	});

	it("takes what there is of a file that was never whole, and nothing of one that is gone", async () => {
		const host = makeHost();
		await host.configure([file('{"servers": {"a": {"command": "x"}, "b"')], false);
		expect(namesOf(host)).toEqual(["a"]);
		await host.configure([file('{"servers": {"b": {"command": "x"}}}')], false);
		await host.configure([], false);
		expect(namesOf(host)).toEqual([]);
		await host.configure([file("{")], false);
		expect(namesOf(host)).toEqual([]);
	});
});

describe("McpHost: starting and stopping", () => {
	it("rejects to start what is not configured", async () => {
		await expect(makeHost().start("nowhere")).rejects.toMatchObject({
			code: "not-connected",
			message: "This server is no longer configured.",
		});
	});

	it("asks for inputs only when a person starts the server", async () => {
		const asked: string[] = [];
		const host = makeHost({
			askInput: (_definition, { id }) => {
				asked.push(id);
				return Promise.resolve(undefined);
			},
		});
		await host.configure(
			[
				file(
					'{"inputs": [{"id": "key", "type": "promptString"}], "servers": {"a": {"command": "x", "args": ["${input:key}"]}}}',
				),
			],
			false,
		);
		const [session] = host.registry.sessions;
		if (session === undefined) throw new Error("no session");
		await host.approvals.approve(session.definition);
		await host.startApproved();
		expect([asked, session.state.kind]).toEqual([[], "stopped"]);
		expect(await host.start(session.definition.id)).toEqual({ kind: "stopped" });
		expect(asked).toEqual(["key"]);
	});

	it("asks again for an input when a start that waits for it is begun anew", async () => {
		const answers = [Promise.withResolvers<string | undefined>(), Promise.withResolvers<string | undefined>()];
		let asked = 0;
		const host = makeHost({ askInput: async () => answers[asked++]?.promise });
		const text = JSON.stringify({
			inputs: [{ id: "key", type: "promptString" }],
			servers: { a: { command: "/nowhere/command", args: ["${input:key}"] } },
		});
		await host.configure([file(text)], false);
		const [session] = host.registry.sessions;
		if (session === undefined) throw new Error("no session");
		await host.approvals.approve(session.definition);
		const first = host.start(session.definition.id);
		await expect.poll(() => asked).toBe(1);
		const second = host.start(session.definition.id, true);
		expect((await first).kind).not.toBe("running");
		await expect.poll(() => asked).toBe(2);
		answers[1]?.resolve("value");
		// The value is there; what fails now is the command.
		expect(await second).toMatchObject({ kind: "failed" });
		await host.shutdown();
	});

	it("takes the approval, the inputs and the process of a server whose approval is revoked", async () => {
		const secrets = new MemorySecrets();
		const host = makeHost({
			secrets,
			askInput: () => Promise.resolve("value"),
			timeouts: { handshakeMs: 20_000, requestMs: 1, maxRequestMs: 1 },
		});
		const text = JSON.stringify({
			inputs: [{ id: "key", type: "promptString" }],
			servers: { a: { ...silentServer, cwd: "/", env: { KEY: "${input:key}" } } },
		});
		await host.configure([file(text)], false);
		const [session] = host.registry.sessions;
		if (session === undefined) throw new Error("no session");
		await host.approvals.approve(session.definition);
		const started = host.start(session.definition.id);
		await expect.poll(() => secrets.values.size).toBe(1);
		await host.revoke(session.definition.id);
		expect(await started).toMatchObject({ kind: "needs-approval" });
		expect([secrets.values.size, host.approvals.all.size]).toEqual([0, 0]);
		expect(session.state).toEqual({ kind: "needs-approval", reason: "approval needed" });
	});

	it("settles what is pending when it is shut down, which may be said twice", async () => {
		const host = makeHost();
		await host.configure([], true);
		const decision = new Decision<boolean>({ kind: "tool", server: "travel", title: "x" });
		host.pending.add(decision, () => undefined);
		await host.shutdown();
		expect(decision.outcome).toEqual({ by: "lapse", reason: "shutdown" });
		expect(host.registry.sessions).toEqual([]);
		await host.shutdown();
	});
});
