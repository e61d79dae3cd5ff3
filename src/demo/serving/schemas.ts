import * as z from "zod";
import { cities, findCity, type City } from "../world/cities.ts";
import { isDate } from "../world/dates.ts";

/** A date argument, written `YYYY-MM-DD`. */
export function dateField(description: string): z.ZodType<string, string> {
	return z
		.string()
		.refine(isDate, "is not a date written YYYY-MM-DD")
		.meta({ description: `${description}, written YYYY-MM-DD`, format: "date" });
}

/** A city argument, which must be one that the demo knows; the handler gets the city. */
export function cityField(description: string): z.ZodType<City, string> {
	return z
		.string()
		.transform((name, context): City => {
			const city = findCity(name);
			if (city !== undefined) return city;
			const known = cities.map(({ name }) => name).join(", ");
			context.addIssue({ code: "custom", message: `${name} is not a city of the demo. It knows ${known}.` });
			return z.NEVER;
		})
		.meta({ description });
}
