import { describe, expect, test } from "vitest";
import { TurnTexts } from "../../../../src/surfaces/chat/turnTexts.ts";

describe("MDL-11: texts that the chat shows folded", () => {
	test("grow while they are open, and show every character", () => {
		const texts = new TurnTexts();
		const grown: string[] = [];
		texts.onDidChange((id) => grown.push(id));
		const { id, append } = texts.begin("Thoughts");
		append("I should ");
		append("look\u202E.");
		expect(texts.textOf(id)).toBe("I should look\\u202E.");
		expect(grown).toEqual([id, id]);
		expect(texts.titleOf(id)).toBe("Thoughts");
	});

	test("are limited, each and in number", () => {
		const texts = new TurnTexts();
		const long = texts.begin("Long");
		for (let piece = 0; piece < 30; piece++) long.append("x".repeat(100_000));
		expect(texts.textOf(long.id).length).toBeLessThan(1_100_000);
		for (let other = 0; other < 100; other++) texts.begin("Other");
		expect([texts.titleOf(long.id), texts.textOf(long.id)]).toEqual([undefined, "This text is no longer kept."]);
	});
});
