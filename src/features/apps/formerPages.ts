import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../base/hash.ts";
import { isSecret } from "../../base/secrets/judge.ts";

/** The storage of pages, and the secrets that must not be on the disk. */
export interface FormerPagesServices {
	/** The absolute path of a folder of the extension's own; it is made when it is needed. */
	readonly folder: string;
	/** The text without the secrets that the host knows. */
	readonly redact: (text: string) => string;
}

/** A longer page is not kept, in characters: nobody reads its differences. */
const longest = 2_000_000;
/** How many are kept on the disk, and how many in memory. */
const mostKept = 20;
const mostInMemory = 5;
const ending = ".html";

/**
 * The pages of apps as they were shown last, so that a changed one can be compared. They are in files, because a server
 * is changed between two windows more often than within one. Pages with a secret, or with text that looks like a key,
 * are kept in memory only (SEC-03).
 */
export class FormerPages {
	private readonly services: FormerPagesServices;
	private readonly memory = new Map<string, string>();
	/** One writing after the other. */
	private writing: Promise<void> = Promise.resolve();

	constructor(services: FormerPagesServices) {
		this.services = services;
	}

	/** The page of an app that has this hash, if it was kept. `key` is a hash as well. */
	async read(key: string, hash: string): Promise<string | undefined> {
		await this.writing;
		const page = this.memory.get(key) ?? (await readFile(this.fileOf(key), "utf8").catch(() => undefined));
		return page !== undefined && sha256(page) === hash ? page : undefined;
	}

	/**
	 * Stores a page in place of the former one. Never rejects: a page that could not be stored only cannot be compared.
	 */
	keep(key: string, html: string): Promise<void> {
		const write = async (): Promise<void> => {
			this.memory.delete(key);
			const isHidden = html.length <= longest && (this.services.redact(html) !== html || isSecret("", html, "text"));
			if (html.length > longest || isHidden) await rm(this.fileOf(key), { force: true });
			else await this.write(key, html);
			if (!isHidden) return;
			this.memory.set(key, html);
			const [oldest] = this.memory.keys();
			if (this.memory.size > mostInMemory && oldest !== undefined) this.memory.delete(oldest);
		};
		this.writing = this.writing.then(write).catch(() => undefined);
		return this.writing;
	}

	private async write(key: string, html: string): Promise<void> {
		const { folder } = this.services;
		const file = this.fileOf(key);
		await mkdir(folder, { recursive: true, mode: 0o700 });
		// Another window may read it meanwhile.
		const draft = `${file}.${process.pid}`;
		await writeFile(draft, html, { mode: 0o600 });
		await rename(draft, file);
		const names = (await readdir(folder)).map((name) => join(folder, name));
		if (names.length <= mostKept) return;
		const ages = await Promise.all(names.map(async (name) => ({ name, at: (await stat(name)).mtimeMs })));
		const oldest = ages.toSorted((one, other) => other.at - one.at).slice(mostKept);
		await Promise.all(oldest.map(({ name }) => rm(name, { force: true })));
	}

	private fileOf(key: string): string {
		return join(this.services.folder, `${key}${ending}`);
	}
}

/** Two pages of an app, to be compared as texts. */
export interface PageDifference {
	/** Fit to show. */
	readonly title: string;
	readonly before: string;
	readonly now: string;
}

/** The difference of two pages of an app, whose name is fit to show. */
export function pageDifference(
	name: string,
	{ at, html }: { readonly at: number; readonly html: string },
	now: string,
): PageDifference {
	const day = new Date(at).toLocaleDateString();
	return { title: `${name} (Shown Since ${day} ↔ Now)`, before: pageLines(html), now: pageLines(now) };
}

/** Longer lines are broken for display, in characters. */
const longestLine = 1000;

/**
 * A page in lines that can be compared: pages are often one line, of which an editor shows only the beginning. Only
 * line breaks are added, each beside a mark of HTML, JavaScript or CSS, so that equal parts are broken alike.
 */
function pageLines(html: string): string {
	return html
		.split("\n")
		.map((line) => (line.length <= longestLine ? line : line.replace(/[;{}]|>(?=<)/g, "$&\n")))
		.join("\n");
}
