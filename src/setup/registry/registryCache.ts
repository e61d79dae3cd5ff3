import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../base/hash.ts";
import { isJsonObject } from "../../base/json.ts";

/** A stored answer of a registry. */
export interface KeptAnswer {
	readonly url: string;
	/** When it arrived, in milliseconds since the epoch. */
	readonly at: number;
	readonly etag: string | undefined;
	readonly body: unknown;
}

/** The maximum number of stored answers; beyond it the oldest are removed. */
const mostKept = 200;

/** Answers of registries, each in a file of one folder, so that they can be read without a network. Never rejects. */
export class RegistryCache {
	private readonly folder: string;
	private kept = 0;

	constructor(folder: string) {
		this.folder = folder;
	}

	/** The answer of an address; undefined if none is stored, or if it is damaged. */
	async get(url: string): Promise<KeptAnswer | undefined> {
		const found = await this.read(this.fileOf(url));
		return found?.url === url ? found : undefined;
	}

	async keep(answer: KeptAnswer): Promise<void> {
		try {
			await mkdir(this.folder, { recursive: true });
			const file = this.fileOf(answer.url);
			// Another window may read it meanwhile.
			const draft = `${file}.${process.pid}-${++this.kept}`;
			await writeFile(draft, JSON.stringify(answer));
			await rename(draft, file);
			if (this.kept % 20 === 1) await this.removeOldest();
		} catch {
			// An answer that cannot be stored is requested again.
		}
	}

	/** All answers of addresses that begin so, the latest first. */
	async all(start: string): Promise<readonly KeptAnswer[]> {
		const names = await readdir(this.folder).catch(() => []);
		const files = names.filter((name) => name.endsWith(".json")).slice(0, 2 * mostKept);
		const found = await Promise.all(files.map((name) => this.read(join(this.folder, name))));
		return found
			.filter((one): one is KeptAnswer => one !== undefined && one.url.startsWith(start))
			.toSorted((a, b) => b.at - a.at);
	}

	private async read(file: string): Promise<KeptAnswer | undefined> {
		try {
			const value: unknown = JSON.parse(await readFile(file, "utf8"));
			if (!isJsonObject(value)) return undefined;
			const { url, at, etag, body } = value;
			if (typeof url !== "string" || typeof at !== "number") return undefined;
			return { url, at, etag: typeof etag === "string" ? etag : undefined, body };
		} catch {
			return undefined;
		}
	}

	private async removeOldest(): Promise<void> {
		const names = await readdir(this.folder);
		if (names.length <= mostKept) return;
		const files = await Promise.all(
			names.map(async (name) => {
				const file = join(this.folder, name);
				return { file, at: (await stat(file)).mtimeMs };
			}),
		);
		const old = files.toSorted((a, b) => b.at - a.at).slice(mostKept);
		await Promise.all(old.map(({ file }) => rm(file, { force: true })));
	}

	private fileOf(url: string): string {
		return join(this.folder, `${sha256(url)}.json`);
	}
}
