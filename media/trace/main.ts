import { html, nothing, render, type TemplateResult } from "lit";
import type {
	TraceDetail,
	TraceHostApi,
	TraceRow,
	TraceState,
	TraceViewApi,
} from "../../src/surfaces/trace/viewProtocol.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { detailView } from "./detail.ts";
import { FilterBox } from "./filterBox.ts";
import { grid, rowHeight } from "./grid.ts";
import { RowStore } from "./rowStore.ts";
import { messageOf } from "../../src/base/errors.ts";

const port = vscodePort();
let state: TraceState | undefined;
/** The row that the keys are at, and its details once they are there. */
let active: { key: string; index: number } | undefined;
let detail: TraceDetail | undefined;
/** How many selections are on their way: states that arrive meanwhile may not include them. */
let choosing = 0;
/** Whether the details are visible. */
let isDetailed = false;
/** The outcome of the last action. */
let outcome = "";
/** The difference between the clock of the rows and that of this page. */
let clockAhead = 0;
/** Whether new rows are followed: as long as the last one is in sight. */
let isFollowing = true;
let isDrawing = false;
/** The index after the last row that was drawn. */
let drawnTo = 0;

const host = connectHost<TraceHostApi, TraceViewApi>(port, { show });
const store = new RowStore((from, count) => host.call("rows", from, count), draw);
const box = new FilterBox({
	complete: (text, caret) => host.call("complete", text, caret),
	look: (text) => void host.call("filter", text).then((found) => show(found, false), report),
	changed: draw,
	leave: () => gridElement()?.focus(),
});

function gridElement(): HTMLElement | null {
	return document.querySelector<HTMLElement>("#grid");
}

/** Takes the results; `isAsked` when the selection is to be revealed to the user. */
function show(shown: TraceState, isAsked: boolean): void {
	const isFirst = state === undefined;
	state = shown;
	clockAhead = shown.now - Date.now();
	if (isFirst || isAsked) {
		box.text = shown.filter;
		active = shown.chosen;
		isFollowing = active === undefined;
		if (active !== undefined) void load(active.key);
	} else if (active !== undefined && choosing === 0) {
		active = shown.chosen?.key === active.key ? shown.chosen : undefined;
		// A running exchange changes its details.
		if (isDetailed && active !== undefined) void load(active.key);
	}
	// Immediately if a part of it takes the focus or is scrolled to: it must exist.
	if (isFirst || isAsked) drawNow(shown);
	else draw();
	if (isAsked && active !== undefined) {
		reveal(active.index, "center");
		gridElement()?.focus();
	}
	if (isFirst)
		focusWhenEntered(() => (active === undefined ? document.querySelector<HTMLElement>("#filter") : gridElement()));
}

/** Redraws everything in the next frame. */
function draw(): void {
	if (isDrawing) return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		if (state !== undefined) drawNow(state);
	});
}

function drawNow(shown: TraceState): void {
	render(page(shown), document.body);
	const element = gridElement();
	if (element === null) return;
	if (isFollowing && element.scrollTop + element.clientHeight < element.scrollHeight - 1) {
		element.scrollTop = element.scrollHeight;
		draw();
	}
	// The rows may have become visible only now, or there is room for more of them.
	if (stretch(shown).to !== drawnTo) draw();
}

/** Which rows are in sight, with a few more so that a scroll meets them. */
function stretch({ rows }: TraceState): { readonly from: number; readonly to: number } {
	const element = gridElement();
	const top = element?.scrollTop ?? 0;
	const height = element?.clientHeight ?? 300;
	const from = Math.max(0, Math.min(Math.floor(top / rowHeight) - 4, rows));
	return { from, to: Math.min(rows, Math.ceil((top + height) / rowHeight) + 4) };
}

function page(shown: TraceState): TemplateResult {
	const { from, to } = stretch(shown);
	drawnTo = to;
	if (to > from) store.want(shown.revision, from, to);
	const rows: (TraceRow | undefined)[] = [];
	for (let index = from; index < to; index++) rows.push(store.at(index));
	const { found, total, problem, presets, notices } = shown;
	const now = Date.now() + clockAhead;
	return html`<main class=${isDetailed && detail !== undefined ? "has-detail" : ""}>
		<header>
			${box.render(problem, presets)}
			<p class="count muted" role="status">
				${found === total ? count(total) : `${found.toLocaleString()} of ${count(total)}`}${outcome === "" ? nothing : html` · ${outcome}`}
			</p>
		</header>
		${notices.map((notice) => html`<p class="muted note">${notice}</p>`)}
		<div class="body">
			<div class="left">
				${grid({ state: shown, from, rows, active, now }, { choose: settle, open, fold, key, scrolled })}
				${shown.rows === 0 ? html`<p class="muted empty">${emptyWords(shown)}</p>` : nothing}
			</div>
			${
				isDetailed && detail !== undefined
					? detailView(detail, { act: (action) => act(action), close: () => closeDetail() })
					: nothing
			}
		</div>
	</main>`;
}

function count(total: number): string {
	return total === 1 ? "1 exchange" : `${total.toLocaleString()} exchanges`;
}

function emptyWords({ total }: TraceState): string {
	return total === 0
		? "No messages yet. Requests to servers, and from them, appear here."
		: "No exchange matches the filter.";
}

