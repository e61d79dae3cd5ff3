import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { live } from "lit/directives/live.js";
import { cap, hasHiddenCharacters, hiddenCharactersOf, showHidden } from "../../src/base/text.ts";
import { mergeEdit, shownText } from "../shared/exactText.ts";
import { gapNotice, sizeNotice } from "../shared/layoutNotice.ts";
import { longText } from "../shared/textEditor.ts";
import { valueOf } from "../shared/controls.ts";

/** How much of a text with hidden characters is shown again with them as escapes. */
const hiddenLimit = 2000;

/** A JSON text to edit, with its problem. */
export interface JsonEditor {
	readonly id: string;
	readonly label: TemplateResult | string;
	readonly text: string;
	readonly problems: readonly string[];
	readonly isOver: boolean;
	/** A further description. */
	readonly note?: string;
	/** Whether it is a part of a larger control, and small at first. */
	readonly isPart?: boolean;
	/** The elements beside the label. */
	readonly extras?: TemplateResult | typeof nothing;
	readonly onChange: (text: string) => void;
}

/** The control for a JSON text. */
export function jsonEditor(editor: JsonEditor): TemplateResult {
	const { id, label, text, problems, isOver, note, isPart, extras = nothing, onChange } = editor;
	const size = text.length > longText ? "long" : isPart === true ? "" : "document";
	return html`<div class="field">
		<div class="row"><label class="label" for=${id}>${label}</label>${extras}</div>
		${guard([text], () => gapNotice(text))}
		<textarea
			id=${id}
			class=${size}
			spellcheck="false"
			autocomplete="off"
			autocapitalize="off"
			aria-describedby="${id}-notes"
			aria-invalid=${problems.length > 0}
			?readonly=${isOver}
			.value=${live(shownText(text))}
			@input=${(event: Event) => onChange(mergeEdit(text, valueOf(event)))}
		></textarea>
		${guard([text], () => sizeNotice(text))}
		<div class="notes" id="${id}-notes">
			${note === undefined ? nothing : html`<p class="muted description">${note}</p>`}
			${
				hasHiddenCharacters(text)
					? html`<p class="notice warning">
							⚠ This text contains hidden characters (${hiddenCharactersOf(text).length.toLocaleString("en-US")}):
							<span class="code">${cap(showHidden(text), hiddenLimit)}</span>
						</p>`
					: nothing
			}
			<div role="status">${problems.map((message) => html`<p class="problem code">${message}</p>`)}</div>
		</div>
	</div>`;
}

/** The schema that a JSON text must obey, to open. */
export function schemaDetails(schemaText: string): TemplateResult {
	return html`<details>
		<summary>Schema</summary>
		<pre class="quote">${schemaText}</pre>
	</details>`;
}
