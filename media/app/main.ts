import { html, nothing, render, type TemplateResult } from "lit";
import type { AppBlank, HealthLine } from "../../src/features/apps/appHealth.ts";
import type {
	AppDetail,
	AppHostApi,
	AppSurface,
	AppView,
	AppViewApi,
	FrameEvent,
} from "../../src/features/apps/appProtocol.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { FrameHolder } from "./frameHolder.ts";
import { styleVariables } from "./styleVariables.ts";

/** A question accepts no click that was meant for its predecessor, in milliseconds. */
const settlingMs = 500;
/** How long changes of size are gathered, in milliseconds. */
const gatherMs = 60;

const notes = document.createElement("div");
const place = document.createElement("div");
const stage = document.createElement("div");
const cover = document.createElement("div");
const asking = document.createElement("div");
const main = document.createElement("main");
main.append(notes, place, asking);
place.append(stage, cover);
place.id = "place";
stage.id = "stage";
document.body.append(main);

let shown: AppView = { id: "", load: 0 };
let frame: { readonly load: number; readonly holder: FrameHolder | undefined } = { load: 0, holder: undefined };
/** The load whose page the user wants to see although there seems to be nothing to be seen of it. */
let uncovered: number | undefined;
/** The question that takes answers now. */
let settled: string | undefined;
/** The revisions of the app's additions that this page painted last, and that the user has open. */
let painted: number | undefined;
let opened: number | undefined;

const port = vscodePort();
const host = connectHost<AppHostApi, AppViewApi>(port, {
	show: (view) => show(view),
	toApp: (load, message) => {
		if (load === frame.load) frame.holder?.send(message);
	},
});

function show(view: AppView): void {
	if (view.id !== shown.id) port.remember(view.id);
	shown = view;
	if (view.load !== frame.load) void load(view.load);
	const id = view.question?.id;
	if (id !== undefined && id !== settled) setTimeout(settle, settlingMs, id);
	draw();
}

function settle(id: string): void {
	if (shown.question?.id !== id) return;
	settled = id;
	draw();
}

async function load(number: number): Promise<void> {
	frame.holder?.dispose();
	frame = { load: number, holder: undefined };
	stage.replaceChildren();
	if (number === 0) return;
	const made = await host.call("frame", number);
	if (made === undefined || frame.load !== number) return;
	const holder = new FrameHolder(stage, made, {
		message: (json, isActed) => void host.call("fromApp", number, json, isActed),
		stored: (entries) => void host.call("stored", number, entries),
		observed: (event: FrameEvent, text) => {
			if (event === "left") frame = { load: number, holder: undefined };
			void host.call("observed", number, event, text);
		},
	});
	frame = { load: number, holder };
}

function draw(): void {
	const inPlace = shown.blank?.isInPlace === true && uncovered !== shown.load ? shown.blank : undefined;
	const isCovered = inPlace !== undefined;
	render(html`${title()} ${isCovered ? nothing : notice()} ${added()} ${shown.details?.map(detail)}`, notes);
	render(inPlace === undefined ? nothing : blank(inPlace), cover);
	// A covered element takes neither the focus nor clicks.
	stage.inert = isCovered;
	render(question(), asking);
	if (shown.sentence !== undefined) {
		const said = document.createElement("p");
		said.className = "sentence";
		said.role = "status";
		said.textContent = shown.sentence;
		stage.replaceChildren(said);
	}
}

function title(): TemplateResult | typeof nothing {
	return shown.title === undefined ? nothing : html`<h1 class="app-title">${shown.title}</h1>`;
}

function notice(): TemplateResult | typeof nothing {
	if (shown.blank !== undefined) {
		const { sentence, lines } = shown.blank;
		return html`<details class="app-notice">
			<summary role="status">${sentence}</summary>
			${list(lines)}
		</details>`;
	}
	if (shown.notice === undefined) return nothing;
	const compare = html`<button class="link" @click=${() => void host.call("compare")}>Show Difference</button>`;
	return html`<p class="app-notice" role="status">
		${shown.notice} ${shown.isComparable === true ? compare : nothing}
	</p>`;
}

