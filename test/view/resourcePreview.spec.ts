/** Previews of resources in a browser without VS Code: what they look like, and that nothing gets out of them. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { aroundPreview, previewDocument } from "../../src/resources/preview.ts";
import { launchBrowser, newPage } from "../editor/browser.ts";
import { repositoryRoot } from "../tasks/paths.ts";
import { Listener } from "./fixtures/appPage.ts";
import { portOf } from "./fixtures/appWindow.ts";
import { themeStyle } from "./fixtures/formPage.ts";
import { type ThemeName, themes } from "./fixtures/themes.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Shows a text of a server as a webview does; the Markdown of the editor is not part of this. */
async function show(mimeType: string, text: string, theme: ThemeName = "dark", width = 700) {
	const bytes = new TextEncoder().encode(text);
	const document = await previewDocument({
		uri: "a://x",
		mimeType,
		bytes,
		renderMarkdown: async (html) => html,
		scheme: theme.endsWith("light") ? "light" : "dark",
	});
	const server = createServer((request, response) => {
		const name = request.url ?? "";
		const file = name.startsWith("/media/") ? readFile(path.join(repositoryRoot, name), "utf8") : undefined;
		if (file !== undefined) void file.then((css) => response.setHeader("content-type", "text/css").end(css));
		else if (name === "/theme.css") response.setHeader("content-type", "text/css").end(themeStyle(theme));
		else response.setHeader("content-type", "text/html; charset=utf-8").end(html);
	});
	const origin = `http://127.0.0.1:${await portOf(server)}`;
	const styles = [...["base", "controls", "app"].map((name) => `${origin}/media/${name}.css`), `${origin}/theme.css`];
	const around = aroundPreview(document, { title: "Preview x", language: "en", styles, cspSource: origin });
	const html = around.replace("<body>", `<body class="${themes[theme].bodyClass}">`);
	const page = await newPage(browser, { width, height: 500 });
	onTestFinished(async () => {
		await page.context().close();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	await page.goto(`${origin}/`);
	return { page, frame: page.frameLocator("#stage > iframe") };
}

test("nothing of a page runs, is loaded, or leads elsewhere (RES-13)", async () => {
	await using outside = await Listener.open();
	const to = (way: string): string => `http://127.0.0.1:${outside.port}/${way}`;
	const { page, frame } = await show(
		"text/html",
		`<meta http-equiv="refresh" content="0;url=${to("refresh")}"><base href="${to("base")}/">
		<link rel="stylesheet" href="${to("sheet")}"><link rel="prefetch" href="${to("prefetch")}"><link rel="preload" as="image" href="${to("preload")}">
		<style>@import "${to("import")}"; body { background: url(${to("background")}) }</style>
		<script>document.title = "ran"; fetch("${to("fetch")}")</script><img src="${to("image")}" onerror="fetch('${to("onerror")}')">
		<iframe src="${to("frame")}"></iframe><iframe srcdoc="<img src='${to("nested")}'><script>fetch('${to("nested-fetch")}')</script>"></iframe>
		<object data="${to("object")}"></object><embed src="${to("embed")}"><video src="${to("video")}" autoplay></video>
		<form action="${to("form")}"><button>Send</button></form><a id="out" href="${to("link")}" ping="${to("ping")}" target="_top">Out</a><p id="end">End</p>`,
	);
	await frame.locator("#end").waitFor();
	await frame.locator("#out").dispatchEvent("click");
	await frame.getByRole("button", { name: "Send" }).click();
	await frame.locator("#out").focus();
	await page.keyboard.press("Enter");
	await page.waitForLoadState("networkidle");
	expect(outside.hits).toEqual([]);
	expect(new URL(page.url()).pathname).toBe("/");
});

const text = `<h1>Loans</h1><p>A <a href="#x">part</a> and <code>code</code>.</p><table><tr><th>Shelf<th>Loans<tr><td>Poetry<td>12</table><blockquote>Quoted.</blockquote>`;
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><script>document.title="ran"</script><circle cx="60" cy="40" r="30" fill="teal"/></svg>`;

test.each([
	["dark", 700],
	["light", 320],
	["high-contrast", 700],
	["high-contrast-light", 320],
] as const)("Markdown and an SVG in the theme %s at %d pixels (RES-13)", async (theme, width) => {
	const { page, frame } = await show("text/markdown", text, theme, width);
	await frame.getByRole("heading", { name: "Loans" }).waitFor();
	const picture = (name: string): string =>
		path.join(repositoryRoot, "test-output", "screenshots", `${name}-${theme}.png`);
	await page.screenshot({ path: picture("preview-markdown") });
	const svg = await show("image/svg+xml", drawing, theme, width);
	await svg.frame.locator("img").waitFor();
	await svg.page.screenshot({ path: picture("preview-svg") });
});
