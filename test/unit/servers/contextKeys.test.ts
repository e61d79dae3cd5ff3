import { expect, test } from "vitest";
import { contextKeys } from "../../../src/servers/contextKeys.ts";
import type { SessionState } from "../../../src/servers/sessions/session.ts";
import { FakeSession } from "../features/resources/fakeSession.ts";

const nobody = { get: () => undefined };

/** The keys that are set. */
function keysOf(sessions: readonly FakeSession[], pending = 0): readonly string[] {
	return Object.entries(contextKeys(sessions, nobody, pending)).flatMap(([key, isSet]) => (isSet ? [key] : []));
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
	[{ kind: "stopped" }, ["canStart", "canSwitchOff"]],
	[{ kind: "starting" }, ["canStop", "canSwitchOff"]],
	[{ kind: "off" }, ["canStart", "canSwitchOn"]],
	[{ kind: "needs-approval", reason: "unapproved" }, ["canStart", "canApprove", "canSwitchOff"]],
	[{ kind: "failed", message: "exited", stderr: [] }, ["canStart", "canSwitchOff"]],
	[{ kind: "failed", message: "exited", stderr: [], retryAt: 1 }, ["canStart", "canStop", "canSwitchOff"]],
] as const)("a server that is %j can be treated accordingly", (state, keys) => {
	expect(keysOf([inState(state)])).toEqual(keys);
});

test("what runs offers what it says that it offers, and the keys of several servers add up", async () => {
	const running = new FakeSession("runs");
	await running.run({ tools: [] }, { capabilities: { tools: {}, prompts: {} } });
	expect(keysOf([running])).toEqual(["ownServerRuns", "canStop", "canSwitchOff", "hasTools", "hasPrompts"]);
	expect(keysOf([running, inState({ kind: "off" })])).toContain("canSwitchOn");
});

test("who is signed in can sign out", () => {
	const signedIn = { get: () => ({ issuer: "https://auth.example", scopes: [] }) as never };
	expect(contextKeys([new FakeSession("a")], signedIn, 0).canSignOut).toBe(true);
});
