/**
 * The travel story with endpoints that refuse what the real services refuse. The data that they want back with their
 * answers is kept through the rounds of a turn, and through the history of a closed window; it is sent to no other
 * receiver.
 */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { toMessages, toMetadata } from "../../src/surfaces/chat/history.ts";
import { ApiKeys } from "../../src/models/apiKeys.ts";
import { createEndpointModel } from "../../src/models/directory.ts";
import type { ModelEvent, ModelMessage, ModelTool } from "../../src/models/model.ts";
import { parseEndpoints } from "../../src/models/parseEndpoints.ts";
import { SchemaRefusals } from "../../src/models/schemaRefusals.ts";
import type { Script } from "../servers/scriptedModel.ts";
import { deepSeek, gemini, liteLlm, mistral, openAi, openRouter } from "../servers/strictFamilies.ts";
import {
	currentTurn,
	opaqueMark,
	startStrictModel,
	type PlainAnswer,
	type StrictFamily,
	type StrictModel,
} from "../servers/strictModels.ts";
import {
	anthropic,
	azure,
	gateway,
	geminiSchemas,
	gitHub,
	llamaCpp,
	lmStudio,
	moonshot,
	ollama,
	qwen,
	strictKey,
	vllm,
} from "../servers/strictSchemas.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { playWith } from "./endpointTurn.ts";
import { leftBehind, modelAt, planning, startServers } from "./plannedTrip.ts";
import { answersOf, samplingConfig } from "./samplingReach.ts";
import { TestHost } from "./testHost.ts";
import { approving, WholeSampling } from "./wholeSampling.ts";

/** The families that want data back with their answers. */
const families = [gemini, openRouter, deepSeek, liteLlm];
const others = [openAi, azure, anthropic, mistral, qwen, gitHub, ollama, lmStudio, llamaCpp, vllm];

/** Answers by the number of earlier answers in the turn. */
function follow(...answers: readonly PlainAnswer[]): (body: Parameters<typeof currentTurn>[0]) => PlainAnswer {
	return (body) => answers[currentTurn(body).filter(({ role }) => role === "assistant").length] ?? { text: "Done." };
}

/** The answer of another model, with an id, a result and images as only some accept them. */
const foreign: readonly ModelMessage[] = [
	{ role: "user", content: [{ type: "text", text: "Look" }] },
	{
		role: "assistant",
		content: [
			{ type: "tool-call", callId: `functions.look:0 ${"x".repeat(40)}`, name: "look", arguments: { at: "sea" } },
		],
		kept: { by: "elsewhere", message: { reasoning_content: opaqueMark }, calls: [] },
	},
	{
		role: "user",
		content: [
			{
				type: "tool-result",
				callId: `functions.look:0 ${"x".repeat(40)}`,
				isError: false,
				content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
			},
		],
	},
];

describe.each([gemini, openRouter, deepSeek, ...others].map((make) => [make().name, make] as const))(
	"MDL-04: %s",
	(name, make) => {
		it("accepts a conversation in which another model had made calls", async () => {
			await using endpoint = await startStrictModel(make());
			const traits = { kind: name.toLowerCase(), images: true };
			const model = modelAt(endpoint, name === "Gemini" ? "gemini-3-pro" : "thinker", traits);
			endpoint.say(() => ({ text: "Waves." }));
			let text = "";
			for await (const event of model.respond(foreign, { signal: new AbortController().signal })) {
				if (event.type === "text") text += event.text;
			}
			expect([text, endpoint.refused]).toEqual(["Waves.", []]);
			expect(JSON.stringify(endpoint.bodies)).not.toContain(opaqueMark);
			expect(JSON.stringify(endpoint.bodies)).toContain("data:image/png;base64,AAAA");
		});
	},
);

