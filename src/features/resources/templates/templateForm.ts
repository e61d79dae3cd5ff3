import { HostError } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import { isSecret } from "../../../base/secrets/judge.ts";
import { cap, displayName, oneLine, showHidden } from "../../../base/text.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { SchemaProblem } from "../../../base/schema/schema.ts";
import type { FormQuestion, QuestionField } from "../../../questions/form/formQuestion.ts";
import { valueAt } from "../../../questions/form/jsonPath.ts";
import { type ListedTemplate } from "../listed.ts";
import {
	expandTemplate,
	missingVariables,
	previewTemplate,
	type TemplateValue,
	type TemplateVariable,
	type UriTemplate,
} from "./template.ts";

/** The dependencies of a template's form. */
export interface TemplateFormSource {
	readonly listed: ListedTemplate;
	/** The template, parsed. */
	readonly template: UriTemplate;
	/** Values that the form begins with. */
	readonly given: ReadonlyMap<string, TemplateValue>;
	/** The user's earlier values for a variable. */
	readonly recentOf: (variable: string) => readonly string[];
	readonly log: Log;
}

/** The maximum length of a URI; servers and editors cannot use longer ones. */
const uriLimit = 65_536;

const listHint = "Several values: one per line. If every line has the form name=value, the URI contains these names.";
const secretHint = "This looks like a secret. It becomes part of the URI, which is visible. It is not saved.";

/**
 * The form for all variables of a template: each a field, with the server's completions, the resulting URI, and the
 * missing values. A value that passes its validation makes a URI.
 */
export function templateQuestion({ listed, template, given, recentOf, log }: TemplateFormSource): FormQuestion {
	const { session, template: listing } = listed;
	const { name: server } = session.definition;
	const { state } = session;
	const suggests = state.kind === "running" && state.facts.capabilities.completions !== undefined;
	const title = displayName(listing);
	const ref = { type: "ref/resource", uri: listing.uriTemplate } as const;
	return {
		subject: { kind: "form", server, title },
		heading: `Open a resource from ${title}`,
		tabTitle: `Template: ${title}`,
		...(listing.description === undefined ? {} : { quote: cap(showHidden(listing.description), 2000) }),
		content: {
			kind: "fields",
			fields: template.variables.map((variable) => fieldOf(variable, suggests, recentOf(variable.name))),
		},
		initial: Object.fromEntries(
			template.variables.map(({ name }) => [name, textOf(given.get(name))] as const).filter(([, text]) => text !== ""),
		),
		submitLabel: "Open Resource",
		canDecline: false,
		previewLabel: "URI",
		log,
		validate: async (value) => problemsOf(template, valuesOf(template, value)),
		preview: (value) => previewOf(template, valuesOf(template, value)),
		async complete(name, value, signal, text) {
			if (isSecret(name, text, "asked")) return { values: [] };
			// The context consists of texts: several values are joined as a URI would join them.
			const all = [...valuesOf(template, value)].map(([other, held]) => [other, entriesOf(held).join(",")] as const);
			// A secret leaves with the request that the user submits, not while they type.
			const others = all.filter(([other, held]) => !isSecret(other, held, "asked") && other !== name);
			const known = Object.fromEntries(others);
			return session.complete(ref, { name, value: text }, known, { signal });
		},
	};
}

/** The values that a template's form gives its variables; those left empty are left out. */
export function valuesOf(template: UriTemplate, value: JsonObject): ReadonlyMap<string, TemplateValue> {
	const values = new Map<string, TemplateValue>();
	for (const { name, isList } of template.variables) {
		const entered = valueAt(value, [name]);
		const text = typeof entered === "string" ? entered : "";
		if (isList) {
			const lines = linesOf(text);
			if (lines.length > 0) values.set(name, pairsOf(lines) ?? lines);
		} else if (text !== "") {
			values.set(name, text);
		}
	}
	return values;
}

/** The entered lines of a value that are worth offering again. */
export function entriesOf(value: TemplateValue): readonly string[] {
	if (typeof value === "string") return [value];
	return "pairs" in value ? value.pairs.map(([name, text]) => `${name}=${text}`) : value;
}

function fieldOf(
	{ name, isList, isOptional }: TemplateVariable,
	suggests: boolean,
	recent: readonly string[],
): QuestionField {
	const isHidden = isSecret(name, undefined, "asked");
	return {
		name,
		kind: "text",
		label: oneLine(name, 100),
		isLong: isList,
		...(isList ? { isList, description: listHint } : {}),
		isRequired: !isOptional,
		...(isHidden ? { warning: secretHint } : {}),
		suggests: suggests && !isHidden,
		...(recent.length === 0 ? {} : { recent }),
	};
}

function problemsOf(template: UriTemplate, values: ReadonlyMap<string, TemplateValue>): readonly SchemaProblem[] {
	const missing = missingVariables(template, values);
	if (missing.length > 0) {
		return missing.map((variable) => ({
			path: [variable.name],
			message: `${oneLine(variable.name, 100)} is required: the URI needs it.`,
		}));
	}
	try {
		const { length } = expandTemplate(template, values);
		if (length <= uriLimit) return [];
		return [
			{ path: [], message: `The URI would be ${length.toLocaleString("en-US")} characters long; shorten a value.` },
		];
	} catch (error) {
		if (HostError.is(error, "invalid")) return [{ path: [], message: error.message }];
		throw error;
	}
}

function previewOf(template: UriTemplate, values: ReadonlyMap<string, TemplateValue>): string {
	const missing = missingVariables(template, values).map(({ name }) => oneLine(name, 100));
	try {
		const uri = previewTemplate(template, values);
		return missing.length === 0 ? uri : `${uri} (still needed: ${missing.join(", ")})`;
	} catch (error) {
		if (HostError.is(error, "invalid")) return error.message;
		throw error;
	}
}

function textOf(value: TemplateValue | undefined): string {
	return value === undefined ? "" : entriesOf(value).join("\n");
}

function linesOf(text: string): readonly string[] {
	return text.split(/\r\n|\r|\n/).filter((line) => line !== "");
}

/** The lines as names with values, if all of them are. */
function pairsOf(lines: readonly string[]): TemplateValue | undefined {
	const pairs = lines.map((line): readonly [string, string] => {
		const end = line.indexOf("=");
		return [line.slice(0, Math.max(end, 0)), line.slice(end + 1)];
	});
	return pairs.every(([name]) => name !== "") ? { pairs } : undefined;
}
