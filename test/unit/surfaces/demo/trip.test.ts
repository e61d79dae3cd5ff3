import { describe, expect, it } from "vitest";
import { readTrip } from "../../../../src/surfaces/demo/script/trip.ts";

describe("reading a trip", () => {
	const read = (...texts: string[]): ReturnType<typeof readTrip> => readTrip(texts, "2026-03-01");

	it.each([
		["Plan a long weekend in Barcelona for two", { destination: "Barcelona", nights: 3, travelers: 2 }],
		["a weekend for 4 in Rome", { destination: "Rome", nights: 2, travelers: 4 }],
		["for two nights", { nights: 2, travelers: 2 }],
		["for three, in Oslo", { travelers: 3 }],
		["for 3 days, alone", { nights: 3, travelers: 1 }],
		["two weeks as a couple", { nights: 14, travelers: 2 }],
		["for 9 May", { date: "2026-05-09", travelers: 2 }],
		["for 5 to 7 nights", { nights: 7 }],
		["a week in paris", { destination: "Paris", nights: 7 }],
		["flights from Paris to new york", { origin: "Paris", destination: "New York" }],
		["a Lisbon vacation from Oslo", { origin: "Oslo", destination: "Lisbon" }],
		["leave on the 3rd of May", { date: "2026-05-03" }],
		["leave on January 9", { date: "2027-01-09" }],
		["leave 24 December 2028", { date: "2028-12-24" }],
		["leave on 5 Sept., or maybe 6 days later", { date: "2026-09-05" }],
		["maybe 4 people", { date: "2026-03-31", travelers: 4 }],
		["leave tomorrow", { date: "2026-03-02" }],
		["on 2026-02-31", { date: "2026-03-31" }],
		["for three adults and 10 nights", { travelers: 3, nights: 10 }],
		["for 0 people and 99 nights", { travelers: 2, nights: 30 }],
		["a budget of about 1.500", { budget: 1500 }],
		["under $2,000.", { budget: 2000 }],
		["at most 800 euros", { budget: 800 }],
	])("%s", (text, expected) => {
		expect(read(text)).toMatchObject(expected);
	});

	it("lets a later text overrule an earlier one", () => {
		expect(read("to Paris for 2 people", "rather to Rome")).toMatchObject({ destination: "Rome", travelers: 2 });
	});

	it("does not list details given in other words as assumed (FST-01)", () => {
		expect(read("Plan a long weekend in Barcelona for two").assumed).toEqual(["the day of departure", "the budget"]);
		expect(read("Plan a trip for 9 May").assumed).toContain("the number of travelers");
	});

	it("lists its assumptions", () => {
		expect(read("to Paris, budget 900").assumed).toEqual([
			"the day of departure",
			"the number of nights",
			"the number of travelers",
		]);
	});
});
