import type { ResourcePart } from "./content.ts";
import { sealedDocument } from "../../base/sealedPage.ts";
import { escapeAttribute, webviewPage, type WebviewPageParts } from "../../base/webviewPage.ts";
import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { extensionOf } from "./mediaTypes.ts";

/** The types that can be rendered, as well as shown as text. */
export type PreviewKind = "html" | "svg" | "markdown";

const kindsByType: ReadonlyMap<string, PreviewKind> = new Map([
	["text/html", "html"],
	["application/xhtml+xml", "html"],
	["image/svg+xml", "svg"],
	["text/markdown", "markdown"],
	["text/x-markdown", "markdown"],
]);
const kindsByExtension: ReadonlyMap<string, PreviewKind> = new Map([
	["html", "html"],
	["htm", "html"],
	["xhtml", "html"],
	["svg", "svg"],
	["md", "markdown"],
	["markdown", "markdown"],
]);

/** How much is drawn, in bytes. */
const mostBytes = 5_000_000;

/** The rendered type of a resource, by the server's type, otherwise by its name; undefined if it is not rendered. */
export function previewKind(mimeType: string | undefined, uri: string): PreviewKind | undefined {
	const [type = ""] = (mimeType ?? "").split(";", 1);
	const stated = kindsByType.get(type.trim().toLowerCase());
	if (stated !== undefined || (mimeType !== undefined && type.trim() !== "text/plain")) return stated;
	const [path = ""] = uri.split(/[?#]/, 1);
	return kindsByExtension.get(extensionOf(path)?.toLowerCase() ?? "");
}

/** The content to render, and how Markdown becomes HTML, which is just as untrusted. */
export interface PreviewParts extends Omit<ResourcePart, "isText"> {
	readonly renderMarkdown: (text: string) => Promise<string>;
	/**
	 * The colour scheme of VS Code's theme, for content without a style: a frame of another origin does not receive it.
	 */
	readonly scheme: "light" | "dark";
}

/**
 * The document of a preview, for a frame in which no script runs.
 * @throws HostError `invalid` for contents that are not rendered, `limit` for too large ones.
 */
export async function previewDocument({ uri, mimeType, bytes, renderMarkdown, scheme }: PreviewParts): Promise<string> {
	const kind = previewKind(mimeType, uri);
	const which = oneLine(uri, 100);
	if (kind === undefined)
		throw new HostError("invalid", `"${which}" cannot be previewed. Only HTML, SVG and Markdown have a preview.`);
	if (bytes.length > mostBytes)
		throw new HostError("limit", `"${which}" is larger than ${mostBytes / 1_000_000} MB. Open it as text.`);
	// In an image no script of an SVG runs, and nothing that it names is loaded.
	if (kind === "svg") {
		const data = Buffer.from(bytes).toString("base64");
		return sealedDocument(policy, lookOf("light"), `<p><img alt="" src="data:image/svg+xml;base64,${data}">`);
	}
	const text = new TextDecoder().decode(bytes);
	if (kind === "html") return sealedDocument(policy, links, text);
	return sealedDocument(policy, lookOf(scheme), await renderMarkdown(text));
}

/**
 * Nothing is loaded from anywhere; only the document itself is rendered. The frame has this policy, and the page around
 * it too, so that no link navigates the frame.
 */
const policy = [
	"default-src 'none'",
	"img-src data:",
	"media-src data:",
	"font-src data:",
	"style-src 'unsafe-inline'",
	"frame-src 'none'",
	"form-action 'none'",
	"base-uri 'none'",
].join("; ");

/** Links but those within the document lead nowhere: they look as if. */
const links = `<style>a:not([href^="#"]){pointer-events:none}</style>`;

/** The style of contents without one. An image has the background for which most are drawn. */
function lookOf(scheme: PreviewParts["scheme"]): string {
	return (
		`${links}<style>:root{color-scheme:${scheme}}body{font:14px/1.6 system-ui,sans-serif;margin:16px;max-width:72em;overflow-wrap:anywhere}` +
		`img{max-width:100%}pre{overflow:auto}pre,code{font-family:ui-monospace,monospace;font-size:13px}` +
		`table{border-collapse:collapse}th,td{border:1px solid #8888;padding:4px 8px}blockquote{margin:1em 0;padding-left:12px;border-left:3px solid #8888}</style>`
	);
}

/** The page of the webview around the frame of a preview; its styles and its script, which makes the frame, are in `cspSource`. */
export function aroundPreview({
	cspSource,
	script,
	...page
}: Pick<WebviewPageParts, "styles" | "title" | "language"> & {
	readonly cspSource: string;
	readonly script: string;
}): string {
	return webviewPage({
		...page,
		policy: `${policy.replace("style-src", `style-src ${cspSource}`)}; script-src ${cspSource}`,
		body: `<script type="module" src="${escapeAttribute(script)}"></script>`,
	});
}
