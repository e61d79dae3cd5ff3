import { pathToFileURL } from "node:url";
import type { Event } from "../base/event.ts";
import type { Root } from "../servers/session.ts";

/** What servers may know of the folders that the person works in. */
export interface Roots {
	readonly current: readonly Root[];
	/** The roots are others than before. */
	readonly onDidChange: Event<void>;
}

/** A folder as the editor has it open. */
export interface OpenFolder {
	readonly name: string;
	/** The scheme of the folder's URI: `file` on the machine where the host runs. */
	readonly scheme: string;
	/** The folder's path on that machine. */
	readonly path: string;
}

/**
 * The roots of a window: its folders in their order, each once, without those that are no directories on the host's
 * machine, because a root must be a `file:` URI (spec.md R2). `isWindows` says how paths are written; default: as here.
 */
export function rootsOf(folders: readonly OpenFolder[], isWindows?: boolean): readonly Root[] {
	const roots = new Map<string, Root>();
	for (const { name, scheme, path } of folders) {
		if (scheme !== "file" || path === "") continue;
		const uri = pathToFileURL(path, isWindows === undefined ? {} : { windows: isWindows }).href;
		if (!roots.has(uri)) roots.set(uri, { uri, name });
	}
	return [...roots.values()];
}

/** Whether a server would see no difference, so that it need not be told. The order counts: a server may prefer the first. */
export function isSameRoots(a: readonly Root[], b: readonly Root[]): boolean {
	return a.length === b.length && a.every(({ uri, name }, index) => uri === b[index]?.uri && name === b[index].name);
}
