import { delimiter } from "node:path";
import { folderOfPath } from "./findCommand.ts";
import { insideFolders, realPath } from "./insideFolders.ts";

/**
 * The folders of VS Code's PATH in which neither a process that MCP Host starts nor its children may search bare names
 * (CFG-40). These are relative folders, whose meaning depends on the working directory, and those that lead into
 * `closed`, the folders of an untrusted workspace.
 */
export async function unsafeFolders(path: string, closed: readonly string[]): Promise<ReadonlySet<string>> {
	const { isInside } = await insideFolders(closed);
	const isUnsafe = async (entry: string): Promise<boolean> => {
		const folder = folderOfPath(entry);
		if (folder === undefined) return true;
		return closed.length > 0 && (isInside(folder) || isInside(await realPath(folder)));
	};
	const folders = [...new Set(path.split(delimiter))];
	const unsafe = await Promise.all(folders.map(isUnsafe));
	return new Set(folders.filter((_, index) => unsafe[index] === true));
}

/** A PATH without the folders that are not to be searched. Never an empty one, which means the working directory. */
export function withoutFolders(path: string, unsafe: ReadonlySet<string>): string {
	const folders = path.split(delimiter).filter((folder) => !unsafe.has(folder));
	return folders.length > 0 || process.platform === "win32" ? folders.join(delimiter) : systemFolders;
}

/** Where MCP Host itself looks for programs of the system: there first, and nowhere that depends on where it runs. */
export function systemPath(path: string | undefined): string {
	const folders = (path ?? "").split(delimiter).flatMap((entry) => folderOfPath(entry) ?? []);
	return [...(process.platform === "win32" ? [] : [systemFolders]), ...folders].join(delimiter);
}

const systemFolders = "/usr/bin:/bin";
