import { createHash } from "node:crypto";

/** What the loopback receiver shows in the browser. Fixed texts: nothing of a request is ever in them (security.md AUT-09). */
export interface Page {
	readonly status: number;
	readonly html: string;
}

const style = `
	body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; margin: 0 2rem; }
	h1 { font-size: 1.5rem; font-weight: 600; margin: 0 0 0.5rem; }
	p { margin: 0; max-width: 36rem; }
	:root { color-scheme: light dark; }
`;

/** The headers of every page: it may load nothing, run nothing and be framed by nobody. */
export const pageHeaders = {
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": [
		"default-src 'none'",
		`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join("; "),
	"x-content-type-options": "nosniff",
	// The address holds the code.
	"referrer-policy": "no-referrer",
	"cache-control": "no-store",
} as const;

/** All pages. */
export const pages = {
	done: page(200, "Back to VS Code", "You can close this window and return to VS Code."),
	notCompleted: page(200, "Not signed in", "Close this window and return to VS Code, which says why."),
	notAwaited: page(400, "Nothing to do here", "VS Code does not wait for this sign-in. Start it again in VS Code."),
	forbidden: page(403, "Nothing to do here", "This address is only for signing in with VS Code on this machine."),
	notFound: page(404, "Nothing to do here", "This address is only for signing in with VS Code."),
	wrongMethod: page(405, "Nothing to do here", "This address is only for signing in with VS Code."),
} satisfies Record<string, Page>;

function page(status: number, title: string, text: string): Page {
	const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>MCP Host</title>`;
	return {
		status,
		html: `<!doctype html><html lang="en"><head>${head}<style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`,
	};
}
