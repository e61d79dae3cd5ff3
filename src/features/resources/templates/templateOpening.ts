import { HostError } from "../../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../../base/json.ts";
import type { Log } from "../../../base/log.ts";
import { oneLine } from "../../../base/text.ts";
import type { FormQuestion } from "../../../questions/form/formQuestion.ts";
import type { Session, SessionDirectory } from "../../../servers/sessions/session.ts";
import { sessionNamed } from "../catalog.ts";
import { type ListedTemplate, whenListed } from "../listed.ts";
import { expandTemplate, missingVariables, parseTemplate, type TemplateValue, type UriTemplate } from "./template.ts";
import { entriesOf, templateQuestion, valuesOf } from "./templateForm.ts";
import { keptValues, type TemplateAddress, type TemplateRecents, type TemplateResults } from "./templateMemory.ts";
import { templatesMatching } from "./templateSearch.ts";

/** The dependencies of opening from templates on the rest of the extension. */
export interface TemplateOpeningServices {
	readonly results: TemplateResults;
	readonly recents: TemplateRecents;
	readonly log: Log;
	/** Asks the user by a form; undefined when they leave it. */
	readonly ask: (question: FormQuestion) => Promise<JsonObject | undefined>;
	/** Opens a resource in an editor; false when the user declined, or when it could not be read, which was shown. */
	readonly open: (resource: {
		readonly session: Session;
		readonly uri: string;
		readonly mimeType: string | undefined;
	}) => Promise<boolean>;
}

type Values = ReadonlyMap<string, TemplateValue>;

/** Opens resources from templates: asks for missing values, opens the resulting URI, and remembers it. */
export class TemplateOpening {
	private readonly services: TemplateOpeningServices;
	/** The values for a template that could not be opened, so that they need not be typed again. */
	private readonly drafts = new Map<string, Values>();

	constructor(services: TemplateOpeningServices) {
		this.services = services;
	}

	/**
	 * Opens a resource from a template: immediately with complete values, or if there is nothing to ask, otherwise with
	 * the user's values.
	 * @throws HostError `invalid` for a malformed template, or for values that it has no variables for.
	 */
	async open(listed: ListedTemplate, given?: Values): Promise<void> {
		const { session, template: listing } = listed;
		const template = parseTemplate(listing.uriTemplate);
		if (given !== undefined) refuseUnknown(template, given, session);
		const address = { server: session.definition.id, uriTemplate: listing.uriTemplate };
		const draftKey = JSON.stringify([address.server, address.uriTemplate]);
		const isComplete = given !== undefined && missingVariables(template, given).length === 0;
		const values =
			isComplete || template.variables.length === 0
				? (given ?? new Map<string, TemplateValue>())
				: await this.fill(listed, template, address, given ?? this.drafts.get(draftKey) ?? new Map());
		if (values === undefined) return;
		const uri = expandTemplate(template, values);
		this.drafts.set(draftKey, values);
		const isOpen = await this.services.open({ session, uri, mimeType: listing.mimeType });
		if (!isOpen) return;
		this.drafts.delete(draftKey);
		await this.remember(address, uri, values);
	}

	private async fill(
		listed: ListedTemplate,
		template: UriTemplate,
		address: TemplateAddress,
		given: Values,
	): Promise<Values | undefined> {
		const { recents, log, ask } = this.services;
		const recentOf = (variable: string): readonly string[] => recents.of(address, variable);
		const value = await ask(templateQuestion({ listed, template, given, recentOf, log }));
		return value && valuesOf(template, value);
	}

	private async remember(address: TemplateAddress, uri: string, values: Values): Promise<void> {
		const { recents, results } = this.services;
		for (const [name, value] of values) {
			// A list may have thousands: each would be written, to be pushed out by the next.
			for (const text of entriesOf(value).slice(0, keptValues).toReversed())
				await recents.remember(address, name, text);
		}
		if (values.size > 0) await results.remember(address, uri, namesIn(values));
	}
}

