import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { User, serve, tool, untilAborted } from "../../features/tools/toolSession.ts";
import { TurnClock } from "../../../../src/surfaces/chat/turnClock.ts";
import { play, ScriptedModel, unpaired, wideLimits } from "./scripted.ts";

const text = { text: { type: "string" } };
const echoCall = { name: "s_echo", arguments: { text: "hi" } };

describe("a turn", () => {
	test("without calls is one answer", async () => {
		const { events, record, model } = await play([{ text: "Hello" }]);
		expect(events).toEqual([{ type: "text", text: "Hello" }]);
		expect(record).toMatchObject({ ending: "complete" });
		expect(record.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
		expect(model.requests[0]?.messages[0]?.role).toBe("system");
	});

	test("alternates between model and tool until the model calls no more", async () => {
		const server = await serve("s", tool("echo", text));
		const { events, record, model } = await play(
			[
				{ text: "Let me see. ", calls: [echoCall] },
				{ calls: [{ ...echoCall, arguments: { text: "again" } }] },
				{ text: "Done." },
			],
			[server],
		);
		expect(server.received.map((call) => call.text)).toEqual(['{"text":"hi"}', '{"text":"again"}']);
		expect(model.results(1)).toEqual(["echo done"]);
		expect(events.filter(({ type }) => type === "finished")).toHaveLength(2);
		expect(record.ending).toBe("complete");
		expect(unpaired(record.messages)).toEqual([]);
		expect(model.requests[2]?.messages.slice(1)).toEqual(record.messages.slice(0, -1));
	});

	test("has the trace keep the model's exact view of a result (TRC-46)", async () => {
		const server = await serve("s", tool("echo", text));
		const audience = { annotations: { audience: ["user" as const] } };
		const picture = Buffer.from("a picture").toString("base64");
		server.onCall = async () => ({
			content: [
				{ type: "text", text: "line\n".repeat(20_000) },
				{ type: "text", text: "for people alone", ...audience },
				{ type: "image", data: picture, mimeType: "image/png" },
			],
		});
		const edited = new User(() => ({ kind: "edited", arguments: { text: "ho" } }));
		const { model } = await play([{ calls: [echoCall] }, { text: "Done." }], [server], edited);
		const [result] = model.requests[1]?.messages.at(-1)?.content ?? [];
		const content = result?.type === "tool-result" ? result.content : [];
		expect(server.told).toEqual([
			{
				isError: false,
				content: content.map((part) =>
					part.type === "image" ? { type: "image", mimeType: "image/png", bytes: "a picture".length } : part,
				),
			},
		]);
		const kept = JSON.stringify(server.told);
		expect(kept).toContain("The user changed the arguments");
		expect(kept).not.toContain("for people alone");
		expect(kept.length).toBeLessThan(50_000);
	});

	test("has the trace keep the model's message about a call that failed (TRC-46)", async () => {
		const server = await serve("s", tool("echo", text));
		server.onCall = () => Promise.reject(new HostError("timeout", "s: it took too long"));
		const { model } = await play([{ calls: [echoCall] }, { text: "Done." }], [server]);
		expect(server.told).toEqual([{ isError: true, content: [{ type: "text", text: model.results(1)[0] }] }]);
	});

	test("sends the model the history and the current tools", async () => {
		const server = await serve("s", tool("echo", text));
		const history = [{ role: "user" as const, content: [{ type: "text" as const, text: "Earlier" }] }];
		const { model } = await play(
			[
				{ calls: [echoCall], before: () => undefined },
				{ text: "ok", before: () => undefined },
			],
			[server],
			new User(() => {
				void server.run({ tools: [tool("echo", text), tool("more")] });
				return { kind: "allow" };
			}),
			{ history },
		);
		expect(model.requests[0]?.messages[1]).toEqual(history[0]);
		expect(model.requests.map(({ options }) => options.tools?.map(({ name }) => name))).toEqual([
			["s_echo"],
			["s_echo", "s_more"],
		]);
	});

	test("asks the user about the calls of one answer, each on its own", async () => {
		const server = await serve("s", tool("echo", text));
		const user = new User(({ call }) => (call.arguments["text"] === "b" ? { kind: "deny" } : { kind: "allow" }));
		const calls = ["a", "b", "c"].map((letter) => ({ name: "s_echo", arguments: { text: letter } }));
		const { model } = await play([{ calls }, { text: "ok" }], [server], user);
		expect(user.asked.map(({ call }) => call.arguments["text"])).toEqual(["a", "b", "c"]);
		expect(server.received.map((call) => call.text)).toEqual(['{"text":"a"}', '{"text":"c"}']);
		expect(model.results(1).map((result) => /denied/.test(result))).toEqual([false, true, false]);
	});

	test("informs the model of the user's changes", async () => {
		const server = await serve("s", tool("echo", text));
		const { model } = await play(
			[{ calls: [echoCall] }, { text: "ok" }],
			[server],
			new User({ kind: "edited", arguments: { text: "mine" } }),
		);
		expect(model.results(1)[0]).toBe(
			'The user changed the arguments before allowing the call:\n- "text": "hi" → "mine"\nIt ran with {"text":"mine"}\necho done',
		);
	});

	test("offers no tools to a model that cannot call any", async () => {
		const server = await serve("s", tool("echo", text));
		const { model } = await play([], [server], undefined, { model: new ScriptedModel([{ text: "ok" }], false) });
		expect(model.requests[0]?.options.tools).toEqual([]);
	});
});

describe("a mistake of a model is reported to it, and nothing is called or asked", () => {
	test.each([
		["an unknown tool", { name: "s_none" }, "There is no tool named s_none"],
		["another server's name for it", { name: "x_echo", arguments: { text: "" } }, "There is no tool named x_echo"],
		["arguments that do not fit", { name: "s_echo", arguments: { text: 5 } }, "do not match the tool's input schema"],
		["arguments that are not JSON", { name: "s_echo", malformed: '{"text"' }, "not a JSON object"],
	])("%s", async (_name, call, told) => {
		const server = await serve("s", tool("echo", text));
		const { model, user, record } = await play([{ calls: [call] }, { text: "Sorry." }], [server]);
		expect(model.results(1)[0]).toContain(told);
		expect([user.asked, server.received, record.ending]).toEqual([[], [], "complete"]);
		expect(unpaired(record.messages)).toEqual([]);
	});
});

describe("a user who denies", () => {
	test("is respected, and not asked the same again", async () => {
		const server = await serve("s", tool("echo", text));
		const user = new User({ kind: "deny" });
		const { events, model } = await play([{ calls: [echoCall] }], [server], user);
		expect(server.received).toEqual([]);
		expect(user.asked).toHaveLength(1);
		expect(
			events.filter((event) => event.type === "finished" && event.outcome.kind === "denied" && event.outcome.isRepeat),
		).toHaveLength(2);
		expect(model.requests).toHaveLength(3);
		expect(events.at(-1)).toMatchObject({ type: "limit", limit: "repetition" });
	});

	test("lets nothing through, however long an obedient model continues", async () => {
		const server = await serve("s", tool("echo", text));
		const steps = Array.from({ length: 50 }, (_, index) => ({
			calls: [{ name: "s_echo", arguments: { text: String(index) } }],
		}));
		const { events } = await play(steps, [server], new User({ kind: "deny" }));
		expect(server.received).toEqual([]);
		expect(events.at(-1)).toMatchObject({ type: "limit", limit: "rounds" });
	});

	test("after allowing once has allowed exactly one call", async () => {
		const server = await serve("s", tool("echo", text));
		let isFirst = true;
		const user = new User(() => {
			const kind = isFirst ? "allow" : "deny";
			isFirst = false;
			return { kind };
		});
		await play([{ calls: [echoCall, echoCall] }], [server], user, { limits: { ...wideLimits, rounds: 5 } });
		expect(server.received).toHaveLength(1);
	});
});

describe("limits", () => {
	test("of rounds end the turn with a message", async () => {
		const server = await serve("s", tool("echo", text));
		const { events, model, record } = await play([{ calls: [echoCall] }], [server], new User({ kind: "allow" }), {
			limits: { ...wideLimits, rounds: 4 },
		});
		expect(model.requests).toHaveLength(4);
		expect(events.at(-1)).toMatchObject({
			type: "limit",
			limit: "rounds",
			message: expect.stringContaining("4 times"),
		});
		expect([record.ending, unpaired(record.messages)]).toEqual(["limit", []]);
	});

	test("of the same failing call end the turn, succeeding ones do not", async () => {
		const server = await serve("s", tool("echo", text));
		server.onCall = async () => ({ content: [], isError: true });
		const { events } = await play([{ calls: [echoCall] }], [server]);
		expect(server.received).toHaveLength(3);
		expect(events.at(-1)).toMatchObject({ limit: "repetition" });
	});

	test("of the same call that succeeds are higher, since some wait for something", async () => {
		const server = await serve("s", tool("echo", text));
		const { events } = await play([{ calls: [echoCall] }], [server]);
		expect(server.received).toHaveLength(8);
		expect(events.at(-1)).toMatchObject({ limit: "repetition", message: expect.stringContaining('Say "continue"') });
	});

	test("of calls leave the others of the answer out, reported to user and model (TOL-16)", async () => {
		const server = await serve("s", tool("echo", text));
		const calls = Array.from({ length: 50 }, (_, index) => ({ name: "s_echo", arguments: { text: `${index}` } }));
		const limits = { ...wideLimits, calls: 3 };
		const { events, record, model } = await play([{ calls }], [server], undefined, { limits });
		expect([server.received.length, model.requests.length, record.ending]).toEqual([3, 1, "limit"]);
		expect(events.at(-1)).toMatchObject({
			limit: "calls",
			message: expect.stringContaining("47 more were not called"),
		});
		expect(unpaired(record.messages)).toEqual([]);
		expect(JSON.stringify(record.messages.at(-1))).toContain("limit of calls in one turn");
	});

	test("of tokens end the turn by the endpoint's report, or by an estimate", async () => {
		const server = await serve("s", tool("echo", text));
		const steps = [0, 1, 2, 3].map((step) => ({ calls: [{ name: "s_echo", arguments: { text: `${step}` } }] }));
		const usage = { inputTokens: 900, outputTokens: 100 };
		const told = await play(
			steps.map((step) => ({ ...step, usage })),
			[server],
			undefined,
			{ limits: { ...wideLimits, tokens: 2000 } },
		);
		expect([told.model.requests.length, told.record.ending]).toEqual([2, "limit"]);
		expect(told.events.at(-1)).toMatchObject({
			limit: "turn-tokens",
			message: expect.stringMatching(/about 2,000 tokens.*maxTokens.*Say "continue"/),
		});
		const estimated = await play(steps, [server], undefined, { limits: { ...wideLimits, tokens: 1 } });
		expect([estimated.model.requests.length, estimated.events.at(-1)]).toEqual([
			1,
			expect.objectContaining({ limit: "turn-tokens" }),
		]);
	});

	test("of time end the model and the calls, with a message", async () => {
		const server = await serve("s", tool("echo", text));
		server.onCall = (_name, _args, { signal }) => untilAborted(signal);
		using clock = new TurnClock(0);
		const { events, record } = await play([{ calls: [echoCall] }], [server], undefined, {
			clock,
			limits: { ...wideLimits, minutes: 5 },
		});
		expect(record.ending).toBe("limit");
		expect(events.at(-1)).toMatchObject({
			limit: "time",
			message: expect.stringContaining("took 5 minutes without the time that waited for you"),
		});
		expect(unpaired(record.messages)).toEqual([]);
	});

	test.each([
		[{ text: "so far", stopReason: "maxTokens" }, "tokens"],
		[{ stopReason: "refusal" }, "refusal"],
		[{}, "empty"],
	])("of the answer are shown: %j", async (step, limit) => {
		expect((await play([step])).events.at(-1)).toMatchObject({ type: "limit", limit });
	});
});

describe("failure", () => {
	test("of the model is one event with its message", async () => {
		const error = new HostError("model", "Ollama (127.0.0.1:11434) cannot be reached.");
		const { events, record } = await play([{ text: "I", error }]);
		expect(events).toEqual([
			{ type: "text", text: "I" },
			{ type: "failed", error },
		]);
		expect(record.ending).toBe("failed");
	});

	test("during calls makes none of them", async () => {
		const server = await serve("s", tool("echo", text));
		const { record, user } = await play([{ calls: [echoCall], error: new Error("cut") }], [server]);
		expect([user.asked, unpaired(record.messages)]).toEqual([[], []]);
	});

	test("of a tool is reported to the model, which continues", async () => {
		const server = await serve("s", tool("echo", text));
		server.onCall = async () => {
			throw new HostError("timeout", "s did not answer within 120 seconds.");
		};
		const { model, record } = await play([{ calls: [echoCall] }, { text: "I see." }], [server]);
		expect(model.results(1)).toEqual(["s did not answer within 120 seconds."]);
		expect(record.ending).toBe("complete");
	});
});

describe("cancelling", () => {
	test("ends the model", async () => {
		const controller = new AbortController();
		const before = (): Promise<never> => {
			queueMicrotask(() => controller.abort());
			return untilAborted(controller.signal);
		};
		const { events, record } = await play([{ before }], [], undefined, { signal: controller.signal });
		expect([events, record.ending]).toEqual([[], "cancelled"]);
	});

	test("ends the question and asks no further", async () => {
		const server = await serve("s", tool("echo", text));
		const controller = new AbortController();
		const user = new User(() => (controller.abort(), undefined));
		const { record } = await play([{ calls: [echoCall, echoCall] }], [server], user, { signal: controller.signal });
		expect([user.asked.length, server.received, record.ending]).toEqual([1, [], "cancelled"]);
		expect(unpaired(record.messages)).toEqual([]);
	});

	test("ends the running call", async () => {
		const server = await serve("s", tool("echo", text));
		const controller = new AbortController();
		server.onCall = (_name, _args, { signal }) => {
			queueMicrotask(() => controller.abort());
			return untilAborted(signal);
		};
		const { record, model } = await play([{ calls: [echoCall] }], [server], undefined, { signal: controller.signal });
		expect([record.ending, model.requests.length]).toEqual(["cancelled", 1]);
		expect(unpaired(record.messages)).toEqual([]);
	});
});

describe("an endpoint that is busy", () => {
	test("is mentioned briefly, and the answer continues", async () => {
		const { events } = await play([{ waits: "Ollama is busy", text: "Here." }]);
		expect(events).toEqual([
			{ type: "waiting", message: "Ollama is busy, trying again in 4 s" },
			{ type: "text", text: "Here." },
		]);
	});
});
