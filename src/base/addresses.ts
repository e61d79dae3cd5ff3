import { domainToUnicode } from "node:url";

/** What parsers of addresses make of a text: for certain, and what only says the same in other words. */
export interface Addresses {
	readonly firm: readonly string[];
	readonly vague: readonly string[];
}

/** No host has a longer name, even encoded; the parser's time would grow with the square of it. */
const longestHost = 1000;

/** A text with a scheme as parsers of addresses begin: without tabs and line breaks (WHATWG URL, 4.4); others as they are. */
export function joinAddress(text: string): string {
	const joined = text.replace(/[\t\n\r]+/g, "");
	return joined !== text && hasScheme(joined) ? joined : text;
}

/**
 * What a text is as an address by the parser that browsers and Node have (WHATWG URL): with the slashes that were missing,
 * without detours, its host in plain letters. A trailing slash, a default port and a user's name stay as they were
 * written, so that a permission that names them holds; what else stands before an `@` may pass for the host (TOL-22).
 */
export function addressesOf(text: string): Addresses {
	const joined = joinAddress(text);
	if (!hasScheme(joined)) return { firm: [], vague: [] };
	const [begin = "", authority = ""] = /^[^:]*:[/\\]*([^/\\?#]*)/.exec(joined) ?? [];
	const isTooLong = authority.length - authority.lastIndexOf("@") > longestHost;
	if (isTooLong || !URL.canParse(joined)) return { firm: [], vague: [] };
	const { protocol, username, password, hostname, port, pathname, search, hash, href } = new URL(joined);
	if (hostname === "" && !pathname.startsWith("/")) return { firm: [], vague: [href] };
	const [user] = password === "" ? (/^[\w-]+$/.exec(username) ?? []) : [];
	const unicode = domainToUnicode(hostname) || hostname;
	// In other letters where it was written in them.
	const host = joined.includes(hostname) ? hostname : unicode;
	const written = hostname === "" ? undefined : /:\d+$/.exec(authority)?.[0];
	const path = hostname !== "" && begin.length === joined.length ? "" : pathname;
	const tail = `${search}${hash}`;
	const [ownPort, ownUser] = [port === "" ? "" : `:${port}`, user === undefined ? "" : `${user}@`];
	return {
		firm: [`${protocol}//${ownUser}${host}${ownPort || (written ?? "")}${path}${tail}`],
		vague: [hostname, unicode].map((one) => `${protocol}//${one}${ownPort}${pathname}${tail}`),
	};
}

/** Of two letters at least, as one is a drive of Windows. */
function hasScheme(text: string): boolean {
	return /^[a-z][a-z\d+.-]{1,40}:/i.test(text);
}
