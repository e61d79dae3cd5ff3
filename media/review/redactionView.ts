import { html, nothing, type TemplateResult } from "lit";
import type { RedactionView } from "../../src/features/sampling/review/reviewProtocol.ts";
import type { ReviewPanel } from "./panel.ts";

/** The secrets that stand as marks in the texts, each with a way to show it in its places or to hide it again. */
export function redactionList(panel: ReviewPanel): TemplateResult | typeof nothing {
	const { redactions } = panel.model.document;
	if (redactions.length === 0) return nothing;
	const hidden = redactions.filter(({ isShown }) => !isShown).length;
	return html`<div class="redactions" role="group" aria-label="Secrets in the request">
		<p>${sentence(redactions.length, hidden)}</p>
		<ul>
			${redactions.map((redaction) => redactionRow(panel, redaction))}
		</ul>
	</div>`;
}

function sentence(count: number, hidden: number): string {
	const secrets = count === 1 ? "1 secret was found" : `${count} secrets were found`;
	if (hidden === 0) return `⚠ ${secrets} in the request and would be sent.`;
	const replaced = hidden === 1 ? "1 is" : `${hidden} are`;
	return hidden === count
		? `${secrets} in the request. ${count === 1 ? "A placeholder stands in its" : "Placeholders stand in their"} place, also in what is sent.`
		: `⚠ ${secrets} in the request. ${replaced} replaced by ${hidden === 1 ? "a placeholder" : "placeholders"}; what you show is sent as it is.`;
}

function redactionRow({ model }: ReviewPanel, { id, label, mark, count, isShown }: RedactionView): TemplateResult {
	const verb = isShown ? "Hide" : "Show";
	return html`<li class="row">
		<span class="label">${label}</span> <span class="code">${mark}</span>
		<span class="muted">${count === 1 ? "once" : `${count} times`}${isShown ? " · shown, and sent" : ""}</span>
		<button
			class="link"
			?disabled=${model.isReadonly}
			aria-label="${verb} ${label}, ${mark}"
			@click=${() => model.showRedacted(id, !isShown)}
		>
			${verb}
		</button>
	</li>`;
}
