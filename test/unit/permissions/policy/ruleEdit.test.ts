import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { rangeOfRule, withOwnRules, withRule, writeRule } from "../../../../src/permissions/policy/ruleEdit.ts";
import { entryOf, file, judged, own } from "./scene.ts";

describe("a new rule", () => {
	it.each([
		"",
		"{}",
		`{ "rules": [] }`,
		`// ours\n{\n\t"rules": [\n\t\t// first\n\t\t{ "decision": "ask" },\n\t],\n}\n`,
	])("comes first in the file %j, which stays valid", async (text) => {
		const edited = withRule(text, writeRule("deny", { name: "a*b" }, undefined));
		const list = file(edited);
		expect(list.problems).toEqual([]);
		expect(list.rules[0]?.text).toBe(String.raw`deny a\*b · *`);
		for (const comment of text.match(/\/\/.*/g) ?? []) expect(edited).toContain(comment);
		expect(judged([list], await entryOf("x", { server: "a*b" }))).toBe("deny");
		expect(judged([list], await entryOf("x", { server: "aXb" }))).not.toBe("deny");
	});

	it.each(["{", "[]", `{ "rules": {} }`, "text"])("is not forced into the file %j", (text) => {
		expect(() => withRule(text, writeRule("deny", undefined, undefined))).toThrow(HostError);
	});

	it("comes first in the setting, and is not forced into one that is not a list", async () => {
		const rule = writeRule("allow", { name: "travel" }, { pattern: "look*" });
		expect(withOwnRules(undefined, [rule])).toEqual([rule]);
		expect(withOwnRules([{ decision: "ask" }], [rule])).toEqual([rule, { decision: "ask" }]);
		expect(() => withOwnRules({}, [rule])).toThrow(HostError);
		expect(judged([own(...withOwnRules(undefined, [rule]))], await entryOf("lookAt"))).toBe("allow");
	});

	it("is found at its place", () => {
		const text = `{ "rules": [ 1, { "decision": "deny" } ] }`;
		const at = (index?: number): string => text.slice(rangeOfRule(text, index)?.offset).slice(0, 4);
		expect([at(1), at(0), at()]).toEqual([`{ "d`, "1, {", "[ 1,"]);
	});
});
