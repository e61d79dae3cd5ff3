import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { unzip } from "./zip.ts";

const root = resolve(import.meta.dirname, "../..");
/** The package under test: what `npm run package` wrote, or the one that this variable names. */
const path = resolve(root, process.env["MCP_HOST_VSIX"] ?? "mcp-host.vsix");

const maxBytes = 1.5 * 1024 * 1024;
/** The goal for what every window loads until the tree can paint (performance.md). What is too much belongs in a room. */
const maxActivationBytes = 60 * 1024;

/** All that may be in it, beside the two files that the format asks for. */
const intended = [
	/^extension\/package\.json$/,
	/^extension\/readme\.md$/,
	/^extension\/changelog\.md$/,
	/^extension\/LICENSE\.txt$/,
	/^extension\/dist\/(extension|rooms|parseConfig|roots|variables|signedIn|client|openai|demoModel|demoServer|glob|jsonSchema|undici)\.cjs$/,
	/^extension\/dist\/media\/\w+\.(js|css)$/,
	/^extension\/media\/[\w-]+\.(css|svg)$/,
	/^extension\/media\/readme\/\w+\.png$/,
	/^extension\/media\/icon\.png$/,
	/^extension\/media\/policy\.schema\.json$/,
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
const textOf = (name: string): string => files.get(`extension/${name}`)?.toString("utf8") ?? "";

beforeAll(() => {
	if (!existsSync(path)) throw new Error(`${path} does not exist: run \`npm run package\` first.`);
	files = unzip(readFileSync(path));
});

describe("the VSIX", () => {
	it("holds only what is meant to ship", () => {
		const names = [...files.keys()].filter((name) => name.startsWith("extension/"));
		expect(names.filter((name) => !intended.some((pattern) => pattern.test(name)))).toEqual([]);
		expect([...files.keys()].filter((name) => !names.includes(name)).sort()).toEqual([
			"[Content_Types].xml",
			"extension.vsixmanifest",
		]);
	});

	it("holds the entry point, every lazy part, and the script of every webview", () => {
		const names = [
			"extension",
			"rooms",
			"parseConfig",
			"roots",
			"variables",
			"client",
			"openai",
			"demoModel",
			"demoServer",
		];
		const parts = names.map((name) => `dist/${name}.cjs`);
		const views = globSync("media/*/main.ts", { cwd: root }).map((view) => `dist/media/${basename(dirname(view))}.js`);
		const expected = [
			...parts,
			...views,
			"media/mcp.svg",
			"media/icon.png",
			"readme.md",
			"changelog.md",
			"LICENSE.txt",
		];
		expect(expected.filter((name) => !files.has(`extension/${name}`))).toEqual([]);
	});

	it("has every file that a bundle loads at run time", () => {
		const bundles = [...files].filter(([name]) => name.endsWith(".cjs")).map(([, content]) => content.toString("utf8"));
		const loads = bundles.join("\n").matchAll(/\b(?:require|import)\("(\.\/[^"]+)"\)/g);
		const names = [...loads].map(([, name = ""]) => `extension/dist/${name.slice(2)}`);
		expect(names).toContain("extension/dist/client.cjs");
		expect(names).toContain("extension/dist/openai.cjs");
		expect(names.filter((name) => !files.has(name))).toEqual([]);
	});

	it("loads no other bundle while the extension is loaded", () => {
		const text = textOf("dist/extension.cjs");
		const loads = text.match(/require\("\.\/\w+\.cjs"\)/g) ?? [];
		const later = text.match(/\.then\(\(\)=>[\w$]+\(require\("\.\/\w+\.cjs"\)/g) ?? [];
		expect(loads.length).toBeGreaterThan(2);
		expect(later.length).toBe(loads.length);
	});

	it("has no source map and no path of the machine that built it", () => {
		for (const [name, content] of files) {
			if (name.endsWith(".png")) continue;
			const text = content.toString("utf8");
			const traces = [`${root}/`, `${homedir()}/`, "/node_modules/", "sourceMappingURL"];
			expect(
				traces.filter((trace) => text.includes(trace)),
				name,
			).toEqual([]);
		}
	});

	it("is small, and most of it is loaded only when needed", () => {
		const activation = files.get("extension/dist/extension.cjs")?.length ?? 0;
		console.log(
			`${Math.round(statSync(path).size / 1024)} KB in all, ${Math.round(activation / 1024)} KB at activation`,
		);
		expect(statSync(path).size).toBeLessThan(maxBytes);
		expect(activation).toBeLessThan(maxActivationBytes);
	});

	it.each(Object.entries(marks))("loads %s after activation only", (_library, mark) => {
		expect(textOf("dist/extension.cjs")).not.toContain(mark);
		// The mark is still one: another bundle has it.
		const others = [...files].filter(([name]) => /\.(cjs|js)$/.test(name) && name !== "extension/dist/extension.cjs");
		expect(others.some(([, content]) => content.includes(mark))).toBe(true);
	});

	it("is what the manifest of this tree describes", () => {
		const packaged = JSON.parse(textOf("package.json")) as object;
		const here = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as object;
		expect(packaged).toMatchObject({ ...here, scripts: expect.anything() });
		expect(packaged).not.toHaveProperty("enabledApiProposals");
	});
});
