import { lstat, mkdir, readdir, readFile, realpath, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { isWithin } from "../../base/folderPaths.ts";
import { isWhole } from "../../base/guards.ts";
import { parseJsonObject } from "../../base/json.ts";
import { isName, isText, isTime, listOf, shape } from "../../base/shape.ts";
import { isWindowGone } from "../../records/activity/windows.ts";

/** A window that shares its servers, as its file in the folder describes it. */
export interface SharingWindow {
	/** The name of its process, unique among all that there ever were. */
	readonly name: string;
	/** The path of its socket or named pipe. */
	readonly socket: string;
	/** Proves that a client may read this file. */
	readonly key: string;
	/** The real paths of its folders. */
	readonly folders: readonly string[];
	/** When it had the focus last, in milliseconds since the epoch. */
	readonly focusedAt: number;
	/** Marks the windows that can share processes with it. */
	readonly application?: string;
}

const hasShape = shape(
	{
		name: isName,
		socket: isName,
		key: isName,
		folders: listOf(isText),
		focusedAt: isTime,
	},
	{ application: isName },
);
const longestFile = 64 * 1024;
/** How the names of proofs end, and how long one may be needed, in milliseconds. */
export const proofEnd = ".proof";
const oldMs = 60_000;
/** How the name of a window's file ends while it is written, and that of its socket. */
const nextEnd = ".next";
const socketEnd = ".sock";
const isPosix = process.platform !== "win32";

/**
 * The folder in which `serve` finds windows: the same for every editor of the user, since the command does not know
 * which one is open, and short, since the path of a socket has at most 104 bytes on macOS.
 */
export function meetingFolder(home: string = homedir()): string {
	return path.join(home, ".mcp-host");
}

/** Where a window's file and its socket are. `id` is short and unique in the folder. */
export function placesOf(folder: string, id: string): { readonly file: string; readonly socket: string } {
	const socket = isPosix
		? path.join(folder, `${id}${socketEnd}`)
		: `\\\\.\\pipe\\mcp-host-${id}-${crypto.randomUUID()}`;
	return { file: path.join(folder, `${id}.json`), socket };
}

/** Why nothing may be read from the folder or written into it, in a sentence; undefined for a safe one. */
export async function whyUnsafe(folder: string): Promise<string | undefined> {
	const found = await lstat(folder);
	if (!found.isDirectory()) return `${folder} is not a folder.`;
	// On Windows the folder has the permissions of the user's own.
	if (!isPosix) return undefined;
	if (found.uid !== process.getuid?.()) return `${folder} belongs to another user.`;
	const mode = found.mode & 0o777;
	return (mode & 0o077) === 0
		? undefined
		: `Other users can open ${folder} (mode ${mode.toString(8)}). Set its mode to 700.`;
}

/**
 * Makes the folder if there is none, and returns its real path.
 * @throws Error in a sentence if others than the user can use it.
 */
export async function openFolder(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const why = await whyUnsafe(folder);
	if (why !== undefined) throw new Error(why);
	return realpath(folder);
}

/** Writes a window's file in one step, so that nobody reads half of it. */
export async function announce(file: string, window: SharingWindow): Promise<void> {
	const next = `${file}${nextEnd}`;
	await writeFile(next, JSON.stringify(window), { mode: 0o600 });
	await rename(next, file);
}

/** The windows that share their servers; none if the folder is unsafe. Files of windows that are gone are left out. */
export async function readWindows(folder: string): Promise<readonly SharingWindow[]> {
	if ((await whyUnsafe(folder).catch(() => "")) !== undefined) return [];
	const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
	const read = await Promise.all(names.map((name) => readWindow(path.join(folder, name))));
	return read.flatMap((one) => (one === undefined || one.isGone ? [] : [one.window]));
}

/** Removes what windows that are gone left in the folder. */
export async function removeStale(folder: string): Promise<void> {
	const names = await readdir(folder);
	for (const name of names) {
		const file = path.join(folder, name);
		const isLoose = name.endsWith(socketEnd) && !names.includes(name.replace(socketEnd, ".json"));
		const isBrief = isLoose || name.endsWith(proofEnd) || name.endsWith(nextEnd);
		if (isBrief && (await isOld(file))) await rm(file, { force: true });
		if (!name.endsWith(".json")) continue;
		const read = await readWindow(file);
		if (read?.isGone !== true) continue;
		await rm(file, { force: true });
		await rm(file.replace(/\.json$/, socketEnd), { force: true });
	}
}

/** Whether a file that is needed for a moment only was left by a window that was killed. */
async function isOld(file: string): Promise<boolean> {
	const found = await lstat(file).catch(() => undefined);
	return found !== undefined && Date.now() - found.mtimeMs > oldMs;
}

/** Removes the folder if it is empty. Never rejects. */
export async function leaveFolder(folder: string): Promise<void> {
	await rmdir(folder).catch(() => undefined);
}

function isSharingWindow(value: unknown): value is SharingWindow {
	return hasShape(value);
}

async function readWindow(
	file: string,
): Promise<{ readonly window: SharingWindow; readonly isGone: boolean } | undefined> {
	const found = await lstat(file).catch(() => undefined);
	if (found?.isFile() !== true || !isWhole(found.size, 2) || found.size > longestFile) return undefined;
	if (isPosix && found.uid !== process.getuid?.()) return undefined;
	const text = await readFile(file, "utf8").catch(() => "");
	const window: unknown = parseJsonObject(text);
	if (!isSharingWindow(window)) return undefined;
	return { window, isGone: isWindowGone(window.name, found.mtimeMs) };
}

/** The windows to try, the best first: that whose folder holds the working directory, otherwise the one focused last. */
export function windowsFor(windows: readonly SharingWindow[], cwd: string): readonly SharingWindow[] {
	const depth = (window: SharingWindow): number => folderAround(window, cwd)?.length ?? 0;
	return windows.toSorted((a, b) => depth(b) - depth(a) || b.focusedAt - a.focusedAt);
}

/** The innermost folder of a window that holds the working directory. */
export function folderAround({ folders }: SharingWindow, cwd: string): string | undefined {
	return folders.filter((folder) => isWithin(cwd, folder)).toSorted((a, b) => b.length - a.length)[0];
}
