/** Previews of resources in a browser without VS Code: what they look like, and that nothing gets out of them. */
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchBrowser, newPage } from "../editor/browser.ts";
import { repositoryRoot } from "../tasks/paths.ts";
import { Listener } from "./fixtures/appPage.ts";
import { type ShownPreview, showPreview } from "./fixtures/previewWindow.ts";
import type { ThemeName } from "./fixtures/themes.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A preview that is closed with the test. */
async function show(mimeType: string, text: string, theme?: ThemeName, width?: number): Promise<ShownPreview> {
	const shown = await showPreview(browser, mimeType, text, { theme, width });
	onTestFinished(() => shown.close());
	return shown;
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
	// By the time at which another page is heard, this one would have been.
	const other = await newPage(browser);
	await other.evaluate(`fetch("${to("heard")}")`);
	await other.context().close();
	expect(outside.hits).toEqual(["/heard"]);
	expect(new URL(page.url()).pathname).toBe("/");
	// The frame has the origin of the page around it, and no script with which anything could be done with that.
	expect(await page.title()).toBe("Preview x");
	expect(await page.locator("#stage > iframe").getAttribute("sandbox")).toBe("allow-same-origin");
	expect(await frame.locator("#end").evaluate("document.title")).toBe("");
});

test("what changes is drawn anew at the place that was read; without a subscription the user has it read anew (RES-14)", async () => {
	const long = (name: string): string => `<h1>${name}</h1><div style="height:3000px"></div><p>End of ${name}</p>`;
	const { page, frame, change, reloads } = await show("text/html", long("one"));
	await frame.getByText("End of one").waitFor();
	const placeOf = async (): Promise<unknown> => frame.locator("html").evaluate("scrollY");
	// A wheel turns what has been painted.
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
	await page.mouse.move(300, 300);
	await page.mouse.wheel(0, 1200);
	await expect.poll(placeOf).toBe(1200);
	await change(long("two"));
	await frame.getByText("End of two").waitFor();
	await expect.poll(placeOf).toBe(1200);
	const reload = page.getByRole("button", { name: "Reload" });
	expect(await reload.count()).toBe(0);
	await change(long("two"), { canReload: true, notice: "It could not be read again: the server is gone" });
	await page.getByText("the server is gone").waitFor();
	await page.screenshot({ path: picture("preview-reload-dark") });
	await reload.click();
	await expect.poll(reloads).toBe(1);
	expect(await placeOf()).toBe(1200);
});

function picture(name: string): string {
	return path.join(repositoryRoot, "test-output", "screenshots", `${name}.png`);
}

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
	await page.screenshot({ path: picture(`preview-markdown-${theme}`) });
	const svg = await show("image/svg+xml", drawing, theme, width);
	await svg.frame.locator("img").waitFor();
	await svg.page.screenshot({ path: picture(`preview-svg-${theme}`) });
});
