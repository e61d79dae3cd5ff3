import type { JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { keywordsIn, referenceKeywords, withoutKeywords } from "../schemaRefusals.ts";
import type { EndpointFailure } from "./openaiErrors.ts";
import type { ChatRequest } from "./requestBody.ts";

/** The optional keywords of a schema: their meaning can be expressed in words. */
const dispensable: ReadonlySet<string> = new Set(
	[
		"$anchor $id additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default",
		"dependentRequired dependentSchemas deprecated else enum examples exclusiveMaximum exclusiveMinimum format if maxContains",
		"maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not oneOf pattern",
		"patternProperties prefixItems propertyNames readOnly then title type unevaluatedItems unevaluatedProperties uniqueItems",
		"writeOnly",
	].flatMap((names) => names.split(" ")),
);

/** How much of a refusal is searched; it names each place separately. */
const mostRead = 100_000;

/** Gemini's for a field that its `Schema` has not, also where a relay passes it on within a text of JSON. */
const unknownName = /Unknown name [\\]{0,6}"([$\w]{1,40})[\\]{0,6}" at '[^']{0,300}function_declarations/g;

/**
 * Other texts that name a keyword: of Gemini's `Schema`, of llama.cpp, whose grammars need anchored patterns, and of
 * those that do not find a reference's target, or accept nothing beside it: Gemini, Moonshot, LM Studio.
 */
const signs: readonly (readonly [sign: RegExp, keyword: string])[] = [
	[/set alongside unsupported fields|\$ref': \$defs not found for reference|Error resolving ref /, "$ref"],
	[/only 'enum' and 'date-time' are supported/, "format"],
	[/\.enum\[\d+\]'? \(TYPE_STRING\)|enum: only allowed for STRING type/, "enum"],
	[/Proto field is not repeating, cannot start list/, "type"],
	[/Pattern must start with '\^'|failed to parse grammar/, "pattern"],
];

/**
 * The keywords of JSON Schema for which an endpoint refuses a request, of those in its tools; empty for any other
 * refusal. Sources: ai.google.dev, "Schema"; github.com/ggml-org/llama.cpp/issues/26930;
 * zed-industries/zed/issues/44875; anomalyco/opencode/issues/12295; CommandCodeAI/command-code/issues/566;
 * genspark-ai/genoffice/issues/189.
 */
export function refusedKeywords(
	{ tools = [] }: ChatRequest,
	{ status, detail = "" }: EndpointFailure,
): readonly string[] {
	if (status !== 400 && status !== 422) return [];
	const said = detail.slice(0, mostRead);
	const named = [...said.matchAll(unknownName)].map(([, keyword = ""]) => keyword);
	const meant = signs.filter(([sign]) => sign.test(said)).map(([, keyword]) => keyword);
	const keywords = new Set([...named, ...meant].filter((keyword) => dispensable.has(keyword)));
	// Relays call it so on the way to Gemini, whose `Schema` does.
	const isOfReferences = [...referenceKeywords, "ref", "defs"].some(
		(name) => named.includes(name) || meant.includes(name),
	);
	if (isOfReferences) for (const keyword of referenceKeywords) keywords.add(keyword);
	if (keywords.size === 0) return [];
	const present = tools.flatMap((tool) => keywordsIn(parametersOf(tool), keywords));
	return [...new Set(present)];
}

/** The request with schemas in which these keywords are described in words. */
export function withoutRefused(body: ChatRequest, keywords: ReadonlySet<string>): ChatRequest {
	if (keywords.size === 0 || body.tools === undefined) return body;
	const tools = body.tools.map((tool): Tool => {
		if (tool.type !== "function") return tool;
		const { function: own } = tool;
		return { type: "function", function: { ...own, parameters: { ...withoutKeywords(parametersOf(tool), keywords) } } };
	});
	return { ...body, tools };
}

type Tool = NonNullable<ChatRequest["tools"]>[number];

function parametersOf(tool: Tool): JsonObject {
	return tool.type === "function" ? jsonObjectOf(tool.function.parameters) : {};
}
