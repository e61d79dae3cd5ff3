/**
 * Whole turns with models on the user's machine, as their servers stream them: thoughts between marks, cut anywhere,
 * and calls in fragments. Thoughts are no answer, no call, and are not sent back.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toMessages, toMetadata } from "../../src/surfaces/chat/history.ts";
import type { TurnEvent } from "../../src/surfaces/chat/turnEvents.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { type EndpointModel, openEndpoint, playWith } from "./endpointTurn.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

const secret = "THE-THOUGHT";
/** A call as models of this kind write it; within a thought it is none. */
const writtenCall = '<tool_call>{"name":"small_echo","arguments":{"text":"never"}}</tool_call>';

const chunk = (delta: object, finish_reason: string | null = null): object => ({
	id: "c",
	object: "chat.completion.chunk",
	choices: [{ index: 0, delta, finish_reason }],
});
/** A text in pieces of this many characters. */
const inPieces = (text: string, length: number): readonly object[] =>
	(text.match(new RegExp(`[\\s\\S]{1,${length}}`, "g")) ?? []).map((content) => chunk({ content }));
const stop = chunk({}, "stop");

/** The call in fragments, each of which has another id, and only the first a name. */
function callInFragments(length: number): readonly object[] {
	const pieces = JSON.stringify({ text: "hi" }).match(new RegExp(`.{1,${length}}`, "g")) ?? [];
	const fragments = pieces.map((part, index) =>
		chunk({
			tool_calls: [
				{
					index: 0,
					id: `call_${index}`,
					type: "function",
					function: { name: index === 0 ? "small_echo" : null, arguments: part },
				},
			],
		}),
	);
	return [...fragments, chunk({}, "tool_calls")];
}

const joined = (events: readonly TurnEvent[], kind: "text" | "reasoning"): string =>
	events.map((event) => (event.type === kind ? event.text : "")).join("");

describe.each([1, 3, 7, 1000])("a turn whose pieces are %i characters long", (length) => {
	let host: TestHost;
	let endpoint: EndpointModel;
	let log: string;
	const calls = (): readonly unknown[] => messagesOf(readReceived(log), "tools/call").map(({ params }) => params);

	beforeEach(async () => {
		host = new TestHost();
		endpoint = await openEndpoint();
		log = host.path("small.log");
		const session = await host.run("small", smallConfig("legacy", log));
		await expect.poll(() => session.tools.get("echo")).toBeDefined();
	});
	afterEach(async () => {
		await endpoint[Symbol.asyncDispose]();
		await host[Symbol.asyncDispose]();
	});

	it.each([
		["between marks", `<think>\n${secret}: ${writtenCall}\n</think>\n\n`],
		["between other marks", `[THINK]${secret}: ${writtenCall}[/THINK]`],
		["that the template opened, so that only its end comes", `${secret}: ${writtenCall}\n</think>\n\n`],
		["twice", `<think>${secret}</think><think>${secret} ${writtenCall}</think>`],
	])("makes its calls after a thought %s, and answers without the thought", async (_how, thought) => {
		endpoint.say(
			{ chunks: [...inPieces(`${thought}I look.`, length), ...callInFragments(length)] },
			{ chunks: [...inPieces(`${thought}Done.`, length), stop] },
		);
		const first = await playWith(host, endpoint.model, new User({ kind: "allow" }));
		expect(first.record.ending).toBe("complete");
		expect(calls()).toMatchObject([{ name: "echo", arguments: { text: "hi" } }]);
		expect(joined(first.events, "text").trim()).toMatch(/^I look\.\s*Done\.$/);
		expect(joined(first.events, "reasoning")).toContain(secret);
		const asked = endpoint.requests();
		expect(asked).toHaveLength(2);
		// Its text is sent back, with the call and its result, and without the thought.
		expect(asked[1]).toContain("I look.");
		expect(asked[1]).not.toContain(secret);
		expect(asked[1]).not.toContain("</think>");

		const metadata: unknown = JSON.parse(JSON.stringify(toMetadata(first.record)));
		const history = toMessages([{ prompt: "Go", answer: "I look. Done.", metadata }], 100_000);
		endpoint.say({ chunks: [...inPieces("Hello.", length), stop] });
		await playWith(host, endpoint.model, new User({ kind: "allow" }), undefined, history);
		expect(endpoint.requests()[2]).toContain("Done.");
		expect(endpoint.requests()[2]).not.toContain(secret);
	});

	it("makes no call that is only in a thought, and does not end because of it", async () => {
		endpoint.say({ chunks: [...inPieces(`<think>${secret} ${writtenCall}</think>Nothing to do.`, length), stop] });
		const { events, record } = await playWith(host, endpoint.model, new User({ kind: "allow" }));
		expect([record.ending, joined(events, "text"), calls()]).toEqual(["complete", "Nothing to do.", []]);
	});

	it("makes a call between two thoughts, which are not part of any argument", async () => {
		endpoint.say(
			{ chunks: [...inPieces(`<think>${secret}</think>`, length), ...callInFragments(length)] },
			{ chunks: [...inPieces(`<think>${secret} again</think>Done.`, length), stop] },
		);
		const { events, record } = await playWith(host, endpoint.model, new User({ kind: "allow" }));
		expect([record.ending, joined(events, "text").trim()]).toEqual(["complete", "Done."]);
		expect(calls()).toMatchObject([{ name: "echo", arguments: { text: "hi" } }]);
		expect(endpoint.requests()[1]).not.toContain(secret);
	});

	it("reads marks that are quoted or in code as text", async () => {
		const answer = "Models write `<think>` before, and `</think>` after their thoughts.";
		endpoint.say({ chunks: [...inPieces(answer, length), stop] });
		const { events } = await playWith(host, endpoint.model, new User({ kind: "allow" }));
		expect([joined(events, "text"), joined(events, "reasoning")]).toEqual([answer, ""]);
	});
});
