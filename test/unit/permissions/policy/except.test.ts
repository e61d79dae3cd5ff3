import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import {
	argumentsOf,
	isLikelyPath,
	onlyInFolders,
	onlyInFoldersOf,
} from "../../../../src/permissions/policy/folderRules.ts";
import { explain } from "../../../../src/permissions/policy/explain.ts";
import { withRule, writeRule } from "../../../../src/permissions/policy/ruleEdit.ts";
import { entryOf, file, judged, own, PolicyScene } from "./scene.ts";

const allow = { decision: "allow", server: "*", tool: "*" };
const deny = { decision: "deny" };
const work = { arguments: { path: "/work/**" } };

describe("a rule with an exception", () => {
	it.each<[string, JsonObject, string]>([
		["a call that all of it matches", { path: "/work/a" }, "none"],
		["a list of matching values", { path: ["/work/a", "/work/b"] }, "none"],
		["another value", { path: "/etc/a" }, "deny"],
		["one other value of a list", { path: ["/work/a", "/etc/a"] }, "deny"],
		["a detour", { path: "/work/../etc/a" }, "deny"],
		["an encoded detour", { path: "/work/%2e%2e/etc/a" }, "deny"],
		["a hidden character", { path: "/work/a\u200B" }, "deny"],
		["a second name of another case", { path: "/work/a", Path: "/etc/a" }, "deny"],
		["no value", {}, "deny"],
		["an empty list", { path: [] }, "deny"],
		["a longer value than is read", { path: `/work/${"x".repeat(3 * 1024 * 1024)}` }, "ask"],
	])("denies, given %s: %s (FST-14)", async (_what, args, expected) => {
		expect(judged([own({ ...deny, except: work })], await entryOf(), args)).toBe(expected);
	});

	it.each<[string, JsonObject, string]>([
		["a call that it does not match", { path: "/work/a" }, "allow"],
		["a call without the argument", {}, "allow"],
		["a call that it matches", { path: "/work/.env" }, "ask"],
		["a call of which one value matches", { path: ["/work/a", "/work/.env"] }, "ask"],
		["a call that matches in one reading", { path: "/work/.env\u200B" }, "ask"],
	])("allows, given %s: %s (FST-14)", async (_what, args, expected) => {
		const list = own({ ...allow, except: { arguments: { path: "**/.env" } } }, { decision: "ask" });
		expect(judged([list], await entryOf(), args)).toBe(expected);
	});

	it("excepts tools, and only calls that all of it matches", async () => {
		const list = own({ ...deny, except: { tool: "read*", ...work } });
		expect(judged([list], await entryOf("readFile"), { path: "/work/a" })).toBe("none");
		expect(judged([list], await entryOf("readFile"), { path: "/etc/a" })).toBe("deny");
		expect(judged([list], await entryOf("writeFile"), { path: "/work/a" })).toBe("deny");
	});

	it.each<[string, unknown]>([
		["no object", "path"],
		["null", null],
		["empty", {}],
		["empty arguments", { arguments: {} }],
		["an unknown key", { ...work, server: "files" }],
		["a faulty pattern", { arguments: { path: "/work/**", other: "!!" } }],
		["a faulty tool", { ...work, tool: 7 }],
		["arguments that are no object", { tool: "*", arguments: "path" }],
	])("asks about every call of the rest where the exception is %s (FST-14)", async (_what, except) => {
		for (const rule of [
			{ ...deny, except },
			{ ...allow, except },
		]) {
			const list = own(rule, allow);
			expect(list.problems.length).toBeGreaterThan(0);
			expect(judged([list], await entryOf(), { path: "/work/a" })).toBe("ask");
		}
	});

	it("asks where a file gives a part of the exception twice", async () => {
		const text = `{ "rules": [{ "decision": "deny", "except": { "tool": "a", "tool": "b*" } }] }`;
		expect(judged([file(text)], await entryOf("book"))).toBe("ask");
	});

	it("says what it excepts, in its line and before there is a call", async () => {
		const list = own({ ...deny, server: "files", except: { tool: "read*", ...work }, reason: "ours" });
		expect(list.rules[0]?.text).toBe("deny files · * · except read* and path = /work/** (ours)");
		const entry = await entryOf("readFile", { server: "files" });
		const { pin, grants } = new PolicyScene();
		const [reason] = explain(entry, [list], [], {
			directory: { get: () => undefined, sessions: [] },
			pins: { stateOf: () => pin },
			grants,
			sampling: { useOf: () => undefined, isTrusted: true, isIncomplete: false },
		});
		expect(reason?.effect).toBe("denies, depending on the arguments");
	});
});

