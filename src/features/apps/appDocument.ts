import { sealedDocument } from "../../base/sealedPage.ts";
import { escapeAttribute, webviewPage, type WebviewPageParts } from "../../base/webviewPage.ts";
import { type AppDomains, appPolicy } from "./appPolicy.ts";

/** The parts of an app's document besides its page. */
export interface DocumentParts {
	readonly domains: AppDomains;
	/** The script of `media/appFrame`. */
	readonly preamble: string;
	/** The app's stored data from where it was shown before, as JSON; empty for nothing. */
	readonly stored: string;
}

/**
 * The document for an app's frame: our policy and our script precede the server's markup. `preamble` is the script of
 * `media/appFrame`.
 */
export function appDocument(html: string, { domains, preamble, stored }: DocumentParts): string {
	// As a string in a script: without markup, and without line breaks that only JavaScript has.
	const text = JSON.stringify(stored).replace(
		/[<\u2028\u2029]/g,
		(mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
	// In its own scope: its declarations are not visible to the app.
	const script = `<script>(()=>{"use strict";const mcpHostStored=${text};${preamble}})();document.currentScript.remove()</script>`;
	return sealedDocument(appPolicy(domains), script, html);
}

/** The parts of the page around an app's frame. */
export interface AroundPage extends Pick<WebviewPageParts, "styles" | "title" | "language"> {
	/** The domains that the app was granted: a frame without an address of its own has the policy of the page around it as well. */
	readonly domains: AppDomains;
	/** The origin from which VS Code serves the extension's files. */
	readonly cspSource: string;
	readonly script: string;
}

/** The page of the webview around an app's frame. It contains nothing of a server except checked domains. */
export function aroundPage({ domains, cspSource, script, ...page }: AroundPage): string {
	return webviewPage({
		...page,
		policy: appPolicy(domains, cspSource),
		body: `<script type="module" src="${escapeAttribute(script)}"></script>`,
	});
}
