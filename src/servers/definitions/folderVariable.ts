import type { ConfigOrigin } from "./config.ts";

/** A folder of the window, by its name there. */
export interface NamedFolder {
	readonly name: string;
	readonly path: string;
}

/** The value of a folder variable, or in a few words why it has none. */
export type FolderMeaning = { readonly path: string; readonly note?: string } | { readonly fault: string };

/**
 * The folder that `${workspaceFolder}`, or `${workspaceFolder:name}`, means in a definition. Without a name it is the
 * folder whose file holds the definition. One of the user's own, or of a .code-workspace file, belongs to no folder: there
 * it is the first one of the window, which `note` says where others are open (BLT-33). `folders` are those of
 * this machine.
 */
export function folderOf(
	name: string | undefined,
	origin: ConfigOrigin,
	folders: readonly NamedFolder[],
): FolderMeaning {
	if (name !== undefined) return named(name, folders);
	if (origin.folder !== undefined) return { path: origin.folder };
	const [first, ...others] = folders;
	if (first === undefined) return { fault: "no folder is open" };
	if (others.length === 0) return { path: first.path };
	const note = `\${workspaceFolder} is ${first.path}, the first of ${folders.length} folders. Write \${workspaceFolder:name} to use another folder.`;
	return { path: first.path, note };
}

function named(name: string, folders: readonly NamedFolder[]): FolderMeaning {
	const [found, ...others] = folders.filter((folder) => folder.name === name);
	if (found === undefined) {
		const open = folders.map((folder) => folder.name).join(", ");
		return { fault: `no folder with that name is open${open === "" ? "" : ` (open: ${open})`}` };
	}
	if (others.length === 0) return { path: found.path };
	return { fault: `${others.length + 1} open folders have that name; give them different names in the workspace file` };
}
