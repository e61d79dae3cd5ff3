import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRules, unreadable } from "../../../../src/permissions/policy/parseRules.ts";
import { entryOf, file, judged, library, own } from "./scene.ts";

const allow = { decision: "allow", server: "*", tool: "*" };
const user = { kind: "user", label: "User Settings" } as const;

describe("an unreadable rule", () => {
	it.each<[string, unknown]>([
		["no object", 7],
		["nothing", null],
		["a list", []],
		["no decision", { server: "*", tool: "*" }],
		["an unknown decision", { ...allow, decision: "yes" }],
		["an unknown key", { ...allow, agruments: { path: "/tmp/**" } }],
		["a server that is no text", { ...allow, server: ["a"] }],
		["a tool that is no text", { ...allow, tool: 7 }],
		["an allow without a server", { decision: "allow", tool: "*" }],
		["an allow without a tool", { decision: "allow", server: "*" }],
		["arguments that are no object", { ...allow, arguments: "path" }],
		["an argument without a pattern", { ...allow, arguments: { path: null } }],
		["a place with an empty name", { ...allow, arguments: { "a..b": "*" } }],
		["a pattern that cannot be used", { ...allow, arguments: { path: "C:\\Users\\**" } }],
		["an allow by what the server claims", { ...allow, destructive: true }],
		["a claim that would be believed", { decision: "ask", readOnly: true }],
		["a reason that is no text", { ...allow, reason: 7 }],
		["a denial with a faulty pattern", { decision: "deny", arguments: { path: "!!x" } }],
	])("%s: asks, and lets no later rule allow", async (_what, rule) => {
		const entry = await entryOf();
		const list = own(rule, allow);
		expect(judged([list], entry, { path: "/tmp/a" })).toBe("ask");
		expect(list.problems.map(({ index, severity }) => [index, severity])).toContainEqual([0, "error"]);
		// Denials still apply, before and after it.
		expect(judged([own(rule, { decision: "deny" })], entry)).toBe("deny");
		expect(judged([own({ decision: "deny" }, rule)], entry)).toBe("deny");
		// A workspace's allow has no effect, broken or not.
		const isAllow = JSON.stringify(rule).includes(`"decision":"allow"`);
		expect(judged([file([rule]), own(allow)], entry)).toBe(isAllow ? "allow" : "ask");
	});

	it("asks only about calls that match the rest of it", async () => {
		const list = own({ decision: "deny", server: "bank", tool: "!!" }, allow);
		expect(judged([list], await entryOf("book"))).toBe("allow");
		expect(judged([list], await entryOf("pay", { server: "bank" }))).toBe("ask");
	});
});

describe("a list of rules", () => {
	it("that is absent has no rules", () => {
		for (const value of [undefined, null, []])
			expect(parseRules(value, user, library)).toMatchObject({ rules: [], problems: [] });
	});

	it.each([
		["a text", "deny"],
		["an object", { rules: [] }],
		["too long", Array.from({ length: 501 }, () => allow)],
	])("that is %s asks about everything", async (_what, value) => {
		const list = parseRules(value, user, library);
		expect(judged([list], await entryOf())).toBe("ask");
		expect(list.problems).toHaveLength(1);
	});
});

