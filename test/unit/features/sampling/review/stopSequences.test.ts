import { describe, expect, it } from "vitest";
import type { ModelEvent } from "../../../../../src/models/model.ts";
import { Dice } from "../edits.ts";
import { stoppingAt } from "../../../../../src/features/sampling/review/generation.ts";

const done: ModelEvent = {
	type: "done",
	stopReason: "endTurn",
	model: "m",
	usage: { inputTokens: 1, outputTokens: 2 },
};
const call: ModelEvent = { type: "tool-call", callId: "1", name: "t", arguments: {} };

/** A model that sends these pieces and then the rest; records whether it was stopped. */
class Speaker {
	wasStopped = false;
	private readonly events: readonly ModelEvent[];

	constructor(pieces: readonly string[], ...rest: readonly ModelEvent[]) {
		this.events = [...pieces.map((text) => ({ type: "text", text }) as const), ...rest];
	}

	async *speak(): AsyncGenerator<ModelEvent> {
		this.wasStopped = true;
		for (const event of this.events) yield await Promise.resolve(event);
		this.wasStopped = false;
	}
}

async function heard(speaker: Speaker, ...stopSequences: readonly string[]): Promise<[string, ModelEvent[]]> {
	let text = "";
	const others: ModelEvent[] = [];
	for await (const event of stoppingAt(speaker.speak(), stopSequences)) {
		if (event.type === "text") text += event.text;
		else others.push(event);
	}
	return [text, others];
}

const stopped = [{ type: "done", stopReason: "stopSequence", model: "" }];

describe("stoppingAt (BLT-09)", () => {
	it("passes everything if there is no stop sequence", async () => {
		const speaker = new Speaker(["a", "b"], call, done);
		expect(await heard(speaker)).toEqual(["ab", [call, done]]);
		expect(await heard(new Speaker(["a", "b"], call, done), "END")).toEqual(["ab", [call, done]]);
	});

	it("ends the answer, and the model, before the first stop sequence", async () => {
		const speaker = new Speaker(["one two END three", " END"], call, done);
		expect(await heard(speaker, "three", "END")).toEqual(["one two ", stopped]);
		expect(speaker.wasStopped).toBe(true);
	});

	it("finds one that arrives in pieces, and sends text that only looked like one", async () => {
		expect(await heard(new Speaker(["a E", "N", "D b"], done), "END")).toEqual(["a ", stopped]);
		expect(await heard(new Speaker(["a E", "N", "T b"], done), "END")).toEqual(["a ENT b", [done]]);
		expect(await heard(new Speaker(["a EN"], done), "END")).toEqual(["a EN", [done]]);
		expect(await heard(new Speaker(["a EN"], call, done), "END")).toEqual(["a EN", [call, done]]);
		expect(await heard(new Speaker(["\n", "\n"], done), "\n\n")).toEqual(["", stopped]);
	});

	it("sends all of an answer that begins with a possible stop sequence", async () => {
		const order: string[] = [];
		for await (const event of stoppingAt(new Speaker(["E"], call, done).speak(), ["END"])) order.push(event.type);
		expect(order).toEqual(["text", "tool-call", "done"]);
	});

	it("ends at the one that is complete first, however the answer is cut into pieces", async () => {
		for (const pieces of [["abcdef"], ["abcd", "ef"], [..."abcdef"]]) {
			expect(await heard(new Speaker(pieces, done), "abcdef", "cd")).toEqual(["ab", stopped]);
			expect(await heard(new Speaker(pieces, done), "d", "bcd")).toEqual(["a", stopped]);
		}
	});

	it.each(Array.from({ length: 200 }, (_, index) => index + 1))(
		"does the same as a model that stops on its own, seed %i",
		async (seed) => {
			const dice = new Dice(seed);
			const letters = (most: number): string =>
				Array.from({ length: 1 + dice.below(most) }, () => dice.pick(["a", "b", "\n"])).join("");
			const stops = Array.from({ length: 1 + dice.below(3) }, () => letters(4));
			const pieces = Array.from({ length: dice.below(12) }, () => letters(5));
			const whole = pieces.join("");
			const prefixes = Array.from({ length: whole.length + 1 }, (_, length) => whole.slice(0, length));
			const said = prefixes.find((prefix) => stops.some((stop) => prefix.endsWith(stop)));
			const lengths = stops.filter((stop) => said?.endsWith(stop)).map((stop) => stop.length);
			const expected = said === undefined ? [whole, [done]] : [said.slice(0, -Math.max(...lengths)), stopped];
			expect(await heard(new Speaker(pieces, done), ...stops)).toEqual(expected);
		},
	);
});
