import { describe, expect, it } from "vitest";
import { explain } from "../../../../src/permissions/policy/explain.ts";
import type { GrantScene } from "../../../../src/permissions/grants/grantStatus.ts";
import { judge, toJudged } from "../../../../src/permissions/policy/judge.ts";
import { overview } from "../../../../src/permissions/overview.ts";
import { parseMachineRules } from "../../../../src/permissions/policy/parseRules.ts";
import type { RuleList } from "../../../../src/permissions/policy/rule.ts";
import { parseMachinePolicy } from "../../../../src/servers/definitions/machinePolicy.ts";
import { entryOf, file, judged, library, own, PolicyScene } from "./scene.ts";

const path = "/etc/mcp-host/policy.json";
const allow = { decision: "allow", server: "*", tool: "*" };

/** The rules of an organization, as rules or as the text of its file. */
function managed(content: string | readonly unknown[]): RuleList {
	const text = typeof content === "string" ? content : JSON.stringify({ rules: content });
	const list = parseMachineRules(parseMachinePolicy(text, path), library);
	if (list === undefined) throw new Error("There are no rules.");
	return list;
}

describe("the rules of an organization (REG-18)", () => {
	it.each<[string, readonly RuleList[], string]>([
		["a denial, whatever the user allows", [managed([{ decision: "deny", tool: "book*" }]), own(allow)], "deny"],
		["a question, whatever the user allows", [managed([{ decision: "ask" }]), own(allow)], "ask"],
		["an allowed call, if nobody is stricter", [managed([allow]), own()], "allow"],
		["a user who is stricter", [managed([allow]), own({ decision: "deny" })], "deny"],
		["a workspace that is stricter", [managed([allow]), own(), file([{ decision: "ask" }])], "ask"],
		["a rule about another tool", [managed([{ decision: "deny", tool: "read*" }]), own(allow)], "allow"],
		["a list with one broken rule", [managed([{ decision: "deni" }, { decision: "ask" }]), own(allow)], "deny"],
		["a broken rule about another tool", [managed([{ decision: "ask", tool: "read*", to: 1 }]), own(allow)], "deny"],
		["a file that cannot be read", [managed("{"), own(allow)], "deny"],
		["an unknown key of the file", [managed('{ "rule": [] }'), own(allow)], "deny"],
	])("decide first: %s: %s", async (_what, lists, expected) => {
		expect(judged(lists, await entryOf("bookHotel"))).toBe(expected);
	});

	it("deny a call whose arguments are too long to be checked, and leave a tool without a call to its arguments", async () => {
		const list = managed([{ decision: "deny", arguments: { path: "/etc/**" } }]);
		const entry = await entryOf();
		expect(judged([list], entry, { path: "x".repeat(3 * 1024 * 1024) })).toBe("deny");
		expect(judge([list], toJudged(entry, undefined))?.decision).toBe("ask");
	});

	it("allow nothing of a server that the workspace defines", async () => {
		expect(judged([managed([allow])], await entryOf("book", { isOfWorkspace: true }))).toBe("none");
	});

	it("are named with their file, first among the reasons, and without a button among all rules", async () => {
		const entry = await entryOf("bookHotel");
		const list = managed([{ decision: "deny", tool: "book*", reason: "Ask the travel desk" }]);
		const label = `rule 1 of your organization's policy (${path}): deny * · book* (Ask the travel desk)`;
		expect(judge([list, own(allow)], toJudged(entry, {}))?.label).toBe(label);
		const { grants } = new PolicyScene();
		const scene: GrantScene = {
			directory: { sessions: [], get: () => undefined },
			pins: { stateOf: () => ({ kind: "same" }) },
			grants,
			sampling: { useOf: () => undefined, isTrusted: true, isIncomplete: false },
		};
		expect(explain(entry, [list, own(allow)], [], scene)[0]).toEqual({ label, effect: "denies" });
		expect(overview([list], [], scene)).toEqual([
			{ kind: "heading", label: "Your organization" },
			{
				kind: "row",
				icon: "circle-slash",
				label: "deny * · book* (Ask the travel desk)",
				description: "rule 1",
				detail: "",
			},
		]);
		const [, broken] = overview([managed("{")], [], scene);
		expect(broken).toMatchObject({ label: "All rules of this list", description: "denies every call" });
		expect(broken).not.toHaveProperty("button");
	});
});
