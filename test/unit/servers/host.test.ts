import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { Decision } from "../../../src/questions/decisions/decision.ts";
import type { McpHost } from "../../../src/servers/host.ts";
import { Approvals, approvalsName } from "../../../src/servers/approval/approvals.ts";
import type { ConfigSource, RawSource } from "../../../src/servers/definitions/config.ts";
import { StoreFolder } from "../base/store/storeFolder.ts";
import { MemorySecrets, userOrigin, workspaceOrigin } from "./fixtures.ts";
import { makeHost, silentServer } from "./hostScene.ts";

const file = (text: string): ConfigSource => ({ origin: workspaceOrigin, content: { text } });
const settings = (value: RawSource["content"] & { value: object }): ConfigSource => ({
	origin: userOrigin,
	content: value,
});
const namesOf = (host: McpHost): readonly string[] => host.registry.sessions.map(({ definition: { name } }) => name);

describe("A server that is turned off", () => {
	const text = (more: object = {}): string =>
		JSON.stringify({ servers: { a: { ...silentServer, cwd: "/", ...more } } });
	const stateOf = (host: McpHost): string | undefined => host.registry.sessions[0]?.state.kind;

	it("is listed, does not start, and ends when its entry or the user turns it off (EDT-04)", async () => {
		const host = makeHost();
		await host.configure([file(text({ disabled: true }))], false);
		expect(stateOf(host)).toBe("off");
		const [session] = host.registry.sessions;
		if (session === undefined) throw new Error("There is no session.");
		const { definition } = session;
		await host.approve(definition);
		expect(await host.start(definition.id)).toEqual({ kind: "off" });
		await host.startApproved();
		expect(stateOf(host)).toBe("off");
		// On, although the team's entry turns it off.
		host.switchedOff.choose(definition.id, false);
		await expect.poll(() => stateOf(host)).toBe("stopped");
		const starting = host.start(definition.id);
		expect(stateOf(host)).toBe("starting");
		host.switchedOff.choose(definition.id, true);
		await starting;
		await expect.poll(() => stateOf(host)).toBe("off");
		host.switchedOff.choose(definition.id, undefined);
		await host.configure([file(text())], false);
		expect(stateOf(host)).toBe("stopped");
		const again = host.start(definition.id);
		await host.configure([file(text({ disabled: true }))], false);
		await again;
		await expect.poll(() => stateOf(host)).toBe("off");
		await host.shutdown();
	});
});

