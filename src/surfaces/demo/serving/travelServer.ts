import { McpServer } from "@modelcontextprotocol/server";
import type { Era } from "../../../protocol/connection.ts";
import { registerBookHotel } from "./bookHotel.ts";
import { registerCheckWeather } from "./checkWeather.ts";
import { registerCreateCalendarEvent } from "./createCalendarEvent.ts";
import { registerPrompt } from "./prompt.ts";
import { registerRankFlights, registerSearchFlights } from "./flightTools.ts";
import { boardUri, calendarUri, registerResources } from "./resources.ts";
import { registerTemplates } from "./templates.ts";
import type { TravelWorld } from "./world.ts";

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
 * Sends `resources/updated` for what changes. An older client gets what it subscribed to; in the modern era the SDK's
 * entry sends each update only to the `subscriptions/listen` that asked for it.
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
		// Fails only if the client has just gone, and then nobody misses it.
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
