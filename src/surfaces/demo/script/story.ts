import type { JsonObject } from "../../../base/json.ts";
import type { CallOutcome, Conversation } from "./conversation.ts";
import type { Trip } from "./trip.ts";
import { addDays } from "../world/dates.ts";
import { parseFlights } from "../world/flights.ts";

/** A step of the vacation story: one call of one tool of the demo server. */
export interface Step {
	readonly tool: string;
	/** The step in the summary. */
	readonly label: string;
	/** Its action, announced before the call. */
	readonly intention: string;
	/** Words of a request that ask for this step alone. */
	readonly words: RegExp;
	/** The call's arguments; undefined when an earlier step did not provide its input. */
	argumentsFor(trip: Trip, conversation: Conversation): JsonObject | undefined;
	/** The line of the result that matters. */
	headline(text: string): string;
}

const firstLine = (text: string): string => text.split("\n").find((line) => line.trim() !== "") ?? "no text";

/** The result in one line: the first line of the result only announces the list. */
function flightsFound(text: string): string {
	const prices = parseFlights(text).map(({ price }) => price);
	if (prices.length === 0) return firstLine(text);
	const [least, most] = [Math.min(...prices), Math.max(...prices)];
	const range = least === most ? `€${least}` : `€${least} to €${most}`;
	const asked = firstLine(text).replace(/, prices per person:$/, "");
	return `${asked}: ${prices.length} found, ${range} per person.`;
}

/** The story in its order. */
export const story: readonly Step[] = [
	{
		tool: "searchFlights",
		label: "Flights",
		intention: "look for flights",
		words: /\b(flights?|fly|flying)\b/i,
		argumentsFor: ({ origin, destination, date, travelers }) => ({ origin, destination, date, travelers }),
		headline: flightsFound,
	},
	{
		tool: "checkWeather",
		label: "Weather",
		intention: "check the weather",
		words: /\b(weather|forecast|rain|temperature)\b/i,
		argumentsFor: ({ destination, date }) => ({ city: destination, date }),
		headline: firstLine,
	},
	{
		tool: "rankFlights",
		label: "Best flight",
		intention: "rank the flights: the server asks a model to do this (sampling)",
		words: /\b(rank|ranked|ranking|compare)\b/i,
		argumentsFor: ({ budget, travelers }, { flights }) =>
			flights.length < 2
				? undefined
				: {
						flights: flights.map((flight) => ({ ...flight })),
						preferences: `a fair price (the budget for ${travelers} is €${budget}) and a short journey`,
					},
		headline: (text) => text.match(/^1\. .*$/m)?.[0].slice(3) ?? firstLine(text),
	},
	{
		tool: "bookHotel",
		label: "Hotel",
		intention: "book a hotel: the server asks you for the details (a form)",
		words: /\b(hotels?|rooms?|accommodation)\b/i,
		argumentsFor: ({ destination, date, nights, travelers }) => ({
			city: destination,
			checkIn: date,
			nights,
			guests: travelers,
			hotel: "Hotel Sample",
		}),
		headline: firstLine,
	},
	{
		tool: "createCalendarEvent",
		label: "Calendar",
		intention: "put the trip in the calendar",
		words: /\b(calendar|event|appointment)\b/i,
		argumentsFor: ({ destination, date, nights }) => ({
			title: `Trip to ${destination}`,
			startDate: date,
			endDate: addDays(date, nights),
			location: destination,
		}),
		headline: firstLine,
	},
];

/** The steps that a request asks for: the whole story for a vacation, or those that it names; none if it is about other things. */
export function stepsFor({ request, flights }: Conversation): readonly Step[] {
	if (/\b(plan|planning|vacations?|itinerary|getaway|holidays?)\b/i.test(request)) return story;
	const named = story.filter(({ words }) => words.test(request));
	// A ranking needs flights: found earlier in the conversation, or now.
	const needsSearch = named.some(({ tool }) => tool === "rankFlights") && flights.length < 2;
	if (needsSearch) return story.filter((step) => step.tool === "searchFlights" || named.includes(step));
	if (named.length > 0) return named;
	return /\b(trips?|travel|visit)\b/i.test(request) ? story : [];
}

/** How the call of a step ended, if it was made since the request. */
export function outcomeOf(step: Step, { outcomes }: Conversation): CallOutcome | undefined {
	return outcomes.findLast(({ name }) => isToolNamed(step.tool, name));
}

/** Whether a name given to models is that of a tool: the name itself, or with the server's name before it. */
export function isToolNamed(tool: string, name: string): boolean {
	return name === tool || (name.endsWith(tool) && /[^A-Za-z0-9]$/.test(name.slice(0, -tool.length)));
}
