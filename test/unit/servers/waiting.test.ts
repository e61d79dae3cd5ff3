import { describe, expect, test } from "vitest";
import { describeFindings, logFindings } from "../../../src/servers/status/findings.ts";
import { Emitter } from "../../../src/base/event.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ConfigOrigin } from "../../../src/servers/definitions/config.ts";
import type { SessionState } from "../../../src/servers/sessions/session.ts";
import { reviewServer } from "../../../src/servers/review/review.ts";
import { statusText } from "../../../src/servers/status/statusText.ts";
import { BatchReview } from "../../../src/servers/review/batch.ts";
import { namesOf, waitingServers } from "../../../src/servers/review/waiting.ts";
import { FakeDirectory, FakeSession } from "../features/resources/fakeSession.ts";
import { userOrigin, workspaceOrigin } from "./fixtures.ts";

const waits: SessionState = { kind: "needs-approval", reason: "unapproved" };

function waiting(name: string, origin: ConfigOrigin = userOrigin, hash = name): FakeSession {
	const session = new FakeSession(name, { id: `${origin.kind}#${name}`, origin, hash });
	session.state = waits;
	return session;
}

describe("the servers that wait", () => {
	test("are those that a review can start: none of a workspace without trust, none that run", () => {
		const sessions = [waiting("a"), waiting("b", workspaceOrigin), new FakeSession("stopped")];
		expect(waitingServers({ sessions }, true).map(({ definition }) => definition.name)).toEqual(["a", "b"]);
		expect(waitingServers({ sessions }, false).map(({ definition }) => definition.name)).toEqual(["a"]);
	});

	test("are named in a sentence, not all of many, and without invisible characters", () => {
		const names = (...all: readonly string[]): string => namesOf(all.map((name) => waiting(name)));
		expect(names("a")).toBe("“a”");
		expect(names("a", "b", "c", "d")).toBe("“a”, “b”, “c” and “d”");
		expect(names("a", "b", "c", "d", "e")).toBe("“a”, “b”, “c” and 2 more");
		expect(names("x\u202Ey")).toBe("“x\\u202Ey”");
	});
});

describe("the review of several servers", () => {
	const [a, b, c] = [waiting("a"), waiting("b", workspaceOrigin), waiting("c")];
	const batch = new BatchReview([a, b, c], ({ definition }) => reviewServer(definition, undefined));

	const chosen = (keys: unknown): readonly unknown[] => batch.chosen(keys).map(({ definition }) => definition);

	test("shows each definition in full, grouped by origin (FST-07)", () => {
		const { groups } = batch.state;
		expect(groups.map(({ origin, servers }) => [origin, servers.map(({ review }) => review.name)])).toEqual([
			["User Settings", ["a", "c"]],
			[".vscode/mcp.json in ws", ["b"]],
		]);
		expect(groups[0]?.servers[0]?.review).toEqual(reviewServer(a.definition, undefined));
	});

	test("approves exactly the shown definitions under the named keys (FST-07)", () => {
		const keys = batch.state.groups.flatMap(({ servers }) => servers.map(({ key }) => key));
		expect(chosen([keys[1], keys[1], "another", 3])).toEqual([c.definition]);
		expect(chosen(keys)).toEqual([a.definition, c.definition, b.definition]);
		for (const nothing of [undefined, null, {}, "a", [a.definition.id], []]) expect(chosen(nothing)).toEqual([]);
	});
});

describe("the status bar", () => {
	test("counts the waiting servers, and names them in full (FST-06, UI-16)", async () => {
		expect(statusText([waiting("a")], [], true)).toEqual({
			count: "1 to approve",
			parts: ["0 of 1 MCP servers running", "1 waiting for your approval: “a”"],
			waiting: 1,
		});
		const running = new FakeSession("runs");
		await running.run({});
		const signIn = new FakeSession("remote");
		signIn.state = { kind: "needs-sign-in", message: "Sign in." };
		expect(statusText([running, waiting("a"), signIn], [], true)).toMatchObject({ count: "2 waiting", waiting: 1 });
		expect(statusText([running, signIn], [], true)).toMatchObject({ count: "1 to sign in" });
		expect(statusText([running], ["x", "y"], true)).toMatchObject({
			count: "2 waiting",
			parts: [expect.anything(), "2 questions waiting for your answer"],
		});
		// A server whose review is open waits once.
		const asked = waiting("a");
		expect(statusText([asked, waiting("b")], [asked.definition.id], true)).toMatchObject({ count: "2 waiting" });
		expect(statusText([waiting("w", workspaceOrigin)], [], false)).toEqual({
			count: "0",
			parts: ["0 of 1 MCP servers running", "1 not started: the workspace is not trusted"],
			waiting: 0,
		});
	});
});

describe("the log", () => {
	test("shows first the findings, and again when they change (FST-08)", () => {
		const lines: string[] = [];
		const read = new Emitter<void>();
		const directory = new FakeDirectory(waiting("a"), waiting("b", workspaceOrigin));
		logFindings(directory, read.event, { ...silentLog, info: (line) => lines.push(line) });
		expect(lines).toEqual([
			"2 servers are configured.",
			"User Settings: a (waits for approval)",
			".vscode/mcp.json in ws: b (waits for approval)",
		]);
		read.fire();
		expect(lines).toHaveLength(3);
		directory.set();
		read.fire();
		expect(lines.slice(3)).toEqual(describeFindings([]));
		expect(lines[3]).toContain("Try the Demo Server");
	});
});
