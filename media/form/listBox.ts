import { html, nothing, type TemplateResult } from "lit";
import type { FieldSuggestions } from "../../src/questions/form/formProtocol.ts";
import type { FormModel } from "./formModel.ts";
import { caretLine, controlOf, setLine, setText, type TypedField } from "./typing.ts";

/** Whether a field has a list of suggestions. */
export function hasList({ suggests, recent }: TypedField): boolean {
	return suggests === true || (recent?.length ?? 0) > 0;
}

/** Opens and closes the list with the mouse; the keys do so for the keyboard (WAI-ARIA, combobox pattern). */
export function listButton(model: FormModel, field: TypedField, index: number): TemplateResult {
	const { suggestions } = model;
	const isShown = suggestions.isShown(index);
	return html`<button
		class="list-button"
		tabindex="-1"
		aria-label="Suggestions for ${field.label}"
		aria-expanded=${isShown}
		?disabled=${model.isOver}
		@mousedown=${(event: Event) => event.preventDefault()}
		@click=${() => {
			controlOf(index)?.focus();
			if (isShown) suggestions.close();
			else suggestions.open(index, caretLine(index));
		}}
	></button>`;
}

/** Whether a list can be above the content below the field; otherwise it is in between. */
const canFloat = CSS.supports("anchor-name: --a");

/** The suggestions of a field, if they are visible. Call `floatList` once it is in the page. */
export function listBox(model: FormModel, field: TypedField, index: number): TemplateResult | typeof nothing {
	const list = model.suggestions.of(index);
	if (list === undefined || !model.suggestions.isShown(index)) return nothing;
	const id = `field-${index}`;
	return html`<div
		class="suggestions"
		popover=${canFloat ? "manual" : nothing}
		@mousedown=${(event: Event) => event.preventDefault()}
	>
		<div id="${id}-list" role="listbox" aria-label="Suggestions for ${field.label}" aria-busy=${list.isBusy}>
			${list.groups.map((group, number) => groupOf(model, index, group, `${id}-group-${number}`))}
		</div>
		${list.note === undefined ? nothing : html`<p class="muted list-note" aria-hidden="true">${list.note}</p>`}
	</div>`;
}

function groupOf(
	model: FormModel,
	index: number,
	{ label, rows }: FieldSuggestions["groups"][number],
	id: string,
): TemplateResult {
	const { active, rows: all } = model.suggestions;
	return html`<div role="group" aria-labelledby=${id}>
		<div class="group-label" id=${id} role="presentation">${label}</div>
		${rows.map(
			(row) =>
				html`<div
					id="field-${index}-row-${all.indexOf(row)}"
					role="option"
					aria-selected=${row === active}
					@click=${() => take(model, index, row.value)}
				>
					${row.label}
				</div>`,
		)}
	</div>`;
}

/** Lifts the list over the page, and scrolls to its active row. */
export function floatList(): void {
	const list = document.querySelector<HTMLElement>(".suggestions");
	if (list?.matches("[popover]:not(:popover-open)") === true) list.showPopover();
	list?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
}

/** The id of the row that the keys have moved to. */
export function activeRow({ suggestions }: FormModel, index: number): string | typeof nothing {
	const { active, rows } = suggestions;
	const isActive = active !== undefined && suggestions.isShown(index);
	return isActive ? `field-${index}-row-${rows.indexOf(active)}` : nothing;
}

/** The effect of a key on the list: moving, taking or closing precedes any other effect. */
export function listKey(event: KeyboardEvent, model: FormModel, index: number): void {
	if (event.isComposing || model.isOver || !doListKey(event, model, index)) return;
	event.preventDefault();
	event.stopPropagation();
}

function doListKey(event: KeyboardEvent, model: FormModel, index: number): boolean {
	const { suggestions } = model;
	const { key, altKey } = event;
	const { active } = suggestions;
	if (!suggestions.isShown(index)) {
		const isWished = opensList(event);
		if (isWished) suggestions.open(index, caretLine(index));
		return isWished;
	}
	if (key === "Escape" || (altKey && key === "ArrowUp")) suggestions.close();
	else if (key === "Enter" && active !== undefined) take(model, index, active.value);
	else return !(altKey || event.ctrlKey || event.metaKey || event.shiftKey) && suggestions.move(key);
	return true;
}

/** In several lines the arrow moves the caret. */
function opensList({ key, ctrlKey, altKey, target }: KeyboardEvent): boolean {
	if (key === "ArrowDown") return altKey || target instanceof HTMLInputElement;
	return key === " " && ctrlKey;
}

/** Puts a suggestion in place of the text, or of the line of the caret where each line is a value. */
function take(model: FormModel, index: number, value: string): void {
	const field = model.field(index);
	if (field?.kind === "text" && field.isList === true) setLine(model, index, value);
	else setText(model, index, value);
}
