import { describe, expect, it, vi } from "vitest";
import { compileGlob, countAlternatives } from "../../src/base/glob.ts";
import { PinnedDefinitions } from "../../src/permissions/pinning/pinnedDefinitions.ts";
import { Grants } from "../../src/permissions/grants/grants.ts";
import { parseMachineRules, parseRules } from "../../src/permissions/policy/parseRules.ts";
import { RulesAndGrants } from "../../src/permissions/policy/policy.ts";
import { mayRunPage, mayRunText, type MayRunFacts, type MayRunPage } from "../../src/surfaces/mayRun/mayRun.ts";
import { parseMachinePolicy } from "../../src/servers/definitions/machinePolicy.ts";
import { noAccess } from "../../src/features/apps/appPolicy.ts";
import { KnownApps } from "../../src/features/apps/knownApps.ts";
import { memory } from "../unit/surfaces/tree/treeScene.ts";
import { memoryStore } from "../unit/base/store/storeFolder.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** The parts that decide in a window with a running real server and an unapproved one. */
async function sceneOf(host: TestHost, more: Partial<MayRunFacts> = {}) {
	const small = smallConfig("modern", host.path("small.log"));
	await host.configure({
		small,
		other: { command: "node", args: ["--api-key", "sk-abcdefghijklmnopqrstuvwxyz012345"] },
	});
	await host.host.revoke(host.session("other").definition.id);
	await host.session("small").start();
	const session = host.session("small");
	const tool = await vi.waitUntil(() => session.tools.items.find(({ name }) => name === "echo"), 60_000);
	const store = memoryStore();
	const grants = new Grants({ store });
	const rules = {
		lists: [
			parseRules(
				[{ decision: "deny", tool: "delete_*" }],
				{ kind: "user", label: "User Settings" },
				{ compileGlob, countAlternatives },
			),
		],
		onDidChange: () => ({ dispose: () => undefined }),
	};
	const pins = new PinnedDefinitions(host.host.registry, store);
	const facts: MayRunFacts = {
		host: host.host,
		rules,
		grants,
		scene: {
			directory: host.host.registry,
			pins,
			grants,
			sampling: { useOf: () => undefined, isTrusted: true, isIncomplete: false },
		},
		policy: new RulesAndGrants({ rules, grants, pins }),
		usage: [],
		models: [
			{
				id: "m",
				name: "qwen3",
				provider: "Ollama",
				maxInputTokens: 1,
				maxOutputTokens: 1,
				supportsTools: true,
				supportsImages: false,
			},
		],
		whyNoModel: (_model, { name }) => (name === "small" ? undefined : "not in mcpHost.sampling.models"),
		setting: (name) => ({ startApprovedServers: true, apps: "firstTime" })[name],
		organization: [],
		problems: [],
		redact: (text) => text,
		apps: [],
		agents: [],
		home: "/home/ann",
		...more,
	};
	return { facts, grants, entry: { session, tool, modelName: "echo", hidden: undefined } };
}

function linesOf({ sections }: MayRunPage, title: string): readonly string[] {
	const found = sections.find((section) => section.title === title);
	return (found?.lines ?? []).map(({ name, words, details, action }) =>
		[name, words, ...details, ...(action === undefined ? [] : [`[${action.title}]`])].join(" | "),
	);
}

