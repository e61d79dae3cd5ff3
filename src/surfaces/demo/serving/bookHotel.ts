import {
	inputRequired,
	inputResponse,
	type CallToolResult,
	type McpServer,
	type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { City } from "../world/cities.ts";
import { counted } from "../world/counted.ts";
import { addDays } from "../world/dates.ts";
import { bookingReference, findHotel, hotelsIn, type Hotel } from "../world/hotels.ts";
import { cityField, dateField, work } from "./toolParts.ts";
import type { TravelWorld } from "./world.ts";

const beds = { king: "One king-size bed", twin: "Two single beds", family: "Family room, four beds" } as const;

/** The required content of an accepted form. Clients need not have checked it. */
const detailsSchema = z.object({
	bedType: z.enum(["king", "twin", "family"]),
	arrivalTime: z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/, "is not a time such as 18:30"),
	lateArrival: z.boolean().default(false),
	email: z.email(),
});

interface Stay {
	readonly city: City;
	readonly hotel: Hotel;
	readonly checkIn: string;
	readonly nights: number;
	readonly guests: number;
}

/**
 * Registers `bookHotel`: destructive, and asks the user for details by elicitation before it books.
 * The SDK serves `inputRequired` in both eras: as an `input_required` result, or as a request of its own.
 */
export function registerBookHotel(server: McpServer, { pace }: TravelWorld): void {
	server.registerTool(
		"bookHotel",
		{
			title: "Book Hotel",
			description:
				"Book a room. The server asks the traveler for the details of the stay before it books. The hotels are invented and nothing is paid.",
			inputSchema: z.object({
				city: cityField("The city"),
				checkIn: dateField("The day of arrival"),
				nights: z.number().int().min(1).max(30).describe("How many nights"),
				guests: z.number().int().min(1).max(9).default(1).describe("How many people"),
				hotel: z.string().optional().describe("The name of the hotel, or a part of it; the best one if absent"),
			}),
			annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
		},
		async ({ city, checkIn, nights, guests, hotel: name }, context) => {
			const hotel = name === undefined ? hotelsIn(city)[0] : findHotel(city, name);
			if (hotel === undefined) {
				const known = hotelsIn(city).map(({ name }) => name);
				return failure(`No hotel in ${city.name} is called "${name}". There are: ${known.join(", ")}.`);
			}
			const stay = { city, hotel, checkIn, nights, guests };
			const answer = inputResponse(context.mcpReq.inputResponses, "details");
			if (answer.kind !== "elicit") {
				await work(context, pace.step, { number: 1, of: 3, message: `Looking for a room at ${hotel.name}` });
				return inputRequired({ inputRequests: { details: askForDetails(stay) } });
			}
			if (answer.action !== "accept") return await leave(context, answer.action);
			return await book(stay, answer.content, context, pace.step);
		},
	);
}

function askForDetails({ city, hotel, checkIn, nights, guests }: Stay): ReturnType<typeof inputRequired.elicit> {
	return inputRequired.elicit({
		message: `${hotel.name}, ${city.name}: ${counted(nights, "night")} from ${checkIn}, ${counted(guests, "guest")}, €${hotel.price * nights}. Please complete the booking.`,
		requestedSchema: {
			type: "object",
			properties: {
				bedType: {
					type: "string",
					title: "Beds",
					oneOf: Object.entries(beds).map(([value, title]) => ({ const: value, title })),
					default: "king",
				},
				arrivalTime: {
					type: "string",
					title: "Arrival time",
					description: "When you arrive, such as 18:30",
					minLength: 4,
					maxLength: 5,
					default: "15:00",
				},
				lateArrival: {
					type: "boolean",
					title: "Late arrival",
					description: "Keep the room if you come after 22:00",
					default: false,
				},
				email: {
					type: "string",
					title: "E-mail",
					description: "Where the confirmation goes; nothing is sent",
					format: "email",
				},
			},
			required: ["bedType", "arrivalTime", "email"],
		},
	});
}

async function leave({ mcpReq }: ServerContext, action: "decline" | "cancel"): Promise<CallToolResult> {
	const text =
		action === "decline"
			? "Nothing was booked: the traveler declined to give the details."
			: "Nothing was booked: the traveler closed the form without an answer.";
	// oxlint-disable-next-line typescript/no-deprecated -- deprecated in 2026-07-28 but in force
	await mcpReq.log("warning", text, "travel");
	return { content: [{ type: "text", text }] };
}

async function book(stay: Stay, content: unknown, context: ServerContext, pace: number): Promise<CallToolResult> {
	const details = detailsSchema.safeParse(content);
	if (!details.success)
		return failure(`Nothing was booked: the details are not usable.\n${z.prettifyError(details.error)}`);
	const { bedType, arrivalTime, lateArrival, email } = details.data;
	const { city, hotel, checkIn, nights, guests } = stay;
	await work(context, pace, { number: 2, of: 3, message: "Reserving the room" });
	await work(context, pace, { number: 3, of: 3, message: "Booked" });
	const reference = bookingReference(hotel.name, checkIn, String(nights), email);
	const lines = [
		`Booked, reference ${reference}: ${hotel.name}, ${city.name}, ${checkIn} to ${addDays(checkIn, nights)}, ${counted(guests, "guest")}, €${hotel.price * nights}.`,
		`${beds[bedType]}, arrival ${arrivalTime}${lateArrival ? " (late arrival noted)" : ""}, confirmation for ${email}. This is a demo: no hotel was contacted.`,
	];
	return { content: [{ type: "text", text: lines.join("\n") }] };
}

function failure(text: string): CallToolResult {
	return { content: [{ type: "text", text }], isError: true };
}
