import type { HostTool } from "../tools/hostTools.ts";
import { offersResources, readResourceTool, type ResourceToolContext, listResourcesTool } from "./resourceTool.ts";
import { readResultName, type ResultReading } from "../tools/results/resultReading.ts";

/**
 * The tools of the host about what servers gave and what can be read of them, as a turn has them now: reading resources
 * where a server has any, and reading on in results once one was cut. Each only costs context where it is of use.
 */
export function resultTools(reading: ResultReading, context: ResourceToolContext): readonly HostTool[] {
	const resources = context.sessions.some(offersResources)
		? [listResourcesTool(context.sessions), readResourceTool(context)]
		: [];
	return reading.hasKept ? [...resources, readResultTool(reading)] : resources;
}

function readResultTool(reading: ResultReading): HostTool {
	return {
		kind: "local",
		tool: {
			name: readResultName,
			description:
				"Reads on in a long result of an earlier tool call, of which only the beginning was given: some of its lines or characters, the part of JSON at a path, or where words stand.",
			inputSchema: {
				type: "object",
				properties: {
					id: { type: "string", description: "The id that stood before the beginning" },
					path: {
						type: "string",
						description: "Reads only this part of a JSON result, such as /rows/0 (JSON Pointer)",
					},
					line: { type: "integer", minimum: 1, description: "The line to begin at" },
					lines: { type: "integer", minimum: 1, description: "How many lines; as many as fit by default" },
					offset: { type: "integer", minimum: 0, description: "The character to begin at, in place of a line" },
					length: { type: "integer", minimum: 1, description: "How many characters; as many as fit by default" },
					find: { type: "string", description: "Tells where these words stand instead" },
				},
				required: ["id"],
				additionalProperties: false,
			},
		},
		run: async (args) => reading.read(args),
	};
}
