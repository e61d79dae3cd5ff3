import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { live } from "lit/directives/live.js";
import type { CompletionView, ReviewField, ReviewStep } from "../../src/features/sampling/review/reviewProtocol.ts";
import { hasLongLine } from "./longLine.ts";
import { panelField, removeButton, type ReviewPanel, section } from "./panel.ts";
import type { StreamView } from "./streamView.ts";
import { valueOf } from "../shared/controls.ts";

/** A longer line of thoughts is scrolled. */
const longestLine = 10_000;

/** The second half of the review: the answer as it arrives, then as it would be returned. */
export function completionSection(panel: ReviewPanel, stream: StreamView): TemplateResult {
	const { step } = panel.model.state;
	return html`<section class="card" aria-labelledby="completion-title" data-stage="completion">
		<div class="row">
			<h2 id="completion-title" tabindex="-1">Completion</h2>
			<span class="muted">${authorOf(step, panel.model.completion)}</span>
			<span class="end-of-row">
				${
					step.kind === "generating"
						? html`<button id="stop" class="secondary" @click=${() => panel.model.stop()}>Stop</button>`
						: attempts(panel)
				}
			</span>
		</div>
		${step.kind === "generating" ? streaming(step, stream) : reviewed(panel)}
	</section>`;
}

function authorOf(step: ReviewStep, completion: CompletionView | undefined): string {
	if (step.kind === "generating") return `by ${step.model}, streaming…`;
	if (completion === undefined) return "";
	return completion.model === undefined ? "by hand" : `by ${completion.model}`;
}

function streaming(step: Extract<ReviewStep, { kind: "generating" }>, stream: StreamView): TemplateResult {
	return html`
		${stream.render(step.text, document.querySelector<HTMLElement>("#stream"))}
		${step.note === undefined ? nothing : html`<p class="muted">${step.note}</p>`}
	`;
}

function reviewed(panel: ReviewPanel): TemplateResult | typeof nothing {
	const { completion } = panel.model;
	if (completion === undefined) return nothing;
	return html`
		${thoughts(panel, completion)}
		${completion.fields.map((field) => (field.place === "text" ? panelField(panel, "completion", field, { name: "Text that the server receives" }) : toolCall(panel, field)))}
		<p class="muted">${completion.note}${completion.used === undefined ? nothing : html`<br />${completion.used}`}</p>
	`;
}

/** Folded, again with each completion: it is not part of the returned text. */
function thoughts(panel: ReviewPanel, { attempt, thoughts: text }: CompletionView): TemplateResult | typeof nothing {
	if (text === undefined) return nothing;
	const summary = html`Thoughts of the model <span class="muted">not sent to the server</span>`;
	const content = (): TemplateResult =>
		html`<pre
			class="quote ${hasLongLine(text, longestLine) ? "unwrapped" : ""}"
			tabindex="0"
			role="group"
			aria-label="Thoughts of the model"
			.textContent=${text}
		></pre>`;
	return html`${keyed(attempt, section(panel, `thoughts.${attempt}`, summary, false, content))}`;
}

function toolCall(panel: ReviewPanel, field: ReviewField): TemplateResult {
	const remove = removeButton(panel, "completion", field.place, field.label);
	if (!panel.model.isRemoved("completion", field.place)) {
		return panelField(panel, "completion", field, { extras: remove });
	}
	return html`<div class="row" data-place=${field.place}>
		<span class="label">${field.label}</span> <span class="muted">removed: it is not returned</span>
		<span class="end-of-row">${remove}</span>
	</div>`;
}

/** The completions there are: an earlier one may have been the better one. */
function attempts({ model }: ReviewPanel): TemplateResult | typeof nothing {
	const { attempts } = model.state;
	const { completion } = model;
	if (attempts.length < 2 || completion === undefined) return nothing;
	return html`<select
		id="attempt"
		class="inline"
		aria-label="Completions so far"
		?disabled=${model.isReadonly}
		@change=${(event: Event) => model.showAttempt(Number(valueOf(event)))}
	>
		${attempts.map(
			({ attempt, label }) =>
				html`<option value=${attempt} .selected=${live(attempt === completion.attempt)}>${label}</option>`,
		)}
	</select>`;
}
