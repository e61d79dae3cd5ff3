import { escapeAttribute } from "../base/sealedPage.ts";

/** What the page in the place of an app is made of. */
export interface LostAppParts {
	/** That of the editor, which names the tool and its server. */
	readonly title: string;
	readonly language: string;
	readonly styles: readonly string[];
	readonly cspSource: string;
}

/**
 * The page in the place of an app that was open when the window was reloaded: its call and result were kept in memory alone,
 * as they may hold anything (SEC-03). It leads to the forms of tools, from which nothing is called before the person says so.
 */
export function lostAppPage({ title, language, styles, cspSource }: LostAppParts): string {
	return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}">
<head>
	<meta charset="UTF-8">
	<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${escapeAttribute(cspSource)}">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>${escapeAttribute(title)}</title>
	${styles.map((style) => `<link rel="stylesheet" href="${escapeAttribute(style)}">`).join("")}
</head>
<body>
	<main><div class="app-lost">
		<p>This app showed a result that was kept in memory only. The window was reloaded, so it is gone.</p>
		<p>Run the tool again to see the app: <em>Open App</em> stands below the result.</p>
		<p><a href="command:mcpHost.runTool">Run Tool…</a></p>
	</div></main>
</body>
</html>`;
}
