import type { City } from "./cities.ts";
import { between, pick, seeded } from "./random.ts";

/** An invented forecast for one place and day. Temperatures are in degrees Celsius. */
export interface Forecast {
	readonly summary: string;
	readonly high: number;
	readonly low: number;
	/** The chance of rain in percent. */
	readonly rain: number;
	/** The speed of the wind in kilometres an hour. */
	readonly wind: number;
}

/** The forecast of a city for a date; the same whenever asked, and fitting the season. */
export function forecastFor(city: City, date: string): Forecast {
	const random = seeded("weather", city.name, date);
	// Warmest in July, coldest in January; the other way round south of the equator.
	const month = Number(date.slice(5, 7));
	const season = Math.cos(((month - 7) * Math.PI) / 6) * (city.latitude < 0 ? -1 : 1);
	const distanceFromEquator = Math.abs(city.latitude);
	const high = Math.round(
		33 - distanceFromEquator * 0.4 + season * distanceFromEquator * 0.22 + between(random, -3, 3),
	);
	const rain = between(random, 0, 18) * 5;
	const summary = rain < 20 ? pick(random, ["Sunny", "Clear skies"]) : rain < 55 ? "Some clouds" : "Showers";
	return {
		summary: high < 1 && rain >= 55 ? "Snow" : summary,
		high,
		low: high - between(random, 5, 10),
		rain,
		wind: between(random, 4, 32),
	};
}

/** A forecast in one line. */
export function formatForecast({ summary, high, low, rain, wind }: Forecast): string {
	return `${summary}, ${low} to ${high} °C, ${rain} % chance of rain, wind ${wind} km/h`;
}
