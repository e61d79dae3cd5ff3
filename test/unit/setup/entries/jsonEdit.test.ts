import { changeBetween } from "../../../../src/base/textChange.ts";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { valueAt, withKey, withMerged, withoutValue, withValue } from "../../../../src/setup/entries/jsonEdit.ts";

const entry = { command: "node", args: ["a.js", "-v"], env: { KEY: "1" } };

/** Texts with a server `a` among others, each with another layout. */
const texts = {
	tabs: '{\n\t"servers": {\n\t\t"a": { "command": "x" }\n\t}\n}\n',
	"four blanks": '{\n    "servers": {\n        "a": {\n            "command": "x"\n        }\n    }\n}',
	"CRLF and two blanks": '{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
	"a trailing comma": '{\n\t"servers": {\n\t\t"a": {},\n\t},\n}\n',
	"comments everywhere":
		'// top\n{\n\t/* before */ "servers": { // open\n\t\t// about a\n\t\t"a": { "command": "x" }, // of a\n\t\t// about b\n\t\t"b": {} /* of b */ // end\n\t\t// closing\n\t} // servers\n}\n// bottom',
	"a comment after the last comma": '{\n\t"servers": {\n\t\t"a": {}, // of a\n\t\t// "off": {}\n\t}\n}',
	"one line": '{"servers": {"a": {"command": "x"}}, "inputs": []}',
	"commas first": '{\n  "servers": {\n    "a": {}\n  , "b": {}\n  }\n}',
	"a brace on the last line": '{ "servers": {\n\t"a": {} }\n}',
	"an empty object": '{\n\t"servers": {}\n}',
	"a byte order mark": '\uFEFF{\n\t"servers": {\n\t\t"a": {}\n\t}\n}\n',
	"blanks at ends of lines": '{\n\t"servers": {\n\t\t"a": {}  \n\t}\n}\n',
	"lines between": '{\n\n\t"servers": {\n\n\t\t"a": {},\n\n\t\t"b": {}\n\n\t}\n}\n',
	"a comma on the next line": '{\n\t"servers": {\n\t\t"a": {}\n\t\t, "c": 1\n\t\t,\n\t}\n}\n',
};

