/** README, CHANGELOG and the pages of docs: short enough, with links that lead somewhere and names that exist. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isJsonObject } from "../../src/base/json.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8").replaceAll("\r\n", "\n");
const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
const manifest = read("package.json");

/** A page without blocks of code and without HTML and comments. */
function prose(text: string): string {
	return text.replace(/^```[\s\S]*?^```$/gm, "").replace(/<!--[\s\S]*?-->|<\/?[a-z][^<>]*>/g, "");
}

/** The anchors of a page's headings, as GitHub and VS Code make them. */
function anchorsOf(file: string): readonly string[] {
	return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

/** The links of a page to a file or a place of the repository. */
function linksOf(file: string): readonly string[] {
	const text = read(file).replace(/^```[\s\S]*?^```$/gm, "");
	const links = [...text.matchAll(/\]\(([^()\s]+)\)|<img src="([^"]+)"/g)].map(
		([, target, image = ""]) => target ?? image,
	);
	return links.filter((target) => !/^[a-z][a-z\d+.-]*:/.test(target));
}

/** The names in the manifest under a key. */
function named(key: string): ReadonlySet<string> {
	return new Set(
		[...manifest.matchAll(new RegExp(`"${key}": "((?:[^"\\\\]|\\\\.)+)"`, "g"))].map(([, name = ""]) => name),
	);
}

describe("README.md", () => {
	it("has at most 1,200 words outside code and HTML", () => {
		const words = prose(read("README.md")).match(/\S*[\p{L}\p{N}]\S*/gu) ?? [];
		expect(words.length).toBeGreaterThan(500);
		expect(words.length).toBeLessThanOrEqual(1200);
	});

	it("leads to every page of docs, directly or by another page", () => {
		const reached = new Set(["README.md"]);
		for (const page of reached) {
			for (const link of linksOf(page)) {
				const target = path.posix.join(path.posix.dirname(page), link.replace(/#.*$/, ""));
				if (target.endsWith(".md")) reached.add(target);
			}
		}
		expect(pages.filter((page) => !reached.has(page))).toEqual([]);
	});
});

describe.each(pages)("%s", (page) => {
	it("has links to files and headings that exist", () => {
		const broken = linksOf(page).filter((link) => {
			const [file = "", anchor] = link.split("#");
			const target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
			if (!existsSync(path.join(root, target))) return true;
			return anchor !== undefined && !anchorsOf(target).includes(anchor);
		});
		expect(broken).toEqual([]);
	});

	it("names commands that the manifest has", () => {
		const titles = named("title");
		const commands = [...read(page).matchAll(/(?<![\w*])\*MCP Host: ([^*]+)\*(?!\*)/g)]
			.map(([, title = ""]) => title.replace(/\s+/g, " "))
			// The words of a state, in lower case, are not a title.
			.filter((title) => /^[A-Z]/.test(title));
		expect(commands.filter((title) => !titles.has(title))).toEqual([]);
	});
});

describe("CHANGELOG.md", () => {
	const lines = read("CHANGELOG.md").split("\n");
	const after = (pattern: RegExp): readonly string[] => lines.filter((line) => pattern.test(line));

	it("has versions, each with Added, Changed, Fixed and Removed in this order, and groups in bold", () => {
		const form =
			/^(# Changelog|## (Unreleased|\d+\.\d+\.\d+)|### (Added|Changed|Fixed|Removed)|\*\*[A-Z][^*]+\*\*|- .+)?$/;
		expect(lines.filter((line) => !form.test(line))).toEqual([]);
		const order = ["### Added", "### Changed", "### Fixed", "### Removed"];
		for (const version of read("CHANGELOG.md").split(/^## /m).slice(1)) {
			const sections = version.split("\n").filter((line) => line.startsWith("### "));
			expect(sections).toEqual(order.filter((one) => sections.includes(one)));
		}
	});

	it("has one line of at most 160 characters for each change", () => {
		const changes = after(/^- /);
		expect(changes.length).toBeGreaterThan(50);
		expect(changes.filter((line) => line.length > 160 || !/[.:]$/.test(line))).toEqual([]);
		expect(new Set(changes).size).toBe(changes.length);
	});

	it("has the version of the manifest", () => {
		const { version } = JSON.parse(manifest) as { version: string };
		expect(after(/^## /)).toContain(`## ${version}`);
	});
});

describe("docs/decisions", () => {
	const records = pages.filter((page) => page.startsWith("docs/decisions/") && !page.endsWith("/README.md"));

	it.each(records)(
		"%s has context, decision and consequences in at most 250 words, and names files that exist",
		(page) => {
			const text = read(page);
			expect(text.match(/^## .+$/gm)).toEqual(["## Context", "## Decision", "## Consequences"]);
			expect(prose(text).split(/\s+/).length).toBeLessThanOrEqual(250);
			const named = [...text.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, file = ""]) => file);
			expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
		},
	);
});

describe("The pages of docs", () => {
	it("name settings and commands that the manifest has, by their ids", () => {
		const { contributes } = JSON.parse(manifest) as { contributes: { configuration: unknown } };
		const groups = [contributes.configuration].flat().filter(isJsonObject);
		const settings = groups.flatMap(({ properties }) => Object.keys(isJsonObject(properties) ? properties : {}));
		const known = new Set([...settings, ...named("command")]);
		const unknown = pages
			.filter((page) => !["CHANGELOG.md", "docs/requirements.md"].includes(page))
			.flatMap((page) =>
				[...read(page).matchAll(/["`#](mcpHost\.[\w.]+[\w*])["`#]/g)]
					.map(([, id = ""]) => id)
					.filter(
						(id) => !known.has(id) && !(id.endsWith(".*") && settings.some((one) => one.startsWith(id.slice(0, -1)))),
					)
					.map((id) => `${page}: ${id}`),
			);
		expect(unknown).toEqual([]);
	});
});
