import { describe, expect, it } from "vitest";
import type { ActivityNotes } from "../../../../src/records/activity/journal/entry.ts";
import { HostError } from "../../../../src/base/errors.ts";
import {
	type CallRunServices,
	type CallVerdict,
	type PreparedCall,
	runCalls,
	type WantedCall,
} from "../../../../src/surfaces/namedCalls/callRun.ts";
import { parseCalls } from "../../../../src/surfaces/namedCalls/parseCalls.ts";
import { directoryOf, User, serve, tool, type ToolSession, untilAborted } from "../../features/tools/toolSession.ts";

const echo = tool("echo", { text: { type: "string" } });
const wipe = tool("wipe", {});

/** The calls of a file with these. */
function wantedOf(calls: object, inputs: readonly object[] = []): readonly WantedCall[] {
	const file = parseCalls(JSON.stringify({ version: 1, inputs, calls }));
	expect(file.problems).toEqual([]);
	return file.calls.map((call) => ({ call, file, place: "it.mcp-calls.json" }));
}

/** A run with a user who is asked once about all calls. */
class CallScene {
	readonly user = new User({ kind: "deny" });
	readonly asked: (readonly PreparedCall[])[] = [];
	readonly verdicts = new Map<string, CallVerdict>();
	readonly started: string[] = [];
	/** The calls that they allow. */
	allows: (call: PreparedCall) => boolean = () => true;
	isTrusted = true;
	readonly services: CallRunServices;

	constructor(sessions: readonly ToolSession[], more: Partial<CallRunServices> = {}) {
		const directory = directoryOf(...sessions);
		const { policy, pins } = this.user;
		this.services = {
			isTrusted: () => this.isTrusted,
			directory,
			policy,
			pins,
			refreshRules: async () => undefined,
			start: async (id) => directory.get(id)?.state ?? { kind: "stopped" },
			inputValue: async ({ id }) => (id === "none" ? undefined : `value of ${id}`),
			redactor: { redact: (text) => text.replaceAll("value of token", "⟦token⟧") },
			consent: async (calls) => {
				this.asked.push(calls);
				return new Set(calls.filter((call) => this.allows(call)));
			},
			...more,
		};
	}

	async run(wanted: readonly WantedCall[], signal = new AbortController().signal): Promise<readonly string[]> {
		const listener = {
			started: ({ call }: WantedCall) => void this.started.push(call.name),
			logged: () => undefined,
			ended: ({ call }: WantedCall, verdict: CallVerdict) => {
				expect(this.verdicts.has(call.name)).toBe(false);
				this.verdicts.set(call.name, verdict);
			},
		};
		await runCalls(wanted, this.services, listener, signal);
		return [...this.verdicts].map(([name, { kind }]) => `${name}: ${kind}`);
	}

	messageOf(name: string): string | undefined {
		const verdict = this.verdicts.get(name);
		return verdict !== undefined && "message" in verdict ? verdict.message : undefined;
	}
}

const two = {
	first: { server: "travel", tool: "echo", arguments: { text: "a" } },
	second: { server: "travel", tool: "wipe" },
};

