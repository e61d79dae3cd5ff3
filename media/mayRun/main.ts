import { html, nothing, render, type TemplateResult } from "lit";
import { messageOf } from "../../src/base/errors.ts";
import type {
	MayRunHostApi,
	MayRunLine,
	MayRunSection,
	MayRunView,
	MayRunViewApi,
} from "../../src/surfaces/mayRun/mayRunProtocol.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";

let view: MayRunView | undefined;
/** The outcome of the last action. */
let outcome = "";

const host = connectHost<MayRunHostApi, MayRunViewApi>(vscodePort(), { show });

function show(shown: MayRunView): void {
	const isFirst = view === undefined;
	view = shown;
	update();
	if (isFirst) focusWhenEntered(() => document.querySelector<HTMLElement>("main"));
	// The button that had the focus may be gone with its line.
	else if (document.activeElement === document.body && document.hasFocus()) document.querySelector("main")?.focus();
}

function update(): void {
	if (view !== undefined) render(page(view), document.body);
}

function say(words: string): void {
	outcome = words;
	update();
}

function page({ sections }: MayRunView): TemplateResult {
	return html`
		<main tabindex="-1">
			<header class="frame">
				<h1>What May Run</h1>
				<p class="muted">Everything that may start, run or be used in this window, and whose decision allows it.</p>
			</header>
			${sections.map(section)}
			<div class="actions bar">
				<button class="secondary" @click=${() => host.call("copy").then(say, report)}>Copy as Markdown</button>
				<span class="outcome" role="status">${outcome}</span>
			</div>
		</main>
	`;
}

function section({ title, note, lines, none }: MayRunSection): TemplateResult {
	return html`
		<section class="card" aria-label=${title}>
			<h2>${title}</h2>
			<p class="muted">${note}</p>
			${
				lines.length === 0
					? html`<p>${none}</p>`
					: html`<ul class="lines">
							${lines.map(line)}
						</ul>`
			}
		</section>
	`;
}

function line({ name, words, details, action }: MayRunLine): TemplateResult {
	return html`
		<li>
			<div class="about">
				<p><bdi class="name">${name}</bdi> <span>${words}</span></p>
				${details.map((detail) => html`<p class="muted"><bdi>${detail}</bdi></p>`)}
			</div>
			${
				action === undefined
					? nothing
					: html`<button
							class="secondary"
							aria-label=${`${action.title}: ${name}`}
							@click=${(event: MouseEvent) => act(event, action.key)}
						>
							${action.title}
						</button>`
			}
		</li>
	`;
}

/** The second click of a double click is not a separate decision. */
function act({ detail }: MouseEvent, key: string): void {
	if (detail > 1) return;
	say("");
	host.call("act", key).then(say, report);
}

function report(error: unknown): void {
	say(messageOf(error));
}

void host.call("ready").then(show);
