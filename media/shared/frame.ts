import { html, nothing, type TemplateResult } from "lit";

/** Who asks, in the fixed words of the host: the frame around every question. */
export interface Frame {
	/** The owner of the question; the server by default. A form of the user's own has no cause. */
	readonly asker?: "server" | "user";
	readonly heading: string;
	readonly server: string;
	readonly during?: string;
	/** Where the server is defined, instead of the cause, when the question is about the server itself. */
	readonly origin?: string;
	/** The server's text about it. */
	readonly quote?: string;
	/** How the question ended, once it has. */
	readonly end?: string;
}

/**
 * The header of a panel: the question, the server and the cause, how it ended, and the server's own words. Names and
 * words in right-to-left scripts stay within their own bounds.
 */
export function frameHeader(frame: Frame): TemplateResult {
	const { heading, server, quote, end } = frame;
	return html`
		<header class="frame">
			<h1>${heading}</h1>
			<p class="muted">Server: <bdi>${server}</bdi>${occasion(frame)}</p>
			<div role="status">${end === undefined ? nothing : html`<p class="end">${end}</p>`}</div>
		</header>
		${
			quote === undefined || quote === ""
				? nothing
				: html`<blockquote class="quote">
						<span class="quote-source">${server} says:</span>
						<div class="quote-text" dir="auto">${quote}</div>
					</blockquote>`
		}
	`;
}

function occasion({ asker, during, origin }: Frame): TemplateResult | typeof nothing {
	if (origin !== undefined) return html` · defined in <bdi>${origin}</bdi>`;
	if (during !== undefined) return html` · during <bdi>${during}</bdi>`;
	return asker === "user" ? nothing : html` · on its own`;
}
