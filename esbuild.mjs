// Bundles the extension, the demo server, the webviews and the tests that run inside VS Code.
// --watch rebuilds on change, --production minifies and writes dist/metafile.json and the source maps beside the package,
// --host-tests builds the in-host suite as well, --sizes prints them.
import * as esbuild from "esbuild";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const flags = new Set(process.argv.slice(2));
const isProduction = flags.has("--production");
/** Where the source maps of a package are, beside it, by the names of its files. */
const mapsFolder = "mcp-host.maps";
/** For packages that are CommonJS modules and ask for those of Node. */
const banner = "const require=process.getBuiltinModule;\n";

/** @type {esbuild.BuildOptions} */
const node = {
	bundle: true,
	platform: "node",
	// The Node of the extension host in the least supported editor (VS Code 1.106).
	target: "node22",
	format: "esm",
	// Of packages that have both, the ES module: jsonc-parser's UMD build hides its requires from the bundler.
	mainFields: ["module", "main"],
	banner: { js: banner.trimEnd() },
	minify: isProduction,
	// A package names no source maps: they are kept beside it, see keepMaps.
	sourcemap: isProduction ? "external" : "linked",
	sourcesContent: !isProduction,
	// The validator without code generation from server-supplied schemas, at two thirds of the size.
	alias: {
		"@modelcontextprotocol/client/_shims": resolve("src/protocol/connection/sdkShims.ts"),
		"@modelcontextprotocol/server/_shims": resolve("src/surfaces/demo/sdkShims.ts"),
	},
	logLevel: "warning",
	metafile: true,
};

/**
 * One build: a module is in one file of it, whoever imports it. What is imported by `await import()` alone lies in files
 * that are loaded then; `extension.js` with what it imports is loaded by every window.
 */
const extension = {
	...node,
	entryPoints: {
		extension: "src/extension.ts",
		// A process of its own.
		demoServer: "src/surfaces/demo/server.ts",
		// What people and builds run without an editor.
		cli: "src/cli.ts",
		// By this name for the suites that drive the shipped connection without an editor (test/conformance, test/faults).
		connect: "src/protocol/connection/connect.ts",
	},
	outdir: "dist",
	splitting: true,
	chunkNames: "[name]-[hash]",
	external: ["vscode"],
	plugins: [leaveOut(), removeStale("dist")],
};

const webviews = {
	...node,
	entryPoints: Object.fromEntries(globSync("media/*/main.ts").map((path) => [path.split(/[\\/]/)[1], path])),
	outdir: "dist/media",
	platform: "browser",
	target: "es2024",
	banner: {},
	alias: {},
};

const hostTests = {
	...node,
	entryPoints: { host: "test/host/index.ts" },
	outdir: "dist-test",
	// The editor takes this ending for an ES module without asking the manifest.
	outExtension: { ".js": ".mjs" },
	external: ["vscode", "mocha"],
	minify: false,
};

const builds = [extension, webviews, ...(flags.has("--host-tests") ? [hostTests] : [])];
let running = 0;
if (flags.has("--watch")) {
	const contexts = await Promise.all(
		builds.map((options) => esbuild.context({ ...options, plugins: [...(options.plugins ?? []), reportPlugin()] })),
	);
	await Promise.all(contexts.map((context) => context.watch()));
} else {
	const results = await Promise.all(builds.map((options) => esbuild.build(options)));
	if (isProduction) {
		dropBanners(results[0].metafile.outputs);
		keepMaps(results.map(({ metafile }) => metafile.outputs));
		// What the tests of the package read: which module lies in which file, and what a file loads.
		mkdirSync("dist", { recursive: true });
		writeFileSync("dist/metafile.json", JSON.stringify(results[0].metafile));
		writeFileSync("dist/readme.md", installedReadme());
	}
	if (flags.has("--sizes")) {
		for (const [path, { bytes }] of results.flatMap(({ metafile }) => Object.entries(metafile.outputs))) {
			if (!path.endsWith(".map")) console.log(`${(bytes / 1024).toFixed(1).padStart(8)} KB  ${path}`);
		}
	}
}

