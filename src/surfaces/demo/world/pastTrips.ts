import { cities, type City, homeCity } from "./cities.ts";
import { between, pick, seeded } from "./random.ts";

/** A trip of the past, with its diary. */
export interface PastTrip {
	/** Such as `barcelona-2023`. */
	readonly slug: string;
	readonly title: string;
	readonly description: string;
	readonly markdown: string;
}

const tripCount = 60;
const lastYear = 2025;
const tripsPerYear = 5;

/** Sixty past trips, the latest first: enough for several pages of a list. */
export function pastTrips(): PastTrip[] {
	// A step that shares no divisor with the number of cities visits all of them before it repeats one.
	return Array.from({ length: tripCount }, (_, index) =>
		describe(cities[(index * 11 + 2) % cities.length] ?? homeCity, lastYear - Math.floor(index / tripsPerYear)),
	);
}

function describe(city: City, year: number): PastTrip {
	const random = seeded("past trip", city.name, String(year));
	const nights = between(random, 2, 12);
	const month = pick(random, ["April", "May", "June", "September", "October"]);
	const company = pick(random, ["alone", "with Sam", "with the family", "with friends"]);
	const best = pick(random, [
		"the morning at the market",
		"getting lost in the old town",
		"the train ride there",
		"the view from the hill",
	]);
	const worst = pick(random, [
		"the queue at the museum",
		"the rain on the second day",
		"the hotel's pillows",
		"leaving",
	]);
	return {
		slug: `${city.name.toLowerCase().replaceAll(" ", "-")}-${year}`,
		title: `${city.name} ${year}`,
		description: `${nights} nights in ${month} ${year}, ${company}`,
		markdown: [
			`# ${city.name}, ${month} ${year}`,
			"",
			`${nights} nights in ${city.country}, ${company}. Cost: €${nights * between(random, 80, 190)}.`,
			"",
			`- Best: ${best}`,
			`- Worst: ${worst}`,
			`- Rating: ${between(random, 3, 5)} of 5`,
			"",
		].join("\n"),
	};
}
