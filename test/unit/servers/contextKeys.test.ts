import { expect, test } from "vitest";
import { contextKeys } from "../../../src/servers/contextKeys.ts";
import type { SessionState } from "../../../src/servers/sessions/session.ts";
import { FakeSession } from "../features/resources/fakeSession.ts";

/** The keys that are set. */
function keysOf(sessions: readonly FakeSession[], pending = 0): readonly string[] {
	return Object.entries(contextKeys(sessions, pending)).flatMap(([key, isSet]) => (isSet ? [key] : []));
}

function inState(state: SessionState): FakeSession {
	const session = new FakeSession("a");
	session.state = state;
	return session;
}

test("without servers nothing can be done with them (UI-18)", () => {
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
] as const)("a server that is %j can be treated accordingly", (state, keys) => {
	expect(keysOf([inState(state)])).toEqual(keys);
});

test("what runs offers what it says that it offers, and the keys of several servers add up", async () => {
	const running = new FakeSession("runs");
	const extensions = { "io.modelcontextprotocol/skills": {} };
	await running.run({ tools: [] }, { capabilities: { tools: {}, prompts: {}, extensions } });
	expect(keysOf([running])).toEqual(["ownServerRuns", "canStop", "hasTools", "hasSkills"]);
	expect(keysOf([running, inState({ kind: "off" })])).toContain("canStart");
});
