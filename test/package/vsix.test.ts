import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadedWith, readBundles, type Bundle } from "./bundles.ts";
import { unzip } from "./zip.ts";

const root = resolve(import.meta.dirname, "../..");
/** The package under test: made by `npm run package`, or named by this variable. */
const path = resolve(root, process.env["MCP_HOST_VSIX"] ?? "mcp-host.vsix");

const maxBytes = 1_880_000;
/**
 * The limit for the code that every window loads until the tree can paint. Larger parts belong into code that loads
 * later.
 */
const maxActivationBytes = 60 * 1024;
/** The limit for our code that the page around an app's frame and the frame itself load. */
const maxAppBytes = 60 * 1024;

/** Everything that may be in it, beside the two files that the format requires. */
const intended = [
	/^extension\/package\.json$/,
	/^extension\/readme\.md$/,
	/^extension\/changelog\.md$/,
	/^extension\/LICENSE\.txt$/,
	/^extension\/dist\/[\w.]+(-[A-Z0-9]{8})?\.js$/,
	/^extension\/dist\/media\/\w+\.(js|css)$/,
	/^extension\/media\/[\w-]+\.(css|svg)$/,
	/^extension\/media\/walkthrough\/(\w+-(dark|light)\.webp|build\.svg)$/,
	/^extension\/media\/icon\.png$/,
	/^extension\/media\/(calls|organization|policy)\.schema\.json$/,
];

/** Texts that only these libraries hold; a bundler keeps them, whatever it renames. */
const marks = {
	"the MCP SDK": "ERA_NEGOTIATION_FAILED",
	openai: "OPENAI_API_KEY",
	minimatch: "nonegate",
	"jsonc-parser": "InvalidCommentToken",
	lit: "lit$",
};

let files: ReadonlyMap<string, Buffer>;
let bundles: ReadonlyMap<string, Bundle>;
const textOf = (name: string): string => files.get(`extension/${name}`)?.toString("utf8") ?? "";

beforeAll(() => {
	if (!existsSync(path)) throw new Error(`${path} does not exist: run \`npm run package\` first.`);
	files = unzip(readFileSync(path));
	bundles = readBundles(root);
});

