import { jsonObjectOf } from "../../base/guards.ts";
import { cap, showHidden } from "../../base/text.ts";
import type { ModelTool } from "../../models/model.ts";
import type { Tool } from "../../servers/sessions/session.ts";
import { isModelTool } from "./appTools.ts";
import { schemaForModel } from "./modelSchema.ts";
import { resourceReadName, skillNameStart } from "./names.ts";
import { whyUnusable } from "../../base/schema/schemaFaults.ts";
import { soundSchema } from "../../base/schema/soundSchema.ts";

/** How much of a description a model receives in total; it is paid for in every round. */
const longestDescription = 8000;
/** The maximum length of a tool's description for OpenAI. Those of schemas have no such limit. */
const longestFirstPart = 1024;
const goesOn = " … (continued in the description of the parameters)";

/** A tool's definition for models, under the name by which they know it; or why they are not offered it. */
export type ToolForModels =
	| { readonly tool: ModelTool; readonly hidden?: undefined }
	| { readonly hidden: string; readonly tool?: undefined };

/** The part that is the same under any name, and the current name: its work is done once for each tool. */
type Content = (Omit<ModelTool, "name"> & { readonly name?: string }) | { readonly hidden: string };

/** The source of a tool's definition for models: a tool that a server lists, or offers in a sampling request. */
type TellableTool = Pick<Tool, "name" | "title" | "description" | "_meta"> & { readonly inputSchema: object };

const known = new WeakMap<TellableTool, Content>();

/**
 * The definition of a server's tool for models: name, description and input schema, without output schema and
 * annotations. The title replaces a missing description. The same `tool` for the same tool and name, because tools are
 * requested in every round. Runs in bounded time for any input of the server (TOL-20).
 */
export function toolForModels(tool: TellableTool, modelName: string): ToolForModels {
	const content = prepareForModels(tool);
	if ("hidden" in content) return content;
	if (isNamed(content, modelName)) return { tool: content };
	const { description, inputSchema } = content;
	const named: ModelTool = { name: modelName, description, inputSchema };
	known.set(tool, named);
	return { tool: named };
}

function isNamed(content: { readonly name?: string }, name: string): content is ModelTool {
	return content.name === name;
}

/** Does the work of {@link toolForModels} that does not need the name, for those who have many tools and time. */
export function prepareForModels(tool: TellableTool): Content {
	const before = known.get(tool);
	if (before !== undefined) return before;
	const hidden = whyHidden(tool);
	const content = hidden === undefined ? contentOf(tool) : { hidden };
	known.set(tool, content);
	return content;
}

function whyHidden(tool: TellableTool): string | undefined {
	if (!isModelTool(tool)) return "the server offers it only to its apps";
	if (tool.name === resourceReadName || tool.name.startsWith(skillNameStart))
		return "its name is reserved for a request of the host";
	return whyUnusable(jsonObjectOf(tool.inputSchema));
}

function contentOf(tool: TellableTool): Content {
	const { schema, demand } = schemaForModel(soundSchema(jsonObjectOf(tool.inputSchema)));
	const words = showHidden(cap(tool.description ?? tool.title ?? "", longestDescription));
	const [description, more] = inTwo(demand === undefined ? words : `${words}\n${demand}`.trim());
	if (more === "") return { description, inputSchema: schema };
	const own = schema["description"];
	return {
		description,
		inputSchema: { ...schema, description: typeof own === "string" ? `${more}\n\n${own}` : more },
	};
}

/** A text cut where a provider's limit wants it, between words where there are any. */
function inTwo(text: string): readonly [string, string] {
	if (text.length <= longestFirstPart) return [text, ""];
	const room = longestFirstPart - goesOn.length;
	const blank = text.slice(0, room).search(/\s\S*$/);
	const end = blank > room / 2 ? blank : withoutHalf(text, room);
	return [`${text.slice(0, end)}${goesOn}`, text.slice(end).trimStart()];
}

/** The end that does not cut a surrogate pair in two. */
function withoutHalf(text: string, end: number): number {
	return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
