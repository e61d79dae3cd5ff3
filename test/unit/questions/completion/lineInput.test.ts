import { describe, expect, test } from "vitest";
import { LineInput } from "../../../../src/questions/completion/lineInput.ts";

function inputWith(text: string): LineInput {
	const input = new LineInput();
	input.set(text);
	return input;
}

describe("a text behind an input of one line", () => {
	test.each(["one\ntwo", "one\r\ntwo\r\n", "a\rb", "literal ⏎ and\nreal", "\n\n", "tab\tand \u202E"])(
		"%j is unchanged, whatever the editor returns",
		(text) => {
			const input = inputWith(text);
			expect(input.shown).not.toMatch(/[\r\n]/);
			input.type(input.shown);
			expect(input.text).toBe(text);
		},
	);

	test("an edit changes exactly the edited part", () => {
		const input = inputWith("first\r\nsecond\nliteral ⏎");
		expect(input.shown).toBe("first⏎second⏎literal ⏎");
		input.type("first⏎2nd⏎literal ⏎");
		expect(input.text).toBe("first\r\n2nd\nliteral ⏎");
		input.type("first⏎2nd⏎literal ⏎!");
		expect(input.text).toBe("first\r\n2nd\nliteral ⏎!");
		input.type("first");
		expect(input.text).toBe("first");
		input.type("");
		expect(input.text).toBe("");
	});

	test("a long text is kept beside the input until something is typed", () => {
		const text = "x".repeat(1001);
		const input = inputWith(text);
		expect([input.shown, input.isBeside]).toEqual(["", true]);
		input.type("");
		expect(input.text).toBe(text);
		input.type("y");
		expect([input.text, input.shown, input.isBeside]).toEqual(["y", "y", false]);
	});
});
