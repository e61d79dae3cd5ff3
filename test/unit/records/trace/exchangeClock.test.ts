import { describe, expect, it } from "vitest";
import { ExchangeClock } from "../../../../src/records/trace/exchangeClock.ts";

describe("The clock of an exchange", () => {
	it("subtracts a user's time from the server's, and counts the rest as ours (TRC-01)", () => {
		const clock = new ExchangeClock();
		clock.begin(100);
		clock.away(110);
		clock.ask(140);
		clock.ask(150);
		clock.answer(1040);
		clock.answer(1140);
		clock.back(1160);
		clock.end(1165);
		expect(clock.durations(9000)).toEqual({ total: 1065, user: 1000, server: 50, own: 15 });
	});

	it("counts the time between two rounds as the user's if they are asked then (TRC-01)", () => {
		const clock = new ExchangeClock();
		clock.begin(0);
		clock.away(0);
		clock.back(5);
		clock.ask(5);
		clock.answer(105);
		clock.away(105);
		expect(clock.durations(110)).toEqual({ total: 110, user: 100, server: 10, own: 0 });
		clock.back(112);
		clock.end(112);
		expect(clock.durations(500).total).toBe(112);
	});
});
