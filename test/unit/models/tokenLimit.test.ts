import { describe, expect, it } from "vitest";
import type { ModelEvent } from "../../../src/models/model.ts";
import { withinTokens } from "../../../src/models/tokenLimit.ts";

const done: ModelEvent = { type: "done", stopReason: "endTurn", model: "m" };
const words = (text: string): number => text.split(" ").filter((word) => word !== "").length;

/** The part of the answer that passes, for a model that sends these pieces, and whether it was stopped. */
async function hear(
	pieces: readonly string[],
	most: number | undefined,
	count?: (text: string) => number | Promise<number>,
): Promise<{ readonly text: string; readonly end: ModelEvent | undefined; readonly wasStopped: boolean }> {
	let wasStopped = true;
	async function* speak(): AsyncGenerator<ModelEvent> {
		for (const text of pieces) yield await Promise.resolve({ type: "text", text } as const);
		yield done;
		wasStopped = false;
	}
	let text = "";
	let end: ModelEvent | undefined;
	for await (const event of withinTokens(speak(), most, count)) {
		if (event.type === "text") text += event.text;
		else end = event;
	}
	return { text, end, wasStopped };
}

describe("SMP-07: withinTokens (BLT-09)", () => {
	const pieces = Array.from({ length: 100 }, (_, index) => `word${index} `);

	it("passes an answer without a limit, or within it", async () => {
		const whole = { text: pieces.join(""), end: done, wasStopped: false };
		expect(await hear(pieces, undefined, words)).toEqual(whole);
		expect(await hear(pieces, 100, words)).toEqual(whole);
	});

	it.each([1, 2, 10, 57, 99])("cuts an answer of 100 tokens at %i, and stops the model", async (most) => {
		const { text, end, wasStopped } = await hear(pieces, most, async (said) => words(said));
		expect(text.trimEnd()).toBe(pieces.slice(0, most).join("").trimEnd());
		expect(end).toEqual({ type: "done", stopReason: "maxTokens", model: "" });
		expect(wasStopped).toBe(true);
	});

	it.each([10, 100, 500])(
		"never passes more than %i tokens, even of a model that counts every byte as one",
		async (most) => {
			const bytes = (text: string): number => Buffer.byteLength(text);
			for (const said of [pieces, Array.from({ length: 300 }, () => "བོད་"), [pieces.join("")]]) {
				const { text, wasStopped } = await hear(said, most, bytes);
				expect(bytes(text)).toBeLessThanOrEqual(most);
				expect(bytes(text)).toBeGreaterThan(most - 4);
				expect(wasStopped).toBe(true);
			}
		},
	);

	it("cuts within a piece, and never within a character", async () => {
		expect((await hear([pieces.join("")], 3, words)).text.trimEnd()).toBe("word0 word1 word2");
		const pairs = await hear(["👩".repeat(10)], 5, (said) => said.length);
		expect(pairs.text).toBe("👩👩");
	});

	it("uses the host's estimate if no tokenizer is available", async () => {
		const fail = async (): Promise<number> => Promise.reject(new Error("The model is gone."));
		const estimated = await hear(pieces, 20);
		expect(estimated.text.length).toBeGreaterThan(0);
		expect(estimated.text.length).toBeLessThan(pieces.join("").length / 2);
		expect(await hear(pieces, 20, fail)).toEqual(estimated);
	});

	it("counts rarely", async () => {
		let times = 0;
		await hear(pieces, 1000, (said) => {
			times++;
			return words(said);
		});
		expect(times).toBeLessThan(10);
	});
});
