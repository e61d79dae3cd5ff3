import { pathToFileURL } from "node:url";
import type { Event } from "../../base/event.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { Root } from "../sessions/session.ts";

/** The folders of the user that each server may know. */
export interface Roots {
	/** Exactly the roots that the server receives on request. */
	of(definition: ServerDefinition): readonly Root[];
	/** In a few words why these and no others, fit to show; undefined where they are the folders that one expects. */
	remark(definition: ServerDefinition): RootsRemark | undefined;
	/** The roots of some server, or the remarks about them, may have changed. */
	readonly onDidChange: Event<void>;
}

/** A line about a server's roots. */
export interface RootsRemark {
	readonly text: string;
	/** Whether something is other than the user may expect. */
	readonly isWarning: boolean;
}

/** A folder as the editor has it open. */
export interface OpenFolder {
	readonly name: string;
	/** The scheme of the folder's URI: `file` on the machine where the host runs. */
	readonly scheme: string;
	/** The folder's path on that machine. */
	readonly path: string;
}

/** The folders of the window, in their order. */
export interface OpenFolders {
	readonly current: readonly OpenFolder[];
	readonly onDidChange: Event<unknown>;
}

/**
 * The roots of a window: its folders in their order, each once, without those that are not directories on the host's
 * machine, because a root must be a `file:` URI (specification, "Roots"). The URI names the folder as it was opened:
 * the target of a symbolic link is not sent (ROOT-03). `isWindows` says how paths are written; default: as here.
 */
export function rootsOf(folders: readonly OpenFolder[], isWindows?: boolean): readonly Root[] {
	const roots = new Map<string, Root>();
	for (const { name, scheme, path } of folders) {
		if (scheme !== "file" || path === "") continue;
		const uri = fileUri(path, isWindows);
		if (!roots.has(uri)) roots.set(uri, { uri, name });
	}
	return [...roots.values()];
}

/**
 * The URI of an absolute path, in the form of this machine unless `isWindows` says otherwise; the letter of a drive is
 * small, as VS Code writes it, so that a folder has one URI.
 */
export function fileUri(path: string, isWindows: boolean = process.platform === "win32"): string {
	const written = isWindows ? path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase()) : path;
	return pathToFileURL(written, { windows: isWindows }).href;
}

/**
 * Whether a server would see no difference, so that it need not be notified. The order counts: a server may prefer the
 * first.
 */
export function isSameRoots(a: readonly Root[], b: readonly Root[]): boolean {
	return a.length === b.length && a.every(({ uri, name }, index) => uri === b[index]?.uri && name === b[index].name);
}
