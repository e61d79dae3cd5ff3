import type { CallToolResult, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isJsonObject } from "../base/json.ts";

/**
 * The answer to `tools/call` as the server sent it, if it is an object with a list for content, or with none. The tool has
 * run, so that one block that breaks the protocol, or is of a later revision, must not take the others from the person:
 * `readResult` in results/result.ts takes nothing in it for certain (security.md TOL-13).
 */
export const toolResultSchema: StandardSchemaV1<unknown, CallToolResult> = {
	"~standard": {
		version: 1,
		vendor: "mcp-host",
		validate(answer) {
			if (!isJsonObject(answer)) return { issues: [{ message: "It is no object." }] };
			const { content } = answer;
			if (content !== undefined && !Array.isArray(content)) return { issues: [{ message: "Its content is no list." }] };
			return { value: answer as unknown as CallToolResult };
		},
	},
};