describe("a workspace's file", () => {
	it("may hold comments, trailing commas and the name of its schema", async () => {
		const list = file(`\uFEFF// ours\n{ "$schema": "x", "rules": [ { "decision": "deny", }, ], }`);
		expect(list.problems).toEqual([]);
		expect(judged([list], await entryOf())).toBe("deny");
	});

	it.each([
		["no JSON", "deny everything"],
		["nothing", ""],
		["a list", "[]"],
		["no rules", "{}"],
		["rules under another name", `{ "rule": [{ "decision": "deny" }] }`],
		["another key beside the rules", `{ "rules": [], "enabled": false }`],
		["rules that are no list", `{ "rules": {} }`],
		["the rules twice", `{ "rules": [{ "decision": "deny", "tool": "a" }], "rules": [] }`],
		["brackets beyond all measure", "[".repeat(100_000)],
		["more than a megabyte", `{ "rules": [] }${" ".repeat(1_000_001)}`],
	])("with %s asks about everything, whatever the user allows", async (_what, text) => {
		const list = file(text);
		expect(judged([list, own(allow)], await entryOf())).toBe("ask");
		expect(list.problems.length).toBeGreaterThan(0);
	});

	it("that is broken denies by no rule that may have lost its conditions", async () => {
		for (const text of [
			`{ "rules": [{ "decision": "deny", `,
			`{ "rules": [{ "decision": "deny", "tool": book }, { "decision": "deny" }] }`,
		])
			expect(judged([file(text), own(allow)], await entryOf())).toBe("ask");
	});

	it("that is broken below its rules still denies by them", async () => {
		const list = file(`{ "rules": [{ "decision": "deny", "tool": "book*" }, { "decision": "as`);
		expect(judged([list], await entryOf("bookHotel"))).toBe("deny");
		expect(judged([list, own(allow)], await entryOf("read"))).toBe("ask");
	});

	it("that gives a key twice is trusted in neither value", async () => {
		const list = file(`{ "rules": [{ "decision": "deny", "decision": "ask", "tool": "book" }] }`);
		expect(judged([list, own(allow)], await entryOf("book"))).toBe("ask");
		expect(judged([list, own(allow)], await entryOf("read"))).toBe("allow");
		expect(list.problems[0]?.message).toContain("given twice");
	});

	it("cannot allow: that is reported and has no effect", async () => {
		const text = `{ "rules": [{ "decision": "allow", "server": "*", "tool": "*" }] }`;
		const list = file(text);
		expect(list.rules).toEqual([]);
		const [problem] = list.problems;
		expect(problem).toMatchObject({ index: 0, severity: "warning" });
		expect(text.slice(problem?.range?.offset, (problem?.range?.offset ?? 0) + (problem?.range?.length ?? 0))).toBe(
			`"allow"`,
		);
		expect(judged([list], await entryOf())).toBe("none");
	});

	it("has its problems at their exact places", () => {
		const text = `{ "rules": [\n\t{ "decision": "deny", "arguments": { "path": "C:\\\\Users" } },\n\t{ "decison": "deny" }\n] }`;
		const places = file(text).problems.map(({ range }) =>
			text.slice(range?.offset, (range?.offset ?? 0) + (range?.length ?? 0)),
		);
		expect(places).toEqual([String.raw`"C:\\Users"`, `"deny"`, "{"]);
	});

	it("that exists but cannot be read asks about everything", async () => {
		const list = unreadable({ kind: "folder", label: "it" }, "the file cannot be read");
		expect(judged([list, own(allow)], await entryOf())).toBe("ask");
	});
});

describe("the schemas for completion in editors", () => {
	interface Schema {
		readonly properties: Readonly<Record<string, { readonly enum?: readonly string[]; readonly const?: boolean }>>;
	}
	const read = (path: string): unknown => JSON.parse(readFileSync(resolve(path), "utf8"));
	const manifest = read("package.json") as {
		readonly contributes: {
			readonly configuration: readonly {
				readonly properties: Readonly<Record<string, { readonly items?: Schema; readonly scope?: string }>>;
			}[];
		};
	};
	const setting = manifest.contributes.configuration
		.map(({ properties }) => properties["mcpHost.policy.rules"])
		.find((found) => found !== undefined);
	const workspace = (
		read("media/policy.schema.json") as { readonly properties: { readonly rules: { readonly items: Schema } } }
	).properties.rules.items;

	it("have the same keys as the reader, and let a workspace neither set the user's rules nor allow", () => {
		const keys = Object.keys(setting?.items?.properties ?? {});
		expect(Object.keys(workspace.properties)).toEqual(keys);
		expect(setting?.scope).toBe("application");
		expect(setting?.items?.properties["decision"]?.enum).toEqual(["allow", "ask", "deny"]);
		expect(workspace.properties["decision"]?.enum).toEqual(["ask", "deny"]);
		const rule = Object.fromEntries(
			keys.map((key) => [
				key,
				{
					decision: "deny",
					arguments: { a: "b" },
					except: { tool: "*" },
					destructive: true,
					openWorld: true,
					readOnly: false,
				}[key] ?? "*",
			]),
		);
		expect(own(rule).problems).toEqual([]);
		expect(own({ ...rule, unknown: 1 }).problems).toHaveLength(1);
	});
});
