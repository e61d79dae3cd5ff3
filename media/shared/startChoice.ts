import { html, type TemplateResult } from "lit";
import { isChecked } from "./controls.ts";

let isChosen = true;

/** Whether an approved server also starts whenever a window opens, by the user's choice. */
export function isAutomatic(): boolean {
	return isChosen;
}

/** When an approved server starts; a choice if approved servers start whenever a window opens. */
export function startChoice(startsWithWindow: boolean, isOver: boolean): TemplateResult {
	if (!startsWithWindow) return html`<p class="muted">It starts now, and later when you start it.</p>`;
	return html`<label class="tick">
		<input
			id="automatic"
			type="checkbox"
			.checked=${isChosen}
			?disabled=${isOver}
			@change=${(event: Event) => {
				isChosen = isChecked(event);
			}}
		/>
		<span>Start now, and whenever a window opens</span>
	</label>`;
}
