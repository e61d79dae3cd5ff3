import { describe, expect, it } from "vitest";
import { jsonInPieces } from "../../../src/base/jsonInPieces.ts";
import { atOnce } from "../../../src/base/slices.ts";

const faulty = "faulty";

/** The value of a text, and the order of its members; or that it is not JSON. */
function read(parse: () => unknown): unknown {
	try {
		const value = parse();
		return { value, order: JSON.stringify(value) };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return faulty;
	}
}

function expectTheSame(bytes: Buffer, step: number): void {
	const of = bytes.toString("latin1");
	const atOnceRead = read(() => JSON.parse(bytes.toString("utf8")));
	const inPieces = read(() => atOnce(jsonInPieces(bytes, step)));
	expect({ of: bytes.toString("latin1"), step, inPieces }).toEqual({ of, step, inPieces: atOnceRead });
}

/** Pseudo-random numbers, the same in each run. */
class Dice {
	private seed = 1;

	below(limit: number): number {
		this.seed = (this.seed * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((this.seed / 2_147_483_648) * limit);
	}

	of<T>(choices: readonly T[]): T {
		return choices[this.below(choices.length)] as T;
	}

	some<T>(most: number, make: () => T): readonly T[] {
		return Array.from({ length: this.below(most) }, make);
	}
}

const characters = [..."aé漢😀,[]}:x", "\\n", "\\\\", '\\"', "\\u00e9", "\\ud83d", "\\ude00", "\\/"];
/** Quote, backslash, comma, brackets, blank, pieces of characters, a digit, line break, colon, `u` and NUL. */
const faultyBytes = [0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d, 0x20, 0xe6, 0x80, 0xf0, 0xff, 0x31, 0x0a, 0x3a, 0x75, 0];

function randomText(dice: Dice, depth = 0): string {
	const blank = (): string => dice.of(["", "", "", " ", "\n\t", "      ", "\r"]);
	const text = (): string => `"${dice.some(30, () => dice.of(characters)).join("")}"`;
	const inner = (): string => `${blank()}${randomText(dice, depth + 1)}${blank()}`;
	const member = (): string =>
		`${blank()}${dice.of([text(), '"__proto__"', '"a"', '"a"', '"1"'])}${blank()}:${inner()}`;
	const kind = dice.below(depth > 4 ? 4 : 7);
	if (kind === 0) return dice.of(["1", "-0", "1e5", "12345678901234567890", "0.5", "true", "false", "null"]);
	if (kind < 4) return text();
	return kind === 6 ? `{${blank()}${dice.some(5, member).join(",")}}` : `[${blank()}${dice.some(5, inner).join(",")}]`;
}

describe("JSON that is read in pieces (TRN-62)", () => {
	it("is parsed or refused like JSON.parse does, wherever it is cut", () => {
		const dice = new Dice();
		for (let round = 0; round < 4000; round++) {
			const bytes = Buffer.from(randomText(dice));
			for (const at of dice.some(3, () => dice.below(bytes.length))) bytes[at] = dice.of(faultyBytes);
			expectTheSame(bytes, dice.of([16, 17, 23, 40, 100, 1000]));
		}
	});

	it.each([
		"",
		" ",
		"[1,]",
		"[,1]",
		"[1,,2]",
		`[${" ".repeat(50)}]`,
		`[1,${" ".repeat(50)}]`,
		`["${"x".repeat(50)}",]`,
		`{"a":1,}`,
		`{"${"k".repeat(50)}":1,"b"}`,
		`{"a" "${"x".repeat(50)}"}`,
		`{a:"${"x".repeat(50)}"}`,
		`["${"x".repeat(50)}"}`,
		`["${"x".repeat(50)}`,
		`["${"x".repeat(50)}\n"]`,
		`["${"x".repeat(50)}\\x"]`,
		`["${"x".repeat(50)}"] 1`,
		`["${"x".repeat(50)}" "y"]`,
		`["${"\\".repeat(49)}"]`,
		`["${"\\".repeat(50)}"]`,
		`{"__proto__":{"a":"${"x".repeat(50)}"},"a":"${"y".repeat(50)}"}`,
		`[${"9".repeat(50)},${"[".repeat(20)}"${"z".repeat(50)}"${"]".repeat(20)}]`,
	])("reads or refuses %j as JSON.parse does", (text) => {
		for (let step = 16; step < 24; step++) expectTheSame(Buffer.from(text), step);
	});

	it("reads a long string and a long list in many steps", () => {
		for (const value of ["line\n".repeat(1000), Array.from({ length: 1000 }, (_, n) => ({ n }))]) {
			const steps = jsonInPieces(Buffer.from(JSON.stringify({ result: value })), 100);
			let count = 0;
			let step = steps.next();
			for (; step.done !== true; step = steps.next()) count++;
			expect(step.value).toEqual({ result: value });
			expect(count).toBeGreaterThan(50);
		}
	});
});
