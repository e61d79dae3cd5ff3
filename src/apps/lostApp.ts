import { webviewPage, type WebviewPageParts } from "../base/webviewPage.ts";

/** What the page in the place of an app is made of; the title is that of the editor, which names the tool and its server. */
export interface LostAppParts extends Pick<WebviewPageParts, "styles" | "title" | "language"> {
	readonly cspSource: string;
}

/**
 * The page in the place of an app that was open when the window was reloaded: its call and result were kept in memory alone,
 * as they may hold anything (SEC-03). It leads to the forms of tools, from which nothing is called before the person says so.
 */
export function lostAppPage({ cspSource, ...page }: LostAppParts): string {
	return webviewPage({
		...page,
		policy: `default-src 'none'; style-src ${cspSource}`,
		body: `<main><div class="app-lost">
		<p>This app showed a result that was kept in memory only. The window was reloaded, so it is gone.</p>
		<p>Run the tool again to see the app: <em>Open App</em> stands below the result.</p>
		<p><a href="command:mcpHost.runTool">Run Tool…</a></p>
	</div></main>`,
	});
}
