import { domainToUnicode } from "node:url";
import { isProtected, isThisMachine, literalRange, rangeNote } from "./addresses.ts";
import { inPlainLetters, mixesScripts } from "./lookAlikes.ts";
import { invalidParams } from "./refusal.ts";
import { oneLine } from "./text.ts";
import type { UrlView } from "./urlView.ts";

/** A URL that a server asks the user to open: exactly the shown URL is opened. */
export interface RequestedUrl {
	/** The URL that is opened; equal to the joined parts of `view`. */
	readonly href: string;
	readonly view: UrlView;
}

const lengthLimit = 8000;

/**
 * Reads the URL of a url-mode elicitation. It is parsed once, and the parsed form is both shown and opened, so that no
 * second parser can see another host in it (ELC-04, UI-08). Nothing is fetched.
 * @throws RequestRefusal -32602 unless it is https, or http on this machine, and without a user name in front of the host.
 */
export function readUrl(text: string): RequestedUrl {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined) throw invalidParams("The URL is not valid");
	if (url.href.length > lengthLimit) throw invalidParams("The URL is too long");
	if (!isProtected(url)) {
		throw invalidParams("The URL must be https, or http on the loopback interface");
	}
	// `https://bank.example@evil.example/` leads to evil.example.
	if (url.username !== "" || url.password !== "")
		throw invalidParams("The URL must not contain a user name or password");
	const before = `${url.protocol}//`;
	return {
		href: url.href,
		view: {
			before,
			host: url.host,
			after: url.href.slice(before.length + url.host.length),
			warnings: siteWarnings(url),
		},
	};
}

/**
 * Cautions about where a URL leads, in sentences for the user (ELC-04): names in other letters, names that
 * begin with another site's, addresses of numbers, unusual ports, and connections that are not encrypted.
 */
function siteWarnings(url: URL): readonly string[] {
	const { protocol, hostname, port } = url;
	const warnings = [...nameWarnings(hostname)];
	const isOwn = isThisMachine(url);
	const isNumber = literalRange(url) !== undefined && !isOwn;
	if (isNumber)
		warnings.push("This address is a number instead of a name. Well-known sites do not use such addresses.");
	if (isNumber && rangeNote(url) !== undefined) warnings.push(`This address ${rangeNote(url)}.`);
	if (port !== "" && !isOwn) warnings.push(`It uses port ${port}, which is unusual for a web page.`);
	if (protocol === "http:") warnings.push("This address is on your own machine, and the connection is not encrypted.");
	return warnings;
}

/** Cautions about the name of a site as a URL's parser writes it, in sentences for the user. */
export function nameWarnings(hostname: string): readonly string[] {
	if (hostname.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(hostname)) return [];
	const labels = hostname.replace(/\.$/, "").split(".");
	const isOther = labels.some((label) => label.startsWith("xn--"));
	return [...(isOther ? [otherLetters(hostname)] : []), ...foreignBeginning(labels)];
}

function otherLetters(hostname: string): string {
	const name = domainToUnicode(hostname);
	const shown = oneLine(name, 100);
	const twin = twinOf(name);
	const imitated = twin === undefined ? "another site" : `“${oneLine(twin, 100)}”`;
	const mixture = name.split(".").some(mixesScripts) ? " It mixes letters from several alphabets." : "";
	return `The name of this site contains special characters: “${shown}”.${mixture} It may imitate ${imitated}.`;
}

/** The ASCII name that a name in other letters can be mistaken for; undefined when there is none. */
function twinOf(name: string): string | undefined {
	const plain = inPlainLetters(name);
	return /^[a-z\d.-]+$/.test(plain) ? plain : undefined;
}

/** Ends of names of well-known sites; others, such as `dev`, are common in the middle of names as well. */
const knownEnds = new Set(["com", "org", "net", "gov", "edu"]);
/** More labels than this are there to push the end out of sight. */
const mostLabels = 5;

/** A name like `github.com.evil.example` or `github.com-login.example`: its end decides. */
function foreignBeginning(labels: readonly string[]): readonly string[] {
	const end = siteEnd(labels);
	const front = labels.slice(0, labels.length - end.length);
	const site = oneLine(end.join("."), 100);
	const known = knownBeginning(front, end[0] ?? "");
	if (known !== undefined) {
		const beginning = oneLine(known.join("."), 100);
		return [`The name of this site begins with “${beginning}”, but the site belongs to “${site}”.`];
	}
	if (labels.length <= mostLabels) return [];
	return [`The name of this site has ${labels.length} parts. The site belongs to “${site}”.`];
}

/** The labels in front that look like a site of their own, the beginning of the site's own label included. */
function knownBeginning(front: readonly string[], own: string): readonly string[] | undefined {
	const index = front.findIndex((label, position) => position > 0 && knownEnds.has(beforeHyphen(label)));
	if (index > 0) return [...front.slice(0, index), beforeHyphen(front[index] ?? "")];
	const isOwnHyphened = front.length > 0 && own.includes("-") && knownEnds.has(beforeHyphen(own));
	return isOwnHyphened ? [...front, beforeHyphen(own)] : undefined;
}

function beforeHyphen(label: string): string {
	return label.replace(/-.*$/s, "");
}

/** The registered labels, as far as they can be found without the list of all public suffixes. */
function siteEnd(labels: readonly string[]): readonly string[] {
	const [second = "", top = ""] = labels.slice(-2);
	// As in `example.co.uk`.
	const isCountry = top.length === 2 && (second.length <= 2 || knownEnds.has(second));
	return labels.slice(isCountry ? -3 : -2);
}
