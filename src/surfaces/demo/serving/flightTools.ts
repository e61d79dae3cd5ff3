import { type McpServer, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import * as z from "zod";
import { homeCity } from "../world/cities.ts";
import { counted } from "../world/counted.ts";
import { flightsBetween, formatFlight } from "../world/flights.ts";
import { cityField, dateField, work } from "./toolParts.ts";
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
				travelers: z.number().int().min(1).max(9).default(1).describe("How many people travel"),
			}),
			outputSchema: z.object({
				origin: z.string(),
				destination: z.string(),
				date: z.string(),
				travelers: z.number(),
				flights: z.array(flightSchema),
			}),
			annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
		},
		async ({ origin, destination, date, travelers }, context) => {
			await work(context, pace.step, {
				number: 1,
				of: 3,
				message: `Asking the airlines that fly to ${destination.name}`,
			});
			await work(context, pace.step, { number: 2, of: 3, message: "Comparing prices" });
			const flights = flightsBetween(origin, destination, date);
			await work(context, pace.step, { number: 3, of: 3, message: `Found ${flights.length} flights` });
			const title = `Flights from ${origin.name} to ${destination.name} on ${date} for ${counted(travelers, "traveler")}, prices per person:`;
			return {
				content: [{ type: "text", text: [title, ...flights.map(formatFlight)].join("\n") }],
				structuredContent: { origin: origin.name, destination: destination.name, date, travelers, flights },
			};
		},
	);
}

/**
 * Registers `rankFlights`, which asks the host's model by sampling: as an `input_required` result, or as a request of its
 * own to a client of the older era.
 */
export function registerRankFlights(server: McpServer, { pace }: TravelWorld): void {
	server.registerTool(
		"rankFlights",
		{
			title: "Rank Flights",
			description: "Put flights in order for a traveler. The server asks the model of its host to judge.",
			inputSchema: z.object({
				flights: z.array(flightSchema).min(2).max(20).describe("The flights, as searchFlights gives them"),
				preferences: z
					.string()
					.max(500)
					.default("a fair price and a short journey")
					.describe("What matters to the traveler"),
			}),
			annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: true },
		},
		async ({ flights, preferences }, context) => {
			const answer = inputResponse(context.mcpReq.inputResponses, "ranking");
			if (answer.kind !== "sampling") {
				await work(context, pace.step, {
					number: 1,
					of: 2,
					message: `Asking the host's model to rank ${flights.length} flights`,
				});
				const list = flights.map(formatFlight).join("\n");
				const ranking = inputRequired.createMessage({
					systemPrompt:
						"You rank flights for a traveler. Answer with a numbered list, the best first, and one short reason each.",
					messages: [
						{
							role: "user",
							content: { type: "text", text: `Rank these flights. What matters: ${preferences}.\n\n${list}` },
						},
					],
					maxTokens: 400,
					temperature: 0.2,
					modelPreferences: { speedPriority: 0.7, costPriority: 0.6, intelligencePriority: 0.3 },
				});
				return inputRequired({ inputRequests: { ranking } });
			}
			await work(context, pace.step, { number: 2, of: 2, message: "Reading the ranking" });
			const { model, content } = answer.result;
			const blocks = Array.isArray(content) ? content : [content];
			const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
			return { content: [{ type: "text", text: `Ranked by ${model}, asked through sampling:\n\n${text}` }] };
		},
	);
}
