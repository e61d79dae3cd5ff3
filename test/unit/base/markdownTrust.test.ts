/** The use of untrusted text in the whole source: rules that no single test of a surface can check. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

/** The files of the extension and its webviews in which a pattern occurs, with the lines. */
function occurrences(pattern: RegExp, files = "{src,media}/**/*.ts"): readonly string[] {
	return globSync(files, { cwd: root }).flatMap((path) =>
		readFileSync(resolve(root, path), "utf8")
			.split("\n")
			.filter((line) => pattern.test(line))
			.map((line) => `${path.replaceAll("\\", "/")}: ${line.trim()}`),
	);
}

it("Markdown is trusted in one place: rows of links with our own words, for named commands (UI-02)", () => {
	expect(occurrences(/\.isTrusted = /)).toEqual([
		"src/surfaces/chat/stream.vscode.ts: markdown.isTrusted = { enabledCommands };",
	]);
	expect(occurrences(/\.trusted\(/)).toEqual([
		'src/surfaces/chat/stream.vscode.ts: if (isApart) this.trusted("\\n", [chatCommands.decide]);',
		'src/surfaces/chat/stream.vscode.ts: this.trusted(`${row.join(" · ")}\\n\\n`, [...new Set(links.map(({ action }) => commandOf[action]))]);',
	]);
});

it("no Markdown has HTML (UI-03) or theme icons (UI-04)", () => {
	expect(occurrences(/supportHtml|supportThemeIcons|new vscode\.MarkdownString\([^()]*, true\)/)).toEqual([]);
});

it("no webview creates HTML or code from a text (UI-05)", () => {
	const pattern =
		/innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|unsafeSVG|unsafeStatic|document\.write|\beval\(|new Function/;
	expect(occurrences(pattern, "media/**/*.ts")).toEqual([]);
});

it("a server's image comes only from its own data (UI-10)", () => {
	const policies = occurrences(/(img|media)-src/);
	expect(policies.length).toBeGreaterThan(0);
	expect(policies.filter((line) => /(img|media)-src[^;]*(https?:|\*)/.test(line))).toEqual([]);
});