/**
 * README for the editor's page of the installed extension. That page opens no file of the package, and takes the address from every
 * picture that is not of the web, `data:` ones among them (VS Code 1.106 to 1.139). So links and pictures lead to the repository on
 * GitHub that the manifest names; without one, links are words and there are no pictures. What only a clone can do is left out.
 */
function installedReadme() {
	const { repository } = JSON.parse(readFileSync("package.json", "utf8"));
	const name = /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(repository?.url ?? "")?.[1];
	const readme = readFileSync("README.md", "utf8").replace(
		/<!-- only in the repository -->[\s\S]*?<!-- \/only in the repository -->\n+/g,
		"",
	);
	const link = /(?<!!)\[([^\]]*)\]\((?!https:|#)([^)\s]+)\)/g;
	const picture = /^(?:!\[[^\]]*\]\(media\/\S+\)|<img src="media\/[^>]+>)\n\n/gm;
	if (name === undefined) return readme.replace(link, "$1").replace(picture, "");
	return readme
		.replace(link, `[$1](https://github.com/${name}/blob/HEAD/$2)`)
		.replace(/media\/readme\/\w+\.webp/g, `https://raw.githubusercontent.com/${name}/HEAD/$&`);
}

/** Leaves out what entry points of packages load and nothing here uses: undici's mocks, OpenAI's APIs for admins and assistants. */
function leaveOut() {
	return {
		name: "leave-out",
		setup(build) {
			build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]mock[\\/]/ }, () => ({ contents: "module.exports = {};" }));
			for (const name of ["Admin", "Beta"]) {
				const file = name.toLowerCase();
				const filter = new RegExp(`[\\\\/]openai[\\\\/]resources[\\\\/]${file}[\\\\/]${file}\\.mjs$`);
				build.onLoad({ filter }, () => ({ contents: `export class ${name} {}` }));
			}
		},
	};
}

/** Removes what earlier builds left: names hold a hash of their content, and whatever lies there would be shipped. */
function removeStale(folder) {
	return {
		name: "remove-stale",
		setup(build) {
			build.onEnd(({ metafile }) => {
				if (metafile === undefined) return;
				for (const path of globSync(`${folder}/*.{js,cjs,map}`)) {
					if (metafile.outputs[path.replaceAll("\\", "/")] === undefined) rmSync(path);
				}
			});
		},
	};
}

/** Takes the banner out of the files that ask for nothing by `require`: every window loads a dozen of them. */
function dropBanners(outputs) {
	for (const [path, output] of Object.entries(outputs)) {
		if (path.endsWith(".map")) continue;
		const text = readFileSync(path, "utf8");
		const rest = text.slice(banner.length);
		if (!text.startsWith(banner) || /\brequire\b/.test(rest)) continue;
		writeFileSync(path, rest);
		output.bytes = Buffer.byteLength(rest);
		const map = JSON.parse(readFileSync(`${path}.map`, "utf8"));
		// The banner was the first line, from no source.
		writeFileSync(`${path}.map`, JSON.stringify({ ...map, mappings: map.mappings.replace(/^;/, "") }));
	}
}

/** Moves the source maps out of the folder that is packaged, and out of the account of its files. */
function keepMaps(allOutputs) {
	rmSync(mapsFolder, { recursive: true, force: true });
	for (const outputs of allOutputs) {
		for (const path of Object.keys(outputs).filter((name) => name.endsWith(".map"))) {
			const kept = join(mapsFolder, path);
			mkdirSync(dirname(kept), { recursive: true });
			writeFileSync(kept, readFileSync(path));
			rmSync(path);
			delete outputs[path];
		}
	}
}

/** Prints the lines that the background problem matcher of .vscode/tasks.json waits for, once for all builds together. */
function reportPlugin() {
	return {
		name: "report",
		setup(build) {
			build.onStart(() => {
				if (running++ === 0) console.log("[watch] build started");
			});
			build.onEnd(() => {
				if (--running === 0) console.log("[watch] build finished");
			});
		},
	};
}
