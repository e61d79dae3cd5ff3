import { describe, expect, it } from "vitest";
import { followupMetadata, followupsOf } from "../../../../src/surfaces/chat/followups.ts";
import { createDemoModel } from "../../../../src/surfaces/demo/model.ts";
import { findCity, homeCity, type City } from "../../../../src/surfaces/demo/world/cities.ts";
import { flightsBetween, formatFlight } from "../../../../src/surfaces/demo/world/flights.ts";
import type { ModelMessage, ModelTool } from "../../../../src/models/model.ts";
import { eventsOf, takeTurn, textOf, user, type ToolAnswer } from "./conversation.ts";

const model = createDemoModel({ pace: 0, now: () => new Date("2026-03-01T12:00:00Z") });
const names = ["searchFlights", "checkWeather", "rankFlights", "bookHotel", "createCalendarEvent"];
const tools = names.map((name): ModelTool => ({ name: `travel_${name}`, description: "", inputSchema: {} }));
const confession = /^I am the demo model: a script, not a language model\./;
const wish = "Plan a vacation to Paris from Berlin on 2026-06-12 for 3 people, 4 nights, budget €1,500.";

function searchResult(destination: string, date = "2026-06-12"): string {
	const lines = flightsBetween(homeCity, findCity(destination) as City, date).map(formatFlight);
	return [`Flights from London to ${destination} on ${date} for 3 travelers, prices per person:`, ...lines].join("\n");
}

const results: Record<string, ToolAnswer> = {
	travel_searchFlights: { text: searchResult("Paris") },
	travel_checkWeather: { text: "Paris on 2026-06-12: Sunny, 15 to 24 °C." },
	travel_rankFlights: { text: "Ranked by m, asked through sampling:\n\nHere:\n1. DA100: cheap\n2. DA200: dear" },
	travel_bookHotel: { text: "Booked, reference DEMO-AAAA.\nTwin beds." },
	travel_createCalendarEvent: { text: 'Added "Trip to Paris".' },
};
const answered = ({ name }: { readonly name: string }): ToolAnswer =>
	results[name] ?? { text: "no such tool", isError: true };

