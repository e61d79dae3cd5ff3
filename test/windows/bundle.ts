import { build, type BuildOptions, type Plugin } from "esbuild";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { repositoryRoot } from "../tasks/paths.ts";
import { Wine } from "./wine.ts";

/** The parts of the repository that tests read by their paths. */
const linked = ["node_modules", "dist", "src", "docs", "media", "package.json", "test/bundles", "test/workspace"];

const common: BuildOptions = {
	absWorkingDir: repositoryRoot,
	bundle: true,
	platform: "node",
	format: "esm",
	// The Node of Windows that Wine can run does not know `using`.
	target: "node22",
	mainFields: ["module", "main"],
	banner: {
		js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
	},
	external: ["vitest", "vitest/*", "esbuild", "vscode", "playwright-core"],
	alias: {
		"@modelcontextprotocol/client/_shims": "./src/protocol/connection/sdkShims.ts",
		"@modelcontextprotocol/server/_shims": "./src/surfaces/demo/sdkShims.ts",
	},
	sourcemap: "inline",
	sourcesContent: false,
	logLevel: "warning",
};

/**
 * Bundles test files, and the servers and programs that they start, into a folder that is laid out as the repository is.
 * Returns the script that runs test files by their paths in the repository.
 */
export async function bundleForWindows(folder: string, tests: readonly string[]): Promise<string> {
	rmSync(folder, { recursive: true, force: true });
	for (const name of linked) {
		mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		symlinkSync(path.join(repositoryRoot, name), path.join(folder, name));
	}
	const script = path.join(folder, "test/windows/tests.mjs");
	const plugins = [inFolder(folder)];
	const imports = tests.map((test) => `${JSON.stringify(test)}: () => import(${JSON.stringify(`./${test}`)}),`);
	await build({
		...common,
		plugins,
		stdin: {
			contents: `import { runFiles } from "./test/windows/driver.mjs";\nawait runFiles({\n${imports.join("\n")}\n});`,
			resolveDir: repositoryRoot,
		},
		outfile: script,
	});
	const programs = [...globSync("test/servers/*.ts", { cwd: repositoryRoot }), "test/integration/windowProcess.ts"];
	await build({
		...common,
		plugins,
		entryPoints: programs,
		outbase: repositoryRoot,
		outdir: folder,
		outExtension: { ".js": ".mjs" },
	});
	// Tests name the sources.
	for (const program of programs)
		writeFileSync(path.join(folder, program), `import "./${path.basename(program, ".ts")}.mjs";\n`);
	for (const module of globSync("test/servers/**/*.{mjs,html}", { cwd: repositoryRoot })) {
		mkdirSync(path.dirname(path.join(folder, module)), { recursive: true });
		copyFileSync(path.join(repositoryRoot, module), path.join(folder, module));
	}
	return script;
}

/** Says to each module that it is where its source would be in the folder, as Windows writes paths. */
function inFolder(folder: string): Plugin {
	return {
		name: "in-folder",
		setup: (builder) =>
			builder.onLoad({ filter: /[\\/](?:src|test)[\\/].*\.ts$/ }, ({ path: file }) => {
				const text = readFileSync(file, "utf8");
				const place = Wine.pathOf(path.join(folder, path.relative(repositoryRoot, file)));
				const url = `file:///${place.replaceAll("\\", "/")}`;
				const contents = text
					.replaceAll("import.meta.dirname", JSON.stringify(path.win32.dirname(place)))
					.replaceAll("import.meta.filename", JSON.stringify(place))
					.replaceAll("import.meta.url", JSON.stringify(url));
				return { contents, loader: "ts" };
			}),
	};
}
