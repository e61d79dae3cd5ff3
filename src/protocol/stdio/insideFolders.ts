import { realpath } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { comparedPath, foldedText, isWithin } from "../../base/folderPaths.ts";

/** Checks which paths are in one of some folders, as they are written and behind symbolic links. */
export interface InsideFolders {
	/** Whether a text is the path of such a folder, or holds one of something in it. */
	readonly names: (text: string) => boolean;
	/** Whether an absolute path, as written, is such a folder or inside one. */
	readonly isInside: (path: string) => boolean;
}

/** Paths inside one of these folders, as the system compares them. `real` is `realPath`, unless the machine is another. */
export async function insideFolders(
	folders: readonly string[],
	real: (path: string) => Promise<string> = realPath,
	platform: NodeJS.Platform = process.platform,
): Promise<InsideFolders> {
	const separator = platform === "win32" ? "\\" : "/";
	const roots = [...folders, ...(await Promise.all(folders.map((folder) => real(folder))))];
	const starts = roots.map((root) => comparedPath(/[\\/]$/.test(root) ? root : root + separator, platform));
	return {
		names: (text) => {
			const forms = [foldedText(text, platform), comparedPath(text, platform)];
			return starts.some((start) => forms.some((form) => form + separator === start || form.includes(start)));
		},
		isInside: (path) => roots.some((root) => isWithin(path, root, platform)),
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
