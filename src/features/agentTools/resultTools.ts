import type { HostTool } from "../tools/hostTools.ts";
import { offersResources, readResourceTool, type ResourceToolContext, listResourcesTool } from "./resourceTool.ts";
import { skillTools } from "./skillTools.ts";
import { readResultName, type ResultReading } from "../tools/results/resultReading.ts";

/**
 * The host's tools for results and readable content, as a turn has them now: reading resources and loading skills if a
 * server has any, and reading on in results once one was cut. Each is offered only when it is useful, because it costs
 * context.
 */
export function resultTools(reading: ResultReading, context: ResourceToolContext): readonly HostTool[] {
	const resources = context.sessions.some(offersResources)
		? [listResourcesTool(context.sessions), readResourceTool(context)]
		: [];
	const results = reading.hasKept ? [readResultTool(reading)] : [];
	return [...resources, ...skillTools(context.sessions), ...results];
}

function readResultTool(reading: ResultReading): HostTool {
	return {
		kind: "local",
		tool: {
			name: readResultName,
			description:
				"Read more of a long result of an earlier tool call of which you received only the beginning. Return some of its lines or characters, the JSON value at a path, or the places where words occur.",
			inputSchema: {
				type: "object",
				properties: {
					id: { type: "string", description: "The id given before the beginning of the result" },
					path: {
						type: "string",
						description: "Read only this part of a JSON result, such as /rows/0 (JSON Pointer)",
					},
					line: { type: "integer", minimum: 1, description: "The line to start at" },
					lines: { type: "integer", minimum: 1, description: "The number of lines. Default: as many as fit" },
					offset: { type: "integer", minimum: 0, description: "The character to start at, instead of a line" },
					length: { type: "integer", minimum: 1, description: "The number of characters. Default: as many as fit" },
					find: { type: "string", description: "Return the places where these words occur instead" },
				},
				required: ["id"],
				additionalProperties: false,
			},
		},
		run: async (args) => reading.read(args),
	};
}
