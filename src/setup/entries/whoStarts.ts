import { readFile, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { textOfBytes } from "../../base/fileText.ts";
import { isWithin } from "../../base/folderPaths.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { ForeignHostId } from "../../servers/formats/hosts.ts";
import { readConfiguration } from "../../servers/formats/readConfiguration.ts";
import type { ConfiguredCommand } from "../../servers/otherHosts/census.ts";
import { startPlaces, type PlaceId } from "../../servers/otherHosts/startFacts.ts";
import { hostFiles, type HostMachine } from "./hostFiles.ts";
import { findHostFiles } from "./importSources.ts";

/** A file that one of VS Code's hosts reads, and its contents. */
export interface PlaceFile {
	readonly place: PlaceId;
	readonly path: string;
	readonly servers: readonly PlacedServer[];
	/** Why its servers are not known, in a sentence; absent where they are. */
	readonly problem?: string;
}

/** A server of such a file. */
export interface PlacedServer {
	readonly name: string;
	/** Absent for one that is reached by a URL. */
	readonly command?: ConfiguredCommand;
	/** The address of one that is reached by a URL. */
	readonly url?: string;
}

/** Largest file that is read, in bytes: Claude Code keeps more than servers in its own. */
const maxBytes = 8_000_000;

/** The hosts whose own files are places, and how each file of a folder is written. */
const ownFiles: readonly (readonly [PlaceId, ForeignHostId])[] = [
	["copilot", "copilot-cli"],
	["claude", "claude-code"],
	["codex", "codex"],
];
const folderFiles: readonly (readonly [PlaceId, ForeignHostId, string])[] = [
	["vscode", "vscode", ".vscode/mcp.json"],
	["root", "claude-code", ".mcp.json"],
	["github", "copilot-cli", ".github/mcp.json"],
];

/**
 * The existing files of the places, in the order of the table, each with its servers as written. Extensions have no
 * file. Starts nothing, and never rejects.
 */
export async function readPlaces(machine: HostMachine): Promise<readonly PlaceFile[]> {
	const paths = machine.platform === "win32" ? win32 : posix;
	const inFolders = machine.folders.flatMap((folder) =>
		folderFiles.map(([place, format, name]) => ({ place, format, path: paths.join(folder, name) })),
	);
	// Files of these names in folders are read by other rules, which were not measured.
	const own = hostFiles({ ...machine, folders: [] }).flatMap(({ host, path }) => {
		const place = ownFiles.find(([, format]) => format === host)?.[0];
		return place === undefined ? [] : [{ place, format: host, path }];
	});
	// For each profile of this editor; other editions of VS Code have their own.
	const { editorFolder } = machine;
	const profiles =
		editorFolder === undefined
			? []
			: (await findHostFiles(machine)).filter(
					({ host, path }) => host === "vscode" && isWithin(path, editorFolder, machine.platform),
				);
	const user = profiles.map(({ host, path }) => ({ place: "user" as const, format: host, path }));
	const files = [...inFolders, ...user, ...own];
	const read = await Promise.all(
		files.map(async ({ place, format, path }): Promise<PlaceFile | undefined> => {
			const text = await readText(path);
			if (text === undefined) return undefined;
			const { servers, problem } = serversIn(text, format, machine.folders);
			return problem === undefined ? { place, path, servers } : { place, path, servers, problem };
		}),
	);
	const order = startPlaces.map(({ id }) => id);
	return read
		.filter((file) => file !== undefined)
		.toSorted((one, other) => order.indexOf(one.place) - order.indexOf(other.place));
}

/** Whether two servers are the same program with the same arguments, or the same address. */
export function isSameServer(one: Omit<PlacedServer, "name">, other: Omit<PlacedServer, "name">): boolean {
	const key = ({ command, url }: Omit<PlacedServer, "name">): string =>
		JSON.stringify([command?.command, command?.args, url?.replace(/\/$/, "")]);
	return key(one) === key(other);
}

type Text = { readonly text: string } | { readonly problem: string };

function serversIn(
	file: Text,
	format: ForeignHostId,
	folders: readonly string[],
): Pick<PlaceFile, "servers" | "problem"> {
	if ("problem" in file) return { servers: [], problem: file.problem };
	const found = readConfiguration(file.text, format);
	const servers = (found?.servers ?? [])
		.filter(({ folder }) => folder === undefined || folders.includes(folder))
		.map(({ name = "", entry }) => placed(name, entry));
	return found?.isBroken === true ? { servers, problem: "It cannot be read as a configuration." } : { servers };
}

function placed(name: string, { command, args, url }: JsonObject): PlacedServer {
	if (typeof url === "string") return { name, url };
	if (typeof command !== "string") return { name };
	const words = Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [];
	return { name, command: { command, args: words } };
}

/** A file's text, or why it is not read; undefined if there is none. */
async function readText(path: string): Promise<Text | undefined> {
	try {
		// First, since to open a pipe waits for its other end.
		const found = await stat(path);
		if (!found.isFile()) return undefined;
		return found.size > maxBytes
			? { problem: "It is too large to be read." }
			: { text: textOfBytes(await readFile(path)) };
	} catch (error) {
		const code = isJsonObject(error) ? error["code"] : undefined;
		return code === "ENOENT" || code === "ENOTDIR" ? undefined : { problem: "It cannot be opened." };
	}
}
