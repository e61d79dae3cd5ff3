/** Class E of the inputs from the field: an unreadable answer ends its call at once, and never another one. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import type { SloppyAnswer } from "../../servers/sloppy.ts";
import { callOf, FieldScene, ways } from "./scene.ts";

const failed = { code: -32603, message: "Internal: KeyError 'x'" };

describe.each(ways)("an answer over %s", (way) => {
	it.each<readonly [string, SloppyAnswer]>([
		["null", { message: { jsonrpc: "2.0", id: null, error: failed } }],
		["nothing", { message: { jsonrpc: "2.0", error: failed } }],
		["an empty text", { message: { jsonrpc: "2.0", id: "", error: failed } }],
		["an object", { message: { jsonrpc: "2.0", id: {}, error: failed } }],
	])("whose id is %s ends the one open call, with the server's words", async (_what, answer) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { "tools/call": answer } });
		expect(await callOf(session)).toContain("KeyError 'x'");
	});

	it.each<readonly [string, SloppyAnswer]>([
		["a result without an id", { message: { jsonrpc: "2.0", id: null, result: { content: "said all the same" } } }],
		["an id as text", { line: '{"jsonrpc":"2.0","id":"$id","result":{"content":"said all the same"}}' }],
		["no word of JSON-RPC", { line: '{"id":$id,"result":{"content":"said all the same"}}' }],
		["JSON-RPC 1.0", { line: '{"jsonrpc":"1.0","id":$id,"result":{"content":"said all the same"},"error":null}' }],
	])("is accepted with %s", async (_what, answer) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { "tools/call": answer } });
		expect(await callOf(session)).toBe("said all the same");
	});

	it("with NaN and Infinity has null in their place, and the log names the members", async () => {
		await using scene = new FieldScene();
		const line =
			'{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"NaN \\"is\\" -Infinity"}],' +
			'"structuredContent":{"v":NaN,"w":[-Infinity,1]}}}';
		const session = await scene.start(way, { answers: { "tools/call": { line } } });
		expect(await session.callTool("echo", {})).toMatchObject({
			content: [{ text: 'NaN "is" -Infinity' }],
			structuredContent: { v: null, w: [null, 1] },
		});
		expect(scene.log).toMatch(/numbers that JSON does not allow; they are read as null: v \(NaN\), \[\] \(-Infinity\)/);
	});

	it.each<readonly [string, JsonObject]>([
		["a text for a result", { id: null, result: "said all the same" }],
		["a list for a result", { id: null, result: [{ type: "text", text: "said all the same" }] }],
		["null for a result", { id: null, result: null }],
		["a text for an error", { id: null, error: "said all the same" }],
	])("without an id and with %s ends the one open call", async (_what, answer) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { "tools/call": { message: { jsonrpc: "2.0", ...answer } } } });
		expect(await callOf(session)).toMatch(
			/said all the same|neither a result nor an error|error that is not an object/,
		);
	});

	it.each([
		["is cut", '{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","te'],
		["holds undefined", '{"jsonrpc":"2.0","id":$id,"result":{"content":[],"x":undefined}}'],
		["is a number", '{"jsonrpc":"2.0","id":$id,"result":5,"error":6}'],
		["is nothing", '{"jsonrpc":"2.0","id":$id}'],
	])("that %s ends its call at once", async (_what, line) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { "tools/call": { line } } });
		const words = await callOf(session);
		expect(words).toMatch(/not valid JSON|both a result and an error|neither a result nor an error|not an MCP message/);
		expect(words).not.toContain("invalid_");
	});
});

describe.each(["stdio", "http+sse"] as const)("a result without an id over %s", (way) => {
	it("answers the first list, and each of several lists that are read in parallel", async () => {
		await using scene = new FieldScene();
		const unnamed = (result: JsonObject): SloppyAnswer => ({ message: { jsonrpc: "2.0", id: null, result } });
		const session = await scene.start(way, {
			answers: {
				initialize: { change: { capabilities: { tools: {}, prompts: {}, resources: {} } } },
				"tools/list": unnamed({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
				"prompts/list": unnamed({ prompts: [{ name: "hello" }] }),
				"resources/list": unnamed({ resources: [{ uri: "x:1", name: "one" }] }),
				"resources/templates/list": unnamed({ resourceTemplates: [{ uriTemplate: "x:{n}", name: "some" }] }),
			},
		});
		const lists = [session.tools, session.prompts, session.resources, session.resourceTemplates];
		expect(lists.map(({ items }) => items.map(({ name }) => name))).toEqual([["echo"], ["hello"], ["one"], ["some"]]);
	});
});

describe("an answer without an id over stdio", () => {
	it("is assigned to none of several open requests, and each of them is still answered", async () => {
		await using scene = new FieldScene();
		const session = await scene.start("stdio", {
			before: JSON.stringify({ jsonrpc: "2.0", id: null, error: failed }),
		});
		const calls = await Promise.all([callOf(session), callOf(session), callOf(session)]);
		// The last of the three is the only open one when its turn comes.
		expect(calls.slice(0, 2)).toEqual(["row written", "row written"]);
		expect(scene.log).toContain("A response without a request ID was ignored");
	});

	it("is not mistaken for the answer to a list, if the server may mean a notification of ours", async () => {
		await using scene = new FieldScene();
		const line = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "no notifications/initialized" } })}\n`;
		const tools = JSON.stringify({ tools: [{ name: "echo", inputSchema: { type: "object" } }] });
		const session = await scene.start("stdio", {
			answers: { "tools/list": { line: `${line}{"jsonrpc":"2.0","id":$id,"result":${tools}}` } },
		});
		expect(session.tools.items.map(({ name }) => name)).toEqual(["echo"]);
	});
});