describe("MDL-04: an endpoint that is not recognised as Mistral", () => {
	it("is asked again without each field that it refuses", async () => {
		await using endpoint = await startStrictModel(mistral());
		const model = modelAt(endpoint);
		const by = `${endpoint.url} thinker`;
		const said: readonly ModelMessage[] = [
			{ role: "user", content: [{ type: "text", text: "Hi" }] },
			{
				role: "assistant",
				content: [{ type: "text", text: "Hi" }],
				kept: { by, message: { reasoning_content: "Hm" }, calls: [] },
			},
			{ role: "user", content: [{ type: "text", text: "And?" }] },
		];
		let last: ModelEvent | undefined;
		for await (const event of model.respond(said, { signal: new AbortController().signal })) last = event;
		expect(last).toMatchObject({ type: "done", stopReason: "endTurn" });
		expect(endpoint.refused.map(({ status }) => status)).toEqual([422, 422]);
	});
});

describe("MDL-04: an endpoint that is not recognised as DeepSeek or Kimi", () => {
	it("is asked again with empty thoughts in the answers of another model, which it requires", async () => {
		await using endpoint = await startStrictModel(deepSeek());
		endpoint.say(() => ({ text: "Waves." }));
		let last: ModelEvent | undefined;
		for await (const event of modelAt(endpoint).respond(foreign, { signal: new AbortController().signal }))
			last = event;
		expect(last).toMatchObject({ type: "done", stopReason: "endTurn" });
		expect(endpoint.refused.map(({ status }) => status)).toEqual([400]);
		expect(endpoint.bodies.at(-1)?.messages[1]).toMatchObject({ reasoning_content: "" });
	});
});

/** The strict endpoint behind the scripted one, for tests with their own. */
function strictly({ refuse, deltas }: StrictFamily, answer: Parameters<StrictModel["say"]>[0]): Script {
	return (body, index) => {
		const refusal = refuse(body, {});
		if (refusal !== undefined) return { status: refusal.status, errorMessage: JSON.stringify(refusal.body) };
		const all = [...deltas(answer(body), index), {}];
		return { chunks: all.map((delta) => ({ model: body.model, choices: [{ index: 0, delta }] })) };
	};
}

describe.each(families.map((make) => [make().name, make] as const))(
	"MDL-03: a server that samples from %s",
	(_name, make) => {
		it("continues with the model's calls, image and tools in each round, and never sees the model's own data", async () => {
			await using host = new TestHost();
			await using sampling = await WholeSampling.begin(host);
			sampling.onReview = approving();
			const call = (city: string): PlainAnswer => ({ calls: [{ name: "getWeather", arguments: { city } }] });
			const script = follow(call("Rome"), call("Oslo"), { text: "Rome is warmer." });
			sampling.endpoint.otherwise(strictly(make(), script));
			const session = await host.run("sampling", samplingConfig("legacy"));
			const image = { type: "image", data: "AAAA", mimeType: "image/png" };
			const result = await session.callTool("agent", { image });
			expect(answersOf(result).at(-1)).toMatchObject({ result: { content: { text: "Rome is warmer." } } });
			const bodies = sampling.endpoint.requests.map(({ body }) => JSON.stringify(body));
			expect(bodies[2]).toContain(opaqueMark);
			// With the image and the tools in each round, as in the chat.
			for (const body of bodies) expect(body).toMatch(/data:image\/png;base64,AAAA.*"name":"getWeather"/s);
			expect(bodies).toHaveLength(3);
			const seen = [JSON.stringify(result), sampling.disk, host.log.join("\n")];
			expect(seen.filter((text) => text.includes(opaqueMark))).toEqual([]);
		});
	},
);

/** MDL-02: no text has any of the model's own data, and no event except those with its thoughts. */
function expectNowhere(texts: readonly string[], events: readonly { readonly type: string }[]): void {
	// They have the text that the model wrote to a tool.
	for (const text of texts.slice(0, 2)) expect(text).toContain("again");
	const others = events.filter(({ type }) => type !== "reasoning");
	const shown = inspect(others, { depth: 6, maxStringLength: Infinity });
	expect([...texts, shown].filter((text) => text.includes(opaqueMark))).toEqual([]);
}

