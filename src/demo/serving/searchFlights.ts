import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { homeCity } from "../world/cities.ts";
import { counted } from "../world/counted.ts";
import { flightsBetween, formatFlight } from "../world/flights.ts";
import { cityField, dateField } from "./schemas.ts";
import { work } from "./work.ts";
import type { TravelWorld } from "./world.ts";

/** A flight in structured results and arguments. */
export const flightSchema = z.object({
	number: z.string().describe("Flight number"),
	airline: z.string().describe("Airline"),
	departs: z.string().describe("Departure, HH:MM"),
	arrives: z.string().describe("Arrival, HH:MM"),
	durationMinutes: z.number().describe("Minutes from departure to arrival"),
	stops: z.number().describe("Number of stops"),
	price: z.number().describe("Price for one person in euros"),
});

/** Registers `searchFlights`: read-only, with progress, structured content and its schema. */
export function registerSearchFlights(server: McpServer, { pace }: TravelWorld): void {
	server.registerTool(
		"searchFlights",
		{
			title: "Search Flights",
			description: "Find flights between two cities on a day. The flights are invented.",
			inputSchema: z.object({
				origin: cityField("The city to fly from").prefault(homeCity.name),
				destination: cityField("The city to fly to"),
				date: dateField("The day of departure"),
				travellers: z.number().int().min(1).max(9).default(1).describe("How many people travel"),
			}),
			outputSchema: z.object({
				origin: z.string(),
				destination: z.string(),
				date: z.string(),
				travellers: z.number(),
				flights: z.array(flightSchema),
			}),
			annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
		},
		async ({ origin, destination, date, travellers }, context) => {
			await work(context, pace.step, {
				number: 1,
				of: 3,
				message: `Asking the airlines that fly to ${destination.name}`,
			});
			await work(context, pace.step, { number: 2, of: 3, message: "Comparing prices" });
			const flights = flightsBetween(origin, destination, date);
			await work(context, pace.step, { number: 3, of: 3, message: `Found ${flights.length} flights` });
			const title = `Flights from ${origin.name} to ${destination.name} on ${date} for ${counted(travellers, "traveller")}, prices per person:`;
			return {
				content: [{ type: "text", text: [title, ...flights.map(formatFlight)].join("\n") }],
				structuredContent: { origin: origin.name, destination: destination.name, date, travellers, flights },
			};
		},
	);
}
