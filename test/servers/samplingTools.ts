import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";

/** The outcome of one `sampling/createMessage`: its result, or the JSON-RPC error, as the client sent it. */
export type Answer =
	| { readonly result: JsonObject }
	| { readonly error: { readonly code: number; readonly message: string } };

/**
 * The actions of a tool: it yields the params of the requests that go out at once, and gets their answers in the same
 * order. It may run again from the start with the same answers, as revision 2026-07-28 demands, so that it keeps
 * nothing elsewhere.
 */
export type Sampling = Generator<readonly JsonObject[], CallToolResult, readonly Answer[]>;

const anything = { type: "object" as const };

/** The tools that sample while they are called. The arguments are described in {@link runSampling}. */
export const samplingTools: readonly Tool[] = [
	{
		name: "sample",
		description: "Asks for one completion; `params` are those of sampling/createMessage, or `text` is what is asked.",
		inputSchema: { type: "object", properties: { params: anything, text: { type: "string" } } },
	},
	{
		name: "sampleMany",
		description: "Asks for `count` completions at once.",
		inputSchema: {
			type: "object",
			properties: { count: { type: "integer" }, params: anything, text: { type: "string" } },
			required: ["count"],
		},
	},
	{
		name: "loop",
		description: "Asks again on every completion, until it is refused or `count` is reached.",
		inputSchema: {
			type: "object",
			properties: { count: { type: "integer" }, params: anything, text: { type: "string" } },
		},
	},
	{
		name: "agent",
		description: "Answers a question with tools of its own, which the model may call.",
		inputSchema: {
			type: "object",
			properties: { question: { type: "string" }, image: anything, rounds: { type: "integer" }, params: anything },
		},
	},
];

/** The tools that `agent` offers. The second one's name is not legal with providers. */
export const agentTools: readonly Tool[] = [
	{
		name: "getWeather",
		description: "The weather of a city.",
		inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
	},
	{
		name: "text.shout",
		description: "A text in capitals.",
		inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
	},
];

/** Runs a tool of {@link samplingTools}; undefined for any other. */
export function runSampling(name: string, args: JsonObject): Sampling | undefined {
	switch (name) {
		case "sample":
			return sampleMany({ ...args, count: 1 });
		case "sampleMany":
			return sampleMany(args);
		case "loop":
			return loop(args);
		case "agent":
			return agent(args);
		default:
			return undefined;
	}
}

/**
 * The params to send: those given, or a plain question. `{n}` in the question becomes the number; a text `A*1000`
 * within params becomes a thousand letters, since a long text would not arrive as an argument.
 */
export function paramsOf({ params, text = "What is the weather in Rome?" }: JsonObject, number = 1): JsonObject {
	if (isJsonObject(params)) return JSON.parse(JSON.stringify(params), grow) as JsonObject;
	const question = said(text).replaceAll("{n}", String(number));
	return { messages: [{ role: "user", content: { type: "text", text: question } }], maxTokens: 100 };
}

function grow(_key: string, value: unknown): unknown {
	const [, count] = (typeof value === "string" && /^A\*(\d+)$/.exec(value)) || [];
	return count === undefined ? value : "A".repeat(Number(count));
}

function* sampleMany(args: JsonObject): Sampling {
	const count = Number(args["count"] ?? 1);
	return report(yield Array.from({ length: count }, (_, index) => paramsOf(args, index + 1)));
}

function* loop(args: JsonObject): Sampling {
	const all: Answer[] = [];
	for (let number = 1; number <= Number(args["count"] ?? 1000); number++) {
		const answers = yield [paramsOf(args, number)];
		all.push(...answers);
		if (answers.some((answer) => "error" in answer)) break;
	}
	return report(all);
}

function* agent({ question = "What is the weather in Rome?", image, rounds = 5, params }: JsonObject): Sampling {
	const asked: Json = { type: "text", text: said(question) };
	const messages: Json[] = [{ role: "user", content: image === undefined ? asked : [asked, image] }];
	const all: Answer[] = [];
	for (let round = 1; round <= Number(rounds); round++) {
		const isLast = round === Number(rounds);
		const [answer] = yield [
			{
				messages: [...messages],
				maxTokens: 200,
				tools: agentTools as unknown as Json,
				toolChoice: { mode: isLast ? "none" : "auto" },
				...(isJsonObject(params) ? params : {}),
			},
		];
		if (answer === undefined) break;
		all.push(answer);
		if ("error" in answer) break;
		const content = (
			Array.isArray(answer.result["content"]) ? answer.result["content"] : [answer.result["content"]]
		) as readonly JsonObject[];
		const uses = content.filter(({ type }) => type === "tool_use");
		if (uses.length === 0) break;
		messages.push(
			{ role: "assistant", content },
			{ role: "user", content: uses.map(({ id = "", name, input }) => toolResult(id, name, input)) },
		);
	}
	return report(all);
}

function toolResult(toolUseId: Json, name: Json | undefined, input: Json | undefined): JsonObject {
	const args = isJsonObject(input) ? input : {};
	const say = (text: string, isError = false): JsonObject => ({
		type: "tool_result",
		toolUseId,
		content: [{ type: "text", text }],
		...(isError ? { isError } : {}),
	});
	if (name === "getWeather") return say(`Sunny, 24 degrees in ${said(args["city"])}`);
	return name === "text.shout" ? say(said(args["text"]).toUpperCase()) : say(`There is no ${said(name)}`, true);
}

function said(value: Json | undefined): string {
	return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** All answers as structured content, and as text for clients that read only that. */
export function report(answers: readonly Answer[]): CallToolResult {
	const structuredContent = { answers: answers as unknown as Json };
	return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
