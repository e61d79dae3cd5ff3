import { html, nothing, render, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type { FieldSuggestions, FormHostApi, FormState, FormViewApi } from "../../src/form/formProtocol.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { vscodePort } from "../shared/vscodePort.ts";
import { formField } from "./field.ts";
import { FormModel } from "./formModel.ts";
import { floatList } from "./listBox.ts";
import { controls, invalidControl, recalledControl, rememberControl } from "./places.ts";
import { isSubmitKey, submitKey } from "./submitKey.ts";
import { setText } from "./typing.ts";
import { urlQuestion } from "./urlQuestion.ts";

const port = vscodePort();
const host = new RpcEndpoint<FormHostApi, FormViewApi>(port, {
	// Only the extension can post to this page, and it sends what the contract says.
	show: (state) => show(state as FormState),
	suggest: (suggestions) => model.receiveSuggestions(suggestions as FieldSuggestions),
	fill: (field, text) => {
		model.rememberBeforeFill(field as number);
		setText(model, field as number, text as string);
	},
});

const model = new FormModel(
	await host.call("ready"),
	{
		change: (input) => host.notify("change", input),
		complete: (field, input, line) => host.notify("complete", field, input, line),
		fill: (field, source) => host.notify("fill", field, source),
	},
	update,
);
const { body, asker } = model.document;

function show(state: FormState): void {
	if (model.receive(state)) invalidControl()?.focus();
}

function update(): void {
	render(page(), document.body);
	floatList();
}

function page(): TemplateResult {
	const { heading, server, during, quote } = model.document;
	const { end, preview } = model.state;
	const frame = { asker, heading, server, ...(during && { during }), ...(quote && { quote }), ...(end && { end }) };
	return html`
		<main class="form" @keydown=${onKey} @focusin=${(event: FocusEvent) => rememberControl(port, event)}>
			<div class="form-head">${frameHeader(frame)}</div>
			<div class="form-body">
				${formControls()}
				${
					body.kind === "fields"
						? html`<div role="alert">${formProblems().map((text) => html`<p class="notice error">${text}</p>`)}</div>`
						: nothing
				}
			</div>
			${preview === undefined ? nothing : previewLine(preview)} ${buttons()}
		</main>
	`;
}

function formControls(): unknown {
	// Only the fields that have changed are drawn anew: a server may send a hundred of them with 500 options each.
	if (body.kind === "fields") {
		return body.fields.map((field, index) => guard([...model.parts(index)], () => formField(model, field, index)));
	}
	return urlQuestion(body.url);
}

function previewLine(preview: string): TemplateResult {
	return html`<div class="preview">
		<span class="label" id="preview-label">${model.document.previewLabel}</span>
		<output class="code" aria-labelledby="preview-label">${preview}</output>
	</div>`;
}

function formProblems(): readonly string[] {
	return model.state.attempts > 0 ? model.formProblems : [];
}

function buttons(): TemplateResult {
	const { submitLabel, canDecline } = model.document;
	const { isOver } = model;
	const canReset = body.kind !== "url" && (!model.isPristine || model.canUndoReset);
	return html`<div class="actions bar">
		<button id="submit" ?disabled=${isOver} @click=${submit}>${submitLabel}</button>
		${
			canDecline
				? html`<button id="decline" class="secondary" ?disabled=${isOver} @click=${() => host.notify("decline")}>
						Decline
					</button>`
				: nothing
		}
		<button id="cancel" class="secondary" ?disabled=${isOver} @click=${() => host.notify("cancel")}>Cancel</button>
		${model.state.actions?.map(
			({ id, label }) =>
				html`<button class="secondary" ?disabled=${isOver} @click=${() => host.notify("act", id)}>${label}</button>`,
		)}
		${
			canReset && !isOver
				? html`<button id="reset" class="link" @click=${() => model.toggleReset()}>
						${model.canUndoReset ? "Undo Reset" : "Reset"}
					</button>`
				: nothing
		}
		${body.kind === "url" || isOver ? nothing : html`<span class="muted key-hint">${submitKey} · ${submitLabel}</span>`}
	</div>`;
}

function submit(): void {
	host.notify("submit", model.input);
}

/**
 * Ctrl+Enter submits from anywhere but a page to open: consent to that is a deliberate press of its button. Enter alone
 * never submits. Escape closes a form of the person's own while nothing is entered; to a server's question it is no
 * answer.
 */
function onKey(event: KeyboardEvent): void {
	if (event.isComposing || model.isOver) return;
	if (isSubmitKey(event) && body.kind !== "url") {
		event.preventDefault();
		submit();
	}
	const isFree = document.querySelector(":popover-open") === null && !(event.target instanceof HTMLSelectElement);
	if (event.key === "Escape" && asker === "person" && model.isPristine && isFree) host.notify("cancel");
}

/** The first control; before a page to open always the safe answer. */
function firstControl(): HTMLElement | null {
	if (body.kind === "url") return document.querySelector<HTMLElement>("#decline");
	return recalledControl(port) ?? document.querySelector<HTMLElement>(`.form-body ${controls}, #cancel`);
}

update();
focusWhenEntered(firstControl);
