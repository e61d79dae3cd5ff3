import { html, nothing, type TemplateResult } from "lit";
import type { ResultTable, ResultView } from "../../src/features/tools/results/resultProtocol.ts";

/** How structured content is shown. */
export type StructuredTab = "table" | "json";

/** The user's actions on structured content. */
export interface StructuredActions {
	choose(tab: StructuredTab): void;
	open(): void;
}

/** Structured content, as a table where it has rows, or as JSON. */
export function structuredContent(
	{ json, total, table }: NonNullable<ResultView["structured"]>,
	chosen: StructuredTab | undefined,
	actions: StructuredActions,
): TemplateResult {
	const tab = table === undefined ? "json" : (chosen ?? "table");
	return html`
		<section class="card" aria-labelledby="structured-heading">
			<div class="row">
				<h2 id="structured-heading">Structured Content</h2>
				${
					table === undefined
						? nothing
						: html`<div class="row" role="group" aria-label="Shown as">
								${tabButton("table", "Table", tab, actions)} ${tabButton("json", "JSON", tab, actions)}
							</div>`
				}
				<button class="link" @click=${() => actions.open()}>Open in Editor</button>
			</div>
			${
				table !== undefined && tab === "table"
					? tableOf(table)
					: html`<pre tabindex="0" role="group" aria-label="Structured content as JSON">${json}</pre>
							${json.length < total ? html`<p class="muted">Only the beginning. Use Open in Editor to see everything.</p>` : nothing}`
			}
		</section>
	`;
}

function tabButton(kind: StructuredTab, label: string, tab: StructuredTab, actions: StructuredActions): TemplateResult {
	return html`<button class="tab" aria-pressed=${kind === tab} @click=${() => actions.choose(kind)}>${label}</button>`;
}

function tableOf({ name, facts, totalFacts, columns, totalColumns, rows, total }: ResultTable): TemplateResult {
	return html`
		${
			facts.length === 0
				? nothing
				: html`<dl class="facts">
						${facts.map(
							([key, value]) =>
								html`<dt>${key}</dt>
									<dd>${value}</dd>`,
						)}
					</dl>`
		}
		${leftOut(facts.length, totalFacts, "values")}
		<div class="table" tabindex="0" role="group" aria-label=${name ?? "Structured content as a table"}>
			<table>
				${
					name === undefined
						? nothing
						: html`<caption>
								${name}
							</caption>`
				}
				<thead>
					<tr>
						${columns.map((column) => html`<th scope="col">${column}</th>`)}
					</tr>
				</thead>
				<tbody>
					${rows.map(
						(row) =>
							html`<tr>
								${row.map((cell) => html`<td>${cell}</td>`)}
							</tr>`,
					)}
				</tbody>
			</table>
		</div>
		${leftOut(columns.length, totalColumns, "columns")} ${leftOut(rows.length, total, "rows")}
	`;
}

/** A note on the omitted part of a table. */
function leftOut(shown: number, total: number, what: string): TemplateResult | typeof nothing {
	if (shown >= total) return nothing;
	return html`<p class="muted">
		The first ${shown.toLocaleString()} of ${total.toLocaleString()} ${what}. Use JSON or Open in Editor to see more.
	</p>`;
}
