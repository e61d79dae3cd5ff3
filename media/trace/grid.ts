import { html, nothing, type TemplateResult } from "lit";
import type { TraceRow, TraceStanding, TraceState } from "../../src/surfaces/trace/viewProtocol.ts";
import { duration, readableSize } from "../../src/base/amounts.ts";

/** The height of a row in pixels, as in lists of VS Code. */
export const rowHeight = 22;

/** The mark of each state; the words beside it say the same. */
export const marks: Readonly<Record<TraceStanding, string>> = {
	ok: "✓",
	error: "✗",
	waiting: "…",
	stopped: "⊘",
	note: "·",
};

/** The content of the grid. */
export interface GridState {
	readonly state: TraceState;
	/** The rows in sight, from the index `from` on; undefined for those that are not there yet. */
	readonly from: number;
	readonly rows: readonly (TraceRow | undefined)[];
	/** The row that the keys are at. */
	readonly active: { readonly key: string; readonly index: number } | undefined;
	readonly now: number;
}

/** The user's actions on the grid. */
export interface GridActions {
	/** Both by the drawn key: other rows may be at that place now. */
	readonly choose: (key: string, index: number) => void;
	readonly open: (key: string) => void;
	readonly fold: (key: string, isOpen: boolean) => void;
	readonly key: (event: KeyboardEvent) => void;
	readonly scrolled: () => void;
}

const columns = ["What", "Server", "Asked by", "Began", "Took", "Out", "In", "Outcome"];

/** The exchanges as a tree of rows; only the visible rows are in the page (WAI-ARIA, treegrid pattern). */
export function grid(shown: GridState, actions: GridActions): TemplateResult {
	const { state, from, rows, active, now } = shown;
	const axis = axisOf(
		rows.filter((row) => row !== undefined),
		now,
	);
	const isThere = active !== undefined && active.index >= from && active.index < from + rows.length;
	return html`<div
		id="grid"
		role="treegrid"
		tabindex="0"
		aria-label="Exchanges, oldest first"
		aria-rowcount=${state.rows + 1}
		aria-colcount="9"
		aria-activedescendant=${isThere ? `row-${active.index}` : nothing}
		@keydown=${actions.key}
		@scroll=${actions.scrolled}
	>
		<div class="head" role="row" aria-rowindex="1">
			${columns.map((column) => html`<span role="columnheader" class=${classOf(column)}>${column}</span>`)}
			<span role="columnheader" class="axis" title="Time of the visible rows">${axisWords(axis)}</span>
		</div>
		<div class="space" role="rowgroup" .style=${`height: ${state.rows * rowHeight}px`}>
			<div class="rows" role="presentation" .style=${`transform: translateY(${from * rowHeight}px)`}>
				${rows.map((row, offset) => rowOf(row, from + offset, axis, shown, actions))}
			</div>
		</div>
	</div>`;
}

function rowOf(
	row: TraceRow | undefined,
	index: number,
	axis: Axis,
	{ active, now }: GridState,
	{ choose, open, fold }: GridActions,
): TemplateResult {
	if (row === undefined) {
		return html`<div class="line" role="row" aria-rowindex=${index + 2} aria-busy="true"></div>`;
	}
	const { key, level, isOpen, what, server, who, at, bytesOut, bytesIn, standing } = row;
	return html`<div
		id="row-${index}"
		class="line level-${level} ${standing}"
		role="row"
		aria-rowindex=${index + 2}
		aria-level=${level}
		aria-expanded=${isOpen ?? nothing}
		aria-selected=${key === active?.key}
		@click=${() => choose(key, index)}
		@dblclick=${() => open(key)}
	>
		<span role="gridcell" class="what" title=${what}
			><span
				class="fold"
				aria-hidden="true"
				@click=${(event: Event) => {
					if (isOpen === undefined) return;
					event.stopPropagation();
					fold(key, !isOpen);
				}}
				>${isOpen === undefined ? "" : isOpen ? "⌄" : "›"}</span
			><bdi>${what}</bdi></span
		>
		<span role="gridcell" class="server" title=${server}><bdi>${server}</bdi></span>
		<span role="gridcell" class="who">${who}</span>
		<span role="gridcell" class="began">${clock(at)}</span>
		<span role="gridcell" class="took">${tookWords(row, now)}</span>
		<span role="gridcell" class="out">${bytesWords(bytesOut)}</span>
		<span role="gridcell" class="in">${bytesWords(bytesIn)}</span>
		<span role="gridcell" class="outcome" title=${row.outcome}
			><span class="mark" aria-hidden="true">${marks[standing]}</span> ${outcomeOf(row, now)}</span
		>
		<span role="gridcell" class="axis" aria-label=${axisLabel(row, axis, now)}>${bar(row, axis, now)}</span>
	</div>`;
}

