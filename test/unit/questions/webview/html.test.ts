import { describe, expect, it } from "vitest";
import { webviewHtml, type WebviewPage } from "../../../../src/questions/webview/html.ts";

const page: WebviewPage = {
	cspSource: "https://*.vscode-cdn.net",
	script: "https://cdn/dist/media/review.js",
	styles: ["https://cdn/media/base.css"],
	title: "Review",
	language: "de",
	showsImages: false,
	playsAudio: false,
};

function policyOf(html: string): string {
	return /content="([^"]*)"/.exec(html)?.[1]?.replaceAll("&#39;", "'") ?? "";
}

describe("webviewHtml", () => {
	it("allows only the script with the nonce and our styles", () => {
		const html = webviewHtml(page);
		const nonce = /<script type="module" nonce="([^"]+)"/.exec(html)?.[1];
		expect(policyOf(html)).toBe(`default-src 'none'; script-src 'nonce-${nonce}'; style-src https://*.vscode-cdn.net`);
		expect(policyOf(webviewHtml({ ...page, showsImages: true }))).toMatch(/; img-src data:$/);
		expect(policyOf(webviewHtml({ ...page, playsAudio: true }))).toMatch(/; media-src data:$/);
		expect(html).toContain('<html lang="de">');
	});

	it("uses a nonce once", () => {
		expect(webviewHtml(page)).not.toBe(webviewHtml(page));
	});

	it("cannot be broken out of by a title", () => {
		const html = webviewHtml({ ...page, title: `</title><script>alert(1)</script>"'&` });
		expect(html.match(/<script/g)).toHaveLength(1);
		expect(html).toContain("&#60;script&#62;");
	});
});
