import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { textOfBytes } from "../../base/fileText.ts";
import { isWithin } from "../../base/folderPaths.ts";
import type { ForeignServer, ForeignServers, RefusedServer } from "../../servers/formats/foreignServer.ts";
import { foreignHost, type ForeignHostId } from "../../servers/formats/hosts.ts";
import { readConfiguration } from "../../servers/formats/readConfiguration.ts";
import { hostFiles, hostFolders, type HostFile, type HostMachine } from "./hostFiles.ts";

/** The contents of one file of another host. */
export interface ImportSource {
	/** The host's name. */
	readonly heading: string;
	readonly path: string;
	readonly found: ForeignServers;
	/** Whether the file is one that the host has for the user, and not for a folder. */
	readonly isOwn: boolean;
}

/** Largest file that is read, in bytes: some hosts keep years of history beside their servers. */
const maxBytes = 50_000_000;
/** Most files of one folder. */
const maxListed = 200;

/** The files of other hosts that are there. Nothing is read. Never rejects. */
export async function findHostFiles(machine: HostMachine): Promise<readonly HostFile[]> {
	const listed = await Promise.all(
		hostFolders(machine).map(async ({ host, path, endings }): Promise<readonly HostFile[]> => {
			const names = await readdir(path).catch(() => []);
			return names.slice(0, maxListed).flatMap((name) =>
				endings.flatMap((ending) => {
					// For a profile it is a file in the listed folder.
					if (ending.startsWith("/")) return [{ host, path: join(path, name, ending) }];
					return name.endsWith(ending) ? [{ host, path: join(path, name) }] : [];
				}),
			);
		}),
	);
	const all = [...hostFiles(machine), ...listed.flat()];
	const present = await Promise.all(
		all.map(async ({ path }) => {
			const found = await stat(path).catch(() => undefined);
			return found?.isFile() === true && found.size > 0 && found.size <= maxBytes;
		}),
	);
	return all.filter((_file, index) => present[index]);
}

/**
 * Reads the servers of such files, each as its host means them. Left out are files without any, and servers that their host
 * uses in folders alone that are not open: they are counted. Never rejects.
 */
export async function readHostFiles(
	files: readonly HostFile[],
	machine: HostMachine,
): Promise<readonly ImportSource[]> {
	const sources: ImportSource[] = [];
	for (const { host, path } of files) {
		const text = await readFile(path)
			.then(textOfBytes)
			.catch(() => undefined);
		const found = text === undefined ? undefined : readConfiguration(text, host);
		if (found === undefined) continue;
		const shown = ofOpenFolders(found, machine.folders, host);
		if (shown.servers.length === 0 && shown.refused.length === 0) continue;
		const isOwn = path !== machine.workspaceFile && !machine.folders.some((folder) => isWithin(path, folder));
		sources.push({ heading: foreignHost(host).label, path, found: shown, isOwn });
	}
	return sources;
}

function ofOpenFolders(found: ForeignServers, folders: readonly string[], host: ForeignHostId): ForeignServers {
	const isUsed = ({ folder }: ForeignServer): boolean =>
		folder === undefined || folders.some((open) => isWithin(open, folder));
	const servers = found.servers.filter(isUsed);
	const left = found.servers.length - servers.length;
	if (left === 0) return found;
	const many = left === 1 ? "1 more server is" : `${left} more servers are`;
	const rest: RefusedServer = {
		reason: `${many} used by ${foreignHost(host).label} in other folders only. Open one of these folders to import from it.`,
		isNoLoss: true,
	};
	return { ...found, servers, refused: [...found.refused, rest] };
}
