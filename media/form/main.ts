import { html, nothing, render, type TemplateResult } from "lit";
import type { UrlView } from "../../src/base/urlView.ts";
import type { FormHostApi, FormTab, FormViewApi } from "../../src/questions/form/formProtocol.ts";
import { announceArrival } from "../shared/arrival.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { isSubmitKey, submitKey } from "../shared/submitKey.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { FormModel } from "./formModel.ts";
import { jsonEditor, schemaDetails } from "./jsonEditor.ts";
import { floatList } from "./listBox.ts";
import { fieldsView, rootView } from "./nodeView.ts";
import { controls, invalidControl, recalledControl, rememberControl } from "./places.ts";
import { setText } from "./typing.ts";
import { listenerOf } from "../shared/controls.ts";

const port = vscodePort();
const host = connectHost<FormHostApi, FormViewApi>(port, {
	show: (state) => {
		if (model.receive(state) && document.hasFocus()) invalidControl()?.focus();
	},
	suggest: (suggestions) => model.receiveSuggestions(suggestions),
	fill: (field, text) => {
		model.rememberBeforeFill(field);
		setText(model, field, text);
	},
});

const model = new FormModel(
	await host.call("ready"),
	{
		change: (change, number) => host.notify("change", change, number),
		complete: (field, line) => host.notify("complete", field, line),
		fill: (field, source) => host.notify("fill", field, source),
	},
	update,
);
const { asker, page: pageToOpen, schemaText } = model.document;

function update(): void {
	render(page(), document.body);
	floatList();
}

function page(): TemplateResult {
	const { heading, server, during, quote, notes } = model.document;
	const { end, preview, tab, noForm } = model.state;
	const frame = { asker, heading, server, ...(during && { during }), ...(quote && { quote }), ...(end && { end }) };
	const hasTabs = schemaText !== undefined;
	return html`
		<main
			class="form ${hasTabs ? "object-form" : ""}"
			@keydown=${onKey}
			@focusin=${(event: FocusEvent) => rememberControl(port, event)}
		>
			<div class="form-head">
				${frameHeader(frame)}
				${hasTabs ? tabList(tab, noForm === undefined, (tab) => model.change({ kind: "tab", tab })) : nothing}
			</div>
			<div
				class="form-body"
				id="panel"
				role=${hasTabs ? "tabpanel" : nothing}
				aria-labelledby=${hasTabs ? `tab-${tab}` : nothing}
			>
				${notes.map((text) => html`<p class="notice">${text}</p>`)} ${body()}
			</div>
			${preview === undefined ? nothing : previewLine(preview)} ${buttons()}
		</main>
	`;
}

const labels: readonly (readonly [FormTab, string])[] = [
	["form", "Form"],
	["json", "JSON"],
];

/** The two ways to see and change the value (WAI-ARIA, tabs pattern). `canForm`: there is a form to show. */
function tabList(shown: FormTab, canForm: boolean, choose: (tab: FormTab) => void): TemplateResult {
	return html`<div class="tabs" role="tablist" aria-label="Show as" @keydown=${(event: KeyboardEvent) => move(event)}>
		${labels.map(
			([tab, label]) =>
				html`<button
					role="tab"
					id="tab-${tab}"
					aria-selected=${tab === shown}
					aria-controls="panel"
					tabindex=${tab === shown ? 0 : -1}
					?disabled=${tab === "form" && !canForm}
					@click=${() => choose(tab)}
				>
					${label}
				</button>`,
		)}
	</div>`;
}

/** The arrows go to the other tab and show it. */
function move(event: KeyboardEvent): void {
	if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
	event.preventDefault();
	const tabs = [...listenerOf(event).querySelectorAll<HTMLElement>("[role=tab]:enabled")];
	const index = tabs.findIndex((tab) => tab === document.activeElement);
	const target = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : (index + 1) % tabs.length;
	tabs[target]?.focus();
	tabs[target]?.click();
}

