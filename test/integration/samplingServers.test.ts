/**
 * Real servers ask for completions of the whole of sampling: guard, policy, redaction, choice of the model, record on
 * the disk and all. The endpoint's request, the server's answer and the line of the record are compared as a whole.
 */
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { githubToken } from "../unit/features/sampling/redaction/samples.ts";
import { packageConfig, scriptConfig, textOf } from "./fixtures.ts";
import { answersOf, samplingReaches } from "./samplingReach.ts";
import { factsOf, TestHost } from "./testHost.ts";
import { approving, WholeSampling } from "./wholeSampling.ts";

const mark = "⟦GitHub token 1⟧";
const price = { inputPerMillion: 1, outputPerMillion: 10 };

/** The usage that the endpoint reports for a request: as much as its words can be. */
const usage = { prompt_tokens: 1000, completion_tokens: 5 };

/** A body as the endpoint receives it. */
function body(more: object): object {
	return { model: "scripted-model", stream: true, stream_options: { include_usage: true }, ...more };
}

/** Texts of the record that are unchanged. */
function texts(byPlace: Readonly<Record<string, string>>): readonly object[] {
	return Object.entries(byPlace).map(([place, original]) => ({ place, original }));
}

/** A line of the record of a returned completion; the scripted endpoint reports its usage. */
function line(
	server: string,
	tool: string,
	{ attempt, returned, ...more }: Record<"attempt" | "returned" | "request" | "parameters", object>,
): object {
	return {
		id: expect.any(String),
		at: expect.any(Number),
		server,
		serverId: expect.stringContaining(server),
		during: `tools/call ${tool}`,
		exchange: expect.any(String),
		...more,
		attempts: [
			{
				at: expect.any(Number),
				model: { id: "test/scripted-model", name: "scripted-model" },
				why: "the only available model",
				inputTokens: usage.prompt_tokens,
				outputTokens: usage.completion_tokens,
				isEstimated: false,
				cost: expect.closeTo(0.00105, 8),
				durationMs: expect.any(Number),
				stopReason: "endTurn",
				...attempt,
			},
		],
		end: { at: expect.any(Number), kind: "returned", by: "you", returned },
	};
}

describe("server-everything, of the older era", () => {
	it("gets the completion as the user returned it, for the approved request, and the record has all of it", async () => {
		await using host = new TestHost();
		await using whole = await WholeSampling.begin(host);
		whole.budgets.price = price;
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		expect(factsOf(session).era).toBe("legacy");
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		whole.endpoint.next({ text: "Because it is.", usage });
		whole.onReview = approving({ system: "Be brief." }, { text: "Because the user says so." });
		const prompt = `Why is ${githubToken} here?`;
		const result = textOf(await session.callTool("trigger-sampling-request", { prompt, maxTokens: 5 }));
		expect(result).toContain("Because the user says so.");
		expect(result).not.toContain("Because it is.");
		const asked = `Resource trigger-sampling-request context: Why is ${mark} here?`;
		const messages = [
			{ role: "system", content: "Be brief." },
			{ role: "user", content: asked },
		];
		expect(whole.endpoint.requests.map((request) => request.body)).toEqual([
			body({ messages, max_tokens: 5, temperature: 0.7 }),
		]);
		const system = { place: "system", original: "You are a helpful test server." };
		const rest = { maxTokens: "5", temperature: "0.7", stopSequences: "", hints: "" };
		const priorities = { costPriority: "", speedPriority: "", intelligencePriority: "" };
		expect(await whole.record()).toEqual([
			line("everything", "trigger-sampling-request", {
				request: [
					system,
					{ place: "message.0.part.0", role: "user", original: asked },
					...texts({ ...rest, ...priorities }),
				],
				parameters: {
					maxTokens: 5,
					temperature: 0.7,
					stopSequences: [],
					preferences: { hints: [] },
					includeContext: expect.any(String),
				},
				attempt: {
					request: [{ ...system, edited: "Be brief." }],
					completion: texts({ text: "Because it is." }),
				},
				returned: [{ place: "text", original: "Because it is.", edited: "Because the user says so." }],
			}),
		]);
		expect(whole.disk).not.toContain(githubToken);
	});

	it("receives a rejection, and nothing has gone to any model (BLT-07, BLT-08)", async () => {
		await using host = new TestHost();
		await using whole = await WholeSampling.begin(host);
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		for (const number of [1, 2]) {
			whole.onReview = (review) => review.reject("Not now.");
			const call = session.callTool("trigger-sampling-request", { prompt: `Why ${number}?` });
			expect(textOf(await call)).toMatch(/User rejected sampling request: Not now\./);
			expect(whole.shown).toHaveLength(number);
		}
		expect(whole.endpoint.requests).toEqual([]);
		const rejected = { attempts: [], end: { kind: "rejected", by: "you", reason: "Not now." } };
		expect(await whole.record()).toMatchObject([rejected, rejected]);
	});
});

