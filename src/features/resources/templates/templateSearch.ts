import { HostError } from "../../../base/errors.ts";
import { withinTime } from "../../../base/timeBudget.ts";
import type { SessionDirectory } from "../../../servers/sessions/session.ts";
import { type ListedTemplate, listedTemplates } from "../listed.ts";
import { encodeReserved, missingVariables, parseTemplate, type TemplateValue } from "./template.ts";
import { matchEncoded } from "./templateMatch.ts";

/** A template that makes a URI, with the values that it takes for that. */
export interface MatchedTemplate extends ListedTemplate {
	readonly values: ReadonlyMap<string, TemplateValue>;
}

/** How long the templates of one server may take, in milliseconds. */
const searchMs = 50;

/**
 * The templates of the running servers that make exactly this URI, in the order of the configuration: the servers to
 * ask for a URI that no server lists. A malformed template matches nothing, and neither does one whose required
 * variables would be empty. A server with hostile templates ends the search through its own ones early: the remaining
 * ones do not match.
 */
export function templatesMatching(directory: SessionDirectory, uri: string): readonly MatchedTemplate[] {
	const text = encodeReserved(uri);
	const byServer = Map.groupBy(listedTemplates(directory), ({ session }) => session);
	return [...byServer.values()].flatMap((listed) => {
		const found: MatchedTemplate[] = [];
		inTime(() => {
			found.length = 0;
			for (const one of listed) {
				const values = valuesFor(one.template.uriTemplate, text);
				if (values !== undefined) found.push({ ...one, values });
			}
		});
		return found;
	});
}

/** Whether one of some templates makes exactly this URI. */
export function isMadeBy(uriTemplates: readonly string[], uri: string): boolean {
	const text = encodeReserved(uri);
	let isMade = false;
	inTime(() => {
		isMade = uriTemplates.some((template) => valuesFor(template, text) !== undefined);
	});
	return isMade;
}

/** Does a search, or the part of it for which the time suffices. */
function inTime(search: () => void): void {
	try {
		withinTime(searchMs, search);
	} catch (error) {
		if (!HostError.is(error, "limit")) throw error;
	}
}

function valuesFor(uriTemplate: string, text: string): MatchedTemplate["values"] | undefined {
	try {
		const template = parseTemplate(uriTemplate);
		const values = matchEncoded(template, text);
		return values === undefined || missingVariables(template, values).length > 0 ? undefined : values;
	} catch (error) {
		if (HostError.is(error, "invalid")) return undefined;
		throw error;
	}
}
