import { hasHiddenCharacters } from "../../base/text.ts";

/** The longest path and the longest name of a file, in bytes, and how many folders may lie in one another. */
const longest = { path: 1000, name: 255, depth: 64 };
/** Names of devices on Windows, with any ending. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00B9\u00B2\u00B3])(?:\.|$)/i;

/**
 * The problem of a file's path in an archive, in words that follow its name in a sentence; undefined for a path that
 * every system reads as the same place within the folder of the archive.
 */
export function pathFault(path: string, isWindows: boolean): string | undefined {
	if (path === "") return "has no name";
	if (path.includes("\\")) return "contains a backslash, which is a separator on some systems only";
	if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is an absolute path, outside its folder";
	if (path.includes(":")) return "contains a colon, which points to another place on some systems";
	if (/[\p{Cc}\u2028\u2029\uFFFD]/u.test(path) || hasHiddenCharacters(path))
		return "contains hidden or unreadable characters";
	if (Buffer.byteLength(path) > longest.path) return "is too long";
	const names = path.split("/");
	if (names.length > longest.depth) return `is more than ${longest.depth} folders deep`;
	for (const name of names) {
		if (name === "..") return "points outside its folder";
		if (name === "" || name === ".") return "has a part without a name";
		if (Buffer.byteLength(name) > longest.name) return "has a part that is too long";
		if (/[. ]$|^ /.test(name))
			return "has a part that begins or ends with a space or ends with a dot, which some systems remove";
		if (isWindows && (device.test(name) || /[<>"|?*]/.test(name))) return "is not a valid file name on Windows";
	}
	return undefined;
}

/**
 * Detects paths that some system treats as the same file: names that differ by case or by the normal form of Unicode
 * only, and a file where another path has a folder.
 */
export class PathSet {
	/** The spelling of each file and folder, by what it is compared by. */
	private readonly known = new Map<string, { readonly path: string; readonly isFolder: boolean }>();

	/** The number of files and folders, including folders that occur only in paths. */
	get size(): number {
		return this.known.size;
	}

	/** Takes a path in; gives the one that it collides with, if any. */
	add(path: string, isFolder: boolean): string | undefined {
		const names = path.split("/");
		for (let length = 1; length <= names.length; length++) {
			const part = names.slice(0, length).join("/");
			const isWhole = length === names.length;
			const key = folded(part);
			const other = this.known.get(key);
			if (other === undefined) {
				this.known.set(key, { path: part, isFolder: !isWhole || isFolder });
				continue;
			}
			// Folders may be named again and again, in one spelling.
			if (other.path !== part || !other.isFolder || (isWhole && !isFolder)) return other.path;
		}
		return undefined;
	}
}

/** The same for all spellings that a file system without case, or with one normal form, does not distinguish. */
function folded(path: string): string {
	return path.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");
}
