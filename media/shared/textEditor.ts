import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { live } from "lit/directives/live.js";
import { mergeEdit, shownText } from "./exactText.ts";
import { gapNotice, sizeNotice } from "./layoutNotice.ts";
import { valueOf } from "./controls.ts";

/** From how many characters on a text area has a fixed height: fitting it to its text costs too much on every key. */
export const longText = 50_000;

/** A text to review and change. */
export interface TextEditor {
	readonly id: string;
	readonly label: TemplateResult | string;
	/** The name for its Reset, if the label is not a text. */
	readonly name?: string;
	readonly text: string;
	/** The text as received, to detect and undo an edit. */
	readonly original: string;
	/** The text as received with its invisible characters as escapes, when it has any. */
	readonly escaped: string | undefined;
	readonly isDisabled: boolean;
	/** Returns the exact text: untouched parts stay as received, byte for byte. */
	readonly onChange: (text: string) => void;
}

/** A labelled text area that shows whether its text was edited, reverts the edit, and shows hidden characters. */
export function textEditor(editor: TextEditor): TemplateResult {
	const { id, label, text, original, escaped, isDisabled, onChange } = editor;
	const name = editor.name ?? (typeof label === "string" ? label : id);
	return html`<div class="field">
		<div class="row">
			<label class="label" for=${id}>${label}</label>
			${
				text === original
					? nothing
					: html`<span class="badge edited">edited</span>
							<button
								class="link"
								?disabled=${isDisabled}
								@click=${() => onChange(original)}
								aria-label="Reset ${name}"
							>
								Reset
							</button>`
			}
		</div>
		${guard([text], () => gapNotice(text))}
		<textarea
			id=${id}
			class=${text.length > longText ? "long" : ""}
			spellcheck="false"
			autocomplete="off"
			?disabled=${isDisabled}
			.value=${live(shownText(text))}
			@input=${(event: Event) => onChange(mergeEdit(text, valueOf(event)))}
		></textarea>
		${guard([text], () => sizeNotice(text))}
		${
			escaped === undefined
				? nothing
				: html`<details class="notice warning" open>
						<summary>⚠ This text contains hidden characters; with escapes:</summary>
						<pre>${escaped}</pre>
					</details>`
		}
	</div>`;
}
