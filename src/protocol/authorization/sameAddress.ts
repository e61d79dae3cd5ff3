import { isThisMachine } from "../../base/addresses.ts";
import { oneLine } from "../../base/text.ts";

/**
 * Whether two texts are the same address by its parts: scheme, host, port, query, and path, except one slash at its
 * end, which servers and users leave out or add (RFC 8414, section 3.3, and RFC 9728, section 3.3, require identical
 * texts). False for text that is not an address, and for one with user information or a fragment.
 */
export function isSameAddress(one: string, other: string): boolean {
	const [a, b] = [partsOf(one), partsOf(other)];
	return a !== undefined && b !== undefined && a.origin === b.origin && a.query === b.query && a.path === b.path;
}

/**
 * Whether `server` is the resource that `resource` names, or a part of it: the same scheme, host and port, and the
 * whole path of `resource`, by segments, at the beginning of its own.
 */
export function isPartOf(server: string, resource: string): boolean {
	const [inner, outer] = [partsOf(server), partsOf(resource)];
	if (inner === undefined || outer === undefined || inner.origin !== outer.origin) return false;
	if (outer.query !== "" && outer.query !== inner.query) return false;
	return inner.path === outer.path || inner.path.startsWith(`${outer.path}/`);
}

/** A full address for display: parsed, so that untrusted text is shown as it is used, without query or user name. */
export function shownAddress(text: string): string {
	const url = URL.parse(text);
	if (url === null) return `“${oneLine(text, 200)}”, which is not an address`;
	const { protocol, host, pathname } = url;
	return oneLine(`${protocol}//${host}${pathname === "/" && !text.endsWith("/") ? "" : pathname}`, 300);
}

/**
 * Whether two addresses differ only as through a proxy or a name of this machine: scheme, port or path, at one host.
 */
export function isSameHost(one: string, other: string): boolean {
	const [a, b] = [URL.parse(one), URL.parse(other)];
	if (a === null || b === null) return false;
	return a.hostname === b.hostname || (isThisMachine(a) && isThisMachine(b));
}

interface Parts {
	readonly origin: string;
	readonly path: string;
	readonly query: string;
}

function partsOf(text: string): Parts | undefined {
	const url = URL.parse(text);
	if (url === null || url.origin === "null") return undefined;
	if (url.username !== "" || url.password !== "" || url.hash !== "") return undefined;
	return { origin: url.origin, path: url.pathname.replace(/\/$/, ""), query: url.search };
}
