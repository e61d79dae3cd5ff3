import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { runCommand, tail } from "../editor/processes.ts";
import { SetupError, withProgress } from "../editor/progress.ts";
import { repositoryRoot, vsixFile } from "./paths.ts";

/** The inputs of the package. */
const sources = ["src", "media", "package.json", "package-lock.json", "esbuild.mjs", ".vscodeignore", "README.md"];

/** Builds and packages the extension. */
export async function packageExtension(): Promise<void> {
	const result = await withProgress("Extension (build and package)", () =>
		runCommand("npm", ["run", "-s", "package"], { cwd: repositoryRoot }),
	);
	if (result.code !== 0 || !existsSync(vsixFile)) {
		throw new SetupError(`The extension could not be packaged (npm run package):\n${tail(result.output, 20)}`);
	}
}

/** Packages the extension unless the package is newer than all of its inputs. */
export async function ensurePackaged(): Promise<void> {
	if (!existsSync(vsixFile) || (await newestChange()) > (await stat(vsixFile)).mtimeMs) {
		await packageExtension();
	}
}

async function newestChange(): Promise<number> {
	const times = await Promise.all(
		sources.map(async (source) => {
			const file = path.join(repositoryRoot, source);
			if (!existsSync(file)) {
				return 0;
			}
			const isFolder = (await stat(file)).isDirectory();
			const inside = isFolder ? await readdir(file, { recursive: true }) : [];
			const files = [file, ...inside.map((name) => path.join(file, name))];
			return Math.max(...(await Promise.all(files.map(async (one) => (await stat(one)).mtimeMs))));
		}),
	);
	return Math.max(...times);
}
