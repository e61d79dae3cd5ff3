import { expect, test } from "vitest";
import { contextKeys } from "../../../../src/servers/status/contextKeys.ts";
import type { SessionState } from "../../../../src/servers/sessions/session.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";

/** The current keys. */
function keysOf(sessions: readonly FakeSession[], pending = 0): readonly string[] {
	return Object.entries(contextKeys(sessions, pending)).flatMap(([key, isSet]) => (isSet ? [key] : []));
}

function inState(state: SessionState): FakeSession {
	const session = new FakeSession("a");
	session.state = state;
	return session;
}

test("without servers no server action is possible (UI-18)", () => {
	expect(keysOf([])).toEqual([]);
	expect(keysOf([], 1)).toEqual(["hasPending"]);
});

test.each([
	[{ kind: "stopped" }, ["canStart"]],
	[{ kind: "starting" }, ["canStop"]],
	[{ kind: "off" }, ["canStart"]],
	[{ kind: "needs-approval", reason: "unapproved" }, ["canStart", "canApprove"]],
	[{ kind: "failed", message: "exited", stderr: [] }, ["canStart"]],
	[{ kind: "failed", message: "exited", stderr: [], retryAt: 1 }, ["canStart", "canStop"]],
] as const)("a server in the state %j has the matching actions", (state, keys) => {
	expect(keysOf([inState(state)])).toEqual(keys);
});

test("a running server offers what it declares, and the keys of several servers add up", async () => {
	const running = new FakeSession("runs");
	const extensions = { "io.modelcontextprotocol/skills": {} };
	await running.run({ tools: [] }, { capabilities: { tools: {}, prompts: {}, extensions } });
	expect(keysOf([running])).toEqual(["ownServerRuns", "canStop", "hasTools", "hasSkills"]);
	expect(keysOf([running, inState({ kind: "off" })])).toContain("canStart");
});
