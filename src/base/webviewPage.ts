/** The parts of a webview's page. Everything is text for attributes, except `body`. */
export interface WebviewPageParts {
	/** Its `Content-Security-Policy`. */
	readonly policy: string;
	readonly title: string;
	/** The display language, such as `en`. */
	readonly language: string;
	/** Where its style sheets are, which the policy lets load. */
	readonly styles: readonly string[];
	/** Markup of the extension. */
	readonly body: string;
}

/** A page of ours for a webview: its policy, its style sheets and a body. */
export function webviewPage({ policy, title, language, styles, body }: WebviewPageParts): string {
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
	${body}
</body>
</html>`;
}

/** A text as the value of an attribute, or between tags. */
export function escapeAttribute(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