describe("edits of JSON with comments", () => {
	it.each(Object.entries(texts))("restores the text when the addition is removed: %s (EDT-01)", (_name, text) => {
		const added = withValue(text, ["servers", "new"], entry);
		expect(parse(added.replace("\uFEFF", ""))).toEqual({
			...(parse(text.replace("\uFEFF", "")) as object),
			servers: { ...(parse(text.replace("\uFEFF", "")) as { servers: object }).servers, new: entry },
		});
		expect(withoutValue(added, ["servers", "new"])).toBe(text);
	});

	it.each(Object.entries(texts))("changes nothing but its addition: %s (EDT-01)", (_name, text) => {
		const added = withValue(text, ["servers", "new"], entry);
		// The earlier members are still there, in their order.
		let at = 0;
		for (const sign of added) if (sign === text[at]) at++;
		expect(at).toBe(text.length);
		expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
		if (text.includes("\r\n")) expect(added.replaceAll("\r\n", "")).not.toContain("\n");
	});

	it("writes in the style of the file", () => {
		expect(withValue(texts.tabs, ["servers", "b"], entry)).toBe(
			'{\n\t"servers": {\n\t\t"a": { "command": "x" },\n\t\t"b": {\n\t\t\t"command": "node",\n\t\t\t"args": ["a.js", "-v"],\n\t\t\t"env": {\n\t\t\t\t"KEY": "1"\n\t\t\t}\n\t\t}\n\t}\n}\n',
		);
		expect(withValue(texts["CRLF and two blanks"], ["servers", "b"], { url: "u" })).toBe(
			'{\r\n  "servers": {\r\n    "a": {},\r\n    "b": {\r\n      "url": "u"\r\n    }\r\n  }\r\n}\r\n',
		);
		expect(withValue(texts["one line"], ["servers", "b"], entry)).toBe(
			'{"servers": {"a": {"command": "x"}, "b": { "command": "node", "args": ["a.js", "-v"], "env": { "KEY": "1" } }}, "inputs": []}',
		);
	});

	it("keeps the comment of a line in place, and one above", () => {
		const text = texts["comments everywhere"];
		expect(withValue(text, ["servers", "c"], 1)).toContain('"b": {}, /* of b */ // end\n\t\t"c": 1\n\t\t// closing');
		expect(withoutValue(text, ["servers", "b"])).toBe(
			'// top\n{\n\t/* before */ "servers": { // open\n\t\t// about a\n\t\t"a": { "command": "x" } // of a\n\t\t// about b\n\t\t// closing\n\t} // servers\n}\n// bottom',
		);
		expect(withoutValue(text, ["servers", "a"])).toContain('// open\n\t\t// about a\n\t\t// about b\n\t\t"b": {}');
	});

	it("creates missing members on the way, and starts an empty file", () => {
		expect(withValue("", ["servers", "b"], { url: "u" })).toBe(
			'{\n\t"servers": {\n\t\t"b": {\n\t\t\t"url": "u"\n\t\t}\n\t}\n}\n',
		);
		expect(withValue('{\n  "inputs": []\n}', ["inputs", 0], { id: "i" })).toBe(
			'{\n  "inputs": [\n    {\n      "id": "i"\n    }\n  ]\n}',
		);
		expect(parse(withValue('{"servers": null}', ["servers", "b"], 1))).toEqual({ servers: { b: 1 } });
		expect(withValue("{\n\t// mine\n}", ["a"], 1)).toBe('{\n\t// mine\n\t"a": 1\n}');
	});

	it("merges a value into the written one", () => {
		const text =
			'{\n\t"servers": {\n\t\t"a": {\n\t\t\t"command": "x", // the program\n\t\t\t"env": {\n\t\t\t\t// secret\n\t\t\t\t"KEY": "1",\n\t\t\t\t"OLD": "2"\n\t\t\t}\n\t\t}\n\t}\n}\n';
		const merged = withMerged(text, ["servers", "a"], { command: "y", env: { KEY: "1", NEW: "3" } });
		expect(merged).toBe(
			'{\n\t"servers": {\n\t\t"a": {\n\t\t\t"command": "y", // the program\n\t\t\t"env": {\n\t\t\t\t// secret\n\t\t\t\t"KEY": "1",\n\t\t\t\t"NEW": "3"\n\t\t\t}\n\t\t}\n\t}\n}\n',
		);
		expect(withMerged(text, ["servers", "a"], valueAt(text, ["servers", "a"]))).toBe(text);
	});

	it("renames a member in place", () => {
		expect(withKey(texts.tabs, ["servers", "a"], 'n"w')).toBe(texts.tabs.replace('"a"', '"n\\"w"'));
	});

	it("edits the last of two equal keys, which counts, and treats names as data", () => {
		expect(withValue('{"a": 1, "a": 2}', ["a"], 3)).toBe('{"a": 1, "a": 3}');
		const named = withValue("{}", ["servers", "__proto__"], { url: "u" });
		expect(named).toContain('"__proto__": {');
		expect(valueAt(withMerged(named, ["servers", "__proto__"], { url: "v" }), ["servers", "__proto__", "url"])).toBe(
			"v",
		);
		expect(valueAt(named, ["servers", "constructor"])).toBeUndefined();
	});

	it.each(['{ "servers": {', "{]", "[".repeat(100_000), `{"a": "${"x".repeat(1_000_000)}"}`])(
		"refuses invalid JSON (EDT-01)",
		(text) => {
			expect(() => withValue(text, ["servers", "b"], 1)).toThrow(HostError);
			expect(() => withoutValue(text, ["servers", "b"])).toThrow(HostError);
		},
	);

	it("describes the difference of two texts", () => {
		for (const [before, after] of [
			["abcabc", "abc"],
			["", "x"],
			["same", "same"],
			["aXc", "aYYc"],
		] as const) {
			const { offset, length, content } = changeBetween(before, after);
			expect(before.slice(0, offset) + content + before.slice(offset + length)).toBe(after);
		}
	});

	it("restores any text, for all members, comments and layouts (EDT-01)", () => {
		let seed = 7;
		const next = (below: number): number => {
			seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
			return seed % below;
		};
		const pick = (...all: readonly string[]): string => all[next(all.length)] ?? "";
		for (let round = 0; round < 500; round++) {
			const eol = pick("\n", "\r\n");
			const unit = pick("\t", "  ", "    ");
			const gap = (): string => pick("", "", " ", `${eol}${unit}`, ` // c${eol}`, "/* b */", `${eol}${eol}`);
			const members = Array.from(
				{ length: 1 + next(4) },
				(_, index) =>
					`${gap()}"k${index}"${pick("", " ")}: ${pick("1", "{}", '{ "x": [1] }', `{${eol}"y": 2${eol}}`)}${gap()}`,
			);
			const text = `${gap()}{${gap()}"servers": {${members.join(",")}${pick("", ",")}${gap()}}${gap()}}${gap()}`;
			const before = parse(text) as { servers: object };
			const added = withValue(text, ["servers", "new"], entry);
			expect(parse(added), JSON.stringify(text)).toEqual({ servers: { ...before.servers, new: entry } });
			expect(withoutValue(added, ["servers", "new"]), JSON.stringify(text)).toBe(text);
			const removed = withoutValue(text, ["servers", `k${next(members.length)}`]);
			expect(Object.keys((parse(removed) as { servers: object }).servers)).toHaveLength(members.length - 1);
		}
	});
});
