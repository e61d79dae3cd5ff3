import type { Session } from "../servers/session.ts";
import { domainLines } from "./appDetails.ts";
import type { AppPage } from "./appPage.ts";
import { type AppDomains, asksForDomains, domainsBeyond, domainsNotDenied } from "./appPolicy.ts";
import type { AppQuestions } from "./appQuestions.ts";
import type { FormerPage, KnownApps } from "./knownApps.ts";

/** Whose page it is, and where its questions stand. */
export interface AdmissionParts {
	readonly session: Session;
	readonly uri: string;
	/** The app and its server, in words fit for one line. */
	readonly who: string;
	readonly questions: AppQuestions;
	readonly known: KnownApps;
	/** The domains that no app may reach, as the person wrote them. */
	readonly denied: readonly string[];
	/** It is another page than before, which the person should know before they are asked. */
	readonly changed: (former: FormerPage) => void;
	/** The person is about to be asked. */
	readonly asking: () => void;
}

/**
 * Lets a page be shown: the person is asked about domains that they did not let it reach before, and what it does not ask for
 * any more it is not given. The page and its domains are remembered. Gives what it may reach, undefined when the signal ended
 * it first.
 */
export async function admit(
	{ html, domains }: AppPage,
	parts: AdmissionParts,
	signal: AbortSignal,
): Promise<AppDomains | undefined> {
	const { known, session, uri } = parts;
	const former = await known.former(session, uri, html);
	if (former !== undefined) parts.changed(former);
	const asked = domainsNotDenied(domains.asked, parts.denied);
	const beyond = domainsBeyond(asked, known.domainsOf(session, uri));
	const isAllowed = !asksForDomains(beyond) || (await isAgreed(beyond, former, parts, signal));
	if (signal.aborted) return undefined;
	const allowed = isAllowed ? asked : domainsBeyond(asked, beyond);
	// An app that cannot be remembered is asked about again, which does no harm.
	known.remember(session, uri, html, allowed).then(undefined, () => undefined);
	return allowed;
}

/** That a page is another one than before, for people. */
export function changeSentence({ at }: FormerPage): string {
	return `Its page is not the one that was shown since ${new Date(at).toLocaleDateString()}.`;
}

async function isAgreed(
	beyond: AppDomains,
	former: FormerPage | undefined,
	{ session, uri, who, known, questions, asking }: AdmissionParts,
	signal: AbortSignal,
): Promise<boolean> {
	const lines = domainLines(beyond);
	const hasSome = asksForDomains(known.domainsOf(session, uri));
	const one = hasSome ? "another domain" : "a domain";
	const several = `${lines.length} ${hasSome ? "more " : ""}domains`;
	asking();
	const answer = await questions.ask(
		{
			heading: `The ${who} wants to reach ${lines.length === 1 ? one : several}`,
			notes: [
				...(former === undefined ? [] : [changeSentence(former)]),
				"What it shows and what you do in it can be sent there.",
			],
			warnings: [],
			exact: lines.join("\n"),
			noted: { action: `reach ${lines.length === 1 ? "a domain" : "domains"}: ${lines.join(", ")}`, yes: "allow" },
			answers: [
				{ answer: "without", label: "Open Without Access" },
				{ answer: "allow", label: "Allow and Open" },
			],
		},
		signal,
	);
	return answer === "allow";
}
