import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { LogList, LogRow, LogStanding } from "../../src/activity/logProtocol.ts";

/** The mark of each standing; the words beside it say the same. */
export const marks: Readonly<Record<LogStanding, string>> = {
	open: "…",
	returned: "✓",
	rejected: "✗",
	refused: "⊘",
	lapsed: "◌",
	interrupted: "!",
};

/** The entries, newest first. The arrow keys go from one to the next; only what is in sight is laid out. */
export function entryList(
	{ rows, all }: LogList,
	selected: string | undefined,
	select: (id: string) => void,
): TemplateResult {
	if (rows.length === 0) {
		return html`<p class="muted empty">
			${all === 0 ? "Nothing is recorded yet. Requests of servers for completions appear here." : "Nothing was found."}
		</p>`;
	}
	const entered = rows.some(({ id }) => id === selected) ? selected : rows[0]?.id;
	return html`<ol class="entries" aria-label="Requests, newest first" @keydown=${move}>
		${repeat(
			rows,
			({ id }) => id,
			(row) => html`<li>${entry(row, row.id === selected, row.id === entered, select)}</li>`,
		)}
	</ol>`;
}

function entry(row: LogRow, isSelected: boolean, isEntered: boolean, select: (id: string) => void): TemplateResult {
	const { id, at, server, standing, decision, excerpt, details } = row;
	return html`<button
		class="entry"
		data-id=${id}
		aria-current=${isSelected ? "true" : nothing}
		tabindex=${isEntered ? 0 : -1}
		@click=${() => select(id)}
	>
		<span class="entry-head"
			><bdi class="entry-server">${server}</bdi><time datetime=${new Date(at).toISOString()}>${moment(at)}</time></span
		>
		<span class="entry-decision ${standing}"
			><span class="mark" aria-hidden="true">${marks[standing]}</span> ${decision}</span
		>
		${excerpt === "" ? nothing : html`<span class="entry-excerpt" dir="auto">${excerpt}</span>`}
		${details === "" ? nothing : html`<span class="entry-details">${details}</span>`}
	</button>`;
}

/** Moves the focus among the entries; choosing one is Enter or a click. */
function move(event: KeyboardEvent): void {
	const entries = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".entry")];
	const at = entries.indexOf(event.target as HTMLElement);
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

/** A moment with its day, in the person's way; today's with its seconds alone. */
export function moment(milliseconds: number): string {
	const date = new Date(milliseconds);
	const time = date.toLocaleTimeString();
	return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
