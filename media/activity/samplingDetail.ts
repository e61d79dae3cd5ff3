import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { SamplingAttempt, SamplingDetail, SamplingText } from "../../src/records/activity/samplingProtocol.ts";
import { diffView } from "../shared/diffView.ts";
import { factList } from "../shared/factList.ts";
import { diffTexts } from "../shared/textDiff.ts";
import { exactMoment } from "./moment.ts";

/**
 * The contents of a sampling request: the request as received, every attempt with its changes, and the server's answer.
 */
export function samplingView(detail: SamplingDetail): TemplateResult {
	return html`
		${factList(detail.facts)} ${detail.notes.map((note) => html`<p class="notice warning">${note}</p>`)}
		${requestCard(detail)} ${detail.attempts.map(attemptCard)}
		${
			detail.returned.length === 0
				? nothing
				: html`<section class="card" aria-label="Returned to the server">
						<h3>Returned to the Server</h3>
						${detail.returned.map(finalText)}
					</section>`
		}
	`;
}

function requestCard({ request, media, settings, parameters }: SamplingDetail): TemplateResult {
	return html`<section class="card" aria-label="The request as received">
		<h3>The Request as Received</h3>
		${request.map((text) => html`<div class="text-block">${heading(text)}${quoted(text.original, text.label)}</div>`)}
		${factList(media)} ${factList(settings)}
		<details>
			<summary>Parameters as JSON</summary>
			${quoted(parameters, "Parameters as JSON")}
		</details>
	</section>`;
}

function attemptCard({ title, at, facts, edits, completion, failure }: SamplingAttempt): TemplateResult {
	return html`<section class="card" aria-label=${title}>
		<div class="row">
			<h3>${title}</h3>
			<span class="muted">${exactMoment(at)}</span>
		</div>
		${failure === undefined ? nothing : html`<p class="notice error failure">✗ ${failure}</p>`} ${factList(facts)}
		${
			edits.length === 0
				? html`<p class="muted">The request was sent unchanged.</p>`
				: html`<h4>Changed in the Request</h4>
						${edits.map(changedText)}`
		}
		${
			completion.length === 0
				? nothing
				: html`<h4>The Completion as Received</h4>
						${completion.map((text) => html`<div class="text-block">${heading(text)}${quoted(text.original, text.label)}</div>`)}`
		}
	</section>`;
}

/** The answer to the server, with its changes beside it. */
function finalText(text: SamplingText): TemplateResult {
	if (text.edited === undefined) {
		return html`<div class="text-block">${heading(text)}${quoted(text.original, text.label)}</div>`;
	}
	return html`${
			text.edited === null
				? nothing
				: html`<div class="text-block">${heading(text)}${quoted(text.edited, text.label)}</div>`
		}
		<h4>Changed from the Model's Answer</h4>
		${changedText(text)}`;
}

function changedText(text: SamplingText): TemplateResult {
	const { label, original, edited } = text;
	return html`<div class="text-block">
		<p class="label">${label} <span class="badge edited">${edited === null ? "removed" : "edited"}</span></p>
		${text.note === undefined ? nothing : html`<p class="muted note">${text.note}</p>`}
		${guard([original, edited], () =>
			edited === null || edited === undefined
				? quoted(original, `${label}, removed`)
				: diffView(label, diffTexts(original, edited)),
		)}
	</div>`;
}

function heading({ label, note }: SamplingText): TemplateResult {
	return html`<p class="label">${label}</p>
		${note === undefined ? nothing : html`<p class="muted note">${note}</p>`}`;
}

/** A text of any length; it can be scrolled by keyboard. */
function quoted(text: string, label: string): TemplateResult {
	if (text === "") return html`<p class="muted">empty</p>`;
	return html`<pre class="text" tabindex="0" role="group" aria-label=${label} dir="auto">${text}</pre>`;
}
