import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HostError } from "../../base/errors.ts";
import type { NewServer } from "../newServer.ts";
import { freeName } from "../entries/serverName.ts";
import type { ServerTemplate } from "./serverTemplates.ts";
import { isThere } from "../../base/files.ts";

/** Where a template goes in a folder. */
export interface TemplatePlace {
	/** The folder of its files, relative to that of the entry and with a slash behind it; empty for the folder itself. */
	readonly below: string;
	/** The absolute paths of its files. */
	readonly paths: readonly string[];
}

/** As many folders are tried. */
const mostFolders = 100;

/** Where the files of a template are new: in the folder itself, or in one below it that is not there yet. */
export async function placeFor(template: ServerTemplate, folder: string): Promise<TemplatePlace> {
	for (let number = 0; number < mostFolders; number++) {
		const below = number === 0 ? "" : number === 1 ? "mcp-server/" : `mcp-server-${number}/`;
		const paths = [...template.files.keys()].map((name) => join(folder, below, name));
		const taken = await Promise.all((below === "" ? paths : [join(folder, below)]).map(isThere));
		if (!taken.includes(true)) return { below, paths };
	}
	throw new HostError("invalid", `${folder} has too many folders called mcp-server.`);
}

/**
 * Writes the files of a template and returns the server that they are. Overwrites nothing, and runs nothing.
 * @throws HostError `invalid` if a file cannot be written, or was created meanwhile.
 */
export async function createServer(
	template: ServerTemplate,
	{ below, paths }: TemplatePlace,
	{ name, taken }: { readonly name: string; readonly taken: ReadonlySet<string> },
): Promise<NewServer> {
	const texts = [...template.files.values()];
	for (const [index, path] of paths.entries()) {
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, texts[index] ?? "", { flag: "wx" }).catch((error: unknown) => {
			throw new HostError("invalid", `${path} was not created.`, { cause: error });
		});
	}
	return { name: freeName(name, taken), entry: template.entry(below), inputs: [], values: new Map() };
}
