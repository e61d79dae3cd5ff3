import { isProtected, isThisMachine, literalRange, rangeNote } from "../../base/addresses.ts";

/** The maximum length of a dropped list, in characters, and its maximum number of bundles. */
const longestList = 100_000;
const mostDropped = 5;
const bundleName = /\.(?:mcpb|dxt)$/i;

/**
 * The URL of a text from which a bundle may be fetched, or why there is none, in words that follow a colon: a file over
 * plain http could be replaced. `isElsewhere` says that another machine named it: such a URL must not reach this
 * machine's own services.
 */
export function bundleAddress(text: string, isElsewhere = false): URL | string {
	const url = URL.parse(text);
	if (url === null) return "it is not a URL";
	if (url.username !== "" || url.password !== "") return "its URL contains a user name or a password";
	if (isThisMachine(url) && isElsewhere) return "it points to an address on this machine";
	if (literalRange(url) === "forbidden" && isElsewhere) return `it points to ${url.host}, which ${rangeNote(url)}`;
	if (isProtected(url)) return url;
	return url.protocol === "http:"
		? "its connection is not encrypted (http). Anybody on the network path could replace the file. Use https"
		: "bundles are fetched from https URLs only";
}

/**
 * The addresses of bundles among the dropped ones: `text/uri-list` of RFC 2483, a URI on each line. Rows of our own,
 * which a user dragged a little, are not included.
 */
export function droppedBundles(list: string): readonly string[] {
	const lines = list.slice(0, longestList).split(/\r?\n/);
	return [...new Set(lines.map((line) => line.trim()))]
		.filter((line) => /^(?:https?|file):/i.test(line) && bundleName.test(URL.parse(line)?.pathname ?? ""))
		.slice(0, mostDropped);
}
