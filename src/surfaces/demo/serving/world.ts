import { Calendar } from "../world/calendar.ts";
import { isoDate } from "../world/dates.ts";
import { FlightBoard } from "../world/flights.ts";

/** How fast the demo moves, in milliseconds. */
export interface Pace {
	/** The time that each step of a tool's work takes. */
	readonly step: number;
	/** The time between two updates of the flight board. */
	readonly board: number;
}

/** What the demo server knows and changes. One for the process, whatever number of connections it serves. */
export interface TravelWorld {
	/** The day on which the server started. */
	readonly today: string;
	readonly pace: Pace;
	readonly calendar: Calendar;
	readonly board: FlightBoard;
}

/** A world as it is when the server starts on that day. */
export function createWorld(now: Date, pace: Pace): TravelWorld {
	const today = isoDate(now);
	return { today, pace, calendar: new Calendar(today), board: new FlightBoard(pace.board) };
}