describe.each(families.map((make) => [make().name, make] as const))("MDL-01: a trip planned by %s", (_name, make) => {
	it("uses three servers, and continues in a window that was reloaded", async () => {
		await using host = new TestHost();
		host.traceLevel = "bodies";
		await using endpoint = await startStrictModel(make());
		const log = host.path("small.log");
		await startServers(host, log);
		endpoint.say(follow(...planning));
		const first = await playWith(host, modelAt(endpoint), new User({ kind: "allow" }));
		expect([first.record.ending, endpoint.refused]).toEqual(["complete", []]);

		const metadata: unknown = JSON.parse(JSON.stringify(toMetadata(first.record)));
		const history = toMessages([{ prompt: "Go", answer: "", metadata }], 100_000);
		endpoint.say(follow({ calls: [{ name: "small_echo", arguments: { text: "again" } }] }, { text: "Again." }));
		const second = await playWith(host, modelAt(endpoint), new User({ kind: "allow" }), undefined, history);
		expect([second.record.ending, endpoint.refused]).toEqual(["complete", []]);
		// The whole first turn was sent again, with all its data.
		expect(endpoint.bodies[3]?.messages.slice(1, 7)).toEqual(endpoint.bodies[2]?.messages.slice(1, 7));
		expect(JSON.stringify(endpoint.bodies[3])).toContain(opaqueMark);

		expectNowhere(leftBehind(host, log), [...first.events, ...second.events]);
	});

	it("sends none of it to another model, and continues with that", async () => {
		await using host = new TestHost();
		await using endpoint = await startStrictModel(make());
		await using other = await startStrictModel(make());
		await startServers(host, host.path("small.log"));
		endpoint.say(follow(...planning));
		const { record } = await playWith(host, modelAt(endpoint), new User({ kind: "allow" }));
		const history = toMessages([{ prompt: "Go", answer: "", metadata: toMetadata(record) }], 100_000);
		for (const [at, model] of [
			[other, modelAt(other)],
			[endpoint, modelAt(endpoint, "another")],
		] as const) {
			const before = at.bodies.length;
			at.say(follow({ text: "Hello." }));
			await playWith(host, model, new User({ kind: "allow" }), undefined, history);
			expect(JSON.stringify(at.bodies.slice(before))).not.toContain(opaqueMark);
		}
	});
});

describe.each(others.map((make) => [make().name, make] as const))("MDL-01: a trip planned by %s", (name, make) => {
	it("uses three servers with two calls at once, and continues in a window that was reloaded", async () => {
		await using host = new TestHost();
		host.traceLevel = "bodies";
		await using endpoint = await startStrictModel(make());
		const log = host.path("small.log");
		await startServers(host, log);
		const traits = { kind: name.toLowerCase() };
		endpoint.say(follow(...planning));
		const first = await playWith(host, modelAt(endpoint, "thinker", traits), new User({ kind: "allow" }));
		expect([first.record.ending, endpoint.refused]).toEqual(["complete", []]);
		expect(first.events.filter(({ type }) => type === "finished")).toHaveLength(3);

		const metadata: unknown = JSON.parse(JSON.stringify(toMetadata(first.record)));
		const history = toMessages([{ prompt: "Go", answer: "", metadata }], 100_000);
		endpoint.say(follow({ calls: [{ name: "small_echo", arguments: { text: "again" } }] }, { text: "Again." }));
		const model = modelAt(endpoint, "thinker", traits);
		const second = await playWith(host, model, new User({ kind: "allow" }), undefined, history);
		expect([second.record.ending, endpoint.refused]).toEqual(["complete", []]);
		expect(endpoint.bodies[3]?.messages.slice(1, 7)).toEqual(endpoint.bodies[2]?.messages.slice(1, 7));
		// Thoughts that it sent were sent back.
		const hasThought = first.events.some(({ type }) => type === "reasoning");
		expect(JSON.stringify(endpoint.bodies[3]).includes(opaqueMark)).toBe(hasThought);
		expectNowhere(leftBehind(host, log), [...first.events, ...second.events]);
	});
});