describe("the rules for folders", () => {
	const tools = [
		{ name: "write_file", arguments: ["path", "content"] },
		{ name: "edit_file", arguments: ["edits", "path"] },
		{ name: "move_file", arguments: ["source", "destination"] },
		{ name: "list_roots", arguments: [] },
	];
	const rules = onlyInFolders({ name: "files" }, tools, ["path", "source", "destination"], ["/work/a, b", "/srv/x"]);
	const of = async (tool: string, args: JsonObject): Promise<string> =>
		judged([own(...rules)], await entryOf(tool, { server: "files" }), args);

	it("are one for the tools with the same paths, and read without a problem", () => {
		expect(rules.map(({ tool }) => tool)).toEqual(["{write_file,edit_file}", "move_file"]);
		expect(own(...rules).problems).toEqual([]);
		expect(file(rules.reduceRight(withRule, "")).rules).toHaveLength(2);
	});

	it.each<[string, JsonObject, string]>([
		["write_file", { path: "/work/a, b/c", content: "/etc/passwd" }, "none"],
		["write_file", { path: "/srv/x", content: "" }, "none"],
		["write_file", { path: "/srv/x2/y", content: "" }, "deny"],
		["write_file", { path: "/work/a, b/../c", content: "" }, "deny"],
		["write_file", { path: "notes.md", content: "" }, "deny"],
		["write_file", { content: "" }, "deny"],
		["move_file", { source: "/srv/x/a", destination: "/srv/x/b" }, "none"],
		["move_file", { source: "/srv/x/a", destination: "/tmp/b" }, "deny"],
		["list_roots", {}, "none"],
		["another", { path: "/tmp/b" }, "none"],
	])("%s with %j: %s (FST-14)", async (tool, args, expected) => {
		expect(await of(tool, args)).toBe(expected);
	});

	it.each<[string, string]>([
		["C:\\work\\a", "none"],
		["c:/work/a/b.txt", "none"],
		["c:\\work", "none"],
		["C:\\worker\\a", "deny"],
		["D:\\work\\a", "deny"],
		["C:\\work\\..\\b", "deny"],
	])("on Windows, %s: %s", async (path, expected) => {
		const rule = onlyInFoldersOf(undefined, "*", ["path"], ["c:\\work"]);
		expect(judged([own(rule)], await entryOf(), { path })).toBe(expected);
	});

	it.each<[string, string]>([
		[String.raw`\\server\share\a`, "none"],
		["//server/share/a/b.txt", "none"],
		[String.raw`\\server\share`, "none"],
		[String.raw`\\server\shared\a`, "deny"],
		[String.raw`\\other\share\a`, "deny"],
		[String.raw`\\server\share\..\b`, "deny"],
		[String.raw`C:\server\share\a`, "deny"],
	])("in a network folder of Windows, %s: %s", async (path, expected) => {
		const rule = onlyInFoldersOf(undefined, "*", ["path"], [String.raw`\\server\share`]);
		expect(judged([own(rule)], await entryOf(), { path })).toBe(expected);
	});

	it("propose the arguments that are paths by their names", () => {
		const inputSchema = {
			type: "object" as const,
			properties: { path: {}, outputFile: {}, content: {}, profile: {}, fileType: {}, source: {} },
		};
		const { arguments: names } = argumentsOf({ name: "t", inputSchema });
		expect(names.filter(isLikelyPath)).toEqual(["path", "outputFile", "source"]);
	});
});

it("a rule for several tools excepts those that were chosen, and no other", async () => {
	const list = own(writeRule("deny", undefined, undefined, ["read", "a,b*"]));
	expect(list.problems).toEqual([]);
	expect(judged([list], await entryOf("read"))).toBe("none");
	expect(judged([list], await entryOf("a,b*"))).toBe("none");
	expect(judged([list], await entryOf("a,bc"))).toBe("deny");
});
