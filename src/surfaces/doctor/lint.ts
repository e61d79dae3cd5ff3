import { messageOf } from "../../base/errors.ts";
import { parseTemplate } from "../../features/resources/templates/template.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { hiddenCharactersOf, oneLine } from "../../base/text.ts";
import { toolTokens } from "../../models/tokens.ts";
import { prepareForModels } from "../../permissions/catalog/modelTool.ts";
import { hiddenTextOf } from "../../permissions/pinning/hiddenText.ts";
import type { Tool } from "../../servers/sessions/session.ts";
import { clause } from "./clauses.ts";
import type { DoctorFacts, ToolFacts } from "./facts.ts";
import type { Finding, Weight } from "./finding.ts";
import { refusedSchemas } from "./schemaFamilies.ts";

/** More tokens than this are a lot for the tools of one server, in each request. */
const tokenBudget = 10_000;
/** How many tools are named as the most expensive ones. */
const mostExpensive = 5;
/** The longest name that every provider takes. */
const longestName = 64;
/** How many parameters one finding names. */
const mostNamed = 10;
/** How deep the properties of a schema are looked at. */
const deepest = 6;

/** Verbs that change something, and those that destroy, as the first word of a name. */
const changing = /^(?:create|update|write|insert|upload|rename|move|patch|edit|append|publish|send)$/;
const destroying = /^(?:delete|remove|drop|destroy|purge|erase|truncate|wipe)$/;

/** The possible improvements of the features of a server, found by rules, without a model. */
export function lintDefinitions({ tools: offered, state }: Pick<DoctorFacts, "tools" | "state">): readonly Finding[] {
	if (offered === undefined || state.kind !== "running") return [];
	const revision = state.facts.protocolVersion;
	const found: Finding[] = [];
	const about = (subject?: string): Report => {
		const of = subject === undefined ? {} : { subject };
		return (rule, at, what, why, weight = "note") => {
			const named =
				rule === "refused-name" ? { clause: clause("server/tools#tool-names", "Tool Names", revision) } : {};
			found.push({ layer: "definitions", weight, rule, what, why, at, ...named, ...of });
		};
	};
	for (const tool of offered.tools) lintTool(tool, about(tool.name));
	lintNames(offered.tools, about);
	lintCosts(offered.tools, about());
	for (const { name, description, arguments: given = [] } of offered.prompts) {
		const at = `prompt “${oneLine(name, 80)}”`;
		const report = about(name);
		if (isBlank(description)) report("no-description", at, "The prompt has no description.", describeWhy);
		const bare = given.filter((one) => isBlank(one.description)).map((one) => oneLine(one.name, 60));
		if (bare.length > 0)
			report("no-argument-description", at, `Arguments without a description: ${bare.join(", ")}.`, describeWhy);
		hidden(at, [name, description], report);
	}
	for (const { uri, name, mimeType, description } of offered.resources) {
		const at = `resource ${oneLine(uri, 200)}`;
		const report = about(uri);
		if (isBlank(mimeType)) report("no-mime-type", at, "The resource has no MIME type.", mimeWhy);
		hidden(at, [name, description], report);
	}
	for (const { uriTemplate, name, description } of offered.templates) {
		const at = `template ${oneLine(uriTemplate, 200)}`;
		hidden(at, [name, description], about(uriTemplate));
		const fault = faultOf(uriTemplate);
		if (fault !== undefined) about(uriTemplate)("invalid-template", at, fault, templateWhy, "warning");
	}
	lintCapabilities(offered, state.facts.capabilities, about());
	return found;
}

type Report = (rule: string, at: string, what: string, why: string, weight?: Weight) => void;

const describeWhy = "Models and users have to guess what it is for. Say in a sentence what it does and when to use it.";
const templateWhy = "Nobody can use it. Write it as RFC 6570 says, such as orders://{id}.";
const mimeWhy = "Hosts have to guess how to show it. Set “mimeType”.";