/** The names of the variables that have a value, and those that the user gave to values. */
function namesIn(values: Values): readonly string[] {
	const given = [...values.values()].flatMap((value) =>
		typeof value === "object" && "pairs" in value ? value.pairs.map(([name]) => name) : [],
	);
	return [...values.keys(), ...given];
}

/**
 * Remembers a resource that was opened by its URI under the template that makes it, the server's first one that does;
 * nothing when none does.
 */
export async function rememberTyped(
	directory: SessionDirectory,
	results: TemplateResults,
	{ session, uri }: { readonly session: Session; readonly uri: string },
): Promise<void> {
	const matched = templatesMatching(directory, uri).find((found) => found.session === session);
	if (matched === undefined || matched.values.size === 0) return;
	const address = { server: session.definition.id, uriTemplate: matched.template.uriTemplate };
	await results.remember(address, uri, namesIn(matched.values));
}

/**
 * The template that a request names.
 * @throws HostError `not-connected` when its server is not configured or does not run, `invalid` when the server has no
 * such template.
 */
export async function findTemplate(
	directory: SessionDirectory,
	{ server, uriTemplate }: TemplateRequest,
	signal: AbortSignal,
): Promise<ListedTemplate> {
	const session = sessionNamed(directory, server);
	const name = oneLine(session.definition.name);
	if (session.state.kind !== "running") {
		throw new HostError("not-connected", `The server "${name}" is not running. Start it and try again.`);
	}
	await whenListed(directory, "resourceTemplates", signal);
	const template = session.resourceTemplates.items.find((listed) => listed.uriTemplate === uriTemplate);
	if (template === undefined) {
		throw new HostError("invalid", `The server "${name}" does not list the resource template ${oneLine(uriTemplate)}.`);
	}
	return { session, template };
}

function refuseUnknown({ text, variables }: UriTemplate, given: Values, { definition }: Session): void {
	const known = variables.map(({ name }) => name);
	const unknown = [...given.keys()].find((name) => !known.includes(name));
	if (unknown === undefined) return;
	const choice = known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`;
	throw new HostError(
		"invalid",
		`The template ${oneLine(text)} of ${oneLine(definition.name)} has no variable "${oneLine(unknown)}". ${choice}`,
	);
}

/** The request of the command that opens a resource from a template. */
interface TemplateRequest extends TemplateAddress {
	/** Values from a key binding or another extension; absent when the user must be asked for them, as from the tree. */
	readonly variables: ReadonlyMap<string, TemplateValue> | undefined;
}

/**
 * Reads the argument of the command: `{server, uriTemplate, variables?}`, or a node of the tree with the same fields;
 * `server` is a server's id or its configured name. Undefined when it names no template, so that the user chooses.
 * @throws HostError `invalid` for variables other than texts, lists of texts, or objects of texts.
 */
export function readTemplateRequest(argument: unknown): TemplateRequest | undefined {
	if (!isJsonObject(argument)) return undefined;
	const { server, uriTemplate, variables } = argument;
	if (typeof server !== "string" || typeof uriTemplate !== "string") return undefined;
	return { server, uriTemplate, variables: readVariables(variables) };
}

function readVariables(value: unknown): TemplateRequest["variables"] {
	if (value === undefined) return undefined;
	if (!isJsonObject(value)) {
		throw new HostError("invalid", "The variables of Use Resource Template must be an object of strings.");
	}
	return new Map(Object.entries(value).map(([name, given]) => [name, readValue(name, given)]));
}

function readValue(name: string, value: unknown): TemplateValue {
	if (Array.isArray(value)) return value.map((item) => readText(name, item));
	if (isJsonObject(value)) return { pairs: Object.entries(value).map(([key, item]) => [key, readText(name, item)]) };
	return readText(name, value);
}

/** Numbers and booleans, natural in a key binding, are taken as written. */
function readText(name: string, value: unknown): string {
	if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
	throw new HostError(
		"invalid",
		`The variable "${oneLine(name)}" of Use Resource Template is not a string, list of strings, or object of strings.`,
	);
}
