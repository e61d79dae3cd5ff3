import { html, nothing, type TemplateResult } from "lit";
import type { TraceAction, TraceDetail } from "../../src/surfaces/trace/viewProtocol.ts";
import { factList } from "../shared/factList.ts";
import { marks } from "./grid.ts";

/** The user's actions on the details. */
export interface DetailActions {
	readonly act: (action: string) => void;
	readonly close: () => void;
}

/** One exchange whole, beside the rows or in their place. */
export function detailView(detail: TraceDetail, { act, close }: DetailActions): TemplateResult {
	const { title, standing, outcome, facts, notes, groups, messages, actions, copies } = detail;
	return html`<aside id="detail" aria-labelledby="detail-title" tabindex="-1">
		<div class="detail-head">
			<h2 id="detail-title"><bdi>${title}</bdi></h2>
			<button id="close" class="icon" title="Close Details (Escape)" aria-label="Close Details" @click=${close}>
				✕
			</button>
		</div>
		<p class="outcome ${standing}"><span class="mark" aria-hidden="true">${marks[standing]}</span> ${outcome}</p>
		${buttons(actions, act)} ${factList(facts)} ${notes.map((note) => html`<p class="notice">${note}</p>`)}
		${messages.map(
			(message) =>
				html`<section aria-label=${message.title}>
					<h3>${message.title}</h3>
					${buttons(message.actions, act)}
					<pre class="text" tabindex="0" role="group" aria-label=${message.title} dir="auto">${message.excerpt}</pre>
				</section>`,
		)}
		${groups.map(
			(group) =>
				html`<section aria-label=${group.title}>
					<h3>${group.title}</h3>
					${factList(group.facts)}
				</section>`,
		)}
		${
			copies.length === 0
				? nothing
				: html`<section aria-label="Copy">
						<h3>Copy As</h3>
						${buttons(copies, act)}
					</section>`
		}
	</aside>`;
}

function buttons(actions: readonly TraceAction[], act: (action: string) => void): TemplateResult | typeof nothing {
	if (actions.length === 0) return nothing;
	return html`<div class="buttons">
		${actions.map(({ id, label }) => html`<button class="link" data-action=${id} @click=${() => act(id)}>${label}</button>`)}
	</div>`;
}