describe("the demo model", () => {
	it("is labelled as scripted wherever it is named", () => {
		expect(model.info).toMatchObject({
			id: "demo/scripted",
			name: "Demo model (scripted)",
			provider: "Demo (scripted, not a real model)",
			supportsTools: true,
		});
	});

	it("plays the whole story with the user's details", async () => {
		const messages = [user(wish)];
		const { calls, text } = await takeTurn(model, messages, tools, answered);
		expect(calls.map(({ name }) => name)).toEqual(names.map((name) => `travel_${name}`));
		expect(new Set(calls.map(({ callId }) => callId)).size).toBe(5);
		expect(calls.map((call) => call.arguments)).toMatchObject([
			{ origin: "Berlin", destination: "Paris", date: "2026-06-12", travelers: 3 },
			{ city: "Paris", date: "2026-06-12" },
			{ preferences: "a fair price (the budget for 3 is €1500) and a short journey" },
			{ city: "Paris", checkIn: "2026-06-12", nights: 4, guests: 3 },
			{ title: "Trip to Paris", startDate: "2026-06-12", endDate: "2026-06-16" },
		]);
		expect(calls[2]?.arguments["flights"]).toHaveLength(6);
		expect(text).toMatch(confession);
		expect(text).toMatch(
			/- \*\*Flights\*\*: Flights from London to Paris on 2026-06-12 for 3 travelers: 6 found, €\d+ to €\d+ per person\.\n/,
		);
		expect(text).toContain("- **Best flight**: DA100: cheap\n- **Hotel**: Booked, reference DEMO-AAAA.\n");
		const [said] = messages[1]?.content ?? [];
		expect(said).toMatchObject({ text: expect.stringMatching(confession) });
	});

	it("can play its proposals after an answer (FST-02)", async () => {
		const metadata = { mcpHost: { ending: "complete" }, ...followupMetadata(model.info) };
		for (const { prompt } of followupsOf(metadata)) {
			const events = await eventsOf(model, [user(prompt)], { tools });
			expect(events.find(({ type }) => type === "tool-call")).toBeDefined();
		}
	});

	it("assumes missing details, and lists them", async () => {
		const events = await eventsOf(model, [user("Plan a trip for two people")], { tools });
		expect(events.at(-2)).toMatchObject({
			type: "tool-call",
			name: "travel_searchFlights",
			arguments: { origin: "London", destination: "Barcelona", date: "2026-03-31", travelers: 2 },
		});
		expect(events.at(-1)).toMatchObject({ type: "done", stopReason: "toolUse", model: "demo/scripted" });
		expect(textOf(events)).toContain(
			"You did not mention the destination, the day of departure, the number of nights and the budget, so I assumed them.",
		);
	});

	it("respects a denial, continues without it and reports it", async () => {
		const { calls, text } = await takeTurn(model, [user(wish)], tools, (call) =>
			call.name === "travel_searchFlights" || call.name === "travel_bookHotel"
				? { text: "The user denied this call.", isError: true }
				: answered(call),
		);
		expect(calls.map(({ name }) => name)).toEqual([
			"travel_searchFlights",
			"travel_checkWeather",
			"travel_bookHotel",
			"travel_createCalendarEvent",
		]);
		expect(text).toContain("- **Flights**: left out, because you denied searchFlights.");
		expect(text).toContain("- **Best flight**: left out, because there was nothing to work on.");
		expect(text).toContain("- **Hotel**: left out, because you denied bookHotel.");
	});

	it("follows an edit: the final search determines the trip", async () => {
		const edited = { text: `The user edited the arguments.\n${searchResult("Rome", "2026-07-01")}` };
		const { calls } = await takeTurn(model, [user(wish)], tools, (call) =>
			call.name === "travel_searchFlights" ? edited : answered(call),
		);
		expect(calls[1]?.arguments).toEqual({ city: "Rome", date: "2026-07-01" });
		expect(calls[3]?.arguments).toMatchObject({ city: "Rome", checkIn: "2026-07-01" });
	});

	it("reports a failure and continues", async () => {
		const { calls, text } = await takeTurn(model, [user(wish)], tools, (call) =>
			call.name === "travel_rankFlights" ? { text: "User rejected sampling request", isError: true } : answered(call),
		);
		expect(calls).toHaveLength(5);
		expect(text).toMatch(
			/- \*\*Flights\*\*: Flights from London to Paris on 2026-06-12 for 3 travelers: 6 found, €\d+ to €\d+ per person\.\n/,
		);
		expect(text).toContain("- **Best flight**: failed. User rejected sampling request");
	});

	it("plays only the requested steps, and uses the conversation's content", async () => {
		const messages = [user("Find flights to Rome on 12 June for 2 people")];
		const first = await takeTurn(model, messages, tools, () => ({ text: searchResult("Rome") }));
		expect(first.calls.map((call) => [call.name, call.arguments["date"]])).toEqual([
			["travel_searchFlights", "2026-06-12"],
		]);
		messages.push(user("Now rank them and book a hotel room."));
		const second = await takeTurn(model, messages, tools, answered);
		expect(second.calls.map(({ name }) => name)).toEqual(["travel_rankFlights", "travel_bookHotel"]);
		expect(second.calls[1]?.arguments).toMatchObject({ city: "Rome", checkIn: "2026-06-12" });
		expect(second.calls[0]?.callId).not.toBe(first.calls[0]?.callId);
	});

	it("searches before it ranks", async () => {
		const { calls } = await takeTurn(model, [user("Rank the ways to get to Paris")], tools, answered);
		expect(calls.map(({ name }) => name)).toEqual(["travel_searchFlights", "travel_rankFlights"]);
	});

	it("reports its missing tools", async () => {
		const without = await eventsOf(model, [user(wish)]);
		expect(textOf(without)).toMatch(confession);
		expect(textOf(without)).toContain(
			"`searchFlights`, `checkWeather`, `rankFlights`, `bookHotel` and `createCalendarEvent`",
		);
		expect(without.at(-1)).toMatchObject({ stopReason: "endTurn" });
		expect(await eventsOf(model, [user(wish)], { tools, toolChoice: "none" })).toEqual(without);
		const others = [{ name: "files_research_Flights", description: "", inputSchema: {} }];
		expect(textOf(await eventsOf(model, [user(wish)], { tools: others }))).toBe(textOf(without));
	});

	it("plays as much as possible with some of the tools", async () => {
		const { calls, text } = await takeTurn(model, [user(wish)], tools.slice(1, 2), answered);
		expect(calls.map(({ name }) => name)).toEqual(["travel_checkWeather"]);
		expect(text).toContain("- **Hotel**: left out, because the tool bookHotel is not offered.");
	});

	it("reports that other requests are not in its script", async () => {
		const events = await eventsOf(model, [user("Why is the sky blue?")], { tools });
		expect(textOf(events)).toMatch(confession);
		expect(textOf(events)).toContain("not in the script. The script can:");
		expect(events.some(({ type }) => type === "tool-call")).toBe(false);
	});

	it("ranks flights for a sampling request by its rule", async () => {
		const flights = flightsBetween(homeCity, findCity("Paris") as City, "2026-06-12");
		const list = flights.map(formatFlight).join("\n");
		const messages: ModelMessage[] = [
			{ role: "system", content: [{ type: "text", text: "You rank flights for a traveler." }] },
			user(`Rank these flights. What matters: the price.\n\n${list}`),
		];
		const text = textOf(await eventsOf(model, messages, { maxTokens: 400 }));
		expect(text).toMatch(confession);
		expect(text.match(/^\d\. /gm)).toHaveLength(flights.length);
		expect(text).toContain(flights[0]?.number);
	});

	it("ends at the limit of tokens, before the call", async () => {
		const events = await eventsOf(model, [user(wish)], { tools, maxTokens: 5 });
		expect(textOf(events)).toBe("I am the demo model:");
		expect(events.at(-1)).toMatchObject({ stopReason: "maxTokens", usage: { outputTokens: 5 } });
		expect(events.some(({ type }) => type === "tool-call")).toBe(false);
	});

	it("ends at the first stop sequence", async () => {
		const events = await eventsOf(model, [user("Hello")], { stopSequences: ["language", ": a", ""] });
		expect(textOf(events)).toBe("I am the demo model");
		expect(events.at(-1)).toMatchObject({ stopReason: "stopSequence" });
	});

	it("streams word by word and stops at once when cancelled", async () => {
		const controller = new AbortController();
		const heard: string[] = [];
		const listen = async (): Promise<void> => {
			for await (const event of model.respond([user(wish)], { signal: controller.signal })) {
				if (event.type === "text") heard.push(event.text);
				if (heard.length === 3) controller.abort();
			}
		};
		await expect(listen()).rejects.toMatchObject({ name: "HostError", code: "cancelled" });
		expect(heard).toEqual(["I ", "am ", "the "]);
	});
});
