import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { cap, hasHiddenCharacters, hiddenCharactersOf, showHidden } from "../../src/base/text.ts";
import type { FormField } from "../../src/questions/form/formProtocol.ts";
import { shownText } from "../shared/exactText.ts";
import { gapNotice, sizeNotice } from "../shared/layoutNotice.ts";
import { dropDown, isDropDown, optionList } from "./choiceField.ts";
import type { FormModel } from "./formModel.ts";
import { textControl } from "./textField.ts";
import { setText, type TypedField } from "./typing.ts";
import { isChecked } from "../shared/controls.ts";

/** How much of a text with hidden characters is shown again with them as escapes. */
const hiddenLimit = 500;

/**
 * A labelled control with description, caution and problem, all of them announced with it.
 * @param extras elements beside the label, such as further actions on the field
 */
export function formField(
	model: FormModel,
	field: FormField,
	index: number,
	extras: TemplateResult | typeof nothing = nothing,
): TemplateResult {
	const id = `field-${index}`;
	if (field.kind === "boolean") {
		return html`<div class="field">
			<label class="check" for=${id}>${checkBox(model, index)}<span>${field.label}</span></label>
			${notes(model, field, index)}
		</div>`;
	}
	if (field.kind === "text" || field.kind === "number" || isDropDown(field)) {
		return html`<div class="field">
			<div class="row">
				<label class="label" for=${id}>${field.label}${field.isRequired ? requiredStar : nothing}</label>${extras}
			</div>
			${field.kind === "text" || field.kind === "number" ? typed(model, field, index) : dropDown(model, field, index)}
			${notes(model, field, index)}
		</div>`;
	}
	return html`<fieldset
		class="field"
		role=${field.kind === "choice" ? "radiogroup" : nothing}
		aria-describedby="${id}-notes"
		aria-required=${field.kind === "choice" ? field.isRequired : nothing}
		data-invalid=${model.problem(index) !== undefined}
	>
		<legend>
			${field.label}${field.isRequired ? html`${requiredStar}<span class="visually-hidden"> (required)</span>` : nothing}
		</legend>
		${extras === nothing ? nothing : html`<div class="row">${extras}</div>`} ${optionList(model, field, index)}
		${notes(model, field, index)}
	</fieldset>`;
}

/** The control for typed text, with a note on the hidden part. */
function typed(model: FormModel, field: TypedField, index: number): TemplateResult {
	const text = model.text(index);
	return html`${guard([text], () => gapNotice(text))}${textControl(model, field, index)}${guard([text], () => sizeNotice(text))}`;
}

/** The mark of a required field. For the eye; readers get the word from the control itself. */
export const requiredStar = html` <span class="required" title="Required" aria-hidden="true">*</span>`;

function checkBox(model: FormModel, index: number): TemplateResult {
	const id = `field-${index}`;
	return html`<input
		type="checkbox"
		id=${id}
		aria-describedby="${id}-notes"
		aria-invalid=${model.problem(index) !== undefined}
		?disabled=${model.isOver}
		.checked=${model.value(index) === true}
		@change=${(event: Event) => model.setValue(index, isChecked(event))}
	/>`;
}

function notes(model: FormModel, field: FormField, index: number): TemplateResult {
	const problem = model.problem(index);
	const text = shownText(model.text(index));
	const isTyped = field.kind === "text" || field.kind === "number";
	return html`<div class="notes" id="field-${index}-notes">
		${field.description === undefined ? nothing : html`<p class="muted description" dir="auto">${field.description}</p>`}
		${field.warning === undefined ? nothing : html`<p class="notice warning">⚠ ${field.warning}</p>`}
		${
			isTyped && hasHiddenCharacters(text)
				? html`<p class="notice warning">
						⚠ This text contains ${hiddenCount(text)}:
						<span class="code">${cap(showHidden(text), hiddenLimit)}</span>
					</p>`
				: nothing
		}
		<div role="status">
			${problem === undefined ? nothing : html`<p class="problem">${problem}</p>`}
			${isTyped ? html`${listNote(model, index)}${fillNote(model, index)}` : nothing}
		</div>
	</div>`;
}

function hiddenCount(text: string): string {
	const count = hiddenCharactersOf(text).length;
	return count === 1 ? "1 hidden character" : `${count.toLocaleString("en-US")} hidden characters`;
}

/** The list's text for screen readers, and for everybody when there is none. */
function listNote({ suggestions }: FormModel, index: number): TemplateResult | typeof nothing {
	if (suggestions.isShown(index)) {
		const count = suggestions.rows.length;
		const note = suggestions.of(index)?.note ?? (count === 1 ? "1 suggestion" : `${count} suggestions`);
		return html`<p class="visually-hidden">${note}</p>`;
	}
	return suggestions.isEmpty(index) ? html`<p class="muted">No suggestions.</p>` : nothing;
}

function fillNote(model: FormModel, index: number): TemplateResult | typeof nothing {
	const state = model.fillState(index);
	if (state === undefined) return nothing;
	return html`<p class=${state.step === "failed" ? "problem" : "muted"}>
		${state.message}
		${
			model.canUndoFill(index)
				? html`<button
						class="link"
						@click=${() => {
							document.querySelector<HTMLElement>(`#field-${index}`)?.focus();
							setText(model, index, model.takeBeforeFill(index));
						}}
					>
						Undo
					</button>`
				: nothing
		}
	</p>`;
}
