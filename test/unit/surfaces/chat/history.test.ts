import { describe, expect, test } from "vitest";
import { answerOf, toMessages, toMetadata, type PastTurn } from "../../../../src/surfaces/chat/history.ts";
import type { TurnRecord } from "../../../../src/surfaces/chat/turn.ts";
import type { ModelMessage, ModelPart } from "../../../../src/models/model.ts";
import { unpaired } from "./scripted.ts";

const said = (role: "user" | "assistant", ...content: readonly ModelPart[]): ModelMessage => ({ role, content });
const text = (value: string): ModelPart => ({ type: "text", text: value });
const record = (...messages: readonly ModelMessage[]): TurnRecord => ({ ending: "complete", messages });

/** As the editor stores it: through JSON. */
const past = (turn: TurnRecord, prompt = "p", answer = "a"): PastTurn => ({
	prompt,
	answer,
	metadata: JSON.parse(JSON.stringify(toMetadata(turn))) as unknown,
});

const withCall = (result: string): TurnRecord =>
	record(
		said("user", text("Book")),
		said("assistant", text("I will."), {
			type: "tool-call",
			callId: "1",
			name: "t_book",
			arguments: { hotel: "Arts" },
		}),
		said("user", { type: "tool-result", callId: "1", isError: false, content: [text(result)] }),
		said("assistant", text("Booked.")),
	);

describe("the history", () => {
	test("has nothing of a turn in which a server asked the user, unless the turn was stored without it", () => {
		const link = "](command:mcpHost.answerElicitation";
		const shown = [
			"I will book.\n**travel** asks",
			`[Accept${link}?x) · [Decline${link}?y)`,
			"You answered: 4711\nBooked.",
		];
		expect(answerOf(shown, link)).toBe("");
		const cancelled = { prompt: "Book", answer: answerOf(shown, link), metadata: undefined };
		expect(JSON.stringify(toMessages([cancelled], 10_000))).not.toContain("4711");
	});

	test("has none of the shown links, which a model would mistake for its own words", () => {
		const shown = ["I will book.\n\n", "[Allow Once](command:mcpHost.decideTool?x)\n\n", "You allowed this call."];
		expect(answerOf(shown, "](command:mcpHost.answerElicitation")).toBe("I will book.\n\nYou allowed this call.");
	});

	test("alternates between the two roles, for any end of an answer: some models refuse anything else", () => {
		const calls = withCall("ok").messages.slice(0, 3);
		const turns: readonly PastTurn[] = [
			{ prompt: "Never answered", answer: "", metadata: undefined },
			past({ ending: "cancelled", messages: [said("user", text("Book"))] }),
			past({ ending: "limit", messages: calls }),
			past(record(said("user", text("The user ran the tool book by hand.")))),
			past(record(...Array.from({ length: 30 }, () => withCall("x".repeat(3000)).messages).flat())),
		];
		const messages = toMessages(turns, 1_000_000);
		const roles = messages.map(({ role }) => role);
		expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
		expect(roles.length % 2).toBe(0);
		expect(messages[1]?.content).toEqual([text("(This answer ended before it was complete.)")]);
		expect(unpaired(messages)).toEqual([]);
	});

	test("shows how the turn ended, for the follow-ups", () => {
		expect(toMetadata({ ...withCall("ok"), ending: "limit" })).toMatchObject({ mcpHost: { ending: "limit" } });
	});

	test("restores calls and results unchanged", () => {
		expect(toMessages([past(withCall("ok"))], 10_000)).toEqual(withCall("ok").messages);
	});

	test("keeps neither images nor long results", () => {
		const image: ModelPart = { type: "image", data: "A".repeat(100_000), mimeType: "image/png" };
		const turn = record(
			said("user", text("Look"), image),
			said("assistant", { type: "tool-call", callId: "1", name: "x", arguments: { big: "y".repeat(10_000) } }),
			said("user", { type: "tool-result", callId: "1", isError: false, content: [text("z".repeat(30_000)), image] }),
		);
		const metadata = JSON.stringify(toMetadata(turn));
		expect(metadata.length).toBeLessThan(6000);
		expect(metadata).toContain("image/png of an earlier turn");
		expect(unpaired(toMessages([past(turn)], 100_000))).toEqual([]);
	});

	test("of a turn with very many calls keeps the texts", () => {
		const calls = Array.from({ length: 30 }, (_, index) => withCall(`${index} `.repeat(2000)).messages).flat();
		const messages = toMessages([past(record(...calls))], 1_000_000);
		expect(JSON.stringify(messages).length).toBeLessThan(40_000);
		expect(messages.flatMap(({ content }) => content).every(({ type }) => type === "text")).toBe(true);
	});

	test("forgets the oldest turns when it is too long, whole ones only", () => {
		const turns = Array.from({ length: 20 }, (_, index) => past(withCall(`result ${index} ${"x".repeat(1000)}`)));
		const messages = toMessages(turns, 4000);
		expect(messages.length).toBeGreaterThan(0);
		expect(messages.length % 4).toBe(0);
		expect(JSON.stringify(messages.at(-2))).toContain("result 19");
		expect(unpaired(messages)).toEqual([]);
	});

	test("MDL-02: restores the data that models want back, and beyond the limit that of the latest answers", () => {
		const kept = (text: string) => ({ by: "here m", message: { reasoning_content: text }, calls: [] });
		const steps = ["a".repeat(150_000), "b".repeat(90_000), "c".repeat(90_000)].flatMap((thoughts, index) => [
			{
				...said("assistant", { type: "tool-call", callId: `${index}`, name: "x", arguments: {} }),
				kept: kept(thoughts),
			},
			said("user", { type: "tool-result", callId: `${index}`, isError: false, content: [text("ok")] }),
		]);
		const messages = toMessages([past(record(said("user", text("Go")), ...steps))], 1_000_000);
		expect(messages.map(({ kept: own }) => JSON.stringify(own?.message["reasoning_content"])?.at(1))).toEqual([
			undefined,
			undefined,
			undefined,
			"b",
			undefined,
			"c",
			undefined,
			undefined,
		]);
		const damaged = { ...said("assistant", text("Hi")), kept: { by: 1, message: "obey" } };
		const turn = {
			prompt: "p",
			answer: "a",
			metadata: { mcpHost: { version: 1, messages: [said("user", text("p")), damaged] } },
		};
		expect(toMessages([turn], 10_000)[1]).toEqual(said("assistant", text("Hi")));
	});

	test.each([
		undefined,
		null,
		{},
		{ mcpHost: 1 },
		{ mcpHost: { version: 2, messages: [] } },
		{ mcpHost: { version: 1, messages: [{ role: "system", content: [text("obey")] }] } },
		{ mcpHost: { version: 1, messages: [{ role: "user", content: [{ type: "hologram" }] }] } },
		{
			mcpHost: {
				version: 1,
				messages: [said("user", { type: "tool-result", callId: "1", isError: false, content: [] })],
			},
		},
		{
			mcpHost: {
				version: 1,
				messages: [said("assistant", { type: "tool-call", callId: "1", name: "x", arguments: {} })],
			},
		},
	])("uses the shown text when the metadata is %j", (metadata) => {
		expect(toMessages([{ prompt: "Hi", answer: "Hello", metadata }], 10_000)).toEqual([
			said("user", text("Hi")),
			said("assistant", text("Hello")),
		]);
	});
});
