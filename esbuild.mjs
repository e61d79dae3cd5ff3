// Bundles the extension's core, its rooms and other lazily loaded parts, the demo server, the webviews and the tests that
// run inside VS Code.
// --watch rebuilds on change, --production minifies, --host-tests builds the in-host suite as well, --sizes prints them.
import * as esbuild from "esbuild";
import { globSync } from "node:fs";
import { resolve } from "node:path";

const flags = new Set(process.argv.slice(2));
const isProduction = flags.has("--production");

/** All that the first paint of the tree does not need: one bundle, loaded by `await import()` after it (performance.md). */
const rooms = "src/rooms.vscode.ts";
/** Parts without VS Code, most of them with heavy libraries: bundles of their own, loaded likewise when first used. */
const lazyParts = {
	client: "src/connection/connect.ts",
	parseConfig: "src/servers/parseConfig.ts",
	variables: "src/servers/variables.ts",
	roots: "src/roots/serverRoots.ts",
	signedIn: "src/authorization/signedIn.ts",
	openai: "src/models/openai.ts",
	demoModel: "src/demo/model.ts",
	glob: "src/base/glob.ts",
};
/** Packages that are bundles of their own, for the same reason. */
const lazyPackages = { jsonSchema: "@cfworker/json-schema", undici: "undici" };
const lazyByPath = new Map(Object.entries({ rooms, ...lazyParts }).map(([name, path]) => [resolve(path), name]));
/** The adapters that may be in the core and in the rooms: those that keep nothing. */
const twofold = new Set(["src/base/notify.vscode.ts"]);

/** Leaves the dynamic import of a lazy package to the bundle of its own, beside the importing one. */
const lazyPackagesPlugin = {
	name: "lazy-packages",
	setup(build) {
		for (const [name, packageName] of Object.entries(lazyPackages)) {
			build.onResolve({ filter: new RegExp(`^${packageName}$`) }, ({ kind }) =>
				kind === "dynamic-import" ? { path: `./${name}.cjs`, external: true } : undefined,
			);
		}
	},
};

/** Leaves the dynamic import of a lazy part likewise, and allows no other import of one. */
const lazyPartsPlugin = {
	name: "lazy-parts",
	setup(build) {
		build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
			const name = lazyByPath.get(resolve(resolveDir, path));
			if (name === undefined || kind === "entry-point") return undefined;
			if (kind === "dynamic-import") return { path: `./${name}.cjs`, external: true };
			return { errors: [{ text: `${path} is a lazy part: import it by await import() only` }] };
		});
	},
};

/**
 * Two bundles have two copies of whatever both import. That does no harm to code, but an adapter that kept a panel or a
 * channel would keep two; so it belongs either to the core or to the rooms.
 */
const borderPlugin = {
	name: "border",
	setup(build) {
		build.onEnd(({ metafile }) => {
			const [core, behind] = ["dist/extension.cjs", "dist/rooms.cjs"].map(
				(path) => new Set(Object.keys(metafile?.outputs[path]?.inputs ?? {})),
			);
			const both = [...core.intersection(behind)].filter((path) => path.endsWith(".vscode.ts"));
			const wrong = both.filter((path) => !twofold.has(path));
			return {
				errors: wrong.map((path) => ({ text: `${path} is in the core and in the rooms: hand it to the rooms` })),
			};
		});
	},
};

/** @type {esbuild.BuildOptions} */
const node = {
	bundle: true,
	platform: "node",
	target: "node22",
	format: "cjs",
	outExtension: { ".js": ".cjs" },
	// Of packages that have both, the ES module: jsonc-parser's UMD build hides its requires from the bundler.
	mainFields: ["module", "main"],
	minify: isProduction,
	sourcemap: isProduction ? false : "linked",
	// The validator without code generation from server-supplied schemas, at two thirds of the size (spec.md P11).
	alias: {
		"@modelcontextprotocol/client/_shims": resolve("src/connection/sdkShims.ts"),
		"@modelcontextprotocol/server/_shims": resolve("src/demo/sdkShims.ts"),
	},
	// `import()` becomes `require`, which the editor answers for `vscode` in every bundle that was itself required.
	supported: { "dynamic-import": false },
	logLevel: "warning",
	metafile: true,
};

const builds = [
	{
		...node,
		entryPoints: { extension: "src/extension.ts", rooms },
		outdir: "dist",
		external: ["vscode"],
		plugins: [lazyPackagesPlugin, lazyPartsPlugin, borderPlugin],
	},
	// No `external: ["vscode"]`: the build fails if one of these reaches VS Code (the dependency rule, CONTRIBUTING).
	{
		...node,
		entryPoints: { ...lazyParts, ...lazyPackages, demoServer: "src/demo/server.ts" },
		outdir: "dist",
		plugins: [lazyPackagesPlugin],
	},
	{
		...node,
		entryPoints: Object.fromEntries(globSync("media/*/main.ts").map((path) => [path.split(/[\\/]/)[1], path])),
		outdir: "dist/media",
		platform: "browser",
		target: "es2024",
		format: "esm",
		outExtension: {},
		alias: {},
		supported: {},
	},
];
if (flags.has("--host-tests")) {
	builds.push({
		...node,
		entryPoints: { host: "test/host/index.ts" },
		outdir: "dist-test",
		external: ["vscode", "mocha"],
		minify: false,
	});
}

let running = 0;
if (flags.has("--watch")) {
	const contexts = await Promise.all(
		builds.map((options) => esbuild.context({ ...options, plugins: [...(options.plugins ?? []), reportPlugin()] })),
	);
	await Promise.all(contexts.map((context) => context.watch()));
} else {
	const results = await Promise.all(builds.map((options) => esbuild.build(options)));
	if (flags.has("--sizes")) {
		for (const [path, { bytes }] of results.flatMap(({ metafile }) => Object.entries(metafile.outputs))) {
			if (!path.endsWith(".map")) console.log(`${(bytes / 1024).toFixed(1).padStart(8)} KB  ${path}`);
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
