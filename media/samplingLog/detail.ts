import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { LogAttempt, LogDetail, LogFact, LogText } from "../../src/activity/logProtocol.ts";
import { diffView } from "../shared/diffView.ts";
import { diffTexts } from "../shared/textDiff.ts";
import { marks, moment } from "./list.ts";

/** What the person can do with an entry. */
export interface DetailActions {
	readonly back: () => void;
	readonly copy: (id: string) => void;
	/** It stands within what has a heading and a way back of its own. */
	readonly isPart?: boolean;
}

/** One entry whole: the request as it came, every attempt with what was changed, and what the server got. */
export function detailView(detail: LogDetail, { back, copy, isPart = false }: DetailActions): TemplateResult {
	const { id, at, server, during, standing, decision, reason, endedAt, took } = detail;
	const facts: readonly (LogFact | undefined)[] = [
		{ name: "Arrived", value: moment(at) },
		during === undefined ? { name: "During", value: "nothing: on its own" } : { name: "During", value: during },
		endedAt === undefined ? undefined : { name: "Ended", value: moment(endedAt) },
		reason === undefined || reason === "" ? undefined : { name: "Reason", value: reason },
		took === "" ? undefined : { name: "Took", value: took },
	];
	return html`
		<article class="detail" aria-labelledby="detail-heading">
			${
				isPart
					? nothing
					: html`<div class="row detail-bar">
							<button id="back" class="secondary" @click=${back}>← All Entries</button>
							<button class="link" @click=${() => copy(id)}>Copy Entry as JSON</button>
						</div>`
			}
			<h2 id="detail-heading">
				<span class="mark" aria-hidden="true">${marks[standing]}</span> <bdi>${server}</bdi>: ${decision}
			</h2>
			${factList(facts.filter((fact) => fact !== undefined))}
			${detail.notes.map((note) => html`<p class="notice warning">${note}</p>`)} ${requestCard(detail)}
			${detail.attempts.map(attemptCard)}
			${
				detail.returned.length === 0
					? nothing
					: html`<section class="card" aria-label="Returned to the server">
							<h3>Returned to the Server</h3>
							${detail.returned.map(finalText)}
						</section>`
			}
		</article>
	`;
}

function requestCard({ request, media, settings, parameters }: LogDetail): TemplateResult {
	return html`<section class="card" aria-label="The request as it came">
		<h3>The Request as It Came</h3>
		${request.map((text) => html`<div class="text-block">${heading(text)}${quoted(text.original, text.label)}</div>`)}
		${factList(media)} ${factList(settings)}
		<details>
			<summary>Parameters as JSON</summary>
			${quoted(parameters, "Parameters as JSON")}
		</details>
	</section>`;
}

function attemptCard({ title, at, facts, edits, completion, failure }: LogAttempt): TemplateResult {
	return html`<section class="card" aria-label=${title}>
		<div class="row">
			<h3>${title}</h3>
			<span class="muted">${moment(at)}</span>
		</div>
		${failure === undefined ? nothing : html`<p class="notice error failure">✗ ${failure}</p>`} ${factList(facts)}
		${
			edits.length === 0
				? html`<p class="muted">The request was sent as it came.</p>`
				: html`<h4>Changed in the Request</h4>
						${edits.map(changedText)}`
		}
		${
			completion.length === 0
				? nothing
				: html`<h4>The Completion as It Came</h4>
						${completion.map((text) => html`<div class="text-block">${heading(text)}${quoted(text.original, text.label)}</div>`)}`
		}
	</section>`;
}

/** What the server got, with what was changed of it beside it. */
function finalText(text: LogText): TemplateResult {
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

function changedText(text: LogText): TemplateResult {
	const { label, original, edited } = text;
	return html`<div class="text-block">
		<p class="label">${label} <span class="badge edited">${edited === null ? "taken out" : "edited"}</span></p>
		${text.note === undefined ? nothing : html`<p class="muted note">${text.note}</p>`}
		${guard([original, edited], () =>
			edited === null || edited === undefined
				? quoted(original, `${label}, taken out`)
				: diffView(label, diffTexts(original, edited)),
		)}
	</div>`;
}

function heading({ label, note }: LogText): TemplateResult {
	return html`<p class="label">${label}</p>
		${note === undefined ? nothing : html`<p class="muted note">${note}</p>`}`;
}

/** A text of any length; it can be scrolled by keyboard. */
function quoted(text: string, label: string): TemplateResult {
	if (text === "") return html`<p class="muted">empty</p>`;
	return html`<pre class="text" tabindex="0" role="group" aria-label=${label} dir="auto">${text}</pre>`;
}

function factList(facts: readonly LogFact[]): TemplateResult | typeof nothing {
	if (facts.length === 0) return nothing;
	return html`<dl class="facts">
		${facts.map(
			({ name, value, isCode = false }) =>
				html`<dt>${name}</dt>
					<dd class=${isCode ? "code" : ""}><bdi>${value}</bdi></dd>`,
		)}
	</dl>`;
}
