import type { Tool } from "@modelcontextprotocol/server";

const noArguments = { type: "object" as const, properties: {} };
const readOnly = { readOnlyHint: true, openWorldHint: false };

/** The small server's tools, before any was added. */
export const tools: readonly Tool[] = [
	{
		name: "echo",
		title: "Echo",
		description: "Says what you said.",
		inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
		annotations: readOnly,
	},
	{
		name: "add",
		title: "Add Numbers",
		description: "Adds two numbers.",
		inputSchema: {
			type: "object",
			properties: { a: { type: "number" }, b: { type: "number" } },
			required: ["a", "b"],
		},
		outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
		annotations: readOnly,
	},
	{
		name: "slow",
		description: "Takes its time and reports progress.",
		inputSchema: { type: "object", properties: { steps: { type: "integer" }, stepMs: { type: "integer" } } },
		annotations: readOnly,
	},
	{
		name: "fail",
		description: "Fails, as a result or as a protocol error.",
		inputSchema: { type: "object", properties: { how: { type: "string", enum: ["result", "protocol"] } } },
	},
	{
		name: "ask",
		description: "Asks the client's model a question.",
		inputSchema: {
			type: "object",
			properties: { question: { type: "string" }, maxTokens: { type: "integer" } },
			required: ["question"],
		},
	},
	{
		name: "elicit",
		description: "Asks the user, by a form or by an address to open.",
		inputSchema: { type: "object", properties: { mode: { type: "string", enum: ["form", "url"] } } },
	},
	{ name: "roots", description: "Lists the client's roots.", inputSchema: noArguments, annotations: readOnly },
	{ name: "whoami", description: "Tells about its process.", inputSchema: noArguments, annotations: readOnly },
	{
		name: "media",
		description: "Answers with every kind of content.",
		inputSchema: noArguments,
		annotations: readOnly,
	},
	{
		name: "change",
		description: "Changes a list or a resource and says so.",
		inputSchema: {
			type: "object",
			properties: { what: { type: "string", enum: ["tools", "prompts", "resources", "resource"] } },
			required: ["what"],
		},
		annotations: { destructiveHint: true, idempotentHint: false },
	},
];

/** The tool that the nth change of the tools adds. */
export function addedTool(index: number): Tool {
	return { name: `added-${index}`, description: "Was added while running.", inputSchema: noArguments };
}
