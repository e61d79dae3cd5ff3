import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { shownText } from "../shared/exactText.ts";
import { menuOf, moveByKey, onToggle, openByArrow } from "../shared/menu.ts";
import { longText } from "../shared/textEditor.ts";
import type { FillSource } from "../../src/questions/form/formProtocol.ts";
import type { FormModel } from "./formModel.ts";
import { activeRow, hasList, listBox, listButton, listKey } from "./listBox.ts";
import { caretLine, controlOf, pasteLines, type TypedField } from "./typing.ts";
import { valueOf } from "../shared/controls.ts";

const hints = {
	email: { mode: "email", placeholder: "name@example.com" },
	uri: { mode: "url", placeholder: "https://example.com" },
	date: { mode: "text", placeholder: "YYYY-MM-DD" },
	"date-time": { mode: "text", placeholder: "2026-06-20T15:04:05Z" },
	number: { mode: "decimal", placeholder: "" },
	plain: { mode: "text", placeholder: "" },
} as const;

/**
 * The control of a text or a number, with its suggestions and sources. The input types `email`, `url`, `number` and
 * `date` are not used: they would change or lose typed text. Typed text is not offered to a spelling checker, which may
 * send it to a service.
 */
export function textControl(model: FormModel, field: TypedField, index: number): TemplateResult {
	const { fills = [], label } = field;
	const { suggestions } = model;
	const states = `${suggestions.isShown(index) ? "open" : ""} ${suggestions.of(index)?.isBusy === true ? "busy" : ""}`;
	return html`<div class="typed">
		<div class="combobox ${hasList(field) ? "has-list" : ""} ${states}">
			${model.isTall(index) ? area(model, field, index) : line(model, field, index)}
			${hasList(field) ? html`${listButton(model, field, index)}${listBox(model, field, index)}` : nothing}
		</div>
		${
			fills.length === 0
				? nothing
				: fillMenu(`field-${index}`, label, fills, model.isOver, (source) => {
						controlOf(index)?.focus();
						model.fill(index, source);
					})
		}
	</div>`;
}

function line(model: FormModel, field: TypedField, index: number): TemplateResult {
	const isCombobox = hasList(field);
	const isShown = model.suggestions.isShown(index);
	const { mode, placeholder } = hints[field.kind === "number" ? "number" : (field.format ?? "plain")];
	return html`<input
		id="field-${index}"
		type="text"
		inputmode=${mode}
		placeholder=${placeholderOf(model, index, placeholder)}
		autocomplete="off"
		autocapitalize="off"
		spellcheck="false"
		role=${isCombobox ? "combobox" : nothing}
		aria-autocomplete=${isCombobox ? "list" : nothing}
		aria-expanded=${isCombobox ? isShown : nothing}
		aria-controls=${isShown ? `field-${index}-list` : nothing}
		aria-activedescendant=${activeRow(model, index)}
		aria-describedby="field-${index}-notes"
		aria-invalid=${model.problem(index) !== undefined}
		aria-required=${field.isRequired}
		?readonly=${model.isOver}
		.value=${live(model.text(index))}
		@input=${(event: Event) => type(model, field, index, valueOf(event))}
		@paste=${(event: ClipboardEvent) => pasteLines(event, model, field, index)}
		@keydown=${(event: KeyboardEvent) => isCombobox && listKey(event, model, index)}
		@pointerdown=${() => model.suggestions.close()}
		@blur=${() => model.suggestions.close()}
	/>`;
}

/** Several lines. A text area must not have the role of a combobox, but may have all that belongs to a list except it. */
function area(model: FormModel, field: TypedField, index: number): TemplateResult {
	const isCombobox = hasList(field);
	return html`<textarea
		id="field-${index}"
		class=${model.text(index).length > longText ? "long" : ""}
		rows="3"
		placeholder=${placeholderOf(model, index, "")}
		autocomplete="off"
		autocapitalize="off"
		spellcheck="false"
		aria-autocomplete=${isCombobox ? "list" : nothing}
		aria-haspopup=${isCombobox ? "listbox" : nothing}
		aria-controls=${model.suggestions.isShown(index) ? `field-${index}-list` : nothing}
		aria-activedescendant=${activeRow(model, index)}
		aria-describedby="field-${index}-notes"
		aria-invalid=${model.problem(index) !== undefined}
		aria-required=${field.isRequired}
		?readonly=${model.isOver}
		.value=${live(shownText(model.text(index)))}
		@input=${(event: Event) => type(model, field, index, valueOf(event))}
		@keydown=${(event: KeyboardEvent) => isCombobox && listKey(event, model, index)}
		@keyup=${() => model.suggestions.leave(caretLine(index))}
		@pointerdown=${() => model.suggestions.close()}
		@blur=${() => model.suggestions.close()}
	></textarea>`;
}

/** Absent is not an empty text: an empty control says which of them it holds. */
function placeholderOf(model: FormModel, index: number, hint: string): string {
	return [...(model.isUnset(index) ? ["not set"] : []), ...(hint === "" ? [] : [hint])].join(" · ");
}

function type(model: FormModel, field: TypedField, index: number, shown: string): void {
	model.setShown(index, shown);
	if (hasList(field) && document.activeElement === controlOf(index)) model.suggestions.follow(index, caretLine(index));
}

/** A button with a menu of the places from which a field can be filled; where there is one place, the button is that. */
function fillMenu(
	id: string,
	label: string,
	sources: readonly FillSource[],
	isOver: boolean,
	choose: (source: string) => void,
): TemplateResult {
	const [only, ...others] = sources;
	if (only !== undefined && others.length === 0)
		return html`<button class="secondary" id="${id}-fill" ?disabled=${isOver} @click=${() => choose(only.id)}>
			${only.label}<span class="visually-hidden"> (${label})</span>
		</button>`;
	return html`
		<button
			class="secondary menu-button"
			id="${id}-fill"
			aria-haspopup="menu"
			aria-expanded="false"
			popovertarget="${id}-menu"
			?disabled=${isOver}
			@keydown=${openByArrow}
		>
			Fill From…<span class="visually-hidden"> (${label})</span>
		</button>
		<div
			class="menu"
			id="${id}-menu"
			role="menu"
			aria-labelledby="${id}-fill"
			popover
			@toggle=${onToggle}
			@keydown=${moveByKey}
		>
			${sources.map(
				(source) =>
					html`<button
						role="menuitem"
						tabindex="-1"
						@click=${(event: Event) => {
							menuOf(event).hidePopover();
							choose(source.id);
						}}
					>
						${source.label}
					</button>`,
			)}
		</div>
	`;
}
