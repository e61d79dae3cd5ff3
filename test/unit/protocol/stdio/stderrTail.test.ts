import { describe, expect, it, vi } from "vitest";
import { SecretMask } from "../../../../src/base/secrets/secretMask.ts";
import { StderrTail } from "../../../../src/protocol/stdio/stderrTail.ts";

function makeTail(): { readonly tail: StderrTail; readonly lines: string[] } {
	const lines: string[] = [];
	return { tail: new StderrTail((line) => lines.push(line)), lines };
}

describe("StderrTail", () => {
	it("joins lines wherever they are cut", () => {
		const { tail, lines } = makeTail();
		for (const piece of ["on", "e\ntw", "o\r", "\n\n  \nthr", "ee"]) tail.write(piece);
		expect(lines).toEqual(["one", "two"]);
		expect(tail.last(10)).toEqual(["one", "two", "three"]);
		expect(tail.last(1)).toEqual(["three"]);
		expect(tail.last(10)).toHaveLength(3);
	});

	it("drops sequences for terminals and shows other hidden characters", () => {
		const { tail } = makeTail();
		tail.write("\u001B[31mred\u001B[0m \u001B[2J\u0007 \u202E\rx\n");
		expect(tail.last(1)).toEqual(["red \\u0007 \\u202E\\u000Dx"]);
	});

	it("is limited by lines and by their length", () => {
		const { tail } = makeTail();
		tail.write(Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join(""));
		expect(tail.last(1000)).toHaveLength(200);
		expect(tail.last(1)).toEqual(["line 9999"]);
		tail.write(`${"x".repeat(1_000_000)}\n`);
		expect(tail.last(1)[0]?.length).toBeLessThan(2100);
		for (let count = 0; count < 100; count++) tail.write("y".repeat(100_000));
		expect(tail.last(1)[0]?.length).toBeLessThanOrEqual(2000);
		for (let count = 0; count < 300; count++) tail.write(`${"z".repeat(2000)}\n`);
		expect(tail.last(1000).join("").length).toBeLessThanOrEqual(32 * 1024);
	});

	it("logs only some lines of a flood, and the number of omitted ones", () => {
		vi.useFakeTimers();
		try {
			const { tail, lines } = makeTail();
			for (let count = 0; count < 1000; count++) tail.write("a line\n".repeat(100));
			const passed = lines.length;
			expect(passed).toBeGreaterThan(50);
			expect(passed).toBeLessThan(1000);
			vi.advanceTimersByTime(5000);
			expect(lines.at(-1)).toBe(`(${100_000 - passed} lines were dropped: too many.)`);
			tail.write("calm again\n");
			expect(lines.at(-1)).toBe("calm again");
		} finally {
			vi.useRealTimers();
		}
	});

	it("forgets the output of a former process", () => {
		const { tail } = makeTail();
		tail.write("former\nhalf");
		tail.clear();
		tail.write("latter");
		expect(tail.last(10)).toEqual(["latter"]);
	});

	describe("the output of a server with a secret", () => {
		const value = "Zx9kQ2mP7rT4vW8yB3nC6";
		const mask = new SecretMask();
		mask.add([{ value, name: "API key", label: "API key" }]);
		const makeRedacted = (): StderrTail =>
			new StderrTail(
				() => undefined,
				(text) => mask.redact(text),
			);

		it("keeps no end of it if the beginning of a line is dropped", () => {
			for (let kept = 1; kept < value.length; kept++) {
				const tail = makeRedacted();
				tail.write(`${"x".repeat(40_000)}${value}${"y".repeat(2000 - kept)}`);
				tail.write("\n");
				expect(tail.last(1)[0]).not.toContain(value.slice(-kept));
			}
		});

		it("reads lines full of its beginning in linear time (TRN-56)", () => {
			const tail = makeRedacted();
			const part = `${value.slice(0, 8)}\u2026`.repeat(100_000);
			for (let count = 0; count < 5; count++) {
				tail.write(part);
				tail.write(`${part}\n`);
			}
			expect(tail.last(10)).toHaveLength(5);
			expect(tail.last(10).join("")).not.toContain(value.slice(0, 9));
		});
	});
});
