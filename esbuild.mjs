// Bundles the extension, its lazily loaded parts, the demo server, the webviews and the tests that run inside VS Code.
// --watch rebuilds on change, --production minifies, --host-tests builds the in-host suite as well, --sizes prints them.
import * as esbuild from "esbuild";
import { globSync } from "node:fs";
import { resolve } from "node:path";

const flags = new Set(process.argv.slice(2));
const isProduction = flags.has("--production");

/** Parts with heavy libraries: bundles of their own, loaded by `await import()` when first used (performance.md). */
const lazyParts = {
	client: "src/servers/connect.ts",
	openai: "src/models/openai.ts",
	demoModel: "src/demo/model.ts",
	glob: "src/base/glob.ts",
};
/** Packages that are bundles of their own, for the same reason. */
const lazyPackages = { jsonSchema: "@cfworker/json-schema" };
const lazyByPath = new Map(Object.entries(lazyParts).map(([name, path]) => [resolve(path), name]));

/** Leaves the dynamic import of a lazy part as `require("./<part>.cjs")`, beside the importing bundle. */
const lazyPlugin = {
	name: "lazy-parts",
	setup(build) {
		for (const [name, packageName] of Object.entries(lazyPackages)) {
			build.onResolve({ filter: new RegExp(`^${packageName}$`) }, () => ({ path: `./${name}.cjs`, external: true }));
		}
		build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
			const name = lazyByPath.get(resolve(resolveDir, path));
			if (name === undefined) return undefined;
			if (kind !== "dynamic-import")
				return { errors: [{ text: `${path} is a lazy part: import it by await import() only` }] };
			return { path: `./${name}.cjs`, external: true };
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
		"@modelcontextprotocol/client/_shims": resolve("src/servers/sdkShims.ts"),
		"@modelcontextprotocol/server/_shims": resolve("src/demo/sdkShims.ts"),
	},
	logLevel: "warning",
	metafile: true,
};

const builds = [
	{
		...node,
		entryPoints: { extension: "src/extension.ts" },
		outdir: "dist",
		external: ["vscode"],
		plugins: [lazyPlugin],
	},
	// No `external: ["vscode"]`: the build fails if one of these reaches VS Code (the dependency rule, CONTRIBUTING).
	{ ...node, entryPoints: { ...lazyParts, ...lazyPackages, demoServer: "src/demo/server.ts" }, outdir: "dist" },
	{
		...node,
		entryPoints: Object.fromEntries(globSync("media/*/main.ts").map((path) => [path.split(/[\\/]/)[1], path])),
		outdir: "dist/media",
		platform: "browser",
		target: "es2024",
		format: "esm",
		outExtension: {},
		alias: {},
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
