import { html, type TemplateResult } from "lit";
import { isChecked } from "./controls.ts";

let isChosen = true;

/** Whether what is approved also starts whenever a window opens, as the user chose. */
export function isAutomatic(): boolean {
	return isChosen;
}

/** When what is approved starts; a choice where approved servers start whenever a window opens. */
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
