import { webviewPage, type WebviewPageParts } from "../../base/webviewPage.ts";

/** The parts of the page that replaces an app; the title is that of the editor, which names the tool and its server. */
export interface LostAppParts extends Pick<WebviewPageParts, "title" | "language"> {
	/** `waiting`: it is shown as soon as its server runs. */
	readonly state: "waiting" | "gone";
}

/**
 * The page in the place of an app that was open when the window was reloaded, and is not there yet or any more: a result that is
 * long, or may hold a secret, is kept in memory alone (SEC-03). It leads to the forms of tools, from which nothing is called before
 * the user says so. It loads no files: VS Code may not show a page that replaces one which is still loading some (see `connectApp`).
 */
export function lostAppPage({ state, ...page }: LostAppParts): string {
	const why =
		state === "waiting"
			? "The window was reloaded. The app is shown again as soon as its server runs."
			: "The window was reloaded and this app cannot be restored. Either there was no result yet, the result was kept in memory only (because it is long or may contain a secret), or the server has changed.";
	return webviewPage({
		...page,
		styles: [],
		policy: "default-src 'none'",
		body: `<main>
		<p>${why}</p>
		<p>Run the tool again, then choose <em>Open App</em> below the result.</p>
		<p><a href="command:mcpHost.runTool">Run Tool…</a></p>
	</main>`,
	});
}
