import { mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Archive, ArchiveFile } from "./archive.ts";

/** How many files are written at the same time. */
const atOnce = 8;

/**
 * Writes the files of an archive into a folder that is made for it. Each is made anew and none is a link, so that nothing is
 * ever written outside the folder. Executables of the archive may be executed, and no file has further rights.
 * @throws HostError `invalid` where a file is damaged, or what the file system throws; nothing is left then.
 */
export async function unpack(archive: Archive, folder: string, executables: ReadonlySet<string>): Promise<void> {
	await mkdir(dirname(folder), { recursive: true });
	// Fails where there is something already: what lies there is somebody's.
	await mkdir(folder, { mode: 0o700 });
	try {
		for (const path of new Set(archive.files.map((file) => dirname(file.path))))
			await mkdir(join(folder, path), { recursive: true });
		const left = archive.files[Symbol.iterator]();
		let isOver = false;
		const writer = async (): Promise<void> => {
			try {
				for (const file of left) {
					if (isOver) return;
					await write(file, join(folder, file.path), file.isExecutable || executables.has(file.path));
				}
			} catch (error) {
				isOver = true;
				throw error;
			}
		};
		// All of them end before the folder is taken away.
		const results = await Promise.allSettled(Array.from({ length: atOnce }, writer));
		const failed = results.find((result) => result.status === "rejected");
		if (failed !== undefined) throw failed.reason;
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	}
}

async function write(file: ArchiveFile, path: string, isExecutable: boolean): Promise<void> {
	const handle = await open(path, "wx", isExecutable ? 0o755 : 0o644);
	try {
		await handle.writeFile(file.read());
	} finally {
		await handle.close();
	}
}