/** A tool whose schema uses more keywords than some accept. */
const demanding: ModelTool = {
	name: "book",
	description: "Books",
	inputSchema: {
		type: "object",
		additionalProperties: false,
		properties: {
			code: { type: "string", pattern: "[A-Z]+" },
			nights: { type: ["integer", "null"], exclusiveMinimum: 0 },
			level: { type: "integer", enum: [1, 2] },
			from: { $ref: "#/$defs/place", description: "Where it begins" },
			tree: { $ref: "#/$defs/node" },
		},
		$defs: {
			place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
			node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } },
		},
	},
};

describe.each([geminiSchemas, llamaCpp, moonshot].map((make) => [make().name, make] as const))(
	"MDL-12: %s refuses keywords of a schema",
	(_name, make) => {
		it("and is asked again with words in their place, and the next time at once", async () => {
			await using endpoint = await startStrictModel(make());
			const refusals = new SchemaRefusals();
			const model = modelAt(endpoint, "thinker", {}, refusals);
			endpoint.say(() => ({ calls: [{ name: "book", arguments: { code: "A" } }] }));
			const ask = async (): Promise<readonly string[]> => {
				const events: string[] = [];
				const messages: readonly ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "Book" }] }];
				const options = { signal: new AbortController().signal, tools: [demanding], isApprovedOnce: true };
				for await (const { type } of model.respond(messages, options)) events.push(type);
				return events;
			};
			expect(await ask()).toContain("tool-call");
			const before = endpoint.refused.map(({ status }) => status);
			expect(new Set(before)).toEqual(new Set([400]));
			const sent = endpoint.bodies.at(-1)?.tools;
			const refused = [...(refusals.all[0]?.keywords ?? [])];
			// The keyword for excluding other arguments is no use to a model, and references are replaced by their targets.
			for (const keyword of refused.filter((one) => !/^\$|^additional/.test(one)))
				expect(JSON.stringify(sent)).toContain(`\\"${keyword}\\":`);
			const from = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
			expect(sent?.[0]?.function.parameters).toMatchObject({ properties: { from } });
			expect(JSON.stringify(sent)).not.toContain("#/$defs");
			expect(await ask()).toContain("tool-call");
			expect(endpoint.refused).toHaveLength(before.length);
		});
	},
);

describe("MDL-13: a gateway that requires two secrets", () => {
	const traits = { keyHeader: "x-gateway-key", secretHeaders: ["x-tenant"] };
	const options = { signal: new AbortController().signal };
	const hello: readonly ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "Hi" }] }];

	async function ask(tenant: string): Promise<string> {
		await using endpoint = await startStrictModel(gateway());
		const [parsed] = parseEndpoints([{ name: "Strict", baseURL: endpoint.url, ...traits }]).endpoints;
		if (parsed === undefined) throw new Error("The endpoint is not valid.");
		const values = new Map([
			[`mcpHost.apiKey:${new URL(endpoint.url).origin}`, strictKey],
			[`mcpHost.modelHeader:${new URL(endpoint.url).origin} x-tenant`, tenant],
		]);
		const keys = new ApiKeys({
			get: async (key) => values.get(key),
			store: async () => undefined,
			delete: async () => undefined,
			keys: async () => [...values.keys()],
		});
		let text = "";
		for await (const event of createEndpointModel(parsed, { name: "thinker" }, keys).respond(hello, options)) {
			if (event.type === "text") text += event.text;
		}
		return text;
	}

	it("gets both, each in its header, and reveals neither", async () => {
		expect(await ask("tenant-9f2c")).toBe("Hello.");
		const failed = ask("tenant-wrong-1");
		await expect(failed).rejects.toThrow(/No tenant \(API key\) for \(API key\)/);
	});
});
