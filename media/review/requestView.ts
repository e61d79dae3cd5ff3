import { html, type TemplateResult, nothing } from "lit";
import { messageList } from "./messageView.ts";
import { editedBadge, panelField, type ReviewPanel } from "./panel.ts";
import { contextChoice, metadata, modelSelect, parameters, preferences, tools } from "./parametersView.ts";
import type { RedactionView } from "../../src/features/sampling/review/reviewProtocol.ts";

/** Wide enough for the completion and the request beside each other; review.css has the same width. */
export const sideBySide = matchMedia("(min-width: 1000px)");

const key = "request";

/**
 * Whether the request can be read: always while it is decided about; once its completion is, beside that where there is
 * room, and folded below it elsewhere, unless the user has opened or folded it.
 */
export function isRequestOpen({ model, memory }: ReviewPanel): boolean {
	return model.stage === "request" || memory.isOpen(key, sideBySide.matches);
}

/** The first half of the review: the request to the model, before or after it was sent. */
export function requestSection(panel: ReviewPanel): TemplateResult {
	const { model, memory, update } = panel;
	const isOpen = isRequestOpen(panel);
	const onToggle = ({ currentTarget }: Event): void => {
		const open = currentTarget instanceof HTMLDetailsElement && currentTarget.open;
		if (open === isRequestOpen(panel)) return;
		memory.setOpen(key, open);
		update();
	};
	return html`<section class="card" aria-label="Request" data-stage="request">
		<details class="request" ?open=${isOpen} @toggle=${onToggle}>
			<summary ?hidden=${model.stage === "request"}>
				<h2>Request</h2>
				${oneLine(panel, isOpen)} ${editedBadge(model.editsOf("request").length > 0)}
			</summary>
			<div class="request-parts">
				<div class="request-part">
					${redactionList(panel)} ${panelField(panel, "request", model.document.system)} ${messageList(panel)}
				</div>
				<div class="request-part">
					${modelSelect(panel)} ${parameters(panel)} ${tools(panel)} ${preferences(panel)} ${metadata(panel)}
					${contextChoice(panel)}
				</div>
			</div>
		</details>
	</section>`;
}

/** Its size; if it is folded, far below its frame, also its server and its cause. */
function oneLine({ model }: ReviewPanel, isOpen: boolean): TemplateResult {
	const { server, during, messages, redactions } = model.document;
	const count = messages.length === 1 ? "1 message" : `${messages.length} messages`;
	const secrets =
		redactions.length === 0 ? "" : redactions.length === 1 ? ", 1 secret" : `, ${redactions.length} secrets`;
	if (isOpen) return html`<span class="muted">${count}${secrets}</span>`;
	return html`<span class="muted"
		>${count}${secrets} ·
		<bdi>${server}</bdi>${during === undefined ? " on its own" : html`, during <bdi>${during}</bdi>`}</span
	>`;
}

/** The secrets that are marks in the texts, each with a way to reveal or hide it. */
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
		? `${secrets} in the request. ${count === 1 ? "It is replaced by a placeholder" : "They are replaced by placeholders"}, also in the text that is sent.`
		: `⚠ ${secrets} in the request. ${replaced} replaced by ${hidden === 1 ? "a placeholder" : "placeholders"}; secrets that you show are sent unchanged.`;
}

function redactionRow({ model }: ReviewPanel, { id, label, mark, count, isShown }: RedactionView): TemplateResult {
	const verb = isShown ? "Hide" : "Show";
	return html`<li class="row">
		<span class="label">${label}</span> <span class="code">${mark}</span>
		<span class="muted">${count === 1 ? "once" : `${count} times`}${isShown ? " · shown and sent" : ""}</span>
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