describe("the VSIX", () => {
	it("holds only files that are meant to ship", () => {
		const names = [...files.keys()].filter((name) => name.startsWith("extension/"));
		expect(names.filter((name) => !intended.some((pattern) => pattern.test(name)))).toEqual([]);
		expect([...files.keys()].filter((name) => !names.includes(name)).sort()).toEqual([
			"[Content_Types].xml",
			"extension.vsixmanifest",
		]);
	});

	it("holds the script of every webview, and the files that users and the editor look for", () => {
		const views = globSync("media/*/main.ts", { cwd: root }).map((view) => `dist/media/${basename(dirname(view))}.js`);
		const expected = [...views, "media/mcp.svg", "media/icon.png", "readme.md", "changelog.md", "LICENSE.txt"];
		expect(expected.filter((name) => !files.has(`extension/${name}`))).toEqual([]);
	});

	it("has a page for the editor without anything that needs a clone", () => {
		const readme = readFileSync(resolve(root, "README.md"), "utf8");
		const page = textOf("readme.md");
		expect([readme.includes("npm start"), readme.includes("npm run package")]).toEqual([true, true]);
		expect(page).not.toMatch(/npm (?:start|ci|run)|only in the repository/);
		const targets = [...page.matchAll(/\]\(([^()\s]+)\)|<img src="([^"]+)"/g)].map(([, link, image]) => link ?? image);
		expect(targets.length).toBeGreaterThan(0);
		expect(targets.filter((target) => !/^(?:https:|#)/.test(target ?? ""))).toEqual([]);
		const headings = (text: string): readonly string[] => text.match(/^## .+$/gm) ?? [];
		const ofClones = new Set(["## Try it", "## Install"]);
		expect(headings(page)).toEqual(headings(readme).filter((heading) => !ofClones.has(heading)));
	});

	it("has a picture of each step of Get Started for every kind of theme", () => {
		const { contributes } = JSON.parse(textOf("package.json")) as {
			contributes: {
				walkthroughs: readonly { steps: readonly { media: { image?: Record<string, string>; svg?: string } }[] }[];
			};
		};
		const media = contributes.walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media));
		const images = media.flatMap(({ image }) => (image === undefined ? [] : [image]));
		// A drawing has the colours of the theme.
		const drawings = media.flatMap(({ svg }) => (svg === undefined ? [] : [svg]));
		expect(images.length + drawings.length).toBe(8);
		for (const name of drawings) {
			expect(textOf(name)).toContain("var(--vscode-foreground)");
			expect(textOf(name)).not.toMatch(/#[0-9a-f]{3,8}\b/i);
		}
		for (const image of images) {
			expect(Object.keys(image).sort()).toEqual(["dark", "hc", "hcLight", "light"]);
			expect(Object.values(image).filter((name) => !files.has(`extension/${name}`))).toEqual([]);
			expect([image["hc"], image["hcLight"]]).toEqual([image["dark"], image["light"]]);
		}
	});

	it("holds the files of the build, no other and none in another state", () => {
		const inDist = [...files].filter(([name]) => /^extension\/dist\/[^/]+$/.test(name));
		const sizes = inDist.map(([name, content]) => [basename(name), content.length]);
		expect(Object.fromEntries(sizes)).toEqual(
			Object.fromEntries([...bundles.values()].map(({ name, bytes }) => [name, bytes])),
		);
	});

	it("has every file that another one loads at run time", () => {
		const scripts = [...files].filter(([name]) => /^extension\/dist\/[^/]+\.js$/.test(name));
		const text = scripts.map(([, content]) => content.toString("utf8")).join("\n");
		const loads = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"\.\/([^"]+)"/g)].map(([, name = ""]) => name);
		expect(new Set(loads).size).toBeGreaterThan(10);
		expect(loads.filter((name) => !files.has(`extension/dist/${name}`))).toEqual([]);
	});

	it("holds no module twice", () => {
		const holders = new Map<string, string[]>();
		for (const { name, modules } of bundles.values())
			for (const module of modules) holders.set(module, [...(holders.get(module) ?? []), name]);
		expect(holders.size).toBeGreaterThan(500);
		expect([...holders].filter(([, names]) => names.length > 1)).toEqual([]);
	});

	it("runs the demo server and the connection without the editor", () => {
		for (const entry of ["demoServer.js", "connect.js"]) {
			const loaded = loadedWith(bundles, entry, true);
			expect(loaded.length).toBeGreaterThan(1);
			expect(loaded.filter(({ externals }) => externals.includes("vscode"))).toEqual([]);
		}
	});

	it("has no source map and no path of the machine that built it", () => {
		for (const [name, content] of files) {
			if (/\.(png|webp)$/.test(name)) continue;
			const text = content.toString("utf8");
			const traces = [`${root}/`, `${homedir()}/`, "/node_modules/", "sourceMappingURL"];
			expect(
				traces.filter((trace) => text.includes(trace)),
				name,
			).toEqual([]);
		}
	});

	it("is small, and most of it is loaded only when needed", () => {
		const eager = loadedWith(bundles, "extension.js").reduce((sum, { bytes }) => sum + bytes, 0);
		console.log(`${(statSync(path).size / 1024).toFixed(0)} KB in all, ${(eager / 1024).toFixed(1)} KB at activation`);
		expect(statSync(path).size).toBeLessThan(maxBytes);
		expect(eager).toBeGreaterThan(10 * 1024);
		expect(eager).toBeLessThan(maxActivationBytes);
	});

	it("has little of our code to load for a first app (APP-22)", () => {
		const scripts = ["dist/media/app.js", "dist/media/appFrame.js"];
		const styles = ["base", "controls", "app"].map((name) => `media/${name}.css`);
		const bytes = [...scripts, ...styles].reduce((sum, name) => sum + textOf(name).length, 0);
		console.log(`${(bytes / 1024).toFixed(1)} KB for a first app`);
		// None of them loads another one.
		for (const name of scripts) expect(textOf(name)).not.toMatch(/\b(?:from|import)\s*\(?["']\.{1,2}\//);
		for (const name of styles) expect(textOf(name)).not.toContain("@import");
		expect(bytes).toBeGreaterThan(10 * 1024);
		expect(bytes).toBeLessThan(maxAppBytes);
	});

	it.each(Object.entries(marks))("loads %s after activation only", (_library, mark) => {
		const eager = loadedWith(bundles, "extension.js").map(({ name }) => name);
		expect(eager.filter((name) => textOf(`dist/${name}`).includes(mark))).toEqual([]);
		// The marker still exists: another file has it.
		const others = [...files].filter(([name]) => name.endsWith(".js") && !eager.includes(basename(name)));
		expect(others.some(([, content]) => content.includes(mark))).toBe(true);
	});

	it("matches the manifest of this tree", () => {
		const packaged = JSON.parse(textOf("package.json")) as object;
		const here = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as object;
		expect(packaged).toMatchObject({ ...here, scripts: expect.anything() });
		expect(packaged).not.toHaveProperty("enabledApiProposals");
	});
});
