import { Emitter, type Event } from "../../base/event.ts";
import { cities } from "./cities.ts";
import { between, seeded } from "./random.ts";

const stages = ["Scheduled", "On time", "Boarding", "Last call", "Gate closed", "Departed"] as const;
const rowCount = 8;

/** The departures of an invented airport, which move on by one stage at every tick: a resource that changes by itself. */
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
