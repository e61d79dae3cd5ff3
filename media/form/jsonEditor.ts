import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { mergeEdit, shownText } from "../shared/exactText.ts";
import type { FormModel } from "./formModel.ts";

/** A JSON text to edit, with what is wrong with it and the schema that it must obey. */
export function jsonEditor(model: FormModel, schemaText: string | undefined): TemplateResult {
	const text = model.input.kind === "json" ? model.input.text : "";
	return html`
		<div class="field">
			<label for="text">JSON</label>
			<textarea
				id="text"
				class="document"
				spellcheck="false"
				autocomplete="off"
				aria-describedby="problems"
				aria-invalid=${model.formProblems.length > 0}
				?readonly=${model.isOver}
				.value=${live(shownText(text))}
				@input=${({ currentTarget }: Event) =>
					model.setInput({ kind: "json", text: mergeEdit(text, (currentTarget as HTMLTextAreaElement).value) })}
			></textarea>
			<div id="problems" role="status">
				${model.formProblems.map((message) => html`<p class="problem code">${message}</p>`)}
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
