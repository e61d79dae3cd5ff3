import { html, nothing, type TemplateResult } from "lit";
import type { ActivityDetail, ActivityStep } from "../../src/records/activity/journal/activityProtocol.ts";
import { factList } from "../shared/factList.ts";
import { activityRow, marks } from "./list.ts";
import { exactMoment, wholeMoment } from "./moment.ts";
import { samplingView } from "./samplingDetail.ts";

/** The user's actions on the displayed item. */
export interface DetailActions {
	readonly back: () => void;
	readonly trace: (id: string) => void;
	readonly copy: (id: string) => void;
	readonly select: (id: string) => void;
	readonly showTurn: (turn: string) => void;
	readonly chooseContents: () => void;
}

/** A whole item: its steps in their order, the facts about it, and for a turn its other entries. */
export function detailView(detail: ActivityDetail, actions: DetailActions): TemplateResult {
	const {
		id,
		subject,
		server,
		standing,
		event,
		isUnasked,
		steps,
		facts,
		turn,
		story,
		group,
		sampling,
		isTraced,
		isUnkept,
	} = detail;
	return html`
		<article class="detail" aria-labelledby="activity-heading">
			<div class="row detail-bar">
				<button id="back" class="secondary" @click=${actions.back}>← All Entries</button>
				${
					turn === undefined || turn === "" || group === "turn"
						? nothing
						: html`<button class="link" @click=${() => actions.showTurn(turn)}>Show the Whole Turn</button>`
				}
				${isTraced ? html`<button class="link" @click=${() => actions.trace(id)}>Show in Trace</button>` : nothing}
				<button class="link" @click=${() => actions.copy(id)}>Copy as JSON</button>
			</div>
			<h2 id="activity-heading">
				<span class="mark" aria-hidden="true">${marks[standing]}</span> <bdi>${subject}</bdi>: <bdi>${event}</bdi>
			</h2>
			${server === "" || server === subject ? nothing : html`<p class="muted"><bdi>${server}</bdi></p>`}
			${isUnasked ? html`<p class="notice warning">You were not asked, because one of your rules or grants allowed it.</p>` : nothing}
			<section class="card" aria-label="What happened">
				<h3>What Happened</h3>
				<ol class="steps">
					${steps.map(stepView)}
				</ol>
				${
					isUnkept
						? html`<p class="muted">
								The arguments and the result of this call were not kept.
								<button class="link" @click=${actions.chooseContents}>Change What Is Kept…</button>
							</p>`
						: nothing
				}
			</section>
			${
				story.length === 0
					? nothing
					: html`<section class="card" aria-label="In this turn">
							<h3>In This Turn</h3>
							${story.map((row) => activityRow(row, false, true, actions.select))}
						</section>`
			}
			${factList(facts.filter(({ isCode }) => isCode !== true))}
			${
				sampling !== undefined
					? samplingView(sampling)
					: group === "sampling"
						? html`<p class="muted">The contents were not recorded, or have been deleted.</p>`
						: nothing
			}
			${idList(facts.filter(({ isCode }) => isCode === true))}
		</article>
	`;
}

/** Data for machines and reports only: available, but out of the way. */
function idList(ids: ActivityDetail["facts"]): TemplateResult | typeof nothing {
	if (ids.length === 0) return nothing;
	return html`<details>
		<summary>Identifiers</summary>
		${factList(ids)}
	</details>`;
}

function stepView({ at, event, contents }: ActivityStep): TemplateResult {
	return html`<li>
		<time class="muted" datetime=${new Date(at).toISOString()} title=${wholeMoment(at)}>${exactMoment(at)}</time>
		<bdi>${event}</bdi>
		${
			contents === undefined
				? nothing
				: html`<pre class="text" tabindex="0" role="group" aria-label="Contents" dir="auto">${contents}</pre>`
		}
	</li>`;
}
