/**
 * A server with tools for users to run, over stdio: `node shop.ts [--log path]`. One lists rows, one destroys and takes
 * no arguments, one is slow, one answers like a hostile server.
 */
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { setTimeout as sleep } from "node:timers/promises";
import { recorderFromProcess, recordStdio } from "./received.ts";

const flights = [
	{ number: "DA865", departs: "07:10", price: 93 },
	{ number: "VY1021", departs: "09:45", price: 61 },
];

const noArguments = { type: "object" as const, properties: {} };

function shop(): Server {
	const server = new Server({ name: "shop", version: "1.0.0" }, { capabilities: { tools: {} } });
	server.setRequestHandler("tools/list", () => ({
		tools: [
			{
				name: "searchFlights",
				title: "Search Flights",
				description: "Lists the flights of a day.",
				inputSchema: {
					type: "object" as const,
					properties: {
						from: { type: "string" as const, minLength: 3, description: "Three letters of an airport" },
						seats: { type: "integer" as const, minimum: 1, default: 1 },
					},
					required: ["from"],
				},
				outputSchema: {
					type: "object" as const,
					properties: { flights: { type: "array" as const } },
					required: ["flights"],
				},
				annotations: { readOnlyHint: true, openWorldHint: false },
			},
			{
				name: "emptyTrash",
				description: "Deletes everything in the trash for good.",
				inputSchema: noArguments,
				annotations: { destructiveHint: true },
			},
			{ name: "wait", description: "Takes its time.", inputSchema: noArguments, annotations: { readOnlyHint: true } },
		],
	}));
	server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
		switch (params.name) {
			case "searchFlights":
				return {
					content: [{ type: "text" as const, text: `${flights.length} flights.` }],
					structuredContent: { flights },
				};
			case "emptyTrash":
				return { content: [{ type: "text" as const, text: "Emptied." }] };
			default:
				await sleep(60_000, undefined, { signal: mcpReq.signal });
				return { content: [] };
		}
	});
	return server;
}

recordStdio(recorderFromProcess());
serveStdio(shop, { legacy: "serve" });
