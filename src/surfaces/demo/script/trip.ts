import { cities, homeCity } from "../world/cities.ts";
import { counted } from "../world/counted.ts";
import { addDays, isDate, isoDate } from "../world/dates.ts";

/** The script's data about the trip. */
export interface Trip {
	readonly origin: string;
	readonly destination: string;
	/** The day of departure. */
	readonly date: string;
	readonly nights: number;
	readonly travelers: number;
	/** In euros. */
	readonly budget: number;
	/** The values that the script assumed, such as `the destination`. */
	readonly assumed: readonly string[];
}

const cityPattern = `(${cities.map(({ name }) => name).join("|")})\\b`;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Three letters or the whole name, but not `maybe`. */
const monthPattern =
	"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\\b\\.?";
const numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Reads the trip from texts by simple patterns; a later text overrules an earlier one, and the rest is assumed. */
export function readTrip(texts: readonly string[], today: string): Trip {
	const last = <T>(read: (text: string) => T | undefined): T | undefined =>
		texts.map(read).findLast((value) => value !== undefined);
	const city = (prefix: string) => (text: string) =>
		cityNamed(text.match(new RegExp(`${prefix}${cityPattern}`, "i"))?.[1]);
	const destination = last(city("\\b(?:to|in|visit|visiting|for|at)\\s+")) ?? last(city("(?<!\\bfrom )\\b"));
	const date = last((text) => readDate(text, today));
	const nights = last((text) => readCount(text, "nights?|days?") ?? readSpan(text));
	const travelers = last(
		(text) => readCount(text, "travell?ers?|people|persons?|adults|guests|of us") ?? readCompany(text),
	);
	const budget = last(readBudget);
	const said = {
		"the destination": destination,
		"the day of departure": date,
		"the number of nights": nights,
		"the number of travelers": travelers,
		"the budget": budget,
	};
	return {
		origin: last(city("\\bfrom\\s+")) ?? homeCity.name,
		destination: destination ?? "Barcelona",
		date: date ?? addDays(today, 30),
		nights: Math.min(nights ?? 5, 30),
		travelers: Math.min(travelers ?? 2, 9),
		budget: budget ?? 2000,
		assumed: Object.entries(said).flatMap(([name, value]) => (value === undefined ? [name] : [])),
	};
}

/** The trip in one line. */
export function formatTrip({ origin, destination, date, nights, travelers, budget }: Trip): string {
	return `**${destination}** from ${origin}, ${date}, ${counted(nights, "night")}, ${counted(travelers, "traveler")}, budget €${budget}`;
}

function cityNamed(name: string | undefined): string | undefined {
	return cities.find((city) => city.name.toLowerCase() === name?.toLowerCase())?.name;
}

/** The first date of a text: `2026-06-12`, `12 June`, `June 12` (with or without a year), or tomorrow. */
function readDate(text: string, today: string): string | undefined {
	const iso = text.match(/\b\d{4}-\d{2}-\d{2}\b/)?.[0];
	if (iso !== undefined && isDate(iso)) return iso;
	if (/\btomorrow\b/i.test(text)) return addDays(today, 1);
	const dayFirst = text.match(
		new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${monthPattern}(?:,?\\s+(\\d{4}))?\\b`, "i"),
	);
	const monthFirst = text.match(
		new RegExp(`\\b${monthPattern}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(\\d{4}))?`, "i"),
	);
	if (dayFirst !== null) return dateOf(dayFirst[1], dayFirst[2], dayFirst[3], today);
	return monthFirst === null ? undefined : dateOf(monthFirst[2], monthFirst[1], monthFirst[3], today);
}

/** The date, in the next year in which it is ahead if no year is given. */
function dateOf(day = "", month = "", year: string | undefined, today: string): string | undefined {
	const at = (year: number): string =>
		isoDate(new Date(Date.UTC(year, months.indexOf(month.toLowerCase()), Number(day))));
	if (year !== undefined) return at(Number(year));
	const thisYear = Number(today.slice(0, 4));
	return at(thisYear) > today ? at(thisYear) : at(thisYear + 1);
}

function readCount(text: string, nouns: string): number | undefined {
	const count = text
		.match(new RegExp(`\\b(\\d{1,2}|${numbers.join("|")})\\s+(?:${nouns})\\b`, "i"))?.[1]
		?.toLowerCase();
	if (count === undefined) return undefined;
	const value = numbers.includes(count) ? numbers.indexOf(count) : Number(count);
	return value > 0 ? value : undefined;
}

/** The nights of a span that has a name: `a long weekend`, `the weekend`, `a week`, `two weeks`. */
function readSpan(text: string): number | undefined {
	if (/\blong week-?end\b/i.test(text)) return 3;
	if (/\bweek-?end\b/i.test(text)) return 2;
	const weeks = readCount(text, "weeks?") ?? (/\b(a|one) week\b/i.test(text) ? 1 : undefined);
	return weeks === undefined ? undefined : weeks * 7;
}

/**
 * The travellers, if only their number is given: `for two`, `as a couple`, `alone`. A number before a noun counts that
 * noun.
 */
function readCompany(text: string): number | undefined {
	if (/\b(alone|solo|by myself)\b/i.test(text)) return 1;
	if (/\b(a|as) couple\b(?! of)/i.test(text)) return 2;
	const ends = "(?=\\s*(?:[.,;!?)]|$)|\\s+(?:in|on|from|to|at|with|under|next|this|and|leaving|starting|tomorrow)\\b)";
	const count = text
		.match(new RegExp(`\\bfor\\s+([1-9]|${numbers.slice(1).join("|")})${ends}`, "i"))?.[1]
		?.toLowerCase();
	if (count === undefined) return undefined;
	return numbers.includes(count) ? numbers.indexOf(count) : Number(count);
}

/** A budget: `budget of 2000`, `€ 2,000` or `2000 euros`. */
function readBudget(text: string): number | undefined {
	const amount = "(\\d[\\d.,]*)";
	const match =
		text.match(new RegExp(`\\bbudget\\D{0,12}${amount}`, "i")) ??
		text.match(new RegExp(`(?:[€$£]|\\bEUR)\\s?${amount}`, "i")) ??
		text.match(new RegExp(`\\b${amount}\\s?(?:€|eur(?:os?)?\\b|dollars\\b)`, "i"));
	const value = Number(
		match?.[1]
			?.replace(/[.,](?=\d{3}\b)/g, "")
			.replace(/(?<![.,])[.,]+$/, "")
			.replace(",", "."),
	);
	return value > 0 ? Math.round(value) : undefined;
}
