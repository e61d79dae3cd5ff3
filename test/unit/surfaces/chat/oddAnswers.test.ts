import { describe, expect, test } from "vitest";
import type { ModelEvent } from "../../../../src/models/model.ts";
import { followupsOf } from "../../../../src/surfaces/chat/followups.ts";
import { toMessages, toMetadata } from "../../../../src/surfaces/chat/history.ts";
import { User, serve, tool } from "../../features/tools/toolSession.ts";
import { partsText, play, ScriptedModel, unpaired, wideLimits } from "./scripted.ts";

const text = { text: { type: "string" } };

/** A list nested so deep that any recursion over it fails. */
function deep(levels: number): object {
	return JSON.parse(`{"text":${"[".repeat(levels)}${"]".repeat(levels)}}`) as object;
}

describe("an odd answer of a model", () => {
	test("with arguments that are nested too deep loses neither the turn nor the other calls", async () => {
		const server = await serve("s", tool("echo", text), tool("any", {}, { inputSchema: { type: "object" } }));
		const calls = [
			{ name: "s_any", arguments: deep(50_000) },
			{ name: "s_echo", arguments: { text: "hi" } },
			{ name: "s_none", arguments: deep(50_000) },
		];
		const { record, model, user } = await play([{ calls }, { text: "ok" }], [server]);
		expect(record.ending).toBe("complete");
		expect(unpaired(record.messages)).toEqual([]);
		expect(server.received.map(({ name }) => name)).toEqual(["echo"]);
		expect(user.asked).toHaveLength(1);
		expect(model.results(1)[0]).toContain("nested");
		expect(model.results(1)[1]).toBe("echo done");
		expect(() => toMetadata(record)).not.toThrow();
	});

	test("whose calls have the same id, or none, is answered call by call, and later turns include it", async () => {
		const server = await serve("s", tool("echo", text));
		const model = new ScriptedModel([{ text: "ok" }]);
		const respond = model.respond.bind(model);
		let isFirst = true;
		model.respond = async function* (messages, options): AsyncGenerator<ModelEvent> {
			if (!isFirst) return yield* respond(messages, options);
			isFirst = false;
			for (const [callId, letter] of [
				["same", "a"],
				["same", "b"],
				["", "c"],
			] as const) {
				yield { type: "tool-call", callId, name: "s_echo", arguments: { text: letter } };
			}
			yield { type: "done", stopReason: "toolUse", model: "scripted" };
		};
		const { record } = await play([], [server], undefined, { model });
		expect(server.received).toHaveLength(3);
		expect(unpaired(record.messages)).toEqual([]);
		const ids = record.messages.flatMap(({ content }) =>
			content.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])),
		);
		expect(new Set(ids).size).toBe(3);
		expect(ids).not.toContain("");
		const past = { prompt: "Go", answer: "ok", metadata: JSON.parse(JSON.stringify(toMetadata(record))) as unknown };
		expect(toMessages([past], 10_000)).toEqual(record.messages);
	});

	test("that a filter cut off reports it below the text", async () => {
		const { events, record } = await play([{ text: "The first half", stopReason: "refusal" }]);
		expect(events.at(-1)).toMatchObject({ type: "limit", limit: "refusal" });
		// Continuing would not help.
		expect(followupsOf(toMetadata(record))).toEqual([]);
	});

	test.each([
		[0, 0],
		[900, -1_000_000],
		[-5, 100],
		[1e300, -1e300],
		[Number.NaN, 1],
		// A tenth of the words of the answer.
		[1, 400],
	])(
		"with a reported usage of %d and %d is estimated for the limit of tokens (SMP-16)",
		async (inputTokens, outputTokens) => {
			const server = await serve("s", tool("echo", text));
			const step = { calls: [{ name: "s_echo", arguments: { text: "x ".repeat(4000) } }] };
			const { events, model } = await play([{ ...step, usage: { inputTokens, outputTokens } }], [server], undefined, {
				limits: { ...wideLimits, tokens: 3000 },
			});
			expect(events.at(-1)).toMatchObject({ type: "limit", limit: "turn-tokens" });
			expect(model.requests).toHaveLength(1);
		},
	);
});

describe("a model that calls no tools", () => {
	test("receives the calls of earlier turns in words, since its endpoint may refuse calls without tools", async () => {
		const server = await serve("s", tool("echo", text));
		const before = await play(
			[{ text: "Let me see.", calls: [{ name: "s_echo", arguments: { text: "hi" } }] }, { text: "It says hi." }],
			[server],
			new User({ kind: "allow" }),
		);
		const { model } = await play([], [server], undefined, {
			model: new ScriptedModel([{ text: "ok" }], false),
			history: before.record.messages,
		});
		const messages = model.requests[0]?.messages ?? [];
		const kinds = new Set(messages.flatMap(({ content }) => content.map(({ type }) => type)));
		expect([...kinds]).toEqual(["text"]);
		const told = messages.map(({ content }) => partsText(content)).join("\n");
		expect(told).toContain('s_echo with {"text":"hi"}');
		expect(told).toContain("echo done");
	});
});
