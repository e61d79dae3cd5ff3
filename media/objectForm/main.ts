import { html, nothing, render, type TemplateResult } from "lit";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type { ObjectHostApi, ObjectState, ObjectViewApi } from "../../src/form/objectProtocol.ts";
import { jsonEditor, schemaDetails } from "../form/jsonEditor.ts";
import { controls, invalidControl, recalledControl, rememberControl } from "../form/places.ts";
import { isSubmitKey, submitKey } from "../form/submitKey.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { vscodePort } from "../shared/vscodePort.ts";
import { rootView } from "./nodeView.ts";
import { ObjectModel } from "./objectModel.ts";
import { tabList } from "./tabs.ts";

const port = vscodePort();
const host = new RpcEndpoint<ObjectHostApi, ObjectViewApi>(port, {
	// Only the extension can post to this page, and it sends what the contract says.
	show: (state) => {
		if (model.receive(state as ObjectState)) invalidControl()?.focus();
	},
});

const model = new ObjectModel(
	await host.call("ready"),
	(change, number) => host.notify("change", change, number),
	update,
);

function update(): void {
	render(page(), document.body);
}

function page(): TemplateResult {
	const { heading, server, during, quote, notes } = model.document;
	const { end, tab, noForm } = model.state;
	const frame = { asker: "person" as const, heading, server, ...(during && { during }), ...(quote && { quote }) };
	return html`
		<main class="form object-form" @keydown=${onKey} @focusin=${(event: FocusEvent) => rememberControl(port, event)}>
			<div class="form-head">
				${frameHeader({ ...frame, ...(end && { end }) })}
				${tabList(tab, noForm === undefined, (tab) => model.change({ kind: "tab", tab }))}
			</div>
			<div class="form-body" id="panel" role="tabpanel" aria-labelledby="tab-${tab}">
				${notes.map((text) => html`<p class="notice">${text}</p>`)} ${body()}
			</div>
			${buttons()}
		</main>
	`;
}

function body(): TemplateResult {
	const { root, noForm, problems } = model.state;
	if (root?.kind === "group") {
		return html`
			${rootView(model, root)}
			<div role="alert">${problems.map((text) => html`<p class="notice error">${text}</p>`)}</div>
		`;
	}
	const editor = jsonEditor({
		id: "text",
		label: "JSON",
		text: model.json,
		problems,
		isOver: model.isOver,
		...(noForm === undefined ? {} : { note: `There is no form for this: ${noForm}` }),
		onChange: (text) => model.setJson(text),
	});
	return html`${editor} ${schemaDetails(model.document.schemaText)}`;
}

function buttons(): TemplateResult {
	const { isEdited, canUndoReset } = model.state;
	const { isOver } = model;
	const { submitLabel } = model.document;
	return html`<div class="actions bar">
		<button id="submit" ?disabled=${isOver} @click=${() => host.notify("submit")}>${submitLabel}</button>
		<button id="cancel" class="secondary" ?disabled=${isOver} @click=${() => host.notify("cancel")}>Cancel</button>
		${
			(isEdited || canUndoReset) && !isOver
				? html`<button id="reset" class="link" @click=${() => model.change({ kind: "reset" })}>
						${canUndoReset ? "Undo Reset" : "Reset"}
					</button>`
				: nothing
		}
		${isOver ? nothing : html`<span class="muted key-hint">${submitKey} · ${submitLabel}</span>`}
	</div>`;
}

/** Ctrl+Enter submits from anywhere; Escape closes while nothing is edited. */
function onKey(event: KeyboardEvent): void {
	if (event.isComposing || model.isOver) return;
	if (isSubmitKey(event)) {
		event.preventDefault();
		host.notify("submit");
	}
	const isFree = !(event.target instanceof HTMLSelectElement);
	if (event.key === "Escape" && !model.state.isEdited && isFree) host.notify("cancel");
}

update();
focusWhenEntered(firstControl);

/** The place of before, otherwise the first control; where there is none, the button that does no harm. */
function firstControl(): HTMLElement | null {
	const place = recalledControl(port) ?? document.querySelector<HTMLElement>(`.form-body ${controls}:not(.adder *)`);
	return place ?? document.querySelector<HTMLElement>(model.document.isRisky ? "#cancel" : "#submit");
}
