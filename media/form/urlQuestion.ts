import { html, nothing, type TemplateResult } from "lit";
import type { UrlView } from "../../src/form/formProtocol.ts";

/** A web page that a server asks the person to open: the URL in full, its host set off, and what is odd about it. */
export function urlQuestion({ before, host, after, warnings }: UrlView): TemplateResult {
	return html`
		<div class="card">
			<p>
				If you agree, this page opens in your browser. What you enter there goes to the site, not to MCP Host. Nothing
				has been loaded from it yet.
			</p>
			<p class="code" id="url">
				<span class="muted">${before}</span><strong>${host}</strong><span class="muted">${after}</span>
			</p>
			<p>Site: <strong class="code">${host}</strong></p>
		</div>
		${
			warnings.length === 0
				? nothing
				: html`<ul class="warnings">
						${warnings.map((text) => html`<li>${text}</li>`)}
					</ul>`
		}
	`;
}
