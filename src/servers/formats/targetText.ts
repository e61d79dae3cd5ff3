import type { JsonObject } from "../../base/json.ts";
import { readCommandLines } from "./commandLines.ts";
import { shellQuoted } from "./shellWords.ts";

/** The server that a text names: an entry, or why there is none. */
export type TargetReading =
	| { readonly entry: JsonObject; readonly remarks: readonly string[] }
	| { readonly reason: string };

/** Ends of file names that are also ends of domains. */
const fileEnds = /\.(?:py|sh|rs|js|ts|mjs|cjs|pl|rb|jar|exe|cmd|bat|ps1|php|lua|json|toml|yaml|yml|md|so)$/i;
const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?::\d{1,5})?(?:[/?#]\S*)?$/i;
const domain = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,10}[a-z]{2,24}(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/**
 * Reads a URL, or a domain as users write one: on this machine by `http`, otherwise by `https`. Undefined for other
 * text, a reason for a URL that no server may have.
 */
export function readAddress(text: string): TargetReading | undefined {
	const address = text.trim().replace(/^<(.*)>$/s, "$1");
	if (/\s/.test(address)) return undefined;
	const isUrl = /^https?:\/\//i.test(address);
	const isBare = !isUrl && (localHost.test(address) || (domain.test(address) && !fileEnds.test(address)));
	if (!isUrl && !isBare && /^[a-z][a-z\d+.-]{1,30}:[^\\]/i.test(address))
		return {
			reason: "Enter a URL that begins with http:// or https://, or an install link that MCP Host supports.",
		};
	if (!isUrl && !isBare) return undefined;
	const url = isUrl ? address : `${localHost.test(address) ? "http" : "https"}://${address}`;
	if (!URL.canParse(url.replace(/\$\{[^{}]*\}/g, "x"))) return { reason: "This URL is not valid." };
	const { username, password } = new URL(url.replace(/\$\{[^{}]*\}/g, "x"));
	if (username !== "" || password !== "")
		return { reason: "A URL may not contain a user name or password. Use a header instead." };
	return { entry: { type: "http", url }, remarks: [] };
}

/** The address of a domain, or of a port of it; undefined for other text, or for a text with a path. */
export function readDomain(text: string): URL | undefined {
	const read = readAddress(text);
	if (read === undefined || "reason" in read) return undefined;
	const { url } = read.entry;
	const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
	return address?.pathname === "/" && address.search === "" && address.hash === "" ? address : undefined;
}

/** Reads a typed text for one server: a command line, a URL or a domain. */
export function readTarget(text: string): TargetReading {
	if (text.trim() === "") return { reason: "Enter a command or a URL." };
	const address = readAddress(text);
	if (address !== undefined) return address;
	const read = readCommandLines(text);
	const [server, ...more] = read?.servers ?? [];
	if (read?.refused[0] !== undefined) return { reason: read.refused[0].reason };
	if (server === undefined || more.length > 0) return { reason: "Enter one command or one URL." };
	return { entry: server.entry, remarks: server.remarks };
}

/** The text for which `readTarget` gives the command and arguments, or the URL, of an entry. */
export function targetText(entry: JsonObject): string {
	const { url, command, args } = entry as { url?: unknown; command?: unknown; args?: unknown };
	if (typeof url === "string") return url;
	const words = [command, ...(Array.isArray(args) ? args : [])];
	return words.map((word) => shellQuoted(String(word))).join(" ");
}
