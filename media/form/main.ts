import { html, nothing, render, type TemplateResult } from "lit";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type {
	FieldInput,
	FormDocument,
	FormHostApi,
	FormInput,
	FormState,
	FormViewApi,
	UrlView,
} from "../../src/form/formProtocol.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { vscodePort } from "../shared/vscodePort.ts";
import { formField } from "./field.ts";

const host = new RpcEndpoint<FormHostApi, FormViewApi>(vscodePort(), {
	// Only the extension can post to this page, and it sends what the contract says.
	show: (state) => show(state as FormState),
});

const form = await host.call("ready");
let input: FormInput = form.input;
let state: FormState = form.state;
/** The fields that the person has changed: only they show a problem before the first attempt to submit. */
const touched = new Set<number>();

function show(next: FormState): void {
	const isNewAttempt = next.attempts > state.attempts && next.problems.length > 0;
	state = next;
	update();
	if (isNewAttempt) document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}

function update(): void {
	render(page(form), document.body);
}

function page({ heading, server, during, quote, body, submitLabel, canDecline }: FormDocument): TemplateResult {
	const { end } = state;
	const isOver = end !== undefined;
	const frame = { heading, server, ...(during && { during }), ...(quote && { quote }), ...(end && { end }) };
	return html`
		<main @keydown=${submitByKey}>
			${frameHeader(frame)} ${controls(body, isOver)}
			<div class="actions">
				<button id="submit" ?disabled=${isOver} @click=${submit}>${submitLabel}</button>
				${
					canDecline
						? html`<button id="decline" class="secondary" ?disabled=${isOver} @click=${() => host.notify("decline")}>
								Decline
							</button>`
						: nothing
				}
				<button id="cancel" class="secondary" ?disabled=${isOver} @click=${() => host.notify("cancel")}>Cancel</button>
			</div>
		</main>
	`;
}

function controls(body: FormDocument["body"], isOver: boolean): TemplateResult | readonly TemplateResult[] {
	switch (body.kind) {
		case "fields":
			return body.fields.map((field, index) =>
				formField({
					field,
					index,
					value: input.kind === "fields" ? (input.values[index] ?? "") : "",
					problem: problemOf(index),
					isOver,
					onChange: (value) => changeField(index, value),
				}),
			);
		case "json":
			return jsonEditor(body.schemaText, isOver);
		case "url":
			return urlQuestion(body.url);
		default:
			return html``;
	}
}

function jsonEditor(schemaText: string | undefined, isOver: boolean): TemplateResult {
	return html`
		<div class="field">
			<label for="text">JSON</label>
			<textarea
				id="text"
				class="document"
				spellcheck="false"
				autocomplete="off"
				aria-describedby="problems"
				aria-invalid=${state.problems.length > 0}
				?disabled=${isOver}
				.value=${input.kind === "json" ? input.text : ""}
				@input=${(event: Event) => change({ kind: "json", text: (event.target as HTMLTextAreaElement).value })}
			></textarea>
			<div id="problems" role="status">
				${state.problems.map(({ message }) => html`<p class="problem code">${message}</p>`)}
			</div>
		</div>
		${
			schemaText === undefined
				? nothing
				: html`<details>
						<summary>Schema</summary>
						<pre class="quote">${schemaText}</pre>
					</details>`
		}
	`;
}

function urlQuestion({ before, host: name, after, warnings }: UrlView): TemplateResult {
	return html`
		<div class="card">
			<p>
				If you agree, this page opens in your browser. What you enter there goes to the site, not to MCP Host. Nothing
				has been loaded from it yet.
			</p>
			<p class="code" id="url">
				<span class="muted">${before}</span><strong>${name}</strong><span class="muted">${after}</span>
			</p>
			<p>Site: <strong class="code">${name}</strong></p>
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

function problemOf(index: number): string | undefined {
	if (state.attempts === 0 && !touched.has(index)) return undefined;
	return state.problems.find(({ field }) => field === index)?.message;
}

function changeField(index: number, value: FieldInput): void {
	if (input.kind !== "fields") return;
	touched.add(index);
	change({ kind: "fields", values: input.values.with(index, value) });
}

function change(next: FormInput): void {
	input = next;
	host.notify("change", input);
	update();
}

function submit(): void {
	host.notify("submit", input);
}

/** Ctrl+Enter submits from anywhere but a page to open: consent to that is a deliberate press of its button. */
function submitByKey(event: KeyboardEvent): void {
	if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || form.body.kind === "url") return;
	event.preventDefault();
	submit();
}

update();
focusWhenEntered(() =>
	document.querySelector<HTMLElement>(form.body.kind === "url" ? "#decline" : "textarea, input, select, #cancel"),
);
