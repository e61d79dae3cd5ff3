import {
	type McpServer,
	ProtocolError,
	ProtocolErrorCode,
	type ReadResourceResult,
	type Resource,
} from "@modelcontextprotocol/server";
import { holidays } from "../world/calendar.ts";
import { pastTrips } from "../world/pastTrips.ts";
import { sunset } from "../world/picture.ts";
import type { TravelWorld } from "./world.ts";

/** The calendar, which `createCalendarEvent` changes. */
export const calendarUri = "calendar://events/upcoming";
/** The flight board, which changes automatically. */
export const boardUri = "travel://airport/departures";
/** The traveler's preferences, which the prompt embeds. */
export const preferencesUri = "travel://preferences/profile";

/** How many resources a page of the list holds. */
const pageSize = 25;

/** A listed resource and its contents. */
interface DemoResource extends Resource {
	readonly mimeType: string;
	readonly read: () => { readonly text: string } | { readonly blob: string };
}

/** The traveler's preferences as JSON text. */
export function preferences(): string {
	const profile = {
		seat: "aisle",
		meals: ["vegetarian"],
		hotel: { stars: 4, quietRoom: true },
		interests: ["museums", "food", "nature"],
		neverAgain: "flights before six in the morning",
	};
	return `${JSON.stringify(profile, undefined, 2)}\n`;
}

/** Registers the resources and a paged list of them, which `McpServer` alone does not provide. */
export function registerResources(server: McpServer, world: TravelWorld): void {
	const resources = demoResources(world);
	for (const { uri, name, read, ...metadata } of resources) {
		server.registerResource(name, uri, metadata, (): ReadResourceResult => ({
			contents: [{ uri, mimeType: metadata.mimeType, ...read() }],
		}));
	}
	const listed = resources.map(({ read: _read, ...resource }): Resource => resource);
	server.server.setRequestHandler("resources/list", (request) => {
		const { items, nextCursor } = pageOf(listed, pageSize, request.params?.cursor);
		return { resources: items, ...(nextCursor === undefined ? {} : { nextCursor }) };
	});
}

function demoResources({ today, calendar, board }: TravelWorld): DemoResource[] {
	return [
		{
			uri: calendarUri,
			name: "calendar",
			title: "Upcoming Events",
			description: "The traveler's calendar. It changes when createCalendarEvent runs.",
			mimeType: "text/markdown",
			annotations: { audience: ["user", "assistant"], priority: 0.9 },
			read: () => ({ text: calendar.toMarkdown() }),
		},
		{
			uri: "calendar://holidays/public",
			name: "holidays",
			title: "Public Holidays",
			description: "Invented holidays as an iCalendar file.",
			mimeType: "text/calendar",
			annotations: { audience: ["user"], priority: 0.3 },
			read: () => ({ text: holidays(today) }),
		},
		{
			uri: boardUri,
			name: "departures",
			title: "Departures",
			description: "The board of an invented airport. It changes automatically: subscribe to see the changes.",
			mimeType: "text/plain",
			annotations: { audience: ["user"], priority: 0.5 },
			read: () => ({ text: board.toText() }),
		},
		{
			uri: preferencesUri,
			name: "preferences",
			title: "Travel Preferences",
			description: "What the traveler likes.",
			mimeType: "application/json",
			annotations: { audience: ["assistant"], priority: 1 },
			read: () => ({ text: preferences() }),
		},
		{
			uri: "travel://preferences/packing-list",
			name: "packing-list",
			title: "Packing List",
			description: "What the traveler always takes along.",
			mimeType: "text/markdown",
			annotations: { audience: ["user", "assistant"], priority: 0.4 },
			read: () => ({
				text: "# Packing list\n\n- [ ] Passport\n- [ ] Charger\n- [ ] Rain jacket\n- [ ] A book that is too long\n",
			}),
		},
		{
			uri: "travel://pictures/sunset.png",
			name: "sunset",
			title: "Sunset",
			description: "A small picture, made by the server.",
			mimeType: "image/png",
			annotations: { audience: ["user"], priority: 0.1 },
			read: () => ({ blob: sunset().toString("base64") }),
		},
		...pastTrips().map(({ slug, title, description, markdown }): DemoResource => ({
			uri: `trips://history/${slug}`,
			name: slug,
			title,
			description,
			mimeType: "text/markdown",
			annotations: { audience: ["user", "assistant"], priority: 0.2 },
			read: () => ({ text: markdown }),
		})),
	];
}

/**
 * The page of a list at a cursor, and the cursor of the next page if there is one. Cursors are opaque to clients.
 * Throws invalid-params for a cursor that this function did not make (specification, "Pagination").
 */
function pageOf<T>(items: readonly T[], size: number, cursor?: string): { items: T[]; nextCursor?: string } {
	const start =
		cursor === undefined
			? 0
			: Number(
					Buffer.from(cursor, "base64url")
						.toString()
						.replace(/^from:/, ""),
				);
	if (!Number.isInteger(start) || start % size !== 0 || start < 0 || start > items.length || cursor === "") {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This is not a cursor of the list.");
	}
	const end = start + size;
	const nextCursor = end < items.length ? { nextCursor: Buffer.from(`from:${end}`).toString("base64url") } : {};
	return { items: items.slice(start, end), ...nextCursor };
}
