import * as z from "zod";
import { McpServer } from "@modelcontextprotocol/server";
import type { Era } from "../../../protocol/connection.ts";
import { registerBookHotel } from "./bookHotel.ts";
import { registerPrompt } from "./prompt.ts";
import { registerRankFlights, registerSearchFlights } from "./flightTools.ts";
import { boardUri, calendarUri, registerResources } from "./resources.ts";
import { registerTemplates } from "./templates.ts";
import type { TravelWorld } from "./world.ts";
import { forecastFor, formatForecast } from "../world/weather.ts";
import { cityField, dateField, work } from "./toolParts.ts";

const instructions = [
	"A demo: flights, hotels, weather and bookings are invented, nothing is bought and nothing leaves this machine.",
	"For a vacation use searchFlights, checkWeather, rankFlights, bookHotel and createCalendarEvent, in this order.",
	"Dates are written YYYY-MM-DD, prices are in euros.",
].join(" ");

/** Makes the demo server for one connection of that era. It shows every primitive of the protocol. */
export function createTravelServer(world: TravelWorld, era: Era): McpServer {
	const server = new McpServer(
		{ name: "mcp-host-demo-travel", title: "Demo Travel", version: "1.0.0" },
		{
			instructions,
			// The lists never change; the SDK would announce otherwise.
			capabilities: {
				logging: {},
				tools: { listChanged: false },
				prompts: { listChanged: false },
				resources: { subscribe: true, listChanged: false },
			},
		},
	);
	registerSearchFlights(server, world);
	registerCheckWeather(server, world);
	registerRankFlights(server, world);
	registerBookHotel(server, world);
	registerCreateCalendarEvent(server, world);
	registerPrompt(server, world);
	registerResources(server, world);
	registerTemplates(server, world);
	announceUpdates(server, world, era);
	return server;
}

/**
 * Sends `resources/updated` for changed resources. An older client receives its subscriptions; in revision 2026-07-28
 * the SDK's entry sends each update only to the `subscriptions/listen` that requested it.
 */
function announceUpdates({ server }: McpServer, { calendar, board }: TravelWorld, era: Era): void {
	const subscribed = new Set<string>();
	if (era === "legacy") {
		server.setRequestHandler("resources/subscribe", ({ params }) => {
			subscribed.add(params.uri);
			return {};
		});
		server.setRequestHandler("resources/unsubscribe", ({ params }) => {
			subscribed.delete(params.uri);
			return {};
		});
	}
	const announce = (uri: string): void => {
		if (era === "legacy" && !subscribed.has(uri)) return;
		// Fails only if the client has just disconnected, which does no harm.
		server.sendResourceUpdated({ uri }).catch(() => undefined);
	};
	const subscriptions = [
		calendar.onDidChange(() => announce(calendarUri)),
		board.onDidChange(() => announce(boardUri)),
	];
	server.onclose = () => {
		for (const subscription of subscriptions) subscription.dispose();
	};
}

/** Registers `checkWeather`: read-only, with progress and a link to the forecast's resource. */
export function registerCheckWeather(server: McpServer, { pace }: TravelWorld): void {
	server.registerTool(
		"checkWeather",
		{
			title: "Check Weather",
			description: "Get the forecast of a city for a day. The weather is invented.",
			inputSchema: z.object({ city: cityField("The city"), date: dateField("The day") }),
			annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
		},
		async ({ city, date }, context) => {
			await work(context, pace.step, { number: 1, of: 2, message: `Asking the weather station of ${city.name}` });
			await work(context, pace.step, { number: 2, of: 2, message: "Reading the forecast" });
			return {
				content: [
					{ type: "text", text: `${city.name} on ${date}: ${formatForecast(forecastFor(city, date))}.` },
					{
						type: "resource_link",
						uri: `weather://forecast/${encodeURIComponent(city.name)}/${date}`,
						name: `forecast-${city.airport.toLowerCase()}-${date}`,
						title: `Forecast for ${city.name} on ${date}`,
						mimeType: "application/json",
					},
				],
			};
		},
	);
}

/** Registers `createCalendarEvent`, which changes the calendar's resource and so sends `resources/updated`. */
export function registerCreateCalendarEvent(server: McpServer, { calendar }: TravelWorld): void {
	server.registerTool(
		"createCalendarEvent",
		{
			title: "Create Calendar Event",
			description: "Add an event to the demo calendar, which forgets it when the server stops.",
			inputSchema: z.object({
				title: z.string().min(1).max(200).describe("What happens"),
				startDate: dateField("The first day"),
				endDate: dateField("The last day; the first day if absent").optional(),
				location: z.string().max(200).optional().describe("Where"),
				notes: z.string().max(1000).optional().describe("Anything else"),
			}),
			annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
		},
		({ title, startDate, endDate = startDate, location, notes }) => {
			if (endDate < startDate) {
				return {
					content: [{ type: "text", text: `The event would end on ${endDate}, before it starts.` }],
					isError: true,
				};
			}
			calendar.add({ title, startDate, endDate, ...(location && { location }), ...(notes && { notes }) });
			const days = startDate === endDate ? `on ${startDate}` : `from ${startDate} to ${endDate}`;
			return {
				content: [
					{ type: "text", text: `Added "${title}" ${days} to the calendar.` },
					{
						type: "resource_link",
						uri: calendarUri,
						name: "calendar",
						title: "Upcoming Events",
						mimeType: "text/markdown",
					},
				],
			};
		},
	);
}
