import type { Session } from "../servers/session.ts";
import { domainLines } from "./appDetails.ts";
import type { AppPage } from "./appPage.ts";
import { type AppDomains, asksForDomains, domainsBeyond, domainsNotDenied } from "./appPolicy.ts";
import type { AppQuestions } from "./appQuestions.ts";
import type { KnownApps } from "./knownApps.ts";

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
	/** The person is about to be asked. */
	readonly asking: () => void;
}

/** What a page may reach, and what the person should know of it. */
export interface Admission {
	readonly allowed: AppDomains;
	/** That it is another page than before. */
	readonly changed: string | undefined;
}

/**
 * Lets a page be shown: the person is asked about domains that they did not let it reach before, and what it does not ask for
 * any more it is not given. The page and its domains are remembered. Gives undefined when the signal ended it first.
 */
export async function admit(
	{ html, domains }: AppPage,
	parts: AdmissionParts,
	signal: AbortSignal,
): Promise<Admission | undefined> {
	const { known, session, uri } = parts;
	const asked = domainsNotDenied(domains.asked, parts.denied);
	const beyond = domainsBeyond(asked, known.domainsOf(session, uri));
	const isAllowed = !asksForDomains(beyond) || (await isAgreed(beyond, parts, signal));
	if (signal.aborted) return undefined;
	const allowed = isAllowed ? asked : domainsBeyond(asked, beyond);
	const since = known.changedSince(session, uri, html);
	// An app that cannot be remembered is asked about again, which does no harm.
	known.remember(session, uri, html, allowed).then(undefined, () => undefined);
	const day = since === undefined ? "" : new Date(since).toLocaleDateString();
	return {
		allowed,
		changed: since === undefined ? undefined : `Its page is not the one that was shown since ${day}.`,
	};
}

async function isAgreed(
	beyond: AppDomains,
	{ who, questions, asking }: AdmissionParts,
	signal: AbortSignal,
): Promise<boolean> {
	const lines = domainLines(beyond);
	asking();
	const answer = await questions.ask(
		{
			heading: `The ${who} wants to reach ${lines.length === 1 ? "a domain" : `${lines.length} domains`}`,
			notes: ["What it shows and what you do in it can be sent there."],
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
