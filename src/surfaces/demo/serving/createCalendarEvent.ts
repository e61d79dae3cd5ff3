import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { calendarUri } from "./resources.ts";
import { dateField } from "./toolParts.ts";
import type { TravelWorld } from "./world.ts";

/** Registers `createCalendarEvent`, which changes the calendar's resource and so sends `resources/updated`. */
export function registerCreateCalendarEvent(server: McpServer, { calendar }: TravelWorld): void {
	server.registerTool(
		"createCalendarEvent",
		{
			title: "Create Calendar Event",
			description: "Add an event to the demo calendar, which forgets it when the server stops.",
			inputSchema: z.object({
				title: z.string().min(1).max(200).describe("What happens"),
				startDate: dateField("The first day"),
				endDate: dateField("The last day; the first day if absent").optional(),
				location: z.string().max(200).optional().describe("Where"),
				notes: z.string().max(1000).optional().describe("Anything else"),
			}),
			annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
		},
		({ title, startDate, endDate = startDate, location, notes }) => {
			if (endDate < startDate) {
				return {
					content: [{ type: "text", text: `The event would end on ${endDate}, before it starts.` }],
					isError: true,
				};
			}
			calendar.add({ title, startDate, endDate, ...(location && { location }), ...(notes && { notes }) });
			const days = startDate === endDate ? `on ${startDate}` : `from ${startDate} to ${endDate}`;
			return {
				content: [
					{ type: "text", text: `Added "${title}" ${days} to the calendar.` },
					{
						type: "resource_link",
						uri: calendarUri,
						name: "calendar",
						title: "Upcoming Events",
						mimeType: "text/markdown",
					},
				],
			};
		},
	);
}
