import { html, type TemplateResult } from "lit";
import { messageList } from "./messageView.ts";
import { editedBadge, panelField, type ReviewPanel } from "./panel.ts";
import { contextChoice, metadata, modelSelect, parameters, preferences, tools } from "./parametersView.ts";
import { redactionList } from "./redactionView.ts";

/** Wide enough for the completion and the request beside each other; review.css has the same width. */
export const sideBySide = matchMedia("(min-width: 1000px)");

const key = "request";

/**
 * Whether the request can be read: always while it is decided about; once its completion is, beside that where there is
 * room, and folded below it elsewhere, unless the person has opened or folded it.
 */
export function isRequestOpen({ model, memory }: ReviewPanel): boolean {
	return model.stage === "request" || memory.isOpen(key, sideBySide.matches);
}

/** The first half of the review: what would go, or went, to the model. */
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

/** How much there is of it; folded, far below its frame, also whose it is and during what. */
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
