import { oneLine } from "../../base/text.ts";
import { byText } from "./sortKey.ts";

/** A folder of URIs: their common part, and its contents. */
export interface Folder<T> {
	/**
	 * The common beginning of every URI in the folder, up to and including a delimiter; empty for the outermost folder.
	 */
	readonly key: string;
	/** The folders in it. One that held nothing but one folder is left out in favour of that one. */
	readonly folders: readonly Folder<T>[];
	/** The items that are directly in it, in the order of their arrival. */
	readonly items: readonly T[];
	/** How many items are in it and in its folders. */
	readonly total: number;
}

/** All folders of a list. */
export interface FolderTree<T> {
	readonly root: Folder<T>;
	/** The folders by their keys. */
	readonly byKey: ReadonlyMap<string, Folder<T>>;
}

interface Building<T> {
	readonly key: string;
	readonly parent: Building<T> | undefined;
	folders: Building<T>[];
	readonly items: T[];
	total: number;
}

/** The maximum number of folders around one item, so that a URI that consists of slashes does no harm. */
const depthLimit = 16;

/**
 * Sorts items into folders by the paths of their URIs. The keys are prefixes of the URIs exactly as the server wrote
 * them: nothing is decoded, and case counts. Folders are in the order of their first items, or by name.
 */
export function groupByPath<T>(
	items: readonly T[],
	uriOf: (item: T) => string,
	order: "first" | "name" = "first",
): FolderTree<T> {
	const root: Building<T> = { key: "", parent: undefined, folders: [], items: [], total: 0 };
	const byKey = new Map([["", root]]);
	/** The folders by the text before the last slash: most items are beside others, and need no closer look. */
	const bySlash = new Map<string, Building<T>>();
	for (const item of items) {
		const uri = uriOf(item);
		const beforeSlash = isOpaque(uri) ? undefined : uri.slice(0, slashLength(uri));
		const known = beforeSlash === undefined ? undefined : bySlash.get(beforeSlash);
		const folder = known ?? openFolder(uri, root, byKey);
		if (beforeSlash !== undefined) bySlash.set(beforeSlash, folder);
		folder.items.push(item);
	}
	// Inner folders follow their outer ones.
	for (const folder of [...byKey.values()].toReversed()) {
		folder.total += folder.items.length;
		if (folder.parent !== undefined) folder.parent.total += folder.total;
	}
	for (const folder of byKey.values()) {
		folder.folders = folder.folders.map(innermost);
		if (order === "name") folder.folders = byText(folder.folders, ({ key }) => key);
	}
	return { root, byKey };
}

/** The text of a folder's row: the part of its key that the row above does not show, decoded. */
export function folderName(key: string, above: string): string {
	const rest = key.slice(above.length);
	// The slashes of `calendar://` are part of the name, that at the end of `june/` is not.
	const name = /:\/*$/.test(rest) ? rest : rest.replace(/(?<!\/)\/+$/, "");
	return oneLine(decoded(name), 100);
}

/** The rest of a URI in the row of its folder, decoded. */
export function leafName(uri: string, folder: string): string {
	return oneLine(decoded(uri.slice(folder.length)), 100);
}

/** The innermost folder of a URI, made together with those around it where they are missing. */
function openFolder<T>(uri: string, root: Building<T>, byKey: Map<string, Building<T>>): Building<T> {
	let folder = root;
	for (const end of folderEnds(uri)) {
		const key = uri.slice(0, end);
		let inner = byKey.get(key);
		if (inner === undefined) {
			inner = { key, parent: folder, folders: [], items: [], total: 0 };
			byKey.set(key, inner);
			folder.folders.push(inner);
		}
		folder = inner;
	}
	return folder;
}

/** The lengths of those beginnings of a URI that are folders: its scheme, its authority, and each step of its path. */
function folderEnds(uri: string): readonly number[] {
	const schemeEnd = schemeLength(uri);
	const pathEnd = pathLength(uri);
	const hasColons = isOpaque(uri);
	const isDelimiter = (at: number): boolean => uri[at] === "/" || (hasColons && uri[at] === ":");
	const ends: number[] = [];
	let at = schemeEnd;
	if (schemeEnd > 0) {
		while (at < pathEnd && uri[at] === "/") at++;
		if (at < pathEnd) ends.push(at);
	}
	while (at < pathEnd && ends.length < depthLimit) {
		if (!isDelimiter(at++)) continue;
		while (at < pathEnd && isDelimiter(at)) at++;
		// A delimiter at the end belongs to the name of the item.
		if (at < pathEnd) ends.push(at);
	}
	return ends;
}

function schemeLength(uri: string): number {
	return /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].length ?? 0;
}

/** The length without query and fragment, which divide nothing. */
function pathLength(uri: string): number {
	const suffix = uri.search(/[?#]/);
	return suffix === -1 ? uri.length : suffix;
}

/** Whether a URI is one like `urn:isbn:0451450523`, whose steps are separated by colons. */
function isOpaque(uri: string): boolean {
	const schemeEnd = schemeLength(uri);
	return schemeEnd > 0 && uri[schemeEnd] !== "/";
}

/** The length of a URI up to and including the last slash of its path that is not at its end. */
function slashLength(uri: string): number {
	let end = pathLength(uri);
	while (end > 0 && uri[end - 1] === "/") end--;
	return end === 0 ? 0 : uri.lastIndexOf("/", end - 1) + 1;
}

/** The folder itself, or the first one down the line that holds more than one folder. */
function innermost<T>(folder: Building<T>): Building<T> {
	let inner = folder;
	for (;;) {
		const [only, ...others] = inner.folders;
		if (only === undefined || others.length > 0 || inner.items.length > 0) return inner;
		inner = only;
	}
}

/** The text without those escapes that can be undone without changing where the URI's parts end. */
function decoded(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}