function lintTool(tool: Tool, report: Report): void {
	const { name, title, description, annotations, inputSchema } = tool;
	const at = `tool “${oneLine(name, 80)}”`;
	if (isBlank(description) && isBlank(title)) report("no-description", at, "The tool has no description.", describeWhy);
	if (name.length > longestName || !/^[a-zA-Z0-9_-]+$/.test(name))
		report(
			"refused-name",
			at,
			`The name ${name.length > longestName ? `has ${name.length} characters` : "has characters"} that providers refuse.`,
			`Use at most ${longestName} letters, digits, underscores and hyphens. Hosts have to rename the tool otherwise.`,
			"warning",
		);
	const { counts, fields } = hiddenTextOf(tool);
	if (counts !== "")
		report("hidden-characters", at, `Hidden characters in its ${fields.join(", ")}: ${counts}.`, hiddenWhy, "warning");
	const contradiction = contradictionOf(name, annotations ?? {});
	if (contradiction !== undefined)
		report(
			"contradicting-annotations",
			at,
			contradiction,
			"Hosts decide by annotations how to ask users. Correct the annotations or the name.",
			"warning",
		);
	const schema = jsonObjectOf(inputSchema);
	for (const { path, what, families } of refusedSchemas(schema))
		report(
			"refused-schema",
			`${at}: inputSchema${path}`,
			what,
			`${families} refuse such a schema, and with it the whole request. Write it without that.`,
			"warning",
		);
	const bare = lintProperties(schema, at, [], report);
	if (bare.length > 0) {
		const more = bare.length > mostNamed ? ` and ${bare.length - mostNamed} more` : "";
		report(
			"no-argument-description",
			`${at}: inputSchema`,
			`Parameters without a description: ${bare.slice(0, mostNamed).join(", ")}${more}.`,
			"Models have to guess their format and meaning. Add a “description” with an example.",
		);
	}
}

/** Why a template cannot be used; undefined for a valid one. */
function faultOf(uriTemplate: string): string | undefined {
	try {
		parseTemplate(uriTemplate);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}

/** Looks at the properties of a schema, at any depth; gives the paths of those without a description. */
function lintProperties(schema: JsonObject, at: string, path: readonly string[], report: Report): readonly string[] {
	if (path.length > deepest) return [];
	const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
	const bare: string[] = [];
	for (const [key, value] of Object.entries(properties)) {
		if (!isJsonObject(value)) continue;
		const below = [...path, oneLine(key, 60)];
		if (isBlank(value["description"]) && isBlank(value["title"])) {
			bare.push(below.join("."));
			lintValues(value, `${at}: inputSchema.properties.${below.join(".properties.")}`, report);
		}
		bare.push(...lintProperties(value, at, below, report));
		if (isJsonObject(value["items"])) bare.push(...lintProperties(value["items"], at, below, report));
	}
	const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly Json[]) : [];
	const unknown = required.filter((one) => typeof one !== "string" || !Object.hasOwn(properties, one));
	if (unknown.length > 0 && schema["additionalProperties"] === false)
		report(
			"impossible-requirement",
			`${at}: ${["inputSchema", ...path, "required"].join(".")}`,
			`Required, but not among the properties: ${unknown.map((one) => oneLine(JSON.stringify(one), 60)).join(", ")}.`,
			"No arguments can match such a schema. Define the property, or do not require it.",
			"warning",
		);
	return bare;
}

