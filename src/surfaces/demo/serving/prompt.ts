import { completable, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { cityNames, distanceKm, findCity, homeCity } from "../world/cities.ts";
import { comingDates } from "../world/dates.ts";
import { preferences, preferencesUri } from "./resources.ts";
import type { TravelWorld } from "./world.ts";

/** Registers `plan-vacation`: four arguments that can be completed, and messages of both roles with a resource. */
export function registerPrompt(server: McpServer, { today }: TravelWorld): void {
	server.registerPrompt(
		"plan-vacation",
		{
			title: "Plan a Vacation",
			description: "Plans a trip with the tools of this server: flights, weather, hotel and calendar.",
			argsSchema: z.object({
				destination: completable(z.string().min(1).describe("The city to visit"), cityNames),
				departureDate: completable(z.string().min(1).describe("The day of departure, written YYYY-MM-DD"), (start) =>
					comingDates(today, 60).filter((date) => date.startsWith(start)),
				),
				budget: completable(z.string().describe("What the trip may cost, in euros"), (start, context) =>
					budgets(context?.arguments?.["destination"]).filter((budget) => budget.startsWith(start)),
				).optional(),
				travelers: completable(z.string().describe("How many people travel"), (start) =>
					["1", "2", "3", "4", "5", "6"].filter((count) => count.startsWith(start)),
				).optional(),
			}),
		},
		({ destination, departureDate, budget, travelers }) => {
			const people = travelers ? ` for ${travelers} ${travelers === "1" ? "traveler" : "travelers"}` : "";
			const limit = budget ? ` with a budget of €${budget.replace(/[€\s]/g, "")}` : "";
			return {
				description: `A vacation in ${destination}`,
				messages: [
					{
						role: "user",
						content: {
							type: "text",
							text: `I want a vacation: a trip to ${destination} on ${departureDate}${people}${limit}.`,
						},
					},
					{
						role: "user",
						content: {
							type: "resource",
							resource: { uri: preferencesUri, mimeType: "application/json", text: preferences() },
						},
					},
					{
						role: "assistant",
						content: {
							type: "text",
							text: "I can look for flights, check the weather, rank the flights, book a hotel and put the trip in your calendar. Shall I?",
						},
					},
					{
						role: "user",
						content: { type: "text", text: "Yes, please plan this vacation with the tools of the travel server." },
					},
				],
			};
		},
	);
}

/** Round sums that fit the way to a destination, a near one if it is not known. */
function budgets(destination: string | undefined): string[] {
	const city = findCity(destination ?? "");
	const isFar = city !== undefined && distanceKm(homeCity, city) > 4000;
	return isFar ? ["2500", "4000", "6000", "9000"] : ["500", "1000", "2000", "3500"];
}
