/** Messages of servers in daily use that the specification does not foresee are read if they have one reading (TRN-66). */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/base/json.ts";
import { readGenerously } from "../../../../src/protocol/messages/generousReading.ts";

const read = (value: Json): Json => readGenerously(value, () => undefined);

describe("null in members that the protocol defines", () => {
	it.each<readonly [string, Json, Json]>([
		["a member at any depth", { a: { b: [{ c: null, d: 1 }] } }, { a: { b: [{ d: 1 }] } }],
		["the arguments that a prompt has", { arguments: [{ name: "a", title: null }] }, { arguments: [{ name: "a" }] }],
		[
			"the protocol's own members of _meta",
			{ _meta: { "io.modelcontextprotocol/x": { y: null }, progressToken: null } },
			{ _meta: { "io.modelcontextprotocol/x": {} } },
		],
		["a keyword of a schema", { inputSchema: { items: { title: null } } }, { inputSchema: { items: {} } }],
		[
			"a property named as a keyword",
			{ inputSchema: { properties: { default: { title: null } } } },
			{ inputSchema: { properties: { default: {} } } },
		],
	])("counts as absent: %s", (_what, value, expected) => {
		expect(read(value)).toEqual(expected);
	});

	it.each<readonly [string, Json]>([
		["arguments of a tool", { arguments: { a: null } }],
		["arguments from a model", { content: [{ type: "tool_use", input: { a: null } }] }],
		["structured content", { structuredContent: { a: { b: null } } }],
		["_meta of others", { _meta: { "example.com/a": null, traceparent: null } }],
		[
			"default, const, enum and examples",
			{ inputSchema: { default: null, const: null, enum: [null], examples: [null] } },
		],
		["the data of a log message", { level: "info", data: null }],
		["the data in a log message", { level: "info", data: { a: null } }],
		["how long a task is kept", { task: { ttl: null } }],
		["metadata for a model's provider", { metadata: { a: null } }],
		["an item of a list", { tools: [null] }],
	])("is kept in data: %s", (_what, value) => {
		expect(read(value)).toBe(value);
	});

	it("is reported with its place", () => {
		const notes: string[] = [];
		readGenerously({ tools: [{ title: null }], capabilities: { tools: true } }, (place, how) =>
			notes.push(`${place}: ${how}`),
		);
		expect(notes).toEqual(["tools[].title: null read as absent", "capabilities.tools: true read as {}"]);
	});
});

describe("base64 in members that the protocol defines", () => {
	it.each<readonly [string, (data: string) => Json]>([
		["a resource's blob", (blob) => ({ contents: [{ uri: "a:b", blob }] })],
		["a picture in a prompt", (data) => ({ messages: [{ role: "user", content: { type: "image", data } }] })],
		["a recording in a sampling request", (data) => ({ messages: [{ content: [{ type: "audio", data }] }] })],
		["a resource within a result", (blob) => ({ content: [{ type: "resource", resource: { uri: "a:b", blob } }] })],
	])("is normalized: %s", (_what, holding) => {
		for (const spelled of ["-_-_-w", "-_-_-w==", "+/+/\n+w==", "+/+/+w=", "data:image/png;base64,+/+/+w=="]) {
			expect(read(holding(spelled))).toEqual(holding("+/+/+w=="));
		}
		const ordinary = holding("+/+/+w==");
		expect(read(ordinary)).toBe(ordinary);
		const foreign = holding("no base64!");
		expect(read(foreign)).toBe(foreign);
	});

	it.each<readonly [string, Json]>([
		["the data of a log message", { level: "info", data: "a-b_" }],
		["a text", { content: [{ type: "text", text: "a-b_", data: "a-b_" }] }],
		["arguments of a tool", { arguments: { type: "image", data: "a-b_", uri: "a:b", blob: "a-b_" } }],
		["structured content", { structuredContent: { type: "image", data: "a-b_" } }],
		["_meta", { _meta: { a: { type: "image", data: "a-b_" } } }],
	])("is not searched for elsewhere: %s", (_what, value) => {
		expect(read(value)).toBe(value);
	});
});
