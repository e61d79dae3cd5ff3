import type { Session } from "../../servers/sessions/session.ts";
import { clipboardLine, domainLines } from "./appDetails.ts";
import type { AppPage } from "./appPage.ts";
import {
	accessBeyond,
	type AppAccess,
	asksForAccess,
	asksForDomains,
	domainsNotDenied,
	type AppDomains,
} from "./appPolicy.ts";
import type { DeniedDomains } from "./appsSetting.ts";
import type { AppQuestions } from "./appQuestions.ts";
import type { FormerPage, KnownApps } from "./knownApps.ts";
import { rangeNote } from "../../base/addresses.ts";
import { nameWarnings } from "../../base/url.ts";

/** The page's app, and where its questions are shown. */
export interface AdmissionParts {
	readonly session: Session;
	readonly uri: string;
	/** The app and its server, in words fit for one line. */
	readonly who: string;
	readonly questions: AppQuestions;
	readonly known: KnownApps;
	/** The domains that no app may reach. */
	readonly denied: DeniedDomains;
	/** It is another page than before, which the user should know before they are asked. */
	readonly changed: (former: FormerPage) => void;
	/** The user is about to be asked. */
	readonly asking: () => void;
}

/**
 * Decides whether a page is shown: the user is asked about new domains, and about the clipboard. Access that it no
 * longer requests is removed. The page and its access are remembered. Returns its access, undefined when the signal
 * ended it first.
 */
export async function admit(
	{ html, domains, permissions }: AppPage,
	parts: AdmissionParts,
	signal: AbortSignal,
): Promise<AppAccess | undefined> {
	const { known, session, uri } = parts;
	const former = await known.former(session, uri, html);
	if (former !== undefined) parts.changed(former);
	const asked = {
		domains: domainsNotDenied(domains.asked, parts.denied),
		clipboard: permissions.includes("clipboardWrite"),
	};
	const beyond = accessBeyond(asked, known.accessOf(session, uri));
	const isAllowed = !asksForAccess(beyond) || (await isAgreed(beyond, former, parts, signal));
	if (signal.aborted) return undefined;
	const allowed = isAllowed ? asked : accessBeyond(asked, beyond);
	// An app that cannot be remembered is asked about again, which does no harm.
	known.remember(session, uri, html, allowed).then(undefined, () => undefined);
	return allowed;
}

/** The message that a page differs from the former one. */
export function changeSentence({ at }: FormerPage): string {
	return `Its page has changed. The previous page was shown since ${new Date(at).toLocaleDateString()}.`;
}

async function isAgreed(
	{ domains, clipboard }: AppAccess,
	former: FormerPage | undefined,
	{ session, uri, who, known, questions, asking }: AdmissionParts,
	signal: AbortSignal,
): Promise<boolean> {
	const lines = domainLines(domains);
	const hasSome = asksForDomains(known.accessOf(session, uri).domains);
	const one = hasSome ? "another domain" : "a domain";
	const several = `${lines.length} ${hasSome ? "more " : ""}domains`;
	const wishes = {
		short: `reach ${lines.length === 1 ? one : several}`,
		whole: `reach ${lines.length === 1 ? "a domain" : "domains"}: ${lines.join(", ")}`,
	};
	const wants = (toReach: string): string[] => [
		...(lines.length === 0 ? [] : [toReach]),
		...(clipboard ? ["write to the clipboard"] : []),
	];
	asking();
	const answer = await questions.ask(
		{
			heading: `The ${who} wants to ${wants(wishes.short).join(" and ")}`,
			notes: [
				...(former === undefined ? [] : [changeSentence(former)]),
				...(lines.length === 0 ? [] : ["The app can send its contents and what you do in it to these domains."]),
				...(clipboard ? ["The app can replace the text that you copied."] : []),
			],
			warnings: domainWarnings(domains),
			exact: [...lines, ...(clipboard ? [clipboardLine] : [])].join("\n"),
			noted: { action: wants(wishes.whole).join(", and "), yes: "allow" },
			answers: [
				{ answer: "without", label: "Open Without Access" },
				{ answer: "allow", label: "Allow and Open" },
			],
		},
		signal,
	);
	return answer === "allow";
}

/** Warnings about domains before the user lets an app reach them, a sentence each; none for most. */
export function domainWarnings(domains: AppDomains): readonly string[] {
	const warnings: string[] = [];
	for (const one of new Set(Object.values(domains).flat())) {
		const [, scheme = "", star, host = "", port] = /^([a-z]+):\/\/(\*\.)?([^:]*)(?::(.*))?$/.exec(one) ?? [];
		const url = URL.parse(`https://${host}`);
		const range = url === null ? undefined : rangeNote(url);
		const isUnencrypted = (scheme === "http" || scheme === "ws") && range === undefined;
		if (star !== undefined && !host.includes("."))
			warnings.push(`${one} includes every domain that ends with .${host}.`);
		if (url !== null) warnings.push(...nameWarnings(url.hostname).map((text) => `${one}: ${text}`));
		if (range !== undefined) warnings.push(`${one} ${range}.`);
		if (port === "*") warnings.push(`${one} includes every port of its host.`);
		if (isUnencrypted) warnings.push(`The connection to ${one} is not encrypted.`);
	}
	return warnings;
}
