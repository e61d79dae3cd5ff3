import { html, nothing, render, type TemplateResult } from "lit";
import type {
	ActivityDetail,
	ActivityHostApi,
	ActivityList,
	ActivityQuery,
	ActivityViewApi,
} from "../../src/records/activity/journal/activityProtocol.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { detailView } from "./detail.ts";
import { changed, filterBar, isFiltered, nothingAtAll, type QueryChange } from "./filters.ts";
import { activityList } from "./list.ts";
import { messageOf } from "../../src/base/errors.ts";

/** How long typing must pause before a search, in milliseconds. */
const typingMs = 150;

const port = vscodePort();
/** The results. */
let list: ActivityList | undefined;
/** The query; the user may be ahead of the results. */
let query: ActivityQuery | undefined;
/** Whether the user looks for something that the host has not answered yet. */
let isAhead = false;
/** The whole item on display, and its details once they have arrived. */
let selected: string | undefined = recalled();
let detail: ActivityDetail | undefined;
/** The outcome of the last action. */
let outcome = "";
let typing: ReturnType<typeof setTimeout> | undefined;

const host = connectHost<ActivityHostApi, ActivityViewApi>(port, { show });

function recalled(): string | undefined {
	const state = port.recall();
	return typeof state === "string" ? state : undefined;
}

function show(found: ActivityList): void {
	// It would undo the latest typing or choice. The answer to that includes the news as well.
	if (isAhead) return;
	const isFirst = list === undefined;
	list = found;
	query = found.query;
	if (found.chosen !== undefined && found.chosen !== selected) select(found.chosen);
	else if (selected !== undefined) void load(selected);
	update();
	if (isFirst) focusWhenEntered(() => document.querySelector<HTMLElement>("#search"));
}

/** Starts another search, immediately or when the typing pauses. */
function look(change: QueryChange, isTyping: boolean): void {
	if (query === undefined) return;
	query = changed(query, change);
	isAhead = true;
	clearTimeout(typing);
	typing = setTimeout(() => void find(), isTyping ? typingMs : 0);
	update();
}

async function find(): Promise<void> {
	const asked = query;
	if (asked === undefined) return;
	try {
		const found = await host.call("find", asked);
		// The query has changed by now.
		if (asked !== query) return;
		isAhead = false;
		list = found;
		outcome = "";
		update();
	} catch (error) {
		if (asked === query) isAhead = false;
		report(error);
	}
}

function select(id: string): void {
	selected = id;
	detail = undefined;
	port.remember(id);
	void load(id);
	update();
}

async function load(id: string): Promise<void> {
	try {
		const loaded = await host.call("detail", id);
		if (selected !== id) return;
		const isOther = detail?.id !== id;
		detail = loaded;
		update();
		// In a narrow panel, where there is a way back, the details take the place of the list.
		if (isOther) document.querySelector<HTMLElement>("#back")?.focus();
	} catch {
		if (selected === id) leave();
	}
}

/** Goes back to the list. */
function leave(): void {
	const id = selected;
	selected = undefined;
	detail = undefined;
	port.remember(undefined);
	update();
	if (document.activeElement === document.body) rowOf(id)?.focus();
}

function rowOf(id: string | undefined): HTMLElement | undefined {
	return [...document.querySelectorAll<HTMLElement>(".entries .entry")].find((row) => row.dataset["id"] === id);
}

function say(words: string): void {
	outcome = words;
	update();
}

function report(error: unknown): void {
	say(messageOf(error));
}

function page(shown: ActivityList, asked: ActivityQuery): TemplateResult {
	const { found, all } = shown;
	const isAll = found === all;
	const shownOf = isAll ? found.toLocaleString() : `${found.toLocaleString()} of ${all.toLocaleString()}`;
	return html`
		<main class=${selected === undefined ? "" : "has-detail"}>
			<header class="frame log-head">
				<h1>Activity</h1>
				<p class="muted">
					All decisions and effects on this machine: the request, who decided, what was sent, and the outcome.
				</p>
			</header>
			${shown.notices.map((notice) => html`<p class="notice warning">${notice}</p>`)}
			${filterBar(shown, asked, look, update)}
			<div class="actions log-actions">
				<p class="totals" role="status">
					${shownOf}
					${all === 1 ? "entry" : "entries"}${shown.took === "" ? "" : ` · sampling used ${shown.took}`}${shown.turn === "" ? "" : html`, in <bdi>${shown.turn}</bdi>`}
				</p>
				${
					isFiltered(asked)
						? html`<button class="link" @click=${() => look(nothingAtAll, false)}>Show All</button>`
						: nothing
				}
				<button class="secondary" @click=${() => void host.call("verify").then(say, report)}>Verify</button>
				<button class="secondary" ?disabled=${found === 0} @click=${() => save(isAll ? "all" : "found")}>
					${isAll ? "Export…" : "Export Filtered…"}
				</button>
				<button class="secondary" ?disabled=${found === 0} @click=${() => clear(isAll ? "all" : "found")}>
					${isAll ? "Clear…" : "Clear Filtered…"}
				</button>
				<span class="muted outcome" role="status">${outcome}</span>
			</div>
			<div class="log-columns">
				${activityList(shown, selected, select)}
				${detail === undefined ? placeholder(shown) : detailView(detail, { back: leave, copy, select, showTurn, trace, chooseContents })}
			</div>
		</main>
	`;
}

function placeholder({ rows }: ActivityList): TemplateResult | typeof nothing {
	if (rows.length === 0) return nothing;
	return html`<p class="muted placeholder">${selected === undefined ? "Select an entry to see its details." : "…"}</p>`;
}

function showTurn(turn: string): void {
	look({ ...nothingAtAll, turn }, false);
	select(`turn ${turn}`);
}

function save(scope: "all" | "found"): void {
	host.call("export", scope).then(say, report);
}

function clear(scope: "all" | "found"): void {
	host.call("clear", scope).then(say, report);
}

function trace(id: string): void {
	host.call("trace", id).catch(report);
}

function chooseContents(): void {
	host.call("chooseContents").catch(report);
}

function copy(id: string): void {
	host.call("copy", id).then(say, report);
}

function update(): void {
	if (list !== undefined && query !== undefined) render(page(list, query), document.body);
}

document.addEventListener("keydown", (event) => {
	// Escape in a field empties it.
	const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
	if (event.key !== "Escape" || event.defaultPrevented || isField || selected === undefined) return;
	const row = rowOf(selected);
	leave();
	row?.focus();
});
void host.call("ready").then(show, (error: unknown) => {
	document.body.textContent = messageOf(error);
});
