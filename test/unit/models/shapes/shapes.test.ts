/** The shapes of known endpoints, each served by a real HTTP server and read by the model of an endpoint. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureReason } from "../../../../src/models/failure.ts";
import type { ModelEvent, ModelTool } from "../../../../src/models/model.ts";
import { respond } from "../../../../src/models/openai/openai.ts";
import { hello, targetAt, textOf } from "../asking.ts";
import { answerShapes } from "./answers.ts";
import { failureShapes } from "./failures.ts";
import type { Shape } from "./shapes.ts";

const tools: readonly ModelTool[] = ["get_weather", "get_time"].map((name) => ({
	name,
	description: name,
	inputSchema: { type: "object" },
}));

let shape: Shape | undefined;
let requestCount = 0;
const server = createServer((request, response) => {
	request.resume();
	requestCount++;
	response.writeHead(shape?.status ?? 200, { "content-type": "text/event-stream", ...shape?.headers });
	response.end(shape?.body);
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());

async function answerTo(served: Shape): Promise<readonly ModelEvent[]> {
	shape = served;
	requestCount = 0;
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const retries = { attempts: 3, firstPause: 1, budget: 100 };
	const options = { signal: new AbortController().signal, tools };
	const events: ModelEvent[] = [];
	for await (const event of respond({ ...targetAt(url), model: "m", retries }, hello, options)) events.push(event);
	return events;
}

describe("an answer in the shape of", () => {
	test.each(answerShapes.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
		const events = await answerTo(one);
		const { expected } = one;
		if (!("text" in expected)) throw new Error("not an answer");
		expect(textOf(events)).toBe(expected.text);
		const calls = events.filter((event) => event.type === "tool-call");
		expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual(expected.calls ?? []);
		expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
		expect(calls.every(({ callId, malformed }) => callId !== "" && malformed === undefined)).toBe(true);
		const [input, output] = expected.usage ?? [];
		expect(events.at(-1)).toMatchObject({
			type: "done",
			stopReason: expected.stopReason,
			...(input === undefined ? {} : { usage: { inputTokens: input, outputTokens: output } }),
		});
		expect(requestCount).toBe(1);
	});
});

describe("MDL-05: a failure in the shape of", () => {
	test.each(failureShapes.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
		const { expected } = one;
		if (!("failure" in expected)) throw new Error("not a failure");
		const error = await answerTo(one).then(
			() => undefined,
			(reason: unknown) => reason,
		);
		expect((error as Error).message).toContain(expected.failure);
		expect(failureReason(error)).toBe(expected.reason);
		expect(requestCount).toBe(expected.requests ?? 1);
	});
});
