import { HostError } from "../../../base/errors.ts";
import type { Session, SessionDirectory } from "../../../servers/sessions/session.ts";
import { type ListedTemplate, listedTemplates } from "../listed.ts";
import { encodeReserved, missingVariables, parseTemplate, type TemplateValue } from "./template.ts";
import { matchEncoded, type StepBudget } from "./templateMatch.ts";

/** A template that makes a URI, with the values that it takes for that. */
export interface MatchedTemplate extends ListedTemplate {
	readonly values: ReadonlyMap<string, TemplateValue>;
}

/** The maximum number of steps for one search through the templates of a server: far below a noticeable time. */
const stepLimit = 1_000_000;

/**
 * The templates of the running servers that make exactly this URI, in the order of the configuration: the servers to
 * ask for a URI that no server lists. A malformed template matches nothing, and neither does one whose required
 * variables would be empty. A server with hostile templates ends the search through its own ones early: the remaining
 * ones do not match.
 */
export function templatesMatching(directory: SessionDirectory, uri: string): readonly MatchedTemplate[] {
	const text = encodeReserved(uri);
	const budgets = new Map<Session, StepBudget>();
	return listedTemplates(directory).flatMap((listed) => {
		const budget = budgets.get(listed.session) ?? { left: stepLimit };
		budgets.set(listed.session, budget);
		const values = valuesFor(listed.template.uriTemplate, text, budget);
		return values === undefined ? [] : [{ ...listed, values }];
	});
}

/** Whether one of some templates makes exactly this URI. */
export function isMadeBy(uriTemplates: readonly string[], uri: string): boolean {
	const text = encodeReserved(uri);
	const budget = { left: stepLimit };
	return uriTemplates.some((template) => valuesFor(template, text, budget) !== undefined);
}

function valuesFor(uriTemplate: string, text: string, budget: StepBudget): MatchedTemplate["values"] | undefined {
	try {
		const template = parseTemplate(uriTemplate);
		const values = matchEncoded(template, text, budget);
		return values === undefined || missingVariables(template, values).length > 0 ? undefined : values;
	} catch (error) {
		if (HostError.is(error, "invalid")) return undefined;
		throw error;
	}
}
