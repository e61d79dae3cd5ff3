import { Emitter, type Event } from "../../../base/event.ts";
import { addDays } from "./dates.ts";

/** An event of one or several whole days, both included. */
export interface CalendarEvent {
	readonly title: string;
	readonly startDate: string;
	readonly endDate: string;
	readonly location?: string;
	readonly notes?: string;
}

/** The traveler's calendar: starts with a few events and lives as long as the server. */
export class Calendar {
	private readonly changed = new Emitter<void>();
	private entries: readonly CalendarEvent[];
	/** Fired after an event was added. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(today: string) {
		const on = (days: number, title: string): CalendarEvent => ({
			title,
			startDate: addDays(today, days),
			endDate: addDays(today, days),
		});
		this.entries = [on(3, "Dentist, 09:30"), on(9, "Dinner with Sam"), on(16, "Quarterly review")];
	}

	/** Adds an event and notifies the listeners. */
	add(event: CalendarEvent): void {
		this.entries = [...this.entries, event].sort((a, b) => a.startDate.localeCompare(b.startDate));
		this.changed.fire();
	}

	/** The calendar as a markdown document. */
	toMarkdown(): string {
		const lines = this.entries.map(({ title, startDate, endDate, location, notes }) => {
			const days = startDate === endDate ? startDate : `${startDate} to ${endDate}`;
			return `- **${days}** ${[title, location, notes].filter((part) => part !== undefined).join(" · ")}`;
		});
		return ["# Upcoming events", "", ...lines, ""].join("\n");
	}
}

/** Invented public holidays around a day as an iCalendar document (RFC 5545). */
export function holidays(today: string): string {
	const days = [
		["Demo Day", addDays(today, 20)],
		["Feast of the Example", addDays(today, 75)],
		["Placeholder Monday", addDays(today, 140)],
	] as const;
	const compact = (date: string): string => date.replaceAll("-", "");
	const events = days.flatMap(([name, date], index) => [
		"BEGIN:VEVENT",
		`UID:holiday-${index + 1}@travel.example`,
		`DTSTAMP:${compact(today)}T000000Z`,
		`DTSTART;VALUE=DATE:${compact(date)}`,
		`SUMMARY:${name}`,
		"END:VEVENT",
	]);
	return [
		"BEGIN:VCALENDAR",
		"VERSION:2.0",
		"PRODID:-//MCP Host//Demo Travel Server//EN",
		...events,
		"END:VCALENDAR",
		"",
	].join("\r\n");
}
