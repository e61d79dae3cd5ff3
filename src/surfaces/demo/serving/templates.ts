import { ResourceNotFoundError, ResourceTemplate, type McpServer, type Variables } from "@modelcontextprotocol/server";
import { decoded } from "../../../base/words.ts";
import { activitiesIn, categoriesOf } from "../world/activities.ts";
import { cityNames, findCity, type City } from "../world/cities.ts";
import { comingDates, isDate } from "../world/dates.ts";
import { forecastFor } from "../world/weather.ts";
import type { TravelWorld } from "./world.ts";

/** Registers the templates of forecasts and activities, whose variables can be completed. */
export function registerTemplates(server: McpServer, { today }: TravelWorld): void {
	server.registerResource(
		"forecast",
		new ResourceTemplate("weather://forecast/{city}/{date}", {
			list: undefined,
			complete: {
				city: cityNames,
				date: (start) => comingDates(today, 14).filter((date) => date.startsWith(start)),
			},
		}),
		{
			title: "Weather Forecast",
			description: "The invented weather of a city on a day, written YYYY-MM-DD.",
			mimeType: "application/json",
			annotations: { audience: ["user", "assistant"], priority: 0.6 },
		},
		(uri, variables) => {
			const city = cityOf(uri, variables);
			const date = valueOf(variables, "date");
			if (!isDate(date)) throw new ResourceNotFoundError(uri.href);
			const forecast = { city: city.name, country: city.country, date, ...forecastFor(city, date) };
			const text = `${JSON.stringify(forecast, undefined, 2)}\n`;
			return { contents: [{ uri: uri.href, mimeType: "application/json", text }] };
		},
	);
	server.registerResource(
		"activities",
		new ResourceTemplate("travel://activities/{city}/{category}", {
			list: undefined,
			complete: {
				city: cityNames,
				category: (start, context) =>
					categoriesOf(findCity(context?.arguments?.["city"] ?? "")).filter((category) =>
						category.startsWith(start.toLowerCase()),
					),
			},
		}),
		{
			title: "Activities",
			description: "What to do in a city: architecture, beaches, food, museums, nature or nightlife.",
			mimeType: "text/markdown",
			annotations: { audience: ["user", "assistant"], priority: 0.6 },
		},
		(uri, variables) => {
			const text = activitiesIn(cityOf(uri, variables), valueOf(variables, "category"));
			if (text === undefined) throw new ResourceNotFoundError(uri.href);
			return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
		},
	);
}

function cityOf(uri: URL, variables: Variables): City {
	const city = findCity(valueOf(variables, "city"));
	if (city === undefined) throw new ResourceNotFoundError(uri.href);
	return city;
}

/** A variable's text. The SDK matches the original URI, so values are still percent-encoded. */
function valueOf(variables: Variables, name: string): string {
	return decoded(String(variables[name]));
}