function axisLabel(row: TraceRow, { from }: Axis, now: number): string {
	const started = Math.round(row.at - from);
	return `begins ${started} ms after the first visible row${row.milliseconds === undefined ? "" : `, took ${tookWords(row, now)}`}`;
}

/** The time of a row on the axis; the user's part of it is drawn separately, at its end. */
function bar(row: TraceRow, { from, to }: Axis, now: number): TemplateResult {
	const scale = 100 / (to - from);
	const left = (row.at - from) * scale;
	const width = (endOf(row, now) - row.at) * scale;
	const user = row.milliseconds === undefined ? 0 : Math.min(width, row.userMs * scale);
	return html`<span class="bar" .style=${`left: ${left}%; width: ${width}%`}
		>${
			user === 0
				? nothing
				: html`<span class="user" .style=${`width: ${width === 0 ? 0 : (user / width) * 100}%`}></span>`
		}</span
	>`;
}

function classOf(column: string): string {
	return { "Asked by": "who" }[column] ?? column.toLowerCase();
}

/** The time span of the axis, in milliseconds since the epoch. */
export interface Axis {
	readonly from: number;
	readonly to: number;
}

/** The axis of the rows in sight: from the first beginning to the last end. */
export function axisOf(rows: readonly TraceRow[], now: number): Axis {
	let from = Infinity;
	let to = -Infinity;
	for (const row of rows) {
		from = Math.min(from, row.at);
		to = Math.max(to, endOf(row, now));
	}
	return from <= to ? { from, to: Math.max(to, from + 1) } : { from: now, to: now + 1 };
}

/** When a row ended, or now while it waits. */
export function endOf({ at, milliseconds, standing }: TraceRow, now: number): number {
	if (milliseconds !== undefined) return at + milliseconds;
	return standing === "waiting" ? Math.max(at, now) : at;
}

/** How long a row took, the time of a user apart: `1.2 s + you 8.0 s`. */
export function tookWords({ at, milliseconds, userMs, standing }: TraceRow, now: number): string {
	if (standing === "waiting") return duration(Math.max(0, now - at));
	if (milliseconds === undefined) return "";
	const machine = duration(Math.max(0, milliseconds - userMs));
	return userMs < 1 ? machine : `${machine} + you ${duration(userMs)}`;
}

/** How a row ended; for a waiting one, for whom and for how long: `waiting for you 12 s`. */
export function outcomeOf(row: TraceRow, now: number): string {
	if (row.standing !== "waiting") return row.outcome;
	const seconds = Math.max(0, Math.floor((now - row.at) / 1000));
	const passed = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
	return `${row.outcome} ${passed}`;
}

/** A time of the day with its milliseconds. */
export function clock(milliseconds: number): string {
	const date = new Date(milliseconds);
	const part = (number: number, digits: number): string => String(number).padStart(digits, "0");
	const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((number) => part(number, 2)).join(":");
	return `${time}.${part(date.getMilliseconds(), 3)}`;
}

/** The span of an axis in words. */
export function axisWords({ from, to }: Axis): string {
	return `${clock(from)} + ${duration(to - from)}`;
}

/** Bytes in a few characters; empty for none. */
export function bytesWords(bytes: number): string {
	return bytes === 0 ? "" : readableSize(bytes).replace(" bytes", " B").replace(" byte", " B");
}
