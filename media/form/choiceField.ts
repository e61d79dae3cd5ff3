import { html, nothing, type TemplateResult } from "lit";
import type { FieldOption, FormField } from "../../src/questions/form/formProtocol.ts";
import type { FormModel } from "./formModel.ts";
import { isChecked, valueOf } from "../shared/controls.ts";

/** A field with values to choose from. */
export type ChoiceField = Extract<FormField, { kind: "choice" | "choices" }>;

/** From this many options on, a list of them has a filter. */
const filterFrom = 13;

/** Whether a field is a box that opens; all other choices are lists with a row for each option. */
export function isDropDown(field: FormField): boolean {
	return field.kind === "choice" && field.options.length < filterFrom;
}

/** A box that opens, for a choice of one among a few. */
export function dropDown(model: FormModel, field: ChoiceField, index: number): TemplateResult {
	const id = `field-${index}`;
	const text = model.text(index);
	return html`<select
		id=${id}
		aria-describedby="${id}-notes"
		aria-invalid=${model.problem(index) !== undefined}
		aria-required=${field.isRequired}
		?disabled=${model.isOver}
		@change=${(event: Event) => model.setValue(index, valueOf(event))}
	>
		<option value="" .selected=${text === ""}>${nothingLabel(field)}</option>
		${field.options.map(
			({ value, label }) => html`<option value=${value} .selected=${text === value}>${label}</option>`,
		)}
	</select>`;
}

/** A row for each option, with a filter when there are many. Chosen options stay visible with any filter. */
export function optionList(model: FormModel, field: ChoiceField, index: number): TemplateResult {
	const sought = model.filter(index).toLowerCase();
	const rows = rowsOf(model, field, index);
	const shown = rows.filter(({ label, isChosen }) => isChosen || label.toLowerCase().includes(sought));
	const isLong = field.options.length >= filterFrom;
	return html`
		${isLong ? filterBox(model, field, index, shown.length) : nothing}
		<div class="choices" id="field-${index}-choices">
			${shown.map(
				({ value, label, isChosen }) =>
					html`<label class="check">
						<input
							type=${field.kind === "choice" ? "radio" : "checkbox"}
							name="field-${index}"
							?disabled=${model.isOver}
							.checked=${isChosen}
							@change=${(event: Event) => choose(model, field, index, value, isChecked(event))}
						/><span>${label}</span>
					</label>`,
			)}
		</div>
	`;
}

interface Row extends FieldOption {
	readonly isChosen: boolean;
}

function rowsOf(model: FormModel, field: ChoiceField, index: number): readonly Row[] {
	const value = model.value(index);
	if (field.kind === "choices") {
		const chosen = new Set(Array.isArray(value) ? (value as readonly string[]) : []);
		return field.options.map(({ value, label }) => ({ value, label, isChosen: chosen.has(value) }));
	}
	const none = field.isRequired ? [] : [{ value: "", label: nothingLabel(field) }];
	return [...none, ...field.options].map((option) => ({
		value: option.value,
		label: option.label,
		isChosen: option.value === value,
	}));
}

function nothingLabel(field: ChoiceField): string {
	if (field.kind === "choice" && field.nothing !== undefined) return field.nothing;
	return field.isRequired ? "Choose…" : "(none)";
}

function choose(model: FormModel, field: ChoiceField, index: number, value: string, isChosen: boolean): void {
	if (field.kind === "choice") {
		model.setValue(index, value);
		return;
	}
	// In the order of the options, not of the clicks.
	const rows = rowsOf(model, field, index).filter((row) => (row.value === value ? isChosen : row.isChosen));
	model.setValue(
		index,
		rows.map((row) => row.value),
	);
}

function filterBox(model: FormModel, field: ChoiceField, index: number, count: number): TemplateResult {
	const id = `field-${index}`;
	const chosen = rowsOf(model, field, index).filter(({ value, isChosen }) => isChosen && value !== "").length;
	const chosenNote = field.kind === "choices" ? ` · ${chosen} chosen` : "";
	const total = rowsOf(model, field, index).length;
	return html`<div class="filter">
		<input
			type="text"
			role="searchbox"
			placeholder="Type to filter"
			aria-label="Filter ${field.label}"
			aria-controls="${id}-choices"
			autocomplete="off"
			spellcheck="false"
			?disabled=${model.isOver}
			.value=${model.filter(index)}
			@input=${(event: Event) => model.setFilter(index, valueOf(event))}
			@keydown=${(event: KeyboardEvent) => filterKey(event, model, index)}
		/>
		<span class="muted" role="status"
			>${count === total ? `${total} values` : `${count} of ${total} values`}${chosenNote}</span
		>
	</div>`;
}

/** The arrow goes into the list, Escape empties the filter before it has any other effect. */
function filterKey(event: KeyboardEvent, model: FormModel, index: number): void {
	if (event.key === "ArrowDown") {
		document.querySelector<HTMLElement>(`#field-${index}-choices input`)?.focus();
	} else if (event.key === "Escape" && model.filter(index) !== "") model.setFilter(index, "");
	else return;
	event.preventDefault();
	event.stopPropagation();
}
