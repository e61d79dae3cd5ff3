import { capitalized } from "../../../base/words.ts";
import type { City } from "./cities.ts";
import { between, seeded } from "./random.ts";
import { keysOf } from "../../../base/guards.ts";

const ideas = {
	architecture: [
		"a walk along the old city wall",
		"the tower of the town hall",
		"the covered market",
		"the station hall",
	],
	beaches: ["the long beach by the harbour", "the quiet bay in the north", "a swim at the lighthouse"],
	food: ["a tasting at the market", "a cooking class", "the street with the bakeries", "dinner in the old port"],
	museums: ["the museum of the city", "the gallery of modern art", "the museum of travel", "the maritime museum"],
	nature: ["the botanical garden", "a walk up the hill at sunset", "a day in the nature reserve"],
	nightlife: ["live music in the cellar bar", "the night market", "a concert in the park"],
} as const satisfies Record<string, readonly string[]>;

type Category = keyof typeof ideas;

/** The categories of activities; those of one city if it is given (only a city by the sea has beaches). */
export function categoriesOf(city: City | undefined): Category[] {
	return keysOf(ideas).filter((category) => category !== "beaches" || city?.isCoastal !== false);
}

/** The activities of a category in a city, as a markdown document; undefined if the city has none of that category. */
export function activitiesIn(city: City, category: string): string | undefined {
	const known = categoriesOf(city).find((name) => name === category.toLowerCase());
	if (known === undefined) return undefined;
	const random = seeded("activities", city.name, known);
	const lines = ideas[known].map(
		(idea) => `- ${capitalized(idea)}: ${between(random, 1, 4)} h, about €${between(random, 0, 9) * 5}`,
	);
	return [`# ${capitalized(known)} in ${city.name}`, "", ...lines, "", "Invented by the demo server.", ""].join("\n");
}
