import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { sha256 } from "../../base/hash.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelTool } from "../../models/model.ts";
import { toolForModels } from "../../permissions/catalog/modelTool.ts";

/** A tool that a server offers to the model and runs itself, in the server's own words. */
export type SamplingTool = ModelTool;

/** As many as OpenAI takes. */
const mostTools = 128;

/** The tools of a request in the form for models, or why they cannot be offered, in words for the server. */
export function readTools(
	tools: NonNullable<CreateMessageRequestParams["tools"]>,
): readonly SamplingTool[] | { readonly problem: string } {
	return checkTools(
		tools.map(({ name, title, description, inputSchema }) => ({
			name,
			description: (description ?? title ?? "").toWellFormed(),
			inputSchema: jsonObjectOf(inputSchema),
		})),
	);
}

/** The tools of a JSON text that a user edited, or their problem, in words for the user. */
export function parseTools(value: Json): readonly SamplingTool[] | { readonly problem: string } {
	if (!Array.isArray(value)) return { problem: "Tools must be a JSON list." };
	const tools: SamplingTool[] = [];
	for (const item of value as readonly Json[]) {
		const { name, description = "", inputSchema, ...rest } = isJsonObject(item) ? item : {};
		if (typeof name !== "string" || typeof description !== "string" || !isJsonObject(inputSchema)) {
			return { problem: 'Every tool needs a "name" and an "inputSchema", and may have a "description".' };
		}
		const [other] = Object.keys(rest);
		if (other !== undefined)
			return { problem: `${JSON.stringify(oneLine(other, 60))} is not sent to models. Remove it.` };
		tools.push({ name, description, inputSchema });
	}
	return checkTools(tools);
}

function checkTools(tools: readonly SamplingTool[]): readonly SamplingTool[] | { readonly problem: string } {
	if (tools.length > mostTools) return { problem: `At most ${mostTools} tools are accepted` };
	const names = new Set<string>();
	for (const tool of tools) {
		const shown = JSON.stringify(oneLine(tool.name, 60));
		if (tool.name === "") return { problem: "A tool has no name" };
		const [modelName = ""] = toModelNames([tool.name]).values();
		if (names.has(modelName)) return { problem: `Two tools have the name ${shown}` };
		names.add(modelName);
		const { hidden } = toolForModels(tool, "tool");
		if (hidden !== undefined) return { problem: `The tool ${shown} cannot be offered to a model: ${hidden}` };
	}
	return tools;
}

/** The tools as a provider takes them, under their names for the model; the schemas are adapted in this copy only. */
export function toModelTools(
	tools: readonly SamplingTool[],
	modelNames: ReadonlyMap<string, string>,
): readonly ModelTool[] {
	return tools.flatMap((tool) => toolForModels(tool, modelNames.get(tool.name) ?? tool.name).tool ?? []);
}

/** The differences between the forms for the model and of the server, in our words; empty when there are none. */
export function sentOtherwise(tools: readonly SamplingTool[]): readonly string[] {
	const modelNames = toModelNames(tools.map(({ name }) => name));
	const notes: string[] = [];
	for (const [index, sent] of toModelTools(tools, modelNames).entries()) {
		const { name = "", description, inputSchema } = tools[index] ?? {};
		if (sent.name !== name) notes.push(`${JSON.stringify(oneLine(name, 60))} as ${sent.name}`);
		const isFixed = sent.description !== description || sent.inputSchema !== inputSchema;
		if (isFixed) notes.push(`${sent.name} with an equivalent schema that all providers accept`);
	}
	return notes;
}

/**
 * Names for the model by the server's names: `[a-zA-Z0-9_-]`, at most 64 long, beginning with a letter or an
 * underscore, as Gemini requires. A valid name stays; any other ends in a hash of itself, so that it is the same in
 * every round.
 */
export function toModelNames(names: readonly string[]): ReadonlyMap<string, string> {
	return new Map(names.map((name) => [name, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name) ? name : hashed(name)]));
}

function hashed(name: string): string {
	const hash = sha256(name).slice(0, 8);
	const legal = name.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^(?![a-zA-Z_])/, "_");
	return `${legal.slice(0, 55)}_${hash}`;
}
