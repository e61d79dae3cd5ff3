import { html, noChange, nothing, type TemplateResult } from "lit";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import { live } from "lit/directives/live.js";
import { cap, hasHiddenCharacters, showHidden } from "../../src/base/text.ts";
import type { ReviewField } from "../../src/features/sampling/review/reviewProtocol.ts";
import { diffView } from "../shared/diffView.ts";
import { mergeEdit, shownText } from "../shared/exactText.ts";
import type { TextDiff } from "../shared/textDiff.ts";
import { gapNotice, sizeNotice } from "../shared/layoutNotice.ts";
import { longText } from "../shared/textEditor.ts";
import { hasLongLine } from "./longLine.ts";
import { valueOf, isTextControl } from "../shared/controls.ts";

/** The current field in the panel. */
export interface FieldView {
	/** Names the controls in the page. */
	readonly id: string;
	readonly field: ReviewField;
	/** The name for its Reset, its changes and its control. */
	readonly name: string;
	/** The heading above it in place of the name. */
	readonly label?: TemplateResult;
	readonly text: string;
	readonly isReadonly: boolean;
	/** Its problem, in our words. */
	readonly problem?: string | undefined;
	/** How it differs from its original, when that is open. */
	readonly diff: TextDiff | undefined;
	/** The elements beside the label, such as a button to remove it. */
	readonly extras?: TemplateResult | typeof nothing;
	readonly onText: (text: string) => void;
	readonly onToggleDiff: () => void;
}

/** The maximum length of a field whose original is shown in a few words, and of a text that is shown with escapes. */
const shortOriginal = 60;
const escapedLimit = 20_000;

/** A labelled text that shows whether it was edited, reverts the edit, and shows hidden characters. */
export function fieldView(view: FieldView): TemplateResult {
	const { id, field, name, label, text, isReadonly, diff, extras = nothing } = view;
	const problem = view.problem ?? jsonProblem(field, text);
	return html`<div class="field" data-place=${field.place}>
		<div class="row">
			<label class="label" for=${id}>${label ?? name}</label>
			${text === field.original ? nothing : editedRow(view)}
			${extras === nothing ? nothing : html`<span class="end-of-row">${extras}</span>`}
		</div>
		${field.kind === "choice" ? nothing : guard([text], () => gapNotice(text))}
		${guard([field, text, isReadonly, problem, name], () => control(view, problem))}
		${field.kind === "choice" ? nothing : guard([text], () => sizeNotice(text))}
		${diff === undefined || text === field.original ? nothing : guard([diff], () => diffView(name, diff))}
		${field.hint === undefined ? nothing : html`<p class="muted" id="${id}-hint">${field.hint}</p>`}
		<div id="${id}-problem" role="status">
			${problem === undefined ? nothing : html`<p class="problem">✗ ${problem}</p>`}
		</div>
		${guard([field, text], () => hiddenNotice(field, text))}
	</div>`;
}

function editedRow({ field, name, isReadonly, diff, onText, onToggleDiff }: FieldView): TemplateResult {
	const { original, kind } = field;
	const isShort = kind === "line" || kind === "choice";
	const was =
		isShort && original.length <= shortOriginal ? (original === "" ? "was empty" : `was ${original}`) : undefined;
	const verb = diff === undefined ? "Show" : "Hide";
	return html`<span class="badge edited">edited</span>
		${
			was === undefined
				? html`<button
						class="link"
						aria-expanded=${diff !== undefined}
						aria-label="${verb} Changes of ${name}"
						@click=${onToggleDiff}
					>
						${verb} Changes
					</button>`
				: html`<span class="muted">${was}</span>`
		}
		<button class="link" ?disabled=${isReadonly} aria-label="Reset ${name}" @click=${() => onText(original)}>
			Reset
		</button>`;
}

function control({ id, field, text, isReadonly, onText }: FieldView, problem: string | undefined): TemplateResult {
	const described = `${field.hint === undefined ? "" : `${id}-hint `}${id}-problem`;
	const isWrong = problem !== undefined;
	const onInput = (event: Event): void => onText(mergeEdit(text, valueOf(event)));
	if (field.kind === "choice") {
		const choices = [...new Set([field.original, ...(field.choices ?? [])])];
		return html`<select
			id=${id}
			aria-describedby=${described}
			aria-invalid=${isWrong}
			?disabled=${isReadonly}
			@change=${(event: Event) => onText(valueOf(event))}
		>
			${choices.map(
				(choice) =>
					html`<option value=${choice} .selected=${live(choice === text)}>
						${choice === "" ? "(not set)" : choice}
					</option>`,
			)}
		</select>`;
	}
	// A single line cannot hold a line break, and must not lose one.
	if (field.kind === "line" && !/[\r\n]/.test(text)) {
		return html`<input
			id=${id}
			type="text"
			autocomplete="off"
			spellcheck="false"
			aria-describedby=${described}
			aria-invalid=${isWrong}
			?readonly=${isReadonly}
			${textValue(text)}
			@input=${onInput}
		/>`;
	}
	return html`<textarea
		id=${id}
		class=${text.length <= longText ? "" : hasLongLine(text, longText) ? "long unwrapped" : "long"}
		spellcheck="false"
		autocomplete="off"
		autocapitalize="off"
		aria-describedby=${described}
		aria-invalid=${isWrong}
		?readonly=${isReadonly}
		${textValue(text)}
		@input=${onInput}
	></textarea>`;
}

/** Shows immediately what the host would only report on sending. */
function jsonProblem({ kind }: ReviewField, text: string): string | undefined {
	if (kind !== "json" || text.length > longText || text.trim() === "") return undefined;
	try {
		JSON.parse(text);
		return undefined;
	} catch {
		return "This is not valid JSON.";
	}
}

/** The hidden characters of a text; for a long edited one, those of its original. */
function hiddenNotice(field: ReviewField, text: string): TemplateResult | typeof nothing {
	const escaped =
		text === field.original || text.length > longText
			? field.escaped
			: hasHiddenCharacters(shownText(text))
				? showHidden(shownText(text))
				: undefined;
	if (escaped === undefined) return nothing;
	return html`<details class="notice warning" open>
		<summary>⚠ This text contains hidden characters; with escapes:</summary>
		<pre class="escaped" tabindex="0" role="group" aria-label="Text with escapes">${cap(escaped, escapedLimit)}</pre>
	</details>`;
}

/**
 * Puts an exact text into a text control. The control is read only when the text is another one than it was last given
 * or last held: reading and setting megabytes on every key would make typing slow, and setting moves the caret.
 */
class TextValue extends Directive {
	private exact: string | undefined;

	constructor(part: PartInfo) {
		super(part);
		if (part.type !== PartType.ELEMENT) throw new Error("textValue stands in a tag");
	}

	override render(_exact: string): typeof noChange {
		return noChange;
	}

	override update({ element: control }: ElementPart, [exact]: [string]): typeof noChange {
		if (exact === this.exact || !isTextControl(control)) return noChange;
		this.exact = exact;
		const shown = shownText(exact);
		if (control.value === shown) return noChange;
		const { selectionStart, selectionEnd, scrollTop } = control;
		control.value = shown;
		// Another text in the place of this one leaves the user where they were, as well as it can.
		if (control === document.activeElement) control.setSelectionRange(selectionStart, selectionEnd);
		control.scrollTop = scrollTop;
		return noChange;
	}
}

/** See {@link TextValue}: `<textarea ${textValue(exact)}>`. */
const textValue = directive(TextValue);