function body(): TemplateResult {
	const { root, noForm, problems } = model.state;
	if (pageToOpen !== undefined) return urlQuestion(pageToOpen);
	if (root?.kind === "group") {
		return html`
			${schemaText === undefined ? fieldsView(model, root) : rootView(model, root)}
			<div role="alert">${problems.map((text) => html`<p class="notice error">${text}</p>`)}</div>
		`;
	}
	const editor = jsonEditor({
		id: "text",
		label: "JSON",
		text: model.json,
		problems,
		isOver: model.isOver,
		...(noForm === undefined ? {} : { note: `MCP Host cannot show a form: ${noForm}` }),
		onChange: (text) => model.setJson(text),
	});
	return html`${editor} ${schemaDetails(schemaText ?? "")}`;
}

/** A web page that a server asks the user to open: the full URL, its host emphasized, and its unusual parts. */
function urlQuestion({ before, host, after, warnings }: UrlView): TemplateResult {
	return html`
		<div class="card">
			<p>
				If you agree, this page opens in your browser. The site receives what you enter there; MCP Host does not.
				Nothing has been loaded from it yet.
			</p>
			<p class="code" id="url">
				<span class="muted">${before}</span><strong>${host}</strong><span class="muted">${after}</span>
			</p>
			<p>Site: <strong class="code">${host}</strong></p>
		</div>
		${
			warnings.length === 0
				? nothing
				: html`<ul class="warnings">
						${warnings.map((text) => html`<li>${text}</li>`)}
					</ul>`
		}
	`;
}

function previewLine(preview: string): TemplateResult {
	return html`<div class="preview">
		<span class="label" id="preview-label">${model.document.previewLabel}</span>
		<output class="code" aria-labelledby="preview-label">${preview}</output>
	</div>`;
}

function buttons(): TemplateResult {
	const { submitLabel, canDecline, declineLabel } = model.document;
	const { canUndoReset, actions } = model.state;
	const { isOver } = model;
	const canReset = pageToOpen === undefined && (model.isEdited || canUndoReset);
	return html`<div class="actions bar">
		<button id="submit" ?disabled=${isOver} @click=${() => host.notify("submit")}>${submitLabel}</button>
		${
			canDecline
				? html`<button id="decline" class="secondary" ?disabled=${isOver} @click=${() => host.notify("decline")}>
						${declineLabel}
					</button>`
				: nothing
		}
		<button id="cancel" class="secondary" ?disabled=${isOver} @click=${() => host.notify("cancel")}>Cancel</button>
		${actions?.map(
			({ id, label }) =>
				html`<button class="secondary" ?disabled=${isOver} @click=${() => host.notify("act", id)}>${label}</button>`,
		)}
		${
			canReset && !isOver
				? html`<button id="reset" class="link" @click=${() => model.change({ kind: "reset" })}>
						${canUndoReset ? "Undo Reset" : "Reset"}
					</button>`
				: nothing
		}
		${
			pageToOpen !== undefined || isOver
				? nothing
				: html`<span class="muted key-hint">${submitKey} · ${submitLabel}</span>`
		}
	</div>`;
}

/**
 * Ctrl+Enter submits, except for a page to open: consent to that needs a deliberate press of its button. Enter alone
 * never submits. Escape closes a form of the user's own while nothing is entered; it does not answer a server's
 * question.
 */
function onKey(event: KeyboardEvent): void {
	if (event.isComposing || model.isOver) return;
	if (isSubmitKey(event) && pageToOpen === undefined) {
		event.preventDefault();
		host.notify("submit");
	}
	const isFree = document.querySelector(":popover-open") === null && !(event.target instanceof HTMLSelectElement);
	if (event.key === "Escape" && asker === "user" && !model.isEdited && isFree) host.notify("cancel");
}

/** The former place, otherwise what the form begins with; without that, or before a page to open, the safe answer. */
function firstControl(): HTMLElement | null {
	if (pageToOpen !== undefined) return document.querySelector<HTMLElement>("#decline");
	const place = recalledControl(port) ?? document.querySelector<HTMLElement>(`.form-body ${controls}:not(.adder *)`);
	const adder = place ?? document.querySelector<HTMLElement>(".form-body :is([data-action=add], .add-item)");
	return adder ?? document.querySelector<HTMLElement>(model.document.isRisky ? "#cancel" : "#submit");
}

update();
if (asker === "server" && !model.isOver) announceArrival(model.document.heading);
focusWhenEntered(firstControl);