describe("the page that lists what may run (CFG-46)", () => {
	it("shows for each server whether it may start, by which approval, from where, and when", async () => {
		await using host = new TestHost();
		const { facts } = await sceneOf(host);
		const [small = "", other = "", automatic = ""] = linesOf(mayRunPage(facts), "Servers");
		expect(small).toMatch(
			/^small \| may start · starts when a window opens · running \| .*everythingSmall.* \| configured in User Settings \| approved by you on .* \| \[Revoke…\]$/,
		);
		// A key in an argument is not shown, and an unapproved server has nothing to revoke.
		expect(other).toBe(
			"other | may not start: unapproved | node --api-key (masked) | configured in User Settings | not approved",
		);
		expect(automatic).toContain("Automatic start | on | mcpHost.startApprovedServers");
	});

	it("lists approvals of servers that are not configured here", async () => {
		await using host = new TestHost();
		const { facts } = await sceneOf(host);
		await host.configure({});
		expect(linesOf(mayRunPage(facts), "Servers")[0]).toMatch(/approved, not configured in this window.*\[Revoke…\]$/);
	});

	it("shows which tools run without a question and why, by the deciding policy, until that is revoked", async () => {
		await using host = new TestHost();
		const { facts, grants, entry } = await sceneOf(host);
		const calls = (): readonly string[] => linesOf(mayRunPage(facts), "Tool Calls");
		expect(calls()).toEqual(["deny * · delete_* | rule 1 | User Settings | [Open Rule]"]);
		await grants.add(grants.make(entry, {}, "tool"), "always");
		const [free = "", , granted = ""] = calls();
		expect(free).toMatch(/^echo of small \| runs without a question, whatever its arguments \| your grant: .*always$/);
		expect(granted).toMatch(/^echo of small \| always \| your grant \| given .* \| \[Revoke\]$/);
		await grants.revoke(grants.all.map(({ id }) => id));
		expect(calls()).toHaveLength(1);
	});

	it("shows which models each server may ask for, and the restrictions of an organization's policy", async () => {
		await using host = new TestHost();
		const origin = { kind: "mcp-json", label: ".vscode/mcp.json in ws", isWorkspace: true } as const;
		const message = "Your organization does not allow the server “bad” (chat.mcp.deniedServers).";
		const { facts, grants } = await sceneOf(host, {
			organization: [{ setting: "chat.mcp.deniedServers", value: '[{"serverName":"bad"}]' }],
			problems: [
				{ origin, path: [], message, severity: "warning", server: "bad", isByPolicy: true },
				{ origin, path: [], message: "Your organization spells it otherwise.", severity: "error", server: "worse" },
			],
		});
		await grants.set(host.session("small").definition, { kind: "request-only" }, "always");
		const page = mayRunPage(facts);
		expect(linesOf(page, "Models").slice(0, 3)).toEqual([
			expect.stringMatching(/^Review the request only: small \| always \| your grant \| given .* \| \[Revoke\]$/),
			"small | may ask for 1 of 1 models | qwen3 · Ollama",
			"other | may ask for 0 of 1 models",
		]);
		expect(linesOf(page, "Organization")).toEqual([
			'chat.mcp.deniedServers | [{"serverName":"bad"}] | set by your organization',
			`bad | ${message} | configured in .vscode/mcp.json in ws`,
		]);
		// The decisions of the organization come first on the page, rules included, and none of them can be revoked here.
		const managed = parseMachineRules(
			parseMachinePolicy('{ "rules": [{ "decision": "deny", "tool": "drop_*" }] }', "/etc/mcp-host/policy.json"),
			{ compileGlob, countAlternatives },
		);
		const lists = [...(managed === undefined ? [] : [managed]), ...(facts.rules.lists ?? [])];
		const ruled = mayRunPage({ ...facts, rules: { ...facts.rules, lists }, organization: [], problems: [] });
		expect(ruled.sections[0]?.title).toBe("Organization");
		expect(linesOf(ruled, "Organization")).toEqual(["deny * · drop_* | rule 1 | set by your organization"]);
		expect(linesOf(ruled, "Tool Calls")).toEqual(["deny * · delete_* | rule 1 | User Settings | [Open Rule]"]);
		const text = mayRunText(page.sections, (plain) => plain);
		expect(text).toContain("## Servers\n\n");
	});

	it("says what apps were allowed outside their frames, with a button that takes it back (FST-17)", async () => {
		await using host = new TestHost();
		const known = new KnownApps(memory());
		const { facts, entry } = await sceneOf(host);
		const domains = { connect: ["api.example"], resource: ["cdn.example"], frame: [], baseUri: [] };
		await known.remember(entry.session, "ui://board", "<p>", { domains, clipboard: true });
		await known.remember(entry.session, "ui://quiet", "<p>", { domains: noAccess.domains, clipboard: false });
		const linesNow = (): readonly string[] => linesOf(mayRunPage({ ...facts, apps: known.all }), "Apps");
		expect(linesNow()[0]).toBe(
			"App of small | may reach api.example, cdn.example · may write to the clipboard | ui://board | [Revoke]",
		);
		const [board] = known.all;
		const { actions } = mayRunPage({ ...facts, apps: known.all });
		expect([...actions.values()]).toContainEqual({ kind: "revoke-app", key: board?.key });
		const changes: string[] = [];
		known.onDidChange((key) => changes.push(key));
		await known.revoke(board?.key ?? "");
		expect(changes).toEqual([board?.key]);
		expect(known.accessOf(entry.session, "ui://board")).toEqual(noAccess);
		expect(linesNow().join()).not.toContain("may reach");
	});
});
