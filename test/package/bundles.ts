import type { Metafile } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";

/** One file of the build. */
export interface Bundle {
	/** Its name in `dist`. */
	readonly name: string;
	readonly bytes: number;
	/** The modules that it holds code of, from the root of the repository. */
	readonly modules: readonly string[];
	/** The other files of the build that are loaded with it, or later by it. */
	readonly loads: readonly { readonly name: string; readonly isLater: boolean }[];
	/** Modules that it expects to find: those of Node, and `vscode`. */
	readonly externals: readonly string[];
}

/** The files of the last production build, by their names. */
export function readBundles(root: string): ReadonlyMap<string, Bundle> {
	const path = resolve(root, "dist/metafile.json");
	if (!existsSync(path)) throw new Error(`${path} does not exist: run \`npm run package\` first.`);
	const { outputs } = JSON.parse(readFileSync(path, "utf8")) as Metafile;
	const bundles = Object.entries(outputs).map(([output, { bytes, imports, inputs }]): Bundle => {
		const inside = imports.filter(({ external }) => external !== true);
		return {
			name: basename(output),
			bytes,
			modules: Object.entries(inputs).flatMap(([module, { bytesInOutput }]) => (bytesInOutput > 0 ? [module] : [])),
			loads: inside.map((load) => ({ name: basename(load.path), isLater: load.kind === "dynamic-import" })),
			externals: imports.flatMap((load) => (load.external === true ? [load.path] : [])),
		};
	});
	return new Map(bundles.map((bundle) => [bundle.name, bundle]));
}

/**
 * A file and everything that is loaded before its first line runs; with `isLater` also everything that it may load
 * afterwards.
 */
export function loadedWith(bundles: ReadonlyMap<string, Bundle>, name: string, isLater = false): readonly Bundle[] {
	const found = new Map<string, Bundle>();
	const visit = (next: string): void => {
		const bundle = bundles.get(next);
		if (bundle === undefined || found.has(next)) return;
		found.set(next, bundle);
		for (const load of bundle.loads) if (isLater || !load.isLater) visit(load.name);
	};
	visit(name);
	return [...found.values()];
}
