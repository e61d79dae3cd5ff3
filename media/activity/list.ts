import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type {
	ActivityList,
	ActivityRow,
	ActivityStanding,
} from "../../src/records/activity/journal/activityProtocol.ts";
import { moment, wholeMoment } from "./moment.ts";
import { listenerOf } from "../shared/controls.ts";

/** The mark of each state; the words beside it say the same. */
export const marks: Readonly<Record<ActivityStanding, string>> = {
	done: "✓",
	open: "…",
	denied: "⊘",
	failed: "✗",
	unknown: "?",
	noted: "·",
};

/** The results, newest first. The arrow keys move between them; only visible ones are laid out. */
export function activityList(
	{ rows, all }: ActivityList,
	selected: string | undefined,
	select: (id: string) => void,
): TemplateResult {
	if (rows.length === 0) {
		return html`<p class="muted empty">
			${all === 0 ? "No entries yet. Decisions and effects appear here." : "No entries match."}
		</p>`;
	}
	const entered = rows.some(({ id }) => id === selected) ? selected : rows[0]?.id;
	return html`<ol class="entries" aria-label="Activity, newest first" @keydown=${move}>
		${repeat(
			rows,
			({ id }) => id,
			(row) => html`<li>${activityRow(row, row.id === selected, row.id === entered, select)}</li>`,
		)}
	</ol>`;
}

/** One row, as a button that shows all of it. */
export function activityRow(
	row: ActivityRow,
	isSelected: boolean,
	isEntered: boolean,
	select: (id: string) => void,
): TemplateResult {
	const { id, at, subject, standing, event, isUnasked, excerpt } = row;
	const server = row.server === subject ? "" : row.server;
	return html`<button
		class="entry"
		data-id=${id}
		aria-current=${isSelected ? "true" : nothing}
		tabindex=${isEntered ? 0 : -1}
		@click=${() => select(id)}
	>
		<span class="entry-head"
			><bdi class="entry-server">${subject}</bdi
			><time datetime=${new Date(at).toISOString()} title=${wholeMoment(at)}>${moment(at)}</time></span
		>
		<span class="entry-decision ${standing}"
			><span class="mark" aria-hidden="true">${marks[standing]}</span> <bdi>${event}</bdi></span
		>
		${excerpt === "" ? nothing : html`<span class="entry-excerpt" dir="auto">${excerpt}</span>`}
		${
			server === "" && row.details === ""
				? nothing
				: html`<span class="entry-details"><bdi>${server}</bdi>${row.details === "" ? "" : ` · ${row.details}`}</span>`
		}
		${isUnasked ? html`<span><span class="badge edited">You were not asked</span></span>` : nothing}
	</button>`;
}

/** Moves the focus among the entries; choosing one is Enter or a click. */
function move(event: KeyboardEvent): void {
	const entries = [...listenerOf(event).querySelectorAll<HTMLElement>(".entry")];
	const at = entries.findIndex((entry) => entry === event.target);
	const targets: Readonly<Record<string, number>> = {
		ArrowDown: Math.min(at + 1, entries.length - 1),
		ArrowUp: Math.max(at - 1, 0),
		Home: 0,
		End: entries.length - 1,
	};
	const target = targets[event.key];
	if (at < 0 || target === undefined) return;
	event.preventDefault();
	entries[target]?.focus();
}
