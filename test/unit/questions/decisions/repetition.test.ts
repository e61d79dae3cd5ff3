import { describe, expect, it } from "vitest";
import { Repetition } from "../../../../src/questions/decisions/repetition.ts";

function setUp() {
	let now = 1_000_000;
	const repetition = new Repetition(() => now);
	return { repetition, pass: (ms: number) => void (now += ms) };
}

describe("Repetition (ELC-05)", () => {
	it("delays a server's questions longer and longer after a few refusals in a row", () => {
		const { repetition } = setUp();
		const holds = Array.from({ length: 12 }, () => {
			const hold = repetition.holdMs("a");
			repetition.note("a", true);
			return hold;
		});
		expect(holds).toEqual([0, 0, 0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
		expect(repetition.holdMs("b")).toBe(0);
	});

	it("offers to decline all from the third question on", () => {
		const { repetition } = setUp();
		const offers = Array.from({ length: 3 }, () => {
			const offer = repetition.isRepeated("a");
			repetition.note("a", true);
			return offer;
		});
		expect(offers).toEqual([false, false, true]);
	});

	it("restarts after an answer, or after a pause", () => {
		const { repetition, pass } = setUp();
		for (let count = 0; count < 5; count++) repetition.note("a", true);
		repetition.note("a", false);
		expect(repetition.holdMs("a")).toBe(0);
		for (let count = 0; count < 5; count++) repetition.note("a", true);
		pass(5 * 60_000 + 1);
		expect([repetition.holdMs("a"), repetition.isRepeated("a")]).toEqual([0, false]);
	});

	it("declines all of one server for ten minutes", () => {
		const { repetition, pass } = setUp();
		repetition.note("a", true);
		repetition.mute("a");
		expect([repetition.isMuted("a"), repetition.isMuted("b")]).toEqual([true, false]);
		pass(10 * 60_000 - 1);
		expect(repetition.isMuted("a")).toBe(true);
		pass(1);
		expect(repetition.isMuted("a")).toBe(false);
	});

	it("shows which server it refuses and until when, and lets the user end that", () => {
		const { repetition, pass } = setUp();
		pass(1000);
		repetition.mute("a");
		repetition.mute("b");
		repetition.note("c", true);
		expect([...repetition.muted.keys()]).toEqual(["a", "b"]);
		repetition.unmute("a");
		expect([repetition.isMuted("a"), [...repetition.muted.keys()]]).toEqual([false, ["b"]]);
		pass(10 * 60_000);
		expect(repetition.muted.size).toBe(0);
	});
});