describe("a run of named calls (CAL-04)", () => {
	it("asks about all calls without a permission at once, before the first is sent, and sends them in order", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new CallScene([server]);
		scene.allows = () => {
			expect(server.received).toEqual([]);
			return true;
		};
		expect(await scene.run(wantedOf(two))).toEqual(["first: passed", "second: passed"]);
		expect(scene.asked.map((calls) => calls.map(({ entry }) => entry.tool.name))).toEqual([["echo", "wipe"]]);
		expect(server.received.map(({ name, text }) => name + text)).toEqual(['echo{"text":"a"}', "wipe{}"]);
	});

	it("sends only allowed calls, and the rest", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new CallScene([server]);
		scene.allows = ({ entry }) => entry.tool.name === "echo";
		expect(await scene.run(wantedOf(two))).toEqual(["first: passed", "second: refused"]);
		expect(server.received.map(({ name }) => name)).toEqual(["echo"]);
	});

	it("records the user's refusals, and each step of sent calls", async () => {
		const server = await serve("travel", echo, wipe);
		const noted: string[] = [];
		const note: ActivityNotes["note"] = (entry) => {
			if (entry.kind === "call") noted.push(`${entry.target} ${entry.phase} ${entry.by ?? ""}`.trim());
		};
		const scene = new CallScene([server], { notes: { note } });
		scene.allows = ({ entry }) => entry.tool.name === "echo";
		await scene.run(wantedOf(two));
		expect(noted).toEqual(["echo allowed user", "echo sent", "echo answered", "wipe denied user"]);
	});

	it("sends nothing when no user could be asked", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new CallScene([server], { consent: async () => Promise.reject(new Error("no window")) });
		expect(await scene.run(wantedOf(two))).toEqual(["first: refused", "second: refused"]);
		expect(server.received).toEqual([]);
	});

	it("asks nothing about calls that a rule or grant allows, and does not make those that a rule denies", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new CallScene([server]);
		scene.user.rules.set("echo", { decision: "allow", by: { kind: "grant", label: "your grant" } });
		scene.user.rules.set("wipe", { decision: "deny", by: { kind: "rule", label: "rule 1: deny wipe" } });
		expect(await scene.run(wantedOf(two))).toEqual(["first: passed", "second: refused"]);
		expect(scene.messageOf("second")).toBe("Not called: denied by rule 1: deny wipe");
		expect(scene.asked).toEqual([]);
	});

	it("does not make a call that a rule denies, or a revoked grant no longer allows, since the question", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new CallScene([server]);
		scene.user.rules.set("echo", { decision: "allow", by: { kind: "grant", label: "your grant" } });
		scene.allows = () => {
			scene.user.rules.delete("echo");
			scene.user.rules.set("wipe", { decision: "deny", by: { kind: "rule", label: "rule 1" } });
			return true;
		};
		expect(await scene.run(wantedOf(two))).toEqual(["first: refused", "second: refused"]);
		expect(server.received).toEqual([]);
	});

	it("asks about prompts and resources like about tools, under the names of their methods", async () => {
		const server = await serve("travel");
		const scene = new CallScene([server]);
		scene.allows = () => false;
		await scene.run(
			wantedOf({
				p: { server: "travel", prompt: "plan", arguments: { city: "Rome" } },
				r: { server: "travel", resource: "note://1" },
			}),
		);
		expect(scene.asked[0]?.map(({ entry, arguments: args }) => [entry.tool.name, args])).toEqual([
			["prompts/get", { name: "plan", arguments: { city: "Rome" } }],
			["resources/read", { uri: "note://1" }],
		]);
	});

	it("starts nothing and sends nothing in a workspace that is not trusted (CAL-05)", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new CallScene([server], { start: () => Promise.reject(new Error("started")) });
		scene.isTrusted = false;
		expect(await scene.run(wantedOf(two))).toEqual(["first: refused", "second: refused"]);
		expect(scene.messageOf("first")).toBe("Not called: the workspace is not trusted.");
		expect(server.received).toEqual([]);
	});
});

