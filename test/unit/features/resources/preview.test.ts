import { describe, expect, test } from "vitest";
import { aroundPreview, previewDocument, previewKind } from "../../../../src/features/resources/preview.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const own = { renderMarkdown: async (text: string): Promise<string> => `<h1>${text}</h1>`, scheme: "dark" } as const;

describe("a preview of a resource", () => {
	test.each([
		["text/html; charset=utf-8", "a://b", "html"],
		["TEXT/MARKDOWN", "a://b", "markdown"],
		["image/svg+xml", "a://b.html", "svg"],
		[undefined, "a://b/README.MD?x=.html", "markdown"],
		["text/plain", "a://b/page.htm#x", "html"],
		["application/json", "a://b/page.html", undefined],
		[undefined, "a://b/c", undefined],
	])("follows the server's type, otherwise the name: %s %s (RES-13)", (type, uri, kind) => {
		expect(previewKind(type, uri)).toBe(kind);
	});

	test("has its policy before any markup of the server (RES-13)", async () => {
		const page = { uri: "a://page.html", mimeType: "text/html", ...own };
		const html = await previewDocument({ ...page, bytes: bytes("\uFEFF<!-- <head> --><script>1</script>") });
		expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<!--"));
		expect(html).toContain("default-src &#39;none&#39;");
		expect(html).not.toContain("\uFEFF");
		expect(html).not.toContain("script-src");
	});

	test("of an SVG is an image, and of Markdown the editor's rendering (RES-13)", async () => {
		const svg = await previewDocument({
			uri: "a://x.svg",
			mimeType: "image/svg+xml",
			bytes: bytes("<svg/>"),
			...own,
		});
		expect(svg).toContain(`src="data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}"`);
		const text = await previewDocument({ uri: "a://x.md", mimeType: undefined, bytes: bytes("Hi"), ...own });
		expect(text).toContain("<h1>Hi</h1>");
		expect(text).toContain("color-scheme:dark");
		expect(svg).toContain("color-scheme:light");
	});

	test("is refused for types without a preview, and for large contents (RES-13)", async () => {
		const page = { uri: "a://x.json", mimeType: "application/json", ...own };
		await expect(previewDocument({ ...page, bytes: bytes("{}") })).rejects.toThrow("Only HTML, SVG and Markdown");
		const large = { ...page, mimeType: "text/html", bytes: new Uint8Array(5_000_001) };
		await expect(previewDocument(large)).rejects.toThrow("larger than 5 MB");
	});

	test("is in a page that has only our markup (RES-13)", () => {
		const title = `"><b>`;
		const around = { title, language: "en", styles: ["s.css"], script: `"><b>`, cspSource: "https://own.example" };
		const page = aroundPreview(around);
		expect(page).not.toContain("<b>");
		expect(page).toContain("style-src https://own.example &#39;unsafe-inline&#39;");
		expect(page).toContain("script-src https://own.example");
		expect(page).toContain("default-src &#39;none&#39;");
	});
});
