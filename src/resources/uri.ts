import { showHidden } from "../base/text.ts";
import { withExtension } from "./mediaTypes.ts";

/** The scheme of our read-only file system; `mcp-resource` is taken by the editor's own host. */
export const resourceScheme = "mcphost-resource";

/** What one of our URIs stands for: a resource of one server, or one of the contents that reading it gives. */
export interface ResourceAddress {
	/** The server's id. */
	readonly server: string;
	/** The resource's URI, exactly as the server wrote it. */
	readonly uri: string;
	/** Which of several contents, from 0; absent for the whole. */
	readonly part?: number;
}

/** What people see of the address: it decides the path, never what is read. */
export interface ResourceAppearance {
	/** The server's configured name. */
	readonly serverName: string;
	readonly mimeType?: string | undefined;
	/** The URI that names this part, where it differs from that of the whole. */
	readonly partUri?: string | undefined;
	/** Whether several contents are shown as one text, whatever their types. */
	readonly isCombined?: boolean;
}

/** The components from which the editor builds a URI. */
export interface UriComponents {
	readonly scheme: string;
	readonly authority: string;
	readonly path: string;
	readonly query: string;
}

/** How many characters of a segment, and how many segments, the path shows. */
const segmentLimit = 80;
const segmentCount = 8;

/**
 * Our URI of a resource. The address is carried whole in the query, in characters that no URI handling changes, because
 * an editor's URI type changes others' URIs: it lowers the case of authorities, decodes paths and drops empty parts. The
 * path is for people: it ends in the name of the tab, with an extension from which the editor picks the viewer.
 */
export function toEditorUri(address: ResourceAddress, appearance: ResourceAppearance): UriComponents {
	const { server, uri, part } = address;
	const token = Buffer.from(JSON.stringify(part === undefined ? [server, uri] : [server, uri, part])).toString(
		"base64url",
	);
	const segments = readableSegments(appearance.partUri ?? uri);
	const last = segments.pop() ?? "resource";
	const name = appearance.isCombined === true ? `${last}.txt` : withExtension(last, appearance.mimeType);
	return {
		scheme: resourceScheme,
		authority: "",
		path: `/${[segment(appearance.serverName), ...segments, name].join("/")}`,
		query: token,
	};
}

/** The address that one of our URIs carries, or undefined when it is none of ours. */
export function fromEditorUri(uri: { readonly scheme: string; readonly query: string }): ResourceAddress | undefined {
	if (uri.scheme !== resourceScheme) return undefined;
	let value: unknown;
	try {
		value = JSON.parse(Buffer.from(uri.query, "base64url").toString());
	} catch {
		return undefined;
	}
	if (!Array.isArray(value)) return undefined;
	const [server, original, part] = value as readonly unknown[];
	if (typeof server !== "string" || typeof original !== "string") return undefined;
	if (part === undefined) return { server, uri: original };
	return typeof part === "number" && Number.isInteger(part) && part >= 0 ? { server, uri: original, part } : undefined;
}

/** A key that is equal for equal (server, URI) pairs only, whatever part is meant. */
export function keyOf({ server, uri }: ResourceAddress): string {
	return JSON.stringify([server, uri]);
}

/** The pieces of any URI that a person would recognise: `memo://a/b?x` as `memo`, `a`, `b?x`. */
function readableSegments(uri: string): string[] {
	const pieces = uri.split(/[/\\]+|(?<=^[A-Za-z][A-Za-z0-9+.-]*):/);
	const segments = pieces.map((piece) => segment(decoded(piece))).filter((piece) => piece !== "");
	return segments.length <= segmentCount
		? segments
		: [...segments.slice(0, segmentCount - 2), "…", ...segments.slice(-1)];
}

function decoded(piece: string): string {
	try {
		return decodeURIComponent(piece);
	} catch {
		return piece;
	}
}

/** A name that is safe as one segment of a path on every system, and shows no hidden character. */
function segment(text: string): string {
	const safe = showHidden(text.toWellFormed())
		.replace(/[/\\:*?"<>|\s]+/g, " ")
		.trim();
	const characters = Array.from(safe);
	const short = characters.length <= segmentLimit ? safe : `${characters.slice(0, segmentLimit).join("")}…`;
	return /^\.+$/.test(short) ? short.replaceAll(".", "_") : short;
}
