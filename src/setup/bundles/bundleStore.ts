import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile, open } from "node:fs/promises";
import { join, sep, dirname } from "node:path";
import { HostError, messageOf } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { Bundle } from "./bundle.ts";
import { type BundleManifest, parseManifest } from "./manifest.ts";
import type { Archive, ArchiveFile } from "./archive.ts";

/** The data about an unpacked bundle. */
export interface InstalledBundle {
	/** The name of its folder in the store. */
	readonly id: string;
	readonly manifest: BundleManifest;
	readonly sha256: string;
	/** Its source file or URL. */
	readonly label: string;
	/** Its name in the registry that it was installed from. */
	readonly listedAs?: string;
	/** The user's values for its settings, without the sensitive ones. */
	readonly settings: JsonObject;
}

/** The texts of a server's definition that may contain the path of a bundle. */
interface Texts {
	readonly command?: unknown;
	readonly args?: unknown;
	readonly env?: unknown;
	readonly cwd?: unknown;
}

/** The places of a bundle's own files and of our record in its folder, which no path of theirs can reach. */
const filesFolder = "files";
const recordFile = "bundle.json";
/** How long unpacking may take before its rest counts as abandoned, in milliseconds. */
const abandonedMs = 60 * 60 * 1000;

/** The bundles that were unpacked into a folder of the extension's own, each in a folder that only one server uses. */
export class BundleStore {
	private readonly root: string;

	/** `root` is the absolute path of the folder; it is made when it is needed. */
	constructor(root: string) {
		this.root = root;
	}

	/** A new name for the folder of a bundle; nothing is created. The hash in it makes each version another server. */
	newId({ manifest, sha256 }: Pick<Bundle, "manifest" | "sha256">): string {
		const name = manifest.name
			.replace(/[^A-Za-z\d]+/g, "-")
			.replace(/^-+|-+$/g, "")
			.slice(0, 30);
		return `${name || "bundle"}-${sha256.slice(0, 12)}-${randomBytes(4).toString("hex")}`;
	}

	/** The absolute path of a bundle's own files. */
	folderOf(id: string): string {
		return join(this.root, id, filesFolder);
	}

	/**
	 * Unpacks a bundle. Runs nothing.
	 * @throws HostError that names the bundle and says why; nothing is left then.
	 */
	async install(
		bundle: Bundle,
		id: string,
		executables: ReadonlySet<string>,
		settings: Readonly<Record<string, unknown>> = {},
	): Promise<void> {
		const folder = join(this.root, id);
		await this.sweep();
		await mkdir(folder, { recursive: true, mode: 0o700 });
		try {
			await unpack(bundle.archive, this.folderOf(id), executables);
			const { sha256, origin } = bundle;
			// Written last: a folder without it was not unpacked completely.
			await writeFile(
				join(folder, recordFile),
				JSON.stringify({
					sha256,
					label: origin.label,
					listedAs: origin.listedAs,
					settings,
					manifest: bundle.manifestText,
				}),
			);
		} catch (error) {
			await rm(folder, { recursive: true, force: true, maxRetries: 3 });
			const code = HostError.is(error) ? error.code : "invalid";
			const name = oneLine(bundle.origin.label, 300);
			throw new HostError(code, `${name} was not installed. ${messageOf(error)}`, { cause: error });
		}
	}

	/** The id of the bundle that a server's definition runs a part of; undefined where it runs none. */
	idIn({ command, args, env, cwd }: Texts): string | undefined {
		const more = [...(Array.isArray(args) ? args : []), ...(isJsonObject(env) ? Object.values(env) : [])];
		const texts = [command, cwd, ...more];
		const start = this.root + sep;
		for (const text of texts) {
			if (typeof text !== "string" || !text.includes(start)) continue;
			const [id = ""] = text.slice(text.indexOf(start) + start.length).split(/[\\/]/, 1);
			if (/^[A-Za-z\d][A-Za-z\d-]*$/.test(id)) return id;
		}
		return undefined;
	}

	/** The data about an unpacked bundle; undefined if it no longer exists. */
	async read(id: string): Promise<InstalledBundle | undefined> {
		try {
			const record: unknown = JSON.parse(await readFile(join(this.root, id, recordFile), "utf8"));
			if (!isJsonObject(record)) return undefined;
			const { sha256, label, listedAs, settings, manifest } = record;
			if (typeof sha256 !== "string" || typeof label !== "string" || typeof manifest !== "string") return undefined;
			return {
				id,
				sha256,
				label,
				manifest: parseManifest(manifest),
				settings: isJsonObject(settings) ? settings : {},
				...(typeof listedAs === "string" ? { listedAs } : {}),
			};
		} catch {
			// It was removed, or damaged: then nothing is known about it.
			return undefined;
		}
	}

	/** Notes about a server that runs files of a bundle: our sentences. */
	async remarksOn(id: string): Promise<readonly string[]> {
		const bundle = await this.read(id);
		// As when settings were synchronized from another machine.
		if (bundle === undefined) return ["The files of its bundle are not on this machine. Install the bundle again."];
		const { displayName, version, author } = bundle.manifest;
		const [name, number, publisher] = [displayName, version, author].map((text) => oneLine(text, 80));
		return [
			`It runs files of the bundle “${name}” ${number} of ${publisher}, according to the bundle. The SHA-256 of its file was ${bundle.sha256}.`,
		];
	}

	/** Why a server that runs files of a bundle cannot run on another machine unchanged: our sentence. */
	async whyHereOnly(id: string): Promise<string> {
		const bundle = await this.read(id);
		const name = bundle === undefined ? "a bundle" : `the bundle “${oneLine(bundle.manifest.displayName, 80)}”`;
		const where = bundle === undefined || !/^https:/i.test(bundle.label) ? "" : ` (${oneLine(bundle.label, 200)})`;
		return `It runs files of ${name}, which exist only on this machine. Share the bundle itself${where} instead.`;
	}

	/** The complete bundles. Never rejects. */
	async all(): Promise<readonly InstalledBundle[]> {
		const ids = await readdir(this.root).catch(() => []);
		const found = await Promise.all(ids.map((id) => this.read(id)));
		return found.flatMap((one) => one ?? []);
	}

	/** Deletes a bundle's files and our record of it. Never rejects for missing ones. */
	async remove(id: string): Promise<void> {
		await rm(join(this.root, id), { recursive: true, force: true, maxRetries: 3 });
	}

	/** Deletes the rest of an unpacking that VS Code's end interrupted. */
	private async sweep(): Promise<void> {
		for (const id of await readdir(this.root).catch(() => [])) {
			const folder = join(this.root, id);
			const [made, record] = await Promise.all(
				[folder, join(folder, recordFile)].map((path) => stat(path).catch(() => undefined)),
			);
			if (record === undefined && made !== undefined && Date.now() - made.mtimeMs > abandonedMs)
				await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
		}
	}
}

/** How many files are written at the same time. */
const atOnce = 8;

/**
 * Writes the files of an archive into a new folder. Each is created and none is a link, so that nothing is ever written
 * outside the folder. Executables of the archive may be executed, and no file has further rights.
 * @throws HostError `invalid` if a file is damaged, or the error of the file system; nothing is left then.
 */
export async function unpack(archive: Archive, folder: string, executables: ReadonlySet<string>): Promise<void> {
	await mkdir(dirname(folder), { recursive: true });
	// Fails if something exists there already: it may belong to the user.
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
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
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
