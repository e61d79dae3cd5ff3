/** Class A of the inputs from the field: null in an optional member counts as absent, in every message. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { Sloppy } from "../../servers/sloppy.ts";
import { factsOf } from "../testHost.ts";
import { callOf, FieldScene, ways } from "./scene.ts";

const everyMember = {
	name: "echo",
	title: null,
	description: null,
	inputSchema: {
		type: "object",
		description: null,
		properties: { default: { type: "string", title: null, default: null }, any: null },
		required: null,
		additionalProperties: null,
		$defs: null,
	},
	outputSchema: null,
	annotations: { title: null, readOnlyHint: null },
	execution: null,
	icons: null,
	_meta: null,
};

const inResults: Readonly<Record<string, JsonObject>> = {
	"_meta beside content": { content: [{ type: "text", text: "row written" }], _meta: null },
	"every member of a block": {
		content: [
			{ type: "text", text: "row written", annotations: null, _meta: null },
			{
				type: "resource_link",
				uri: "a:b",
				name: "b",
				title: null,
				description: null,
				mimeType: null,
				size: null,
				icons: null,
			},
			{ type: "resource", resource: { uri: "a:b", mimeType: null, text: "inside", blob: null, _meta: null } },
		],
		structuredContent: null,
		isError: null,
	},
};

describe.each(ways)("null in an optional member over %s", (way) => {
	it.each(Object.entries(inResults))("does not matter in a result: %s", async (_what, result) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { "tools/call": { result } } });
		expect(await callOf(session)).toContain("row written");
		expect(scene.log).toMatch(/Tolerated in the answer to tools\/call: .*\(null read as absent\)/);
	});

	it("does not matter on a tool, at any depth", async () => {
		await using scene = new FieldScene();
		const session = await scene.start(way, {
			answers: { "tools/list": { result: { tools: [everyMember], nextCursor: null } } },
		});
		expect(session.tools.items).toMatchObject([
			{ name: "echo", inputSchema: { properties: { default: { type: "string", default: null }, any: {} } } },
		]);
		expect(await callOf(session)).toBe("row written");
		expect(scene.log).toContain("tools[].title (null read as absent)");
	});

	it.each<readonly [string, JsonObject]>([
		["instructions", { instructions: null }],
		["members of serverInfo", { serverInfo: { title: null, description: null, icons: null, websiteUrl: null } }],
		[
			"capabilities",
			{ capabilities: { tools: { listChanged: null }, experimental: null, completions: null, tasks: null } },
		],
		[
			"capabilities that are true and false",
			{ capabilities: { tools: true, resources: false, prompts: null, logging: {} } },
		],
		["capabilities as empty lists", { capabilities: { tools: [], experimental: [] } }],
		["all that may be", { instructions: null, _meta: null }],
	])("does not matter in the handshake: %s", async (_what, change) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { initialize: { change } } });
		expect(factsOf(session).capabilities.resources).toBeUndefined();
		expect(session.tools.items.map(({ name }) => name)).toContain("echo");
		expect(await callOf(session)).toBe("row written");
	});

	it.runIf(way !== "http+sse")("does not matter in the era without a handshake", async () => {
		await using scene = new FieldScene();
		const sloppy: Sloppy = {
			isModern: true,
			answers: {
				"server/discover": {
					change: { instructions: null, capabilities: { tools: { listChanged: null }, resources: null } },
				},
				"tools/list": { change: { tools: [everyMember], nextCursor: null, _meta: null } },
				"tools/call": { change: { _meta: null, structuredContent: null } },
			},
		};
		const session = await scene.start(way, sloppy);
		expect(factsOf(session).era).toBe("modern");
		expect(session.tools.items).toHaveLength(1);
		expect(await callOf(session)).toBe("row written");
	});

	it("does not matter beside the relevant member", async () => {
		await using scene = new FieldScene();
		const message = { jsonrpc: "2.0", id: "$id", method: null, params: null, error: null, result: { content: [] } };
		const session = await scene.start(way, { answers: { "tools/call": { message } } });
		expect(await callOf(session)).toBe("(The result is empty.)");
	});

	it("is read as an empty list in place of one, as Go writes it", async () => {
		await using scene = new FieldScene();
		const session = await scene.start(way, {
			answers: {
				initialize: { change: { capabilities: { resources: {}, prompts: {} } } },
				"tools/list": { result: { tools: null } },
				"prompts/list": { result: { prompts: null } },
				"resources/list": { result: { resources: null } },
				"resources/templates/list": { result: { resourceTemplates: null } },
			},
		});
		for (const list of [session.tools, session.prompts, session.resources, session.resourceTemplates]) {
			expect([list.status, list.items]).toEqual([{ kind: "ready" }, []]);
		}
	});

	it("is kept in data, and invalidates one entry where it is required", async () => {
		await using scene = new FieldScene();
		const session = await scene.start(way, {
			answers: {
				initialize: { change: { capabilities: { resources: {} } } },
				"tools/list": { result: { tools: [{ name: null, inputSchema: { type: "object" } }, everyMember] } },
				"resources/list": {
					result: {
						resources: [
							{ uri: null, name: "no" },
							{ uri: "a:b", name: "yes", title: null },
						],
					},
				},
				"tools/call": { result: { content: [], structuredContent: { v: null }, _meta: { "example.com/x": null } } },
			},
		});
		expect(session.tools.items.map(({ name }) => name)).toEqual(["echo"]);
		await expect.poll(() => session.resources.items.map(({ uri }) => uri)).toEqual(["a:b"]);
		expect(scene.log).toContain("1 of 2 tools do not follow the protocol");
		expect(await session.callTool("echo", {})).toMatchObject({
			structuredContent: { v: null },
			_meta: { "example.com/x": null },
		});
	});

	it("is still a fault in a required member of the handshake, which is named without a dump", async () => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { initialize: { change: { protocolVersion: null } } } });
		expect(session.state).toMatchObject({
			kind: "failed",
			message: expect.stringMatching(/protocolVersion: expected string/),
		});
		expect(session.state).toMatchObject({ message: expect.not.stringContaining("invalid_type") });
	});
});

const question = { messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 10 };

describe("null in a server's request", () => {
	it.each<readonly [string, JsonObject]>([
		[
			"every optional member",
			{
				systemPrompt: null,
				modelPreferences: null,
				temperature: null,
				stopSequences: null,
				includeContext: null,
				metadata: null,
				tools: null,
				toolChoice: null,
				_meta: null,
			},
		],
		["preferences", { modelPreferences: { hints: null, costPriority: null, speedPriority: 0.5 } }],
		["a hint", { modelPreferences: { hints: [{ name: null }] } }],
		["the token of progress", { _meta: { progressToken: null, "example.com/y": null } }],
		[
			"a block",
			{ messages: [{ role: "user", content: { type: "text", text: "hi", annotations: null, _meta: null } }] },
		],
	])("counts as absent: %s", async (_what, change) => {
		await using scene = new FieldScene();
		const asks = { jsonrpc: "2.0", id: 7, method: "sampling/createMessage", params: { ...question, ...change } };
		const session = await scene.start("stdio", { asks });
		expect(await callOf(session, "ask")).toMatch(/"role\\?":\\?"assistant/);
		expect(scene.host.user.asked).toHaveLength(1);
	});

	it.each<readonly [string, Json, RegExp]>([
		[
			"params that are a list",
			{ jsonrpc: "2.0", id: 7, method: "roots/list", params: [1] },
			/-32600.*params are not an object/,
		],
		["an id that is null", { jsonrpc: "2.0", id: null, method: "roots/list" }, /-32600.*id is neither/],
		["a method that is none", { jsonrpc: "2.0", id: 7, method: 5 }, /"id":7.*-32600/],
		[
			"no messages",
			{ jsonrpc: "2.0", id: 7, method: "sampling/createMessage", params: { maxTokens: 5, messages: null } },
			/-32602.*messages: expected array/,
		],
	])("gets an error in words if it cannot be read: %s", async (_what, asks, answer) => {
		await using scene = new FieldScene();
		const session = await scene.start("stdio", { asks });
		const got = (await callOf(session, "ask")).replaceAll("\\", "");
		expect(got).toMatch(answer);
		expect(got).not.toContain("invalid_");
		expect(got).not.toContain("null");
	});
});
