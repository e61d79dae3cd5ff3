import { Emitter, type Event } from "../../../base/event.ts";
import { cities, type City, distanceKm } from "./cities.ts";
import { between, pick, seeded } from "./random.ts";

/** An invented flight. Times are the origin's; the price is in euros per traveller. */
export interface Flight {
	readonly number: string;
	readonly airline: string;
	readonly departs: string;
	readonly arrives: string;
	readonly durationMinutes: number;
	readonly stops: number;
	readonly price: number;
}

/** Names that are obviously not real. */
const airlines = [
	["DA", "Demo Air"],
	["EX", "Example Airways"],
	["SJ", "Sample Jet"],
	["PL", "Placeholder Lines"],
] as const;

/** The day's flights between two cities, by departure; the same for the same day. */
export function flightsBetween(origin: City, destination: City, date: string): Flight[] {
	const random = seeded("flights", origin.name, destination.name, date);
	const distance = distanceKm(origin, destination);
	const flights = Array.from({ length: 6 }, (): Flight => {
		const [code, airline] = pick(random, airlines);
		const stops = between(random, 0, 3) === 0 ? 1 : 0;
		const durationMinutes = Math.round((40 + distance / 13 + stops * between(random, 70, 200)) / 5) * 5;
		const departs = between(random, 6 * 12, 21 * 12) * 5;
		return {
			number: `${code}${between(random, 100, 999)}`,
			airline,
			departs: clock(departs),
			arrives: clock(departs + durationMinutes),
			durationMinutes,
			stops,
			price: Math.round(45 + distance * 0.07 * (0.7 + random()) * (stops === 0 ? 1 : 0.75)),
		};
	});
	return flights.sort((a, b) => a.departs.localeCompare(b.departs));
}

/** One flight on one line, for users and models: the format that `parseFlights` reads. */
export function formatFlight(flight: Flight): string {
	const stops = flight.stops === 0 ? "non-stop" : `${flight.stops} stop`;
	const times = `${flight.departs}-${flight.arrives}`;
	return `${flight.number} · ${flight.airline} · ${times} · ${formatDuration(flight.durationMinutes)} · ${stops} · €${flight.price}`;
}

/** The flights written in a text by `formatFlight`, in their order, each number once. */
export function parseFlights(text: string): Flight[] {
	const line =
		/\b([A-Z]{2}\d{3}) · ([^·\n]+) · (\d\d:\d\d)-(\d\d:\d\d) · (\d+) h (\d+) min · (non-stop|(\d) stop) · €(\d+)/g;
	const flights = new Map<string, Flight>();
	for (const [
		,
		number = "",
		airline = "",
		departs = "",
		arrives = "",
		hours,
		minutes,
		,
		stops = "0",
		price,
	] of text.matchAll(line)) {
		if (flights.has(number)) continue;
		const durationMinutes = Number(hours) * 60 + Number(minutes);
		flights.set(number, {
			number,
			airline,
			departs,
			arrives,
			durationMinutes,
			stops: Number(stops),
			price: Number(price),
		});
	}
	return [...flights.values()];
}

/** Minutes as hours and minutes, such as `2 h 15 min`. */
export function formatDuration(minutes: number): string {
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function clock(minutes: number): string {
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}

const stages = ["Scheduled", "On time", "Boarding", "Last call", "Gate closed", "Departed"] as const;
const rowCount = 8;

/**
 * The departures of an invented airport, which advance by one stage at every tick: a resource that changes
 * automatically.
 */
export class FlightBoard {
	private readonly changed = new Emitter<void>();
	private tick = 0;
	/** Fired after the board moved on. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** Moves on every `intervalMs` milliseconds, without keeping the process alive. */
	constructor(intervalMs: number) {
		setInterval(() => {
			this.tick++;
			this.changed.fire();
		}, intervalMs).unref();
	}

	/** The board as text in columns. */
	toText(): string {
		const rows = Array.from({ length: rowCount }, (_, index) => departure(this.tick + index, rowCount - index));
		return [`Departures, update ${this.tick}`, "", ...rows, "", "Invented by the demo server.", ""].join("\n");
	}
}

/** The line of the nth departure of the day; those nearer to the top are further on. */
function departure(index: number, place: number): string {
	const random = seeded("board", String(index));
	const city = cities[between(random, 0, cities.length - 1)]?.name ?? "";
	const stage = stages[Math.min(stages.length - 1, place - 1)] ?? "Scheduled";
	const minutes = (6 * 60 + index * 10) % (24 * 60);
	const time = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
	const gate = `${"ABC".charAt(between(random, 0, 2))}${between(random, 1, 40)}`;
	return `${time}  DA${between(random, 100, 999)}  ${city.padEnd(14)} ${gate.padEnd(4)} ${stage}`;
}