/** The text in place of an app that shows nothing. */
function blank({ sentence, lines }: AppBlank): TemplateResult {
	const { load: number } = shown;
	const uncover = (): void => {
		uncovered = number;
		draw();
	};
	return html`<section class="app-blank" role="status" aria-label="Why This App Is Blank">
		<h1>Why is this app blank?</h1>
		<p>${sentence}</p>
		${list(lines)} ${number === 0 ? nothing : html`<button class="secondary" @click=${uncover}>Show Page</button>`}
	</section>`;
}

/** The facts about an app, with the remedies. */
function list(lines: readonly HealthLine[]): TemplateResult {
	return html`<ul class="app-known">
		${lines.map(
			({ kind, text, advice }) =>
				html`<li class=${kind}>
					<span aria-hidden="true">${marks[kind]}</span> ${text}
					${advice === undefined ? nothing : html`<span class="muted">${advice}</span>`}
				</li>`,
		)}
	</ul>`;
}

/** The app's addition to the next message, with its exact text. */
function added(): TemplateResult | typeof nothing {
	if (shown.added === undefined) return nothing;
	const { revision, sentence, exact } = shown.added;
	if (revision !== painted) {
		painted = revision;
		// Not run before the page is visible.
		requestAnimationFrame(() => void host.call("paintedAdded", revision));
	}
	// The user reads this revision: another one is closed until they open it.
	const toggle = (event: Event): void => {
		event.preventDefault();
		opened = opened === revision ? undefined : revision;
		if (opened !== undefined) void host.call("openedAdded", revision);
		draw();
	};
	const remove = (event: Event): void => {
		event.stopPropagation();
		event.preventDefault();
		void host.call("removeAdded");
	};
	return html`<details class="app-added" ?open=${opened === revision}>
		<summary @click=${toggle}>
			${sentence}
			<button class="link" @click=${remove}>Remove</button>
		</summary>
		<pre tabindex="0" role="group" aria-label="What is added">${exact}</pre>
	</details>`;
}

function detail({ name, lines }: AppDetail): TemplateResult {
	return html`<section class="detail" aria-label=${name}>
		<h2>${name}</h2>
		${list(lines.map(({ kind, text }) => ({ kind, text })))}
	</section>`;
}

const marks = { good: "✓", bad: "✗", open: "·" } as const;

function question(): TemplateResult | typeof nothing {
	const asked = shown.question;
	if (asked === undefined) return nothing;
	const { id, heading, notes: about, warnings, exact, answers, behind } = asked;
	return html`<section class="question" role="region" aria-live="polite" aria-label="Question">
		<h1>${heading}</h1>
		${about.map((text) => html`<p class="muted">${text}</p>`)}
		${warnings.map((text) => html`<p class="warning-line">⚠ ${text}</p>`)}
		<pre tabindex="0" role="group" aria-label="Exactly this">${exact}</pre>
		<div class="actions">
			${answers
				.toReversed()
				.map(
					({ answer, label, hint }, index) =>
						html`<button
							class=${index === 0 ? "" : "secondary"}
							title=${hint ?? nothing}
							?disabled=${settled !== id}
							@click=${() => void host.call("answer", id, answer)}
						>
							${label}
						</button>`,
				)}
			${behind === 0 ? nothing : html`<span class="muted">${behind} more after this</span>`}
		</div>
	</section>`;
}

function surface(): AppSurface {
	const { width, height } = stage.getBoundingClientRect();
	const isLight = ["vscode-light", "vscode-high-contrast-light"].some((name) => document.body.classList.contains(name));
	return { width, height, theme: isLight ? "light" : "dark", variables: styleVariables() };
}

let moving: ReturnType<typeof setTimeout> | undefined;
function moved(): void {
	moving ??= setTimeout(() => {
		moving = undefined;
		void host.call("moved", surface());
	}, gatherMs);
}

function begin(view: AppView): void {
	show(view);
	new ResizeObserver(moved).observe(stage);
	const theme = new MutationObserver(moved);
	theme.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
	theme.observe(document.body, { attributes: true, attributeFilter: ["class"] });
}

const ready = (): void => void host.call("ready", surface()).then(begin);
// From then on the host may replace this page.
if (document.readyState === "complete") ready();
else addEventListener("load", ready, { once: true });
