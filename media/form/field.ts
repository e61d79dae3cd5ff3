import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { FieldInput, FieldOption, FormField } from "../../src/form/formProtocol.ts";

/** A field with what it holds now. */
export interface FieldView {
	readonly field: FormField;
	readonly index: number;
	readonly value: FieldInput;
	/** What is wrong with the value, if that is to be shown. */
	readonly problem: string | undefined;
	readonly isOver: boolean;
	readonly onChange: (value: FieldInput) => void;
}

/** A labelled control with description, caution and problem, all of them announced with it. */
export function formField(view: FieldView): TemplateResult {
	const { field, index } = view;
	const id = `field-${index}`;
	if (field.kind === "boolean") {
		return html`<div class="field">
			<label class="check" for=${id}>${control(view, id)}<span>${field.label}</span></label>
			${notes(view, id)}
		</div>`;
	}
	if (field.kind === "choices") {
		return html`<fieldset
			class="field"
			aria-describedby="${id}-notes"
			aria-invalid=${view.problem !== undefined}
			tabindex=${view.problem === undefined ? nothing : -1}
		>
			<legend>${label(field)}</legend>
			${control(view, id)} ${notes(view, id)}
		</fieldset>`;
	}
	return html`<div class="field">
		<label for=${id}>${label(field)}</label>
		${control(view, id)} ${notes(view, id)}
	</div>`;
}

function label({ label, isRequired }: FormField): TemplateResult {
	return html`${label}${isRequired ? html` <span class="required" title="Required">*</span><span class="visually-hidden"> (required)</span>` : nothing}`;
}

function notes({ field, problem }: FieldView, id: string): TemplateResult {
	return html`<div id="${id}-notes">
		${field.description === undefined ? nothing : html`<p class="muted">${field.description}</p>`}
		${field.warning === undefined ? nothing : html`<p class="notice warning">⚠ ${field.warning}</p>`}
		<div role="status">${problem === undefined ? nothing : html`<p class="problem">${problem}</p>`}</div>
	</div>`;
}

function control({ field, value, problem, isOver, onChange }: FieldView, id: string): TemplateResult {
	const text = typeof value === "string" ? value : "";
	const onInput = (event: Event): void => onChange((event.target as HTMLInputElement).value);
	const isInvalid = problem !== undefined;
	switch (field.kind) {
		case "boolean":
			return html`<input
				type="checkbox"
				id=${id}
				aria-describedby="${id}-notes"
				?disabled=${isOver}
				.checked=${value === true}
				@change=${(event: Event) => onChange((event.target as HTMLInputElement).checked)}
			/>`;
		case "choice":
			return html`<select
				id=${id}
				aria-describedby="${id}-notes"
				aria-invalid=${isInvalid}
				aria-required=${field.isRequired}
				?disabled=${isOver}
				@change=${onInput}
			>
				<option value="" ?selected=${text === ""}>${field.isRequired ? "Choose…" : "(none)"}</option>
				${field.options.map(
					(option) => html`<option value=${option.value} ?selected=${text === option.value}>${option.label}</option>`,
				)}
			</select>`;
		case "choices":
			return choices(field.options, Array.isArray(value) ? (value as readonly string[]) : [], isOver, onChange);
		case "text":
			if (field.isLong) {
				return html`<textarea
					id=${id}
					rows="3"
					aria-describedby="${id}-notes"
					aria-invalid=${isInvalid}
					aria-required=${field.isRequired}
					?disabled=${isOver}
					.value=${text}
					@input=${onInput}
				></textarea>`;
			}
			return input(id, text, isInvalid, isOver, onInput, field.isRequired, field.format);
		case "number":
			return input(id, text, isInvalid, isOver, onInput, field.isRequired, "number");
		default:
			return html``;
	}
}

const hints = {
	email: { type: "text", mode: "email", placeholder: "name@example.com" },
	uri: { type: "text", mode: "url", placeholder: "https://example.com" },
	date: { type: "date", mode: "text", placeholder: "" },
	"date-time": { type: "text", mode: "text", placeholder: "2026-06-20T15:04:05Z" },
	number: { type: "text", mode: "decimal", placeholder: "" },
	plain: { type: "text", mode: "text", placeholder: "" },
} as const;

/** A text box. The types `email`, `url` and `number` are not used: they would change what was typed. */
function input(
	id: string,
	value: string,
	isInvalid: boolean,
	isOver: boolean,
	onInput: (event: Event) => void,
	isRequired: boolean,
	hint: keyof typeof hints = "plain",
): TemplateResult {
	const { type, mode, placeholder } = hints[hint];
	return html`<input
		id=${id}
		type=${type}
		inputmode=${mode}
		placeholder=${placeholder}
		autocomplete="off"
		aria-describedby="${id}-notes"
		aria-invalid=${isInvalid}
		aria-required=${isRequired}
		?disabled=${isOver}
		.value=${live(value)}
		@input=${onInput}
	/>`;
}

function choices(
	options: readonly FieldOption[],
	chosen: readonly string[],
	isOver: boolean,
	onChange: (value: readonly string[]) => void,
): TemplateResult {
	return html`<div class="choices">
		${options.map(
			({ value, label }) =>
				html`<label class="check">
					<input
						type="checkbox"
						?disabled=${isOver}
						.checked=${chosen.includes(value)}
						@change=${(event: Event) =>
							onChange(
								options
									.map((option) => option.value)
									.filter((item) =>
										item === value ? (event.target as HTMLInputElement).checked : chosen.includes(item),
									),
							)}
					/><span>${label}</span>
				</label>`,
		)}
	</div>`;
}