describe("a named call", () => {
	it("that cannot be made shows why, and the others run", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new CallScene([server]);
		const calls = {
			server: { server: "none", tool: "echo" },
			tool: { server: "travel", tool: "ecko" },
			arguments: { server: "travel", tool: "echo", arguments: { text: 1 } },
			input: { server: "travel", tool: "echo", arguments: { text: "${input:none}" } },
			good: two.second,
		};
		await scene.run(wantedOf(calls, [{ id: "none" }]));
		expect(scene.messageOf("server")).toMatch(/^Not called: No server named "none" is configured/);
		expect(scene.messageOf("tool")).toMatch(/There is no tool "travel\/ecko"\. Did you mean: travel\/echo/);
		expect(scene.messageOf("arguments")).toMatch(/^The arguments do not match the tool's schema: text: /);
		expect(scene.messageOf("input")).toBe("Not called: It needs a value for the input none.");
		expect(scene.verdicts.get("good")?.kind).toBe("passed");
		expect(server.received.map(({ name }) => name)).toEqual(["wipe"]);
	});

	it("whose server does not run shows its state", async () => {
		const server = await serve("travel", echo);
		const state = { kind: "needs-approval", reason: "unapproved" } as const;
		server.setState(state);
		const scene = new CallScene([server], { start: async () => state });
		await scene.run(wantedOf({ it: two.first }));
		expect(scene.messageOf("it")).toBe(
			'Not called: the server "travel" is not running: unapproved. Choose Review Server… from its menu in the Servers view.',
		);
	});

	it("fails by the expectation of its file, with the actual result", async () => {
		const server = await serve("travel", echo);
		const scene = new CallScene([server]);
		await scene.run(wantedOf({ it: { ...two.first, expect: { text: { equals: "no" } } } }));
		expect(scene.verdicts.get("it")).toMatchObject({
			kind: "failed",
			failures: [{ path: ["text", "equals"], difference: { expected: "no", actual: "echo done" } }],
			result: expect.stringContaining('"echo done"'),
		});
	});

	it("is an error when the server answers with one", async () => {
		const server = await serve("travel", echo);
		server.onCall = () => Promise.reject(new HostError("protocol", "travel: no such flight"));
		const scene = new CallScene([server]);
		await scene.run(wantedOf({ it: two.first }));
		expect(scene.verdicts.get("it")).toEqual({
			kind: "errored",
			message: "travel: no such flight",
			exchange: "here-1",
		});
	});

	it("that does not pass names its exchange in the trace, if a message was sent or a rule refused it (TRC-40)", async () => {
		const server = await serve("travel", echo);
		const scene = new CallScene([server]);
		const calls = {
			unexpected: { ...two.first, expect: { text: { equals: "no" } } },
			unsound: { server: "travel", tool: "echo", arguments: { text: 1 } },
			passed: two.first,
		};
		await scene.run(wantedOf(calls));
		expect(scene.verdicts.get("unexpected")).toMatchObject({ kind: "failed", exchange: "here-1" });
		expect(scene.verdicts.get("unsound")).not.toHaveProperty("exchange");
		expect(scene.verdicts.get("passed")).toMatchObject({ kind: "passed" });
	});

	it("is sent with the values of its inputs, which no result shows if they are secret (CAL-06)", async () => {
		const server = await serve("travel", echo);
		server.onCall = async (_name, args) => ({
			content: [{ type: "text", text: `you said ${args["text"] as string}` }],
		});
		const scene = new CallScene([server]);
		const call = { ...two.first, arguments: { text: "${input:token}" }, expect: { text: { equals: "no" } } };
		await scene.run(wantedOf({ it: call }, [{ id: "token" }]));
		expect(server.received[0]?.text).toBe('{"text":"value of token"}');
		expect(JSON.stringify(scene.verdicts.get("it"))).not.toContain("value of token");
		expect(JSON.stringify(scene.verdicts.get("it"))).toContain("you said ⟦token⟧");
	});

	it("ends with the run when that is cancelled, and the rest is skipped", async () => {
		const server = await serve("travel", echo, wipe);
		const controller = new AbortController();
		server.onCall = (_name, _args, { signal }) => {
			queueMicrotask(() => controller.abort());
			return untilAborted(signal);
		};
		const scene = new CallScene([server]);
		expect(await scene.run(wantedOf(two), controller.signal)).toEqual(["first: skipped", "second: skipped"]);
		expect(server.received.map(({ name }) => name)).toEqual(["echo"]);
		const late = new CallScene([server]);
		expect(await late.run(wantedOf(two), controller.signal)).toEqual(["first: skipped", "second: skipped"]);
		expect(late.asked).toEqual([]);
	});
});
