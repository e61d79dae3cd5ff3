import { inputRequired, inputResponse, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { formatFlight } from "../world/flights.ts";
import { flightSchema } from "./searchFlights.ts";
import { work } from "./work.ts";
import type { TravelWorld } from "./world.ts";

/**
 * Registers `rankFlights`, which asks the host's model by sampling: as an `input_required` result, or as a request of its
 * own to a client of the older era.
 */
export function registerRankFlights(server: McpServer, { pace }: TravelWorld): void {
	server.registerTool(
		"rankFlights",
		{
			title: "Rank Flights",
			description: "Put flights in order for a traveller. The server asks the model of its host to judge.",
			inputSchema: z.object({
				flights: z.array(flightSchema).min(2).max(20).describe("The flights, as searchFlights gives them"),
				preferences: z
					.string()
					.max(500)
					.default("a fair price and a short journey")
					.describe("What matters to the traveller"),
			}),
			annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: true },
		},
		async ({ flights, preferences }, context) => {
			const answer = inputResponse(context.mcpReq.inputResponses, "ranking");
			if (answer.kind !== "sampling") {
				await work(context, pace.step, {
					number: 1,
					of: 2,
					message: `Asking the host's model to rank ${flights.length} flights`,
				});
				const list = flights.map(formatFlight).join("\n");
				const ranking = inputRequired.createMessage({
					systemPrompt:
						"You rank flights for a traveller. Answer with a numbered list, the best first, and one short reason each.",
					messages: [
						{
							role: "user",
							content: { type: "text", text: `Rank these flights. What matters: ${preferences}.\n\n${list}` },
						},
					],
					maxTokens: 400,
					temperature: 0.2,
					modelPreferences: { speedPriority: 0.7, costPriority: 0.6, intelligencePriority: 0.3 },
				});
				return inputRequired({ inputRequests: { ranking } });
			}
			await work(context, pace.step, { number: 2, of: 2, message: "Reading the ranking" });
			const { model, content } = answer.result;
			const blocks = Array.isArray(content) ? content : [content];
			const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
			return { content: [{ type: "text", text: `Ranked by ${model}, asked through sampling:\n\n${text}` }] };
		},
	);
}
