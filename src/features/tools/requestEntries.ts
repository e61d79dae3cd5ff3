import { isTextObject, jsonObjectOf, stringOf } from "../../base/guards.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";

const annotations = { readOnlyHint: true, openWorldHint: false };
const texts = { type: "object", additionalProperties: { type: "string" } } as const;

/** The same definitions for every server, so that a grant stays bound to them. Their names are those of the methods. */
const promptTool: Tool = {
	name: "prompts/get",
	description: "Gets a prompt of this server.",
	inputSchema: {
		type: "object",
		properties: { name: { type: "string" }, arguments: texts },
		required: ["name", "arguments"],
		additionalProperties: false,
	},
	annotations,
};
const completionTool: Tool = {
	name: "completion/complete",
	description: "Asks this server for values of an argument of a prompt or a resource template.",
	inputSchema: {
		type: "object",
		properties: {
			prompt: { type: "string" },
			template: { type: "string" },
			argument: { type: "string" },
			value: { type: "string" },
			others: texts,
		},
		required: ["argument", "value", "others"],
		additionalProperties: false,
	},
	annotations,
};

/** The call that represents getting a prompt of a server; the structured content is the whole result. */
export function promptEntry(session: Session): ToolEntry {
	return entryOf(session, promptTool, async ({ name, arguments: args }, options) => {
		// Checked by the input schema, as all arguments are.
		const result = await session.getPrompt(stringOf(name), isTextObject(args) ? args : {}, options);
		return { content: result.messages.map(({ content }) => content), structuredContent: result };
	});
}

/** The call that represents a completion by a server; the structured content is the completion. */
export function completionEntry(session: Session): ToolEntry {
	return entryOf(session, completionTool, async ({ prompt, template, argument, value, others }, options) => {
		const known = isTextObject(others) ? others : {};
		const typed = { name: stringOf(argument), value: stringOf(value) };
		const reference =
			typeof prompt === "string"
				? ({ type: "ref/prompt", name: prompt } as const)
				: ({ type: "ref/resource", uri: stringOf(template) } as const);
		const completion = await session.complete(reference, typed, known, options);
		return { content: [], structuredContent: jsonObjectOf(completion) };
	});
}

/** A request as an entry, which rules, grants and the user decide about as about a tool. */
export function entryOf(session: Session, tool: Tool, perform: NonNullable<ToolEntry["perform"]>): ToolEntry {
	return { session, tool, perform, modelName: "", hidden: undefined };
}
