import { expect, test } from "vitest";
import { type StartableServers, startAllServers } from "../../../src/servers/allServers.ts";
import type { SessionState } from "../../../src/servers/sessions/session.ts";
import { FakeSession } from "../features/resources/fakeSession.ts";

const failure: SessionState = { kind: "failed", message: "exited", stderr: [] };

/** A host of servers in these states; a start ends as `outcomes` defines, and is recorded. */
function hostOf(states: Readonly<Record<string, SessionState>>, outcomes: Readonly<Record<string, SessionState>> = {}) {
	const started: string[] = [];
	const sessions = Object.entries(states).map(([name, state]) => {
		const session = new FakeSession(name);
		session.state = state;
		return session;
	});
	const host: StartableServers = {
		registry: { sessions },
		reconsider: () => undefined,
		async start(id) {
			const session = sessions.find(({ definition }) => definition.id === id);
			if (session === undefined) throw new Error("unknown");
			started.push(session.definition.name);
			session.state = outcomes[session.definition.name] ?? ({ kind: "running" } as SessionState);
			return session.state;
		},
	};
	return { host, started };
}

test("starting all servers starts the approved ones that do not run, and no other (CFG-01)", async () => {
	const { host, started } = hostOf({
		stopped: { kind: "stopped" },
		failed: failure,
		unapproved: { kind: "needs-approval", reason: "unapproved" },
		off: { kind: "off" },
		left: { kind: "left-to-editor" },
		signIn: { kind: "needs-sign-in", message: "sign in" },
		starting: { kind: "starting" },
	});
	const result = await startAllServers(host);
	expect(started).toEqual(["stopped", "failed"]);
	expect(result.started.map(({ name }) => name)).toEqual(["stopped", "failed"]);
	expect(result.isApprovalNeeded).toBe(true);
	expect(result.signIn.map(({ name }) => name)).toEqual(["signIn"]);
});

test("a server that fails, and one whose approval ends meanwhile, are reported as such", async () => {
	const { host } = hostOf(
		{ broken: { kind: "stopped" }, changed: { kind: "stopped" }, fine: { kind: "stopped" } },
		{ broken: failure, changed: { kind: "needs-approval", reason: "changed" } },
	);
	const result = await startAllServers(host);
	expect(result.failed.map(({ name }) => name)).toEqual(["broken"]);
	expect(result.started.map(({ name }) => name)).toEqual(["fine"]);
	expect(result.isApprovalNeeded).toBe(true);
});

test("a server that is removed while the others start fails nothing", async () => {
	const { host } = hostOf({ gone: { kind: "stopped" } });
	const result = await startAllServers({ ...host, start: () => Promise.reject(new Error("no longer configured")) });
	expect(result).toEqual({ started: [], failed: [], isApprovalNeeded: false, signIn: [] });
});
