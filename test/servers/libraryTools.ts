import type { Tool } from "@modelcontextprotocol/server";
import { forms } from "./libraryForms.ts";
import { icons } from "./libraryMedia.ts";
import type { LibraryWorld } from "./libraryWorld.ts";

const readOnly = { readOnlyHint: true, openWorldHint: false };
const noArguments = { type: "object" as const, properties: {} };

const storied: readonly Tool[] = [
	{
		name: "change",
		title: "Change Something",
		description: "Changes a list or a resource, tells of it or not, once or many times.",
		icons: [icons.png],
		inputSchema: {
			type: "object",
			properties: {
				what: { type: "string", enum: ["tools", "prompts", "resources", "resource"] },
				uri: { type: "string", description: "Which resource" },
				how: {
					type: "string",
					enum: ["content", "silent", "gone", "back", "unasked"],
					description: "unasked: tells also who did not subscribe",
				},
				times: { type: "integer", minimum: 1 },
			},
			required: ["what"],
		},
	},
	{
		name: "elicit",
		title: "Ask by a Form",
		description: "Asks the user to fill in a form, or several at the same time, and tells the answers.",
		inputSchema: {
			type: "object",
			properties: {
				form: { type: "string", enum: Object.keys(forms) },
				count: { type: "integer", minimum: 1, maximum: 50 },
			},
		},
	},
	{
		name: "elicit-url",
		title: "Ask by an Address",
		description: "Asks the user to open an address; done at once, or when `finish` is called.",
		inputSchema: {
			type: "object",
			properties: { url: { type: "string" }, message: { type: "string" }, id: { type: "string" } },
		},
	},
	{
		name: "needs-page",
		title: "Needs a Page",
		description: "Refuses (-32042, or asks for input in the modern era) until the user opened a page.",
		inputSchema: { type: "object", properties: { url: { type: "string" }, id: { type: "string" } } },
	},
	{
		name: "finish",
		title: "Finish an Address",
		description: "Tells that what an elicitation by address waited for is done.",
		inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
	},
	{ name: "roots", title: "List the Roots", inputSchema: noArguments, annotations: readOnly },
	{ name: "subscriptions", title: "Legacy Subscriptions", inputSchema: noArguments, annotations: readOnly },
	{
		name: "links",
		title: "Link Resources",
		description: "Answers with links to resources, listed and unlisted.",
		inputSchema: noArguments,
		annotations: readOnly,
	},
	{ name: "exit", title: "Exit", description: "Ends the process at once.", inputSchema: noArguments },
];

/** The tools from `start` to before `end`, in the order of the list. */
export function listTools(world: LibraryWorld, start: number, end: number): readonly Tool[] {
	const items: Tool[] = [];
	for (let index = start; index < Math.min(end, toolCount(world)); index++) {
		items.push(storied[index] ?? bulkTool(index));
	}
	return items;
}

/** How many tools are listed now. */
export function toolCount(world: LibraryWorld): number {
	return storied.length + world.options.tools + world.added.tools;
}

function bulkTool(index: number): Tool {
	return {
		name: `tool-${String(index).padStart(5, "0")}`,
		title: `Tool ${index}`,
		description: `Does nothing in particular, for the ${index}. time.`,
		inputSchema: {
			type: "object",
			properties: { text: { type: "string" }, count: { type: "integer", minimum: 0 } },
			required: ["text"],
		},
		annotations: readOnly,
	};
}