describe.each(["auto", "legacy"])("the demo server's rankFlights, with the protocol %s", (protocol) => {
	it("ranks the approved flights with the user's model, and the record has all of it", async () => {
		await using host = new TestHost();
		await using whole = await WholeSampling.begin(host);
		whole.budgets.price = price;
		const config = scriptConfig(resolve("dist/demoServer.js"), "--step", "1");
		const session = await host.run("travel", { ...config, protocol });
		expect(factsOf(session).era).toBe(protocol === "legacy" ? "legacy" : "modern");
		const flight = { airline: "Demo Air", origin: "ZRH", destination: "BCN", departure: "12:00", arrival: "13:45" };
		const search = { origin: "Zurich", destination: "Barcelona", date: "2027-06-05" };
		const { structuredContent: found } = await session.callTool("searchFlights", search);
		const { flights } = found as { readonly flights: readonly (typeof flight)[] };
		whole.endpoint.next({ text: "1. DA100: cheap.", usage });
		whole.onReview = approving({ maxTokens: "300", temperature: "" });
		const ranked = textOf(await session.callTool("rankFlights", { flights: [...flights], preferences: "a window" }));
		expect(ranked).toBe("Ranked by scripted-model, asked through sampling:\n\n1. DA100: cheap.");
		const asked = expect.stringMatching(/^Rank these flights\. What matters: a window\.\n\n(?:.+ · €\d+\n?)+$/);
		const system =
			"You rank flights for a traveler. Answer with a numbered list, the best first, and one short reason each.";
		const messages = [
			{ role: "system", content: system },
			{ role: "user", content: asked },
		];
		expect(whole.endpoint.requests.map((request) => request.body)).toEqual([body({ messages, max_tokens: 300 })]);
		const whatCame = line("travel", "rankFlights", {
			request: [
				...texts({ system }),
				{ place: "message.0.part.0", role: "user", original: asked },
				...texts({ maxTokens: "400", temperature: "0.2", stopSequences: "", hints: "" }),
				...texts({ costPriority: "0.6", speedPriority: "0.7", intelligencePriority: "0.3" }),
			],
			parameters: {
				maxTokens: 400,
				temperature: 0.2,
				stopSequences: [],
				preferences: { hints: [], cost: 0.6, speed: 0.7, intelligence: 0.3 },
				includeContext: "none",
			},
			attempt: {
				request: [
					{ place: "maxTokens", original: "400", edited: "300" },
					{ place: "temperature", original: "0.2", edited: "" },
				],
				completion: texts({ text: "1. DA100: cheap." }),
			},
			returned: texts({ text: "1. DA100: cheap." }),
		});
		expect(await whole.record()).toEqual([whatCame]);
	});
});

describe.each(samplingReaches)("an agent with tools of its own over $name", ({ era, reach }) => {
	it("has each of its requests reviewed and recorded, with the tools, the call and its result (SMP-03)", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using whole = await WholeSampling.begin(host);
		const session = await host.run("agent", server.config);
		expect(factsOf(session).era).toBe(era);
		whole.endpoint.next(
			{ toolCalls: [{ id: "c1", name: "getWeather", arguments: { city: "Rome" } }] },
			{ text: "Sunny." },
		);
		whole.onReview = (review) => {
			const isFirst = whole.shown.length === 1;
			return approving({}, isFirst ? { "call.0": '{"city": "Oslo"}' } : { text: "Sunny in Oslo." })(review);
		};
		const [first, second, ...more] = answersOf(await session.callTool("agent", { question: "How is Rome?" }));
		expect(more).toEqual([]);
		const call = { type: "tool_use", id: "c1", name: "getWeather", input: { city: "Oslo" } };
		expect(first).toMatchObject({ result: { content: [call], stopReason: "toolUse" } });
		expect(second).toMatchObject({ result: { content: { type: "text", text: "Sunny in Oslo." } } });
		const told = { tools: [{ function: { name: "getWeather" } }, {}], max_tokens: 200 };
		const asked = { role: "user", content: "How is Rome?" };
		const called = { id: "c1", type: "function", function: { name: "getWeather", arguments: '{"city":"Oslo"}' } };
		expect(whole.endpoint.requests.map((request) => request.body)).toMatchObject([
			{ ...told, messages: [asked] },
			{
				...told,
				messages: [
					asked,
					{ role: "assistant", content: null, tool_calls: [called] },
					{ role: "tool", tool_call_id: "c1", content: "Sunny, 24 degrees in Oslo" },
				],
			},
		]);
		const [one, two, ...others] = await whole.record();
		expect(others).toEqual([]);
		const came = '{\n  "city": "Rome"\n}';
		expect(one).toMatchObject({
			during: "tools/call agent",
			parameters: { maxTokens: 200, toolChoice: "auto" },
			attempts: [{ stopReason: "toolUse", completion: texts({ text: "", "call.0": came }) }],
			end: {
				kind: "returned",
				by: "you",
				returned: [{}, { label: "Call of getWeather", original: came, edited: '{"city": "Oslo"}' }],
			},
		});
		expect(two?.request).toMatchObject([
			...texts({ system: "" }),
			{ role: "user", original: "How is Rome?" },
			{ role: "assistant", label: "Call of getWeather", original: '{\n  "city": "Oslo"\n}' },
			{ role: "user", original: "Sunny, 24 degrees in Oslo" },
			...texts({ maxTokens: "200", temperature: "", stopSequences: "" }),
			{ place: "tools", original: expect.stringMatching(/getWeather[\s\S]*text\.shout/) },
			...texts({ toolChoice: "auto", hints: "" }),
			...texts({ costPriority: "", speedPriority: "", intelligencePriority: "" }),
		]);
		expect(two).toMatchObject({
			attempts: [{ stopReason: "endTurn", completion: texts({ text: "Sunny." }) }],
			end: { kind: "returned", returned: [{ original: "Sunny.", edited: "Sunny in Oslo." }] },
		});
	});
});