function scrolled(): void {
	const element = gridElement();
	if (element === null) return;
	isFollowing = element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight;
	draw();
}

/** Scrolls so that a row is in sight. */
function reveal(index: number, block: "nearest" | "center"): void {
	const element = gridElement();
	if (element === null) return;
	const top = index * rowHeight;
	// The head covers the first rows.
	const height = element.clientHeight - rowHeight;
	if (block === "center") element.scrollTop = Math.max(0, top - height / 2);
	else if (top < element.scrollTop) element.scrollTop = top;
	else if (top + rowHeight > element.scrollTop + height) element.scrollTop = top + rowHeight - height;
	isFollowing = false;
}

/**
 * Makes a row the active one, and shows its details: one beside the drawn ones, or, with `isOfAll`, one of all results,
 * whose place may still show a former row.
 */
function choose(index: number, isOfAll = false): void {
	const row = isOfAll && state !== undefined && !store.isOf(state.revision) ? undefined : store.at(index);
	if (row === undefined) {
		// It is on its way: the keys go on from there.
		if (state === undefined || index < 0 || index >= state.rows) return;
		reveal(index, "nearest");
		void host.call("rows", index, 1).then(({ rows: [found] }) => {
			// There may be fewer by now.
			const last = (state?.rows ?? 0) - 1;
			if (found !== undefined) return settle(found.key, index);
			return index > last && last >= 0 ? choose(last) : undefined;
		}, report);
		return;
	}
	settle(row.key, index);
}

function settle(key: string, index: number): void {
	active = { key, index };
	choosing++;
	void host
		.call("choose", key)
		.finally(() => choosing--)
		.then((chosen) => {
			if (choosing === 0 && active?.key === key) active = chosen;
			return draw();
		}, report);
	reveal(index, "nearest");
	void load(key);
	draw();
}

async function load(key: string): Promise<void> {
	isDetailed = true;
	try {
		const loaded = await host.call("detail", key);
		// The selection has changed by now, or the details were closed before they arrived.
		if (active?.key !== key || !isDetailed) return;
		detail = loaded;
		outcome = "";
		draw();
	} catch {
		if (active?.key === key && isDetailed) closeDetail();
	}
}

function closeDetail(): void {
	isDetailed = false;
	detail = undefined;
	gridElement()?.focus();
	draw();
}

/** Opens the message of a row in an editor. */
function open(key: string): void {
	act("open", key);
}

function act(action: string, key = active?.key): void {
	if (key === undefined) return;
	host.call("act", key, action).then(say, report);
}

function fold(key: string, isOpen: boolean): void {
	isFollowing = false;
	void host.call("fold", key, isOpen).then((found) => show(found, false), report);
}

function say(words: string): void {
	outcome = words;
	draw();
}

function report(error: unknown): void {
	say(messageOf(error));
}

function key(event: KeyboardEvent): void {
	if (event.altKey || event.ctrlKey || event.metaKey || !doKey(event.key)) return;
	event.preventDefault();
	event.stopPropagation();
}

function doKey(pressed: string): boolean {
	const rows = state?.rows ?? 0;
	const at = active?.index ?? -1;
	const element = gridElement();
	const pageful = Math.max(1, Math.floor((element?.clientHeight ?? 0) / rowHeight) - 2);
	const targets: Readonly<Record<string, number>> = {
		ArrowDown: Math.min(at + 1, rows - 1),
		ArrowUp: at < 0 ? rows - 1 : Math.max(at - 1, 0),
		PageDown: Math.min(Math.max(at, 0) + pageful, rows - 1),
		PageUp: Math.max(at - pageful, 0),
		Home: 0,
		End: rows - 1,
	};
	const target = targets[pressed];
	if (target !== undefined) {
		if (rows > 0) choose(target, pressed === "Home" || pressed === "End");
		return true;
	}
	if (pressed === "Enter" && active !== undefined) {
		open(active.key);
		return true;
	}
	const row = at < 0 ? undefined : store.at(at);
	// While newer rows are on their way, another one may be drawn in its place.
	if (row === undefined || row.key !== active?.key) return false;
	if (pressed === "ArrowRight" && row.isOpen === false) fold(row.key, true);
	else if (pressed === "ArrowLeft" && row.isOpen === true) fold(row.key, false);
	else if (pressed === "ArrowLeft" && row.level === 2) toParent(at);
	else if (pressed === "Escape" && isDetailed) closeDetail();
	else return false;
	return true;
}

function toParent(at: number): void {
	for (let index = at - 1; index >= 0; index--) {
		if (store.at(index)?.level !== 1) continue;
		choose(index);
		return;
	}
}

document.addEventListener("keydown", (event) => {
	if (event.key === "Escape" && isDetailed && !event.defaultPrevented && !(event.target instanceof HTMLInputElement))
		closeDetail();
});
new ResizeObserver(draw).observe(document.documentElement);
// The waiting time of an open request is updated as the time passes.
setInterval(() => {
	if (document.visibilityState === "visible" && document.querySelector(".line.waiting") !== null) draw();
}, 1000);
void host.call("ready").then(
	(ready) => show(ready, false),
	(error: unknown) => {
		document.body.textContent = messageOf(error);
	},
);
