import { sealedDocument } from "../../base/sealedPage.ts";
import { escapeAttribute, webviewPage, type WebviewPageParts } from "../../base/webviewPage.ts";
import { type AppDomains, appPolicy } from "./appPolicy.ts";

/** What an app's document is made of besides its page. */
export interface DocumentParts {
	readonly domains: AppDomains;
	/** The script of `media/appFrame`. */
	readonly preamble: string;
	/** What the app had in its storage where it was shown before, as JSON; empty for nothing. */
	readonly stored: string;
}

/**
 * The document that is put into an app's frame: our policy and our script stand before any of the server's markup. `preamble`
 * is the script of `media/appFrame`.
 */
export function appDocument(html: string, { domains, preamble, stored }: DocumentParts): string {
	// As a string in a script: no markup, and no line break of JavaScript that JSON knows nothing of.
	const text = JSON.stringify(stored).replace(
		/[<\u2028\u2029]/g,
		(mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
	// In a scope of its own: what it declares is not the app's.
	const script = `<script>(()=>{"use strict";const mcpHostStored=${text};${preamble}})();document.currentScript.remove()</script>`;
	return sealedDocument(appPolicy(domains), script, html);
}

/** What the page around an app's frame is made of. */
export interface AroundPage extends Pick<WebviewPageParts, "styles" | "title" | "language"> {
	/** The domains that the app was granted: a frame without an address of its own has the policy of the page around it as well. */
	readonly domains: AppDomains;
	/** The origin from which VS Code serves the extension's files. */
	readonly cspSource: string;
	readonly script: string;
}

/** The page of the webview around an app's frame. Nothing of a server stands in it but domains that were checked. */
export function aroundPage({ domains, cspSource, script, ...page }: AroundPage): string {
	return webviewPage({
		...page,
		policy: appPolicy(domains, cspSource),
		body: `<script type="module" src="${escapeAttribute(script)}"></script>`,
	});
}
