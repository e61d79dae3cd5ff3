import { parseJson } from "../../base/json.ts";
import { showHidden } from "../../base/text.ts";
import { decoded } from "../../base/words.ts";
import { withExtension } from "./mediaTypes.ts";
import { shownName } from "./fileNames.ts";
import { resourceScheme } from "./scheme.ts";

/**
 * The target of one of our URIs: a resource of one server, or one of its contents in the present or an earlier read.
 */
export interface ResourceAddress {
	/** The server's id. */
	readonly server: string;
	/** The resource's URI, exactly as the server wrote it. */
	readonly uri: string;
	/** Which of several contents, from 0; absent for the whole. */
	readonly part?: number;
	/** The time of the earlier contents (`ResourceSnapshot.modified`); absent for the server's current ones. */
	readonly version?: number;
	/** Shown as a list of its bytes. */
	readonly isHex?: true;
}

/** The visible part of the address: it decides the path, never the request. */
export interface ResourceAppearance {
	/** The server's configured name. */
	readonly serverName: string;
	readonly mimeType?: string | undefined;
	/** The contents, if they were read: the server's data about them may be wrong (RES-05). */
	readonly bytes?: Uint8Array | undefined;
	/** The URI that names this part, where it differs from that of the whole. */
	readonly partUri?: string | undefined;
	/** Whether several contents are shown as one text, regardless of their types. */
	readonly isCombined?: boolean;
}

/** The components from which VS Code builds a URI. */
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
 * Our URI of a resource. The whole address is in the query, in characters that no URI handling changes, because VS
 * Code's URI type changes others' URIs: it lowers the case of authorities, decodes paths and drops empty parts. The
 * path is for display: it ends in the name of the tab, with an extension from which VS Code picks the viewer.
 */
export function toEditorUri(address: ResourceAddress, appearance: ResourceAppearance): UriComponents {
	const token = Buffer.from(JSON.stringify(tokenOf(address))).toString("base64url");
	const segments = readableSegments(appearance.partUri ?? address.uri);
	const last = segments.pop() ?? "resource";
	return {
		scheme: resourceScheme,
		authority: "",
		path: `/${[segment(appearance.serverName), ...segments, nameOf(last, address, appearance)].join("/")}`,
		query: token,
	};
}

/** The address in one of our URIs; undefined for other URIs. */
export function fromEditorUri(uri: { readonly scheme: string; readonly query: string }): ResourceAddress | undefined {
	if (uri.scheme !== resourceScheme) return undefined;
	const value = parseJson(Buffer.from(uri.query, "base64url").toString());
	if (!Array.isArray(value)) return undefined;
	const [server, original, part, version, view] = value as readonly unknown[];
	if (typeof server !== "string" || typeof original !== "string") return undefined;
	if (!isCount(part) || !isCount(version) || (view !== undefined && view !== hexView)) return undefined;
	return {
		server,
		uri: original,
		...(typeof part === "number" ? { part } : {}),
		...(typeof version === "number" ? { version } : {}),
		...(view === hexView ? { isHex: true } : {}),
	};
}

/** A key that is equal for equal (server, URI) pairs only, for every part. */
export function keyOf({ server, uri }: Pick<ResourceAddress, "server" | "uri">): string {
	return JSON.stringify([server, uri]);
}

const hexView = "hex";

/** The address as JSON, without absent members at its end. */
function tokenOf({ server, uri, part, version, isHex }: ResourceAddress): readonly unknown[] {
	if (isHex === true) return [server, uri, part ?? null, version ?? null, hexView];
	if (version !== undefined) return [server, uri, part ?? null, version];
	return part === undefined ? [server, uri] : [server, uri, part];
}

function isCount(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === "number" && Number.isInteger(value) && value >= 0);
}

function nameOf(last: string, { isHex }: ResourceAddress, appearance: ResourceAppearance): string {
	const { mimeType, bytes, isCombined } = appearance;
	if (isHex === true) return `${last}.hex`;
	if (isCombined === true) return `${last}.txt`;
	return bytes === undefined ? withExtension(last, mimeType) : shownName(last, mimeType, bytes);
}

/** The pieces of any URI that a user would recognise: `memo://a/b?x` as `memo`, `a`, `b?x`. */
function readableSegments(uri: string): string[] {
	const pieces = uri.split(/[/\\]+|(?<=^[A-Za-z][A-Za-z0-9+.-]*):/);
	const segments = pieces.map((piece) => segment(decoded(piece))).filter((piece) => piece !== "");
	return segments.length <= segmentCount
		? segments
		: [...segments.slice(0, segmentCount - 2), "…", ...segments.slice(-1)];
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