/** Checks that the values of an enumeration without a description are words. */
function lintValues(schema: JsonObject, at: string, report: Report): void {
	const codes: readonly Json[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
	if (codes.length < 2 || !codes.every(isCode)) return;
	const named = codes.slice(0, 5).map((code) => JSON.stringify(code));
	report(
		"enum-without-meaning",
		at,
		`Nothing says what its values mean: ${named.join(", ")}.`,
		"Models choose by the words of a value. Describe each, or use words.",
	);
}

/** Whether a value of an enumeration has no meaning for a reader. */
function isCode(value: Json): boolean {
	return typeof value === "number" || (typeof value === "string" && value.length <= 1);
}

function contradictionOf(name: string, hints: NonNullable<Tool["annotations"]>): string | undefined {
	const { readOnlyHint, destructiveHint } = hints;
	const verb = firstWord(name);
	if (readOnlyHint === true && destructiveHint === true) return "It claims to be read-only and destructive at once.";
	if (readOnlyHint === true && (changing.test(verb) || destroying.test(verb)))
		return `It claims to be read-only, and its name says “${verb}”.`;
	if (destructiveHint === false && destroying.test(verb))
		return `It claims to destroy nothing, and its name says “${verb}”.`;
	return undefined;
}

function firstWord(name: string): string {
	return (/^[A-Za-z][a-z]*/.exec(name)?.[0] ?? "").toLowerCase();
}

/** Names that a model confuses, and equal descriptions. */
function lintNames(tools: readonly Tool[], about: (tool: string) => Report): void {
	const byName = new Map<string, string>();
	const byDescription = new Map<string, string>();
	for (const { name, description = "" } of tools) {
		const at = `tool “${oneLine(name, 80)}”`;
		const report = about(name);
		const plain = name.toLowerCase().replace(/[-_./ ]/g, "");
		const twin = byName.get(plain);
		if (twin !== undefined)
			report(
				"similar-names",
				at,
				`Its name differs from “${oneLine(twin, 80)}” only in case or separators.`,
				"Models mix up such names. Rename one of them.",
				"warning",
			);
		else byName.set(plain, name);
		const words = description.trim();
		const same = words === "" ? undefined : byDescription.get(words);
		if (same !== undefined)
			report(
				"same-description",
				at,
				`Its description is the same as that of “${oneLine(same, 80)}”.`,
				"Models cannot tell the two apart. Say what is different.",
				"warning",
			);
		else byDescription.set(words, name);
	}
}

/** Definitions that are a lot for each request, and which tools they are. */
function lintCosts(tools: readonly Tool[], report: Report): void {
	const costs = tools.flatMap((tool) => {
		const prepared = prepareForModels(tool);
		return "hidden" in prepared ? [] : [{ name: tool.name, tokens: toolTokens({ name: tool.name, ...prepared }) }];
	});
	const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
	if (total <= tokenBudget) return;
	const most = costs.toSorted((one, other) => other.tokens - one.tokens).slice(0, mostExpensive);
	const named = most.map(({ name, tokens }) => `${oneLine(name, 60)} (${tokens.toLocaleString("en-US")})`);
	report(
		"token-budget",
		"tools/list",
		`The tools cost about ${total.toLocaleString("en-US")} tokens in each request. The most expensive ones: ${named.join(", ")}.`,
		"Shorten their descriptions and schemas, or offer fewer tools.",
	);
}

/** Capabilities that are declared and not offered. */
function lintCapabilities(
	{ tools, prompts, resources, templates }: ToolFacts,
	declared: Readonly<Record<string, unknown>>,
	report: Report,
): void {
	const why = "Hosts ask for what is declared. Do not declare a capability that offers nothing.";
	const isEmpty: Readonly<Record<string, boolean>> = {
		tools: tools.length === 0,
		prompts: prompts.length === 0,
		resources: resources.length + templates.length === 0,
		completions: prompts.length + templates.length === 0,
	};
	for (const [name, nothing] of Object.entries(isEmpty)) {
		const value = jsonObjectOf(declared[name]);
		if (declared[name] !== undefined && nothing && value["listChanged"] !== true)
			report(
				"empty-capability",
				`capabilities.${name}`,
				`The capability “${name}” is declared, and nothing is offered.`,
				why,
			);
	}
}

const hiddenWhy = "Nobody sees them, but models read them, and other hosts refuse them. Remove them.";

function hidden(at: string, texts: readonly (string | undefined)[], report: Report): void {
	const found = texts.flatMap((text) => [...hiddenCharactersOf((text ?? "").replaceAll("\r\n", "\n"))]);
	if (found.length > 0)
		report("hidden-characters", at, `Its texts contain ${found.length} hidden characters.`, hiddenWhy, "warning");
}

function isBlank(text: unknown): boolean {
	return typeof text !== "string" || text.trim() === "";
}
