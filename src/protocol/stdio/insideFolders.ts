import { realpath } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";

/** Checks which paths are in one of some folders, as they are written and behind symbolic links. */
export interface InsideFolders {
	/** Whether a text is the path of such a folder, or holds one of something in it. */
	readonly names: (text: string) => boolean;
	/** Whether an absolute path, as written, is such a folder or inside one. */
	readonly isInside: (path: string) => boolean;
}

/** Paths inside one of these folders; case-insensitive on file systems without case. */
export async function insideFolders(folders: readonly string[]): Promise<InsideFolders> {
	const isCaseBlind = process.platform === "win32" || process.platform === "darwin";
	const folded = (text: string): string => (isCaseBlind ? text.toLowerCase() : text);
	const roots = [...folders, ...(await Promise.all(folders.map(realPath)))]
		.map(folded)
		.map((root) => ({ root, inside: root.endsWith(sep) ? root : root + sep }));
	return {
		names: (text) => roots.some(({ root, inside }) => folded(text) === root || folded(text).includes(inside)),
		isInside: (path) => roots.some(({ root, inside }) => folded(path) === root || folded(path).startsWith(inside)),
	};
}

/** The real path of what is there, and of what is not there the real path of the nearest folder above it, and the rest. */
export async function realPath(path: string): Promise<string> {
	for (let above = path; ; above = dirname(above)) {
		const real = await realpath(above).catch(() => undefined);
		if (real !== undefined) return resolve(real + sep + path.slice(above.length));
		if (above === dirname(above)) return resolve(path);
	}
}
