import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { compileGlob, countAlternatives } from "../../src/base/glob.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { PinnedDefinitions } from "../../src/permissions/pinning/pinnedDefinitions.ts";
import { Grants } from "../../src/permissions/grants/grants.ts";
import { parsePolicyFile, parseRules } from "../../src/permissions/policy/parseRules.ts";
import { RulesAndGrants } from "../../src/permissions/policy/policy.ts";
import { policyFile, type RuleList } from "../../src/permissions/policy/rule.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { ToolApprovals, type ToolAnswer } from "../../src/features/tools/approval.ts";
import { runCall, type ToolOutcome } from "../../src/features/tools/call.ts";
import type { ToolEntry } from "../../src/permissions/catalog/catalog.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { memoryStore } from "../unit/base/store/storeFolder.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

const library = { compileGlob, countAlternatives };

/** A window of one workspace with a real server, and a user who answers each question as configured. */
class Scene {
	readonly host = new TestHost();
	readonly store = memoryStore();
	readonly grants = new Grants({ store: this.store });
	readonly log = this.host.path("small.log");
	asked = 0;
	answer: ToolAnswer = { kind: "deny" };
	own: readonly unknown[] = [];
	private pins: PinnedDefinitions | undefined;

	start(env: JsonObject = {}): Promise<ServerSession> {
		return this.host.run("small", { ...smallConfig("modern", this.log), env });
	}

	/** Writes the rules of the workspace, as if they were checked in. */
	share(text: string): void {
		mkdirSync(this.host.path(".vscode"), { recursive: true });
		writeFileSync(this.host.path(policyFile), text);
	}

	/** One call, as a model requests it. */
	async call(name: string, args: JsonObject): Promise<ToolOutcome> {
		const { registry, pending } = this.host.host;
		const session = this.host.session("small");
		const tool = await vi.waitUntil(() => session.tools.items.find((one) => one.name === name), 60_000);
		const entry: ToolEntry = { session, tool, modelName: name, hidden: undefined };
		this.pins ??= new PinnedDefinitions(registry, this.store);
		const rules = { lists: this.lists(), onDidChange: () => ({ dispose: () => undefined }) };
		const policy = new RulesAndGrants({ rules, grants: this.grants, pins: this.pins });
		const approvals = new ToolApprovals(pending, () => undefined);
		const signal = new AbortController().signal;
		const events = runCall({ callId: "1", entry, arguments: args }, { approvals, policy, pins: this.pins, signal });
		for (;;) {
			const next = await events.next();
			if (next.done === true) return next.value;
			if (next.value.type !== "asked") continue;
			this.asked++;
			next.value.question.decision.answer(this.answer);
		}
	}

	/** Allows a tool from now on. */
	async grant(name: string, scope: "session" | "workspace" | "always"): Promise<string> {
		const session = this.host.session("small");
		const tool = await vi.waitUntil(() => session.tools.items.find((one) => one.name === name), 60_000);
		const grant = this.grants.make({ session, tool, modelName: name, hidden: undefined }, {}, "tool");
		await this.grants.add(grant, scope);
		return grant.id;
	}

	/** How many calls of tools reached the server. */
	get received(): number {
		return messagesOf(readReceived(this.log), "tools/call").length;
	}

	private lists(): readonly RuleList[] {
		const lists = [parseRules(this.own, { kind: "user", label: "User Settings" }, library)];
		try {
			const text = readFileSync(this.host.path(policyFile), "utf8");
			lists.push(parsePolicyFile(text, { kind: "folder", label: policyFile }, library));
		} catch {
			// No file, no rules.
		}
		return lists;
	}
}

let scene: Scene;
beforeEach(() => {
	scene = new Scene();
});
afterEach(() => scene.host[Symbol.asyncDispose]());

describe("calls of a real server", () => {
	it("are asked about, allowed by a grant, and asked about again once it is revoked (TOL-12)", async () => {
		await scene.start();
		expect(await scene.call("echo", { text: "a" })).toMatchObject({ kind: "denied" });
		expect([scene.asked, scene.received]).toEqual([1, 0]);
		const id = await scene.grant("echo", "workspace");
		expect(await scene.call("echo", { text: "b" })).toMatchObject({ kind: "done", sent: { text: "b" } });
		expect(await scene.call("add", { a: 1, b: 2 })).toMatchObject({ kind: "denied" });
		expect([scene.asked, scene.received]).toEqual([2, 1]);
		await scene.grants.revoke([id]);
		expect(await scene.call("echo", { text: "c" })).toMatchObject({ kind: "denied" });
		expect([scene.asked, scene.received]).toEqual([3, 1]);
	});

	it("are denied by a workspace's file without a question, despite grants, and ask while it is broken (SEC-05)", async () => {
		await scene.start();
		scene.own = [{ decision: "allow", server: "small", tool: "*" }];
		await scene.grant("echo", "always");
		scene.share(`{ "rules": [{ "decision": "deny", "tool": "echo", "arguments": { "text": "*secret*" } }] }`);
		expect(await scene.call("echo", { text: "a SECRET\u200B" })).toMatchObject({
			kind: "denied",
			by: { kind: "rule", label: expect.stringContaining("rule 1 of .vscode/mcp-policy.json: deny * · echo") },
		});
		expect([scene.asked, scene.received]).toEqual([0, 0]);
		expect(await scene.call("echo", { text: "fine" })).toMatchObject({ kind: "done" });
		scene.share(`{ "rules": [{ "decision": "deny", `);
		await scene.call("echo", { text: "fine" });
		expect([scene.asked, scene.received]).toEqual([1, 1]);
	});

	it("are denied by the arguments that the user wrote in place of the model's", async () => {
		await scene.start();
		scene.own = [{ decision: "deny", tool: "echo", arguments: { text: "*secret*" } }];
		scene.answer = { kind: "edited", arguments: { text: "my secret" } };
		expect(await scene.call("echo", { text: "fine" })).toMatchObject({ kind: "denied", by: { kind: "rule" } });
		expect([scene.asked, scene.received]).toEqual([1, 0]);
	});

	it("keep their grants across a restart of the server, but not across a change of how it is started (TOL-12)", async () => {
		const session = await scene.start();
		await scene.grant("echo", "always");
		await session.restart();
		expect(await scene.call("echo", { text: "a" })).toMatchObject({ kind: "done" });
		await scene.start({ ANOTHER: "variable" });
		expect(await scene.call("echo", { text: "b" })).toMatchObject({ kind: "denied" });
		expect([scene.asked, scene.received]).toEqual([1, 1]);
	});
});
