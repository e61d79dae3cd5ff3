import { expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { findTool, findTypedTool, readToolRunRequest } from "../../../../src/surfaces/runner/findTool.ts";
import { toolRows } from "../../../../src/surfaces/runner/toolRows.ts";
import { toolKey } from "../../../../src/surfaces/runner/runnerMemory.ts";
import { directoryOf, User, serve, tool, ToolSession } from "../../features/tools/toolSession.ts";
import { entryOf } from "./runScene.ts";

const signal = new AbortController().signal;

test("tools are found by server and name, as typed, and by a unique name alone", async () => {
	const travel = await serve("travel", tool("book"), tool("a/b"));
	const other = await serve("other", tool("book"), tool("only"));
	const directory = directoryOf(travel, other);
	expect((await findTool(directory, travel.definition.id, "book", signal)).session).toBe(travel);
	expect((await findTypedTool(directory, "other/book", signal)).session).toBe(other);
	expect((await findTypedTool(directory, "travel/a/b", signal)).tool.name).toBe("a/b");
	expect((await findTypedTool(directory, "only", signal)).session).toBe(other);
	await expect(findTypedTool(directory, "book", signal)).rejects.toThrow(/Choose one of: travel\/book, other\/book/);
	await expect(findTypedTool(directory, "travel/bok", signal)).rejects.toThrow(/Did you mean: travel\/book/);
	await expect(findTool(directory, "nowhere", "book", signal)).rejects.toThrow(/No server named "nowhere"/);
});

test("a server that does not run is named as the reason", async () => {
	const stopped = new ToolSession("idle");
	await expect(findTool(directoryOf(stopped), "idle", "x", signal)).rejects.toSatisfy((error) =>
		HostError.is(error, "not-connected"),
	);
});

test.each([
	[undefined, undefined],
	[{ server: "travel" }, { server: "travel", tool: undefined, arguments: undefined }],
	[
		{ server: "travel", tool: "book" },
		{ server: "travel", tool: "book", arguments: undefined },
	],
	[
		{ server: "s", tool: "t", arguments: { a: 1 } },
		{ server: "s", tool: "t", arguments: { a: 1 } },
	],
	[
		{ kind: "tool", server: "s", tool: { name: "t" } },
		{ server: "s", tool: "t", arguments: undefined },
	],
])("the command accepts %j", (argument, expected) => {
	expect(readToolRunRequest(argument)).toEqual(expected);
});

test.each([{ tool: "t" }, { server: 1 }, { server: "s", tool: 3 }, { server: "s", tool: "t", arguments: "x" }])(
	"the command refuses %j and explains its usage",
	(argument) => {
		expect(() => readToolRunRequest(argument)).toThrow(/Run Tool takes/);
	},
);

test("the picker shows recently run tools first, and marks those to check", async () => {
	const travel = await serve(
		"travel",
		tool("book", {}, { title: "Book a Hotel", annotations: { destructiveHint: true } }),
		tool("see"),
	);
	const { pins } = new User({ kind: "deny" });
	const directory = directoryOf(travel);
	await pins.accept(travel, entryOf(travel, "see").tool);
	await travel.run({ tools: [entryOf(travel, "book").tool, tool("see", {}, { description: "Another." })] });
	const groups = toolRows(directory, [toolKey(entryOf(travel, "see")), "gone"], pins);
	expect(groups.map(({ heading }) => heading)).toEqual(["recently run", "travel"]);
	expect(groups[0]?.rows[0]).toMatchObject({ label: "see", description: "travel · changed", detail: "Another." });
	expect(groups[1]?.rows[0]).toMatchObject({ label: "book", description: "travel · destructive · Book a Hotel" });
});