describe("McpHost.configure", () => {
	it("joins the sources and the demo, leaves out ignored ones, and returns the problems", async () => {
		const host = makeHost();
		const sources = [
			settings({ value: { a: { command: "x" }, b: { command: "y" } } }),
			file('{"servers": {"a": {"command": "z"}, "c": 1}}'),
		];
		const problems = await host.configure(sources, true, ({ name }) => name === "b");
		expect(namesOf(host)).toEqual(["a (User Settings)", "a (.vscode/mcp.json in ws)", "travel"]);
		expect(problems.map(({ message }) => message)).toEqual(["A server must be an object."]);
		expect(host.registry.sessions.map(({ state }) => state.kind)).toEqual([
			"needs-approval",
			"needs-approval",
			"stopped",
		]);
	});

	it("keeps the servers of a file while it is broken, and applies the file when it is whole again (CFG-20)", async () => {
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

	it("applies the readable part of a file that was never whole, and nothing of one that is gone", async () => {
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
	it("rejects the start of an unconfigured server", async () => {
		await expect(makeHost().start("nowhere")).rejects.toMatchObject({
			code: "not-connected",
			message: "This server is no longer configured.",
		});
	});

	it("starts nothing whose approval another window revoked while an input was requested (SEC-09)", async () => {
		const shared = new StoreFolder();
		const other = new Approvals();
		const otherStore = shared.open();
		other.open(otherStore.journal(approvalsName));
		// Like on a network drive, where windows are not notified of each other's writes.
		const store = shared.open();
		vi.spyOn(store.journal(approvalsName), "onDidChange").mockReturnValue({ dispose() {} });
		const marker = path.join(shared.folder, "started");
		const answers = [(_id: string) => Promise.resolve(), (id: string) => other.revoke(id)];
		const host = makeHost({
			openStore: () => Promise.resolve(store),
			askInput: async ({ id }) => {
				await answers.pop()?.(id);
				return "value";
			},
		});
		const server = { command: "sh", args: ["-c", `: > "$MARKER"`, "${input:k}"], cwd: "/", env: { MARKER: marker } };
		await host.configure(
			[file(JSON.stringify({ inputs: [{ id: "k", type: "promptString" }], servers: { a: server } }))],
			false,
		);
		const { definition } = host.registry.sessions[0]!;
		await host.approve(definition);
		expect(await host.start(definition.id)).toEqual({ kind: "needs-approval", reason: "unapproved" });
		expect(existsSync(marker)).toBe(false);
		// The same server starts if nothing is revoked.
		await host.approve(definition);
		await host.start(definition.id);
		expect(existsSync(marker)).toBe(true);
		await host.shutdown();
		otherStore.dispose();
	});

	it("asks for inputs only when a user starts the server", async () => {
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
		await host.approve(session.definition);
		await host.startApproved();
		expect([asked, session.state.kind]).toEqual([[], "stopped"]);
		expect(await host.start(session.definition.id)).toEqual({ kind: "stopped" });
		expect(asked).toEqual(["key"]);
	});

	it("starts nothing that was approved only once, except when the user starts it (FST-12)", async () => {
		const host = makeHost();
		await host.configure([file(JSON.stringify({ servers: { a: { command: "/nowhere/command" } } }))], false);
		const [session] = host.registry.sessions;
		if (session === undefined) throw new Error("no session");
		await host.approve(session.definition, undefined, false);
		await host.startApproved();
		expect(session.state.kind).toBe("stopped");
		expect((await host.start(session.definition.id)).kind).toBe("failed");
		await host.approve(session.definition);
		await session.stop();
		await expect.poll(() => session.state.kind).toBe("stopped");
		await host.startApproved();
		await expect.poll(() => session.state.kind).toBe("failed");
	});

	it("asks again for an input when a start that waits for it is repeated", async () => {
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
		await host.approve(session.definition);
		const first = host.start(session.definition.id);
		await expect.poll(() => asked).toBe(1);
		const second = host.start(session.definition.id, true);
		expect((await first).kind).not.toBe("running");
		await expect.poll(() => asked).toBe(2);
		answers[1]?.resolve("value");
		// The value exists; now the command fails.
		expect(await second).toMatchObject({ kind: "failed" });
		await host.shutdown();
	});

	it("deletes the approval, the inputs and the process of a server whose approval is revoked", async () => {
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
		await host.approve(session.definition);
		const started = host.start(session.definition.id);
		await expect.poll(() => secrets.values.size).toBe(1);
		await host.revoke(session.definition.id);
		expect(await started).toMatchObject({ kind: "needs-approval" });
		expect([secrets.values.size, host.approvals.all.size]).toEqual([0, 0]);
		expect(session.state).toEqual({ kind: "needs-approval", reason: "unapproved" });
	});

	it.each(["revoked", "changed and approved anew"])(
		"keeps no input that is typed after its server was %s (CFG-11)",
		async (what) => {
			const secrets = new MemorySecrets();
			const typed = Promise.withResolvers<string>();
			const asked = Promise.withResolvers<void>();
			const host = makeHost({
				secrets,
				askInput: () => {
					asked.resolve();
					return typed.promise;
				},
			});
			const source = (args: readonly string[]) =>
				file(
					JSON.stringify({
						inputs: [{ id: "key", type: "promptString" }],
						servers: { a: { command: "/nowhere/command", args: ["${input:key}", ...args] } },
					}),
				);
			await host.configure([source([])], false);
			const definition = host.registry.sessions[0]?.definition;
			if (definition === undefined) throw new Error("no session");
			await host.approve(definition);
			const started = host.start(definition.id);
			await asked.promise;
			if (what === "revoked") await host.revoke(definition.id);
			else {
				await host.configure([source(["-x"])], false);
				const changed = host.registry.sessions[0]?.definition;
				if (changed !== undefined) await host.approve(changed);
			}
			const stored: string[] = [];
			const { store } = secrets;
			secrets.store = (key, value) => (stored.push(key), store.call(secrets, key, value));
			typed.resolve("typed");
			await started;
			await host.shutdown();
			expect([stored, secrets.values.size]).toEqual([[], 0]);
		},
	);

	it("settles pending work when it is shut down, which may happen twice", async () => {
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
