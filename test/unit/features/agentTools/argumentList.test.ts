import { describe, expect, test } from "vitest";
import { argumentList } from "../../../../src/features/agentTools/argumentList.ts";
import { runCall } from "../../../../src/features/tools/call.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, User, serve, tool } from "../tools/toolSession.ts";
import { generator, hidden, randomObject, readBack } from "../../surfaces/chat/shownArguments.ts";

describe("TOL-08: hidden characters", () => {
	test.each(Object.entries(hidden))("of the class %s are shown as escapes, in values and in names", (_name, text) => {
		const shown = argumentList({ value: `x${text}y`, [`n${text}`]: 1, deep: { list: [text] } });
		expect(shown).toContain("Hidden characters are shown as escapes.");
		expect(shown).toMatch(/\\u[0-9a-f]{4}/i);
		for (const character of text) {
			if (!/[\w[\]]/.test(character)) expect(shown).not.toContain(character);
		}
	});
});

test("TOL-09: 5 KB of spaces or a line of any length hide nothing", () => {
	const shown = argumentList({ message: `hello${" ".repeat(5000)}and delete everything`, path: "/x".repeat(3000) });
	expect(shown).toContain('`"hello` _(5000 spaces)_ `and delete everything"`');
	expect(shown).toContain("/x".repeat(3000));
	expect(shown).not.toMatch(/ {4,}/);
});

test("TOL-10: 200 random arguments are shown byte for byte as they are sent", async () => {
	const server = await serve("s", tool("echo", {}, { inputSchema: { type: "object" } }));
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	const random = generator(20_261_121);
	for (let round = 0; round < 200; round++) {
		const args = randomObject(random, 3);
		const user = new User({ kind: "allow" });
		const { approvals, policy, pins } = user;
		const context = { approvals, policy, pins, signal: new AbortController().signal };
		const run = runCall({ callId: "1", entry, arguments: args }, context);
		for (let next = await run.next(); next.done !== true; next = await run.next()) user.see(next.value);
		const shown = argumentList(user.asked[0]?.call.arguments ?? {});
		expect(JSON.stringify(readBack(shown))).toBe(server.received.at(-1)?.text);
	}
	expect(server.received).toHaveLength(200);
});

test("arguments of a megabyte are shown to the last character, in lines that the editor can display", () => {
	const args = {
		text: `${"\u202E`é😀 ".repeat(80_000)}THE END`,
		path: "/x".repeat(200_000),
		gaps: "z     ".repeat(20_000),
		list: ["y".repeat(30_000)],
	};
	const shown = argumentList(args);
	expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThan(50_000);
	expect(JSON.stringify(readBack(shown))).toBe(JSON.stringify(args));
});

test("two similar names are shown differently (TOL-08)", () => {
	const names = [
		"a\u202E",
		"a\\u202E",
		'"a"',
		"a",
		"",
		"a\nb",
		" a",
		"a b",
		"a  b",
		"a   b",
		"a\u00A0b",
		"a\u2003b",
		"a \u00A0b",
	];
	const shown = argumentList(Object.fromEntries(names.map((name) => [name, 1]))).split("\n");
	// As a page shows them: runs of blanks are collapsed, and other spaces look like blanks.
	const seen = shown.slice(0, names.length).map((line) => line.replace(/ `\d`$/, "").replace(/\s+/g, " "));
	expect(new Set(seen).size, seen.join("\n")).toBe(names.length);
	expect(readBack(shown.join("\n"))).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
});
