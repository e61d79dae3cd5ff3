import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { judge, toJudged } from "../../../../src/permissions/policy/judge.ts";
import type { RuleList } from "../../../../src/permissions/policy/rule.ts";
import { entryOf, file, judged, own } from "./scene.ts";

const allow = { decision: "allow", server: "*", tool: "*" };
const ask = { decision: "ask" };
const deny = { decision: "deny" };
const book = { tool: "book*" };

describe("rules", () => {
	it.each<[string, readonly RuleList[], string]>([
		["no list", [], "none"],
		["an empty list", [own()], "none"],
		["a rule about another tool", [own({ ...deny, tool: "read*" })], "none"],
		["a rule about another server", [own({ ...deny, server: "bank" })], "none"],
		["a rule without conditions", [own(deny)], "deny"],
		["the first of two", [own({ ...ask, ...book }, deny)], "ask"],
		["the first of two, turned round", [own(deny, { ...ask, ...book })], "deny"],
		["an allow before a denial", [own({ ...allow, ...book }, deny)], "allow"],
		["an allow that does not fit", [own({ ...allow, tool: "read*" }, deny)], "deny"],
		["the user's allow and a file's ask", [own(allow), file([ask])], "ask"],
		["the user's allow and a file's denial", [own(allow), file([{ ...deny, ...book }])], "deny"],
		["the user's ask and a file's denial", [own(ask), file([deny])], "deny"],
		["the user's denial and a file's ask", [own(deny), file([ask])], "deny"],
		["the user's denial and a file's allow", [own(deny), file([allow])], "deny"],
		["a file's allow alone", [file([allow])], "none"],
		["a file's allow before its denial", [file([allow, deny])], "deny"],
		["an ask as an exception from a file's denial", [file([{ ...ask, ...book }, deny])], "ask"],
		["two folders, one of which denies", [file([ask], "a"), file([deny], "b")], "deny"],
		["two folders, the user allows", [own(allow), file([], "a"), file([ask], "b")], "ask"],
	])("%s: %s", async (_what, lists, expected) => {
		expect(judged(lists, await entryOf("bookHotel"))).toBe(expected);
	});

	it.each<[string, JsonObject, string]>([
		["the value", { path: "/etc/passwd" }, "deny"],
		["another value", { path: "/tmp/a" }, "none"],
		["no value", {}, "none"],
		["one value of a list", { path: ["/tmp/a", "/etc/passwd"] }, "deny"],
		["a value within an object there", { path: { from: "/tmp", to: ["/etc/x"] } }, "deny"],
		["the same name in another case, as some servers read it", { PATH: "/etc/passwd" }, "deny"],
		["a value at another place", { to: "/etc/passwd" }, "none"],
		["inherited names", { ["__proto__"]: "/etc/passwd" }, "none"],
		["a value as long as none that is read", { path: "x".repeat(3 * 1024 * 1024) }, "ask"],
		["more values than are read", { path: Array.from({ length: 20_000 }, () => "x") }, "ask"],
	])("a denial by an argument, given %s: %s", async (_what, args, expected) => {
		const list = own({ ...deny, arguments: { path: "/etc/**" } });
		expect(judged([list], await entryOf(), args)).toBe(expected);
	});

	it.each<[string, JsonObject, string]>([
		["the value", { path: "/home/me/a" }, "allow"],
		["no value", {}, "deny"],
		["an empty list", { path: [] }, "deny"],
		["a list of fitting values", { path: ["/home/me/a", "/home/me/b"] }, "allow"],
		["a list with another value", { path: ["/home/me/a", "/etc/b"] }, "deny"],
		["a second name of another case", { path: "/home/me/a", Path: "/etc/b" }, "deny"],
		["only a name of another case", { Path: "/home/me/a" }, "deny"],
		["a detour", { path: "/home/me/../you" }, "deny"],
		["a long value", { path: `/home/me/${"x".repeat(1024 * 1024)}` }, "allow"],
		["a longer one than is read", { path: `/home/me/${"x".repeat(3 * 1024 * 1024)}` }, "deny"],
	])("an allow by an argument before a denial, given %s: %s", async (_what, args, expected) => {
		const list = own({ ...allow, arguments: { path: "/home/me/**" } }, deny);
		expect(judged([list], await entryOf(), args)).toBe(expected);
	});

	it.each<[string, string, JsonObject, string]>([
		["a place in an object", "options.path", { options: { path: "/etc/a" } }, "deny"],
		["a place in each member of a list", "files.path", { files: [{ path: "/tmp" }, { path: "/etc/a" }] }, "deny"],
		["the n-th member of a list", "files.1.path", { files: [{ path: "/tmp" }, { path: "/etc/a" }] }, "deny"],
		["another member of a list", "files.0.path", { files: [{ path: "/tmp" }, { path: "/etc/a" }] }, "none"],
		["any member", "*", { deep: { er: ["/etc/a"] } }, "deny"],
		["any member, then a name", "*.path", { first: { path: "/etc/a" } }, "deny"],
		["a name with a dot", "a\\.b", { "a.b": "/etc/a" }, "deny"],
		["a place below a value", "path.deep", { path: "/etc/a" }, "none"],
	])("find an argument at %s", async (_what, place, args, expected) => {
		expect(judged([own({ ...deny, arguments: { [place]: "/etc/**" } })], await entryOf(), args)).toBe(expected);
	});

	it.each<[string, string, JsonObject, string]>([
		["a key below any member", "*", { edits: { "/etc/passwd": "x" } }, "deny"],
		["a key as deep as one likes", "*", { edits: [{ of: { "/etc/passwd": [] } }] }, "deny"],
		["a key at the top", "*", { "/etc/passwd": true }, "deny"],
		["a key below a named argument", "edits", { edits: { "/etc/passwd": "x" } }, "deny"],
		["a key that the place counts", "edits.*", { edits: { "/etc/passwd": "x" } }, "deny"],
		["a key that only leads to the place", "edits.*.text", { edits: { "/etc/passwd": { text: "x" } } }, "none"],
		["an encoded key", "*", { edits: { "file:///%65tc/passwd#": "x" } }, "deny"],
		["a name with invisible characters", "path", { "pa\u200Bth": "/etc/passwd" }, "deny"],
		["a name with another such character", "options.path", { options: { "path\u00AD": "/etc/passwd" } }, "deny"],
		["a name with blanks around it", "path", { " path": "/etc/passwd" }, "deny"],
	])("deny by %s (TOL-22)", async (_what, place, args, expected) => {
		expect(judged([own({ ...deny, arguments: { [place]: "/etc/**" } })], await entryOf(), args)).toBe(expected);
	});

	it("treat keys as values except where the schema declares them as names (TOL-22)", async () => {
		const edit = { type: "object", properties: { path: { type: "string" } } };
		const properties = { edits: { type: "object", additionalProperties: edit }, "/etc/hosts": { type: "string" } };
		const entry = await entryOf("edit", { more: { inputSchema: { type: "object", properties } } });
		const inside = { edits: { "/ws/a": { path: "/ws/b" } } };
		const outside = { edits: { "/ws/a": { path: "/ws/b" }, "/etc/b": { path: "/ws/b" } } };
		const allowed = [own({ ...allow, arguments: { "*": "/ws/**" } }, deny)];
		expect(judged(allowed, entry, inside)).toBe("allow");
		expect(judged(allowed, entry, outside)).toBe("deny");
		const denied = [own({ ...deny, arguments: { edits: "!/ws/**" } })];
		expect(judged(denied, entry, inside)).toBe("none");
		expect(judged(denied, entry, outside)).toBe("deny");
		expect(judged(denied, entry, { edits: { Makefile: { path: "/ws/b" } } })).toBe("deny");
		// A server cannot turn a path into a name by declaring it.
		expect(judged([own({ ...deny, arguments: { "*": "/etc/**" } })], entry, { "/etc/hosts": "x" })).toBe("deny");
	});

	it.each<[string, object]>([
		["none", { type: "object" }],
		["texts under any key", { type: "object", additionalProperties: { type: "string" } }],
	])(
		"treat every key that a pattern names as a value if the schema declares %s (TOL-22)",
		async (_what, inputSchema) => {
			const entry = await entryOf("write", { more: { inputSchema: inputSchema as { type: "object" } } });
			const of = (rule: object, pattern: string, args: JsonObject): string =>
				judged([own({ ...rule, arguments: { "*": pattern } })], entry, args);
			expect(of(deny, "**/id_rsa", { id_rsa: "x" })).toBe("deny");
			expect(of(deny, "**/id_rsa", { files: { id_rsa: {} } })).toBe("deny");
			expect(of(deny, "**/.env", { ".env": "x" })).toBe("deny");
			expect(of(deny, "**/id_rsa", { path: "x" })).toBe("none");
			expect(of(allow, "!**/id_rsa", { id_rsa: "x" })).toBe("none");
			// It may be a name as well, to which a pattern for values does not apply.
			expect(of(allow, "/ws/**", { path: "/ws/a" })).toBe("allow");
			expect(of(deny, "!/ws/**", { path: "/ws/a" })).toBe("none");
			expect(of(allow, "**", { path: {} })).toBe("none");
			const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`key${index}`, {}]));
			expect(of(deny, "**/id_rsa", { ...many, id_rsa: {} })).toBe("ask");
		},
	);

	it("compare numbers, booleans and null by their text, and all arguments together", async () => {
		const entry = await entryOf();
		const list = own({ ...deny, arguments: { nights: 3, force: true, note: "null" } });
		expect(judged([list], entry, { nights: 3, force: true, note: null })).toBe("deny");
		expect(judged([list], entry, { nights: 3, force: false, note: null })).toBe("none");
	});

	it("survive arguments of any nesting depth", async () => {
		let deep: JsonObject = { path: "/etc/a" };
		for (let depth = 0; depth < 20_000; depth++) deep = { deep };
		expect(judged([own({ ...deny, arguments: { "*": "/etc/**" } })], await entryOf(), deep)).toBe("deny");
	});

	it("continue after a rule that matches in some readings only, so that a lookalike exception cannot evade a denial", async () => {
		const list = own({ ...ask, arguments: { path: "/ws/**" } }, deny);
		const entry = await entryOf();
		expect(judged([list], entry, { path: "/ws/a" })).toBe("ask");
		expect(judged([list], entry, { path: "/WS/a" })).toBe("deny");
		expect(judged([list], entry, { path: ["/ws/a", "/etc/b"] })).toBe("deny");
	});

	it("use annotations only to be stricter, for any claims of a server (TOL-06, BLT-37)", async () => {
		const harmless = { more: { annotations: { readOnlyHint: true, openWorldHint: false } } };
		const both = { more: { annotations: { readOnlyHint: true, destructiveHint: true } } };
		const tame = { more: { annotations: { destructiveHint: false } } };
		const lists = [own(allow), file([{ ...deny, destructive: true }])];
		expect(judged(lists, await entryOf("rm"))).toBe("deny");
		expect(judged(lists, await entryOf("rm", both))).toBe("deny");
		expect(judged(lists, await entryOf("rm", tame))).toBe("allow");
		expect(judged([own({ ...ask, openWorld: true })], await entryOf("rm", harmless))).toBe("none");
		expect(judged([own({ ...ask, readOnly: false })], await entryOf("rm", tame))).toBe("ask");
		// A server that claims to be dangerous must not get the question in place of the denial.
		expect(judged([own({ ...ask, destructive: true }, deny)], await entryOf("rm"))).toBe("deny");
	});

	it("allow no server that the workspace defines, whose name the workspace chose (SEC-05)", async () => {
		const entry = await entryOf("book", { isOfWorkspace: true });
		expect(judged([own(allow)], entry)).toBe("none");
		expect(judged([own(allow, ask)], entry)).toBe("ask");
		expect(judged([own(deny)], entry)).toBe("deny");
	});

	it("match a server by its configured name too, if another has it as well", async () => {
		const definition = { id: "user-settings:#bank", name: "bank (2)" };
		const entry = await entryOf("pay", { definition });
		expect(judged([own({ ...deny, server: "bank" })], entry)).toBe("deny");
		expect(judged([own({ ...allow, server: "bank" })], entry)).toBe("none");
		expect(judged([own({ ...allow, server: "bank*" })], entry)).toBe("allow");
	});

	it("show which one decided, its place, and its reason", async () => {
		const entry = await entryOf("bookHotel");
		const lists = [own(allow), file([ask, { ...deny, ...book, reason: "No trips\u202E" }, deny])];
		const said = judge(
			[lists[0] as RuleList, file([{ ...deny, ...book, reason: "No trips\u202E" }])],
			toJudged(entry, {}),
		);
		expect(said?.label).toBe(String.raw`rule 1 of .vscode/mcp-policy.json in shop: deny * · book* (No trips\u202E)`);
		expect(judge(lists, toJudged(entry, {}))?.label).toContain("rule 1 of .vscode/mcp-policy.json in shop: ask");
		const byArgument = own({ ...deny, server: "travel", arguments: { "options.path": "/etc/**" }, destructive: true });
		expect(judge([byArgument], toJudged(entry, { options: { path: "/etc/a" } }))?.label).toBe(
			"rule 1 of User Settings: deny travel · * · options.path = /etc/** · destructive",
		);
	});
});
