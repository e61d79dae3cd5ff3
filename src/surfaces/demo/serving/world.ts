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

/** The state of the demo server. One for the process, for any number of connections. */
export interface TravelWorld {
	/** The day on which the server started. */
	readonly today: string;
	readonly pace: Pace;
	readonly calendar: Calendar;
	readonly board: FlightBoard;
}

/** The world at the start of the server on that day. */
export function createWorld(now: Date, pace: Pace): TravelWorld {
	const today = isoDate(now);
	return { today, pace, calendar: new Calendar(today), board: new FlightBoard(pace.board) };
}
