import { html, nothing, type TemplateResult } from "lit";
import { showHidden } from "../../src/base/text.ts";
import type { ReviewRow } from "../../src/servers/review/reviewProtocol.ts";

/** One whole part of a server's definition: each value on its own line, with the approved one. */
export function reviewRow({ label, values, former }: ReviewRow): TemplateResult {
	return html`
		<section class="card">
			<h2>${label}${former === undefined ? nothing : html` <span class="badge">changed</span>`}</h2>
			${values.length === 0 ? html`<p class="muted">none</p>` : list(values, "")}
			${
				former === undefined
					? nothing
					: html`<h3 class="muted">Approved before</h3>
							${former.length === 0 ? html`<p class="muted">none</p>` : list(former, "former")}`
			}
		</section>
	`;
}

/** Unusual parts of a server's definition; nothing if there are none. */
export function reviewWarnings(warnings: readonly string[]): TemplateResult | typeof nothing {
	if (warnings.length === 0) return nothing;
	return html`<ul class="warnings" role="alert">
		${warnings.map((warning) => html`<li>${warning}</li>`)}
	</ul>`;
}

/** Why servers start only once the workspace is trusted, with the way to trust it; nothing otherwise. */
export function trustNote(trust: string | undefined, manage: () => void): TemplateResult | typeof nothing {
	if (trust === undefined) return nothing;
	return html`${reviewWarnings([trust])}
		<div class="actions">
			<button class="secondary" @click=${manage}>Manage Workspace Trust</button>
		</div>`;
}

function list(values: readonly string[], kind: string): TemplateResult {
	return html`<ol class="values ${kind}">
		${values.map((value) => html`<li><code>${showHidden(value)}</code></li>`)}
	</ol>`;
}
