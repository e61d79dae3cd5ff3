import { escapeAttribute, webviewPage, type WebviewPageParts } from "../../base/webviewPage.ts";

/** The parts of a view's page. */
export interface WebviewPage extends Pick<WebviewPageParts, "styles" | "title" | "language"> {
	/** The origin from which VS Code serves the extension's files. */
	readonly cspSource: string;
	readonly script: string;
	readonly showsImages: boolean;
	readonly playsAudio: boolean;
}

/**
 * The page of a webview: an empty body, one script with a nonce, our style sheets, and a policy that lets nothing else
 * run, load or leave. State is never in the page; the view requests it (UI-05).
 */
export function webviewHtml({ cspSource, script, showsImages, playsAudio, ...page }: WebviewPage): string {
	const nonce = crypto.randomUUID();
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src ${cspSource}`,
		...(showsImages ? ["img-src data:"] : []),
		...(playsAudio ? ["media-src data:"] : []),
	].join("; ");
	const body = `<script type="module" nonce="${nonce}" src="${escapeAttribute(script)}"></script>`;
	return webviewPage({ ...page, policy, body });
}
