/** What the page of a webview is made of. */
export interface WebviewPage {
	/** The origin from which VS Code serves the extension's files. */
	readonly cspSource: string;
	readonly script: string;
	readonly styles: readonly string[];
	readonly title: string;
	/** The display language, such as `en`. */
	readonly language: string;
	readonly showsImages: boolean;
	readonly playsAudio: boolean;
}

/**
 * The page of a webview: an empty body, one script with a nonce, our style sheets, and a policy that lets nothing else
 * run, load or leave. State never stands in the page; the view asks for it (UI-05).
 */
export function webviewHtml({
	cspSource,
	script,
	styles,
	title,
	language,
	showsImages,
	playsAudio,
}: WebviewPage): string {
	const nonce = crypto.randomUUID();
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src ${cspSource}`,
		...(showsImages ? ["img-src data:"] : []),
		...(playsAudio ? ["media-src data:"] : []),
	].join("; ");
	return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}">
<head>
	<meta charset="UTF-8">
	<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>${escapeAttribute(title)}</title>
	${styles.map((style) => `<link rel="stylesheet" href="${escapeAttribute(style)}">`).join("")}
</head>
<body>
	<script type="module" nonce="${nonce}" src="${escapeAttribute(script)}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
