import { html, nothing, type TemplateResult } from "lit";

/** Who asks, in the fixed words of the host: the frame around every question (experience.md). */
export interface Frame {
	readonly heading: string;
	readonly server: string;
	readonly during?: string;
	/** Where the server is defined, in place of what is going on, when the question is about the server itself. */
	readonly origin?: string;
	/** What the server says about it. */
	readonly quote?: string;
	/** How the question ended, once it has. */
	readonly end?: string;
}

/** The header of a panel: the question, who asks it and during what, how it ended, and the server's own words. */
export function frameHeader({ heading, server, during, origin, quote, end }: Frame): TemplateResult {
	const occasion = during === undefined ? "on its own" : `during ${during}`;
	return html`
		<header class="frame">
			<h1>${heading}</h1>
			<p class="muted">Server: ${server} · ${origin === undefined ? occasion : `defined in ${origin}`}</p>
			<div role="status">${end === undefined ? nothing : html`<p class="end">${end}</p>`}</div>
		</header>
		${
			quote === undefined || quote === ""
				? nothing
				: html`<blockquote class="quote"><span class="quote-source">${server} says:</span>${quote}</blockquote>`
		}
	`;
}
