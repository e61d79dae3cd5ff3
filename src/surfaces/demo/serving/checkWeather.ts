import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { forecastFor, formatForecast } from "../world/weather.ts";
import { cityField, dateField, work } from "./toolParts.ts";
import type { TravelWorld } from "./world.ts";

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
