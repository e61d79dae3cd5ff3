import { html, nothing, type TemplateResult } from "lit";
import type { MemberAdding } from "../../src/questions/form/formProtocol.ts";
import { afterAdding } from "./places.ts";
import type { FormModel } from "./formModel.ts";

/**
 * Adds a member to an object: one that the schema names, or one of any name. Closed at first, for it is rarely needed, and
 * `isQuiet` where other members are shown.
 */
export function memberAdder(
	model: FormModel,
	id: number,
	label: string,
	adding: MemberAdding,
	isQuiet: boolean,
): TemplateResult {
	const { names, left, takesAnyName } = adding;
	const add = (name: string): void => model.change({ kind: "addMember", id, name }, afterAdding(model));
	return html`<details class="adder">
		<summary title=${isQuiet ? "Add Member…" : nothing}>
			${isQuiet ? html`<span aria-hidden="true">⋯</span>` : nothing}<span class=${isQuiet ? "visually-hidden" : nothing}
				>Add Member…</span
			><span class="visually-hidden"> (${label})</span>
		</summary>
		<div class="row">
			${names.length === 0 ? nothing : nameList(model, label, adding, add)}
			${takesAnyName || left > 0 ? nameBox(model, id, label, add) : nothing}
		</div>
	</details>`;
}

function nameList(
	model: FormModel,
	label: string,
	{ names, left }: MemberAdding,
	add: (name: string) => void,
): TemplateResult {
	return html`<select
			aria-label="Member to add to ${label}"
			?disabled=${model.isOver}
			@change=${({ currentTarget: select }: Event) => {
				if (!(select instanceof HTMLSelectElement)) return;
				const chosen = names[select.selectedIndex - 1];
				select.selectedIndex = 0;
				if (chosen !== undefined) add(chosen.value);
			}}
		>
			<option>Choose…</option>
			${names.map(({ label }) => html`<option>${label}</option>`)}
		</select>
		${left === 0 ? nothing : html`<span class="muted">and ${left.toLocaleString("en-US")} more: enter the name</span>`}`;
}

function nameBox(model: FormModel, id: number, label: string, add: (name: string) => void): TemplateResult {
	const box = (): HTMLInputElement | null => document.querySelector(`#name-${id}`);
	const take = (): void => {
		const input = box();
		if (input === null || input.value === "") return;
		add(input.value);
		input.value = "";
	};
	return html`<input
			id="name-${id}"
			type="text"
			placeholder="Name"
			aria-label="Name of a member to add to ${label}"
			autocomplete="off"
			autocapitalize="off"
			spellcheck="false"
			?readonly=${model.isOver}
			@keydown=${(event: KeyboardEvent) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && take()}
		/>
		<button class="secondary" ?disabled=${model.isOver} @click=${take}>Add</button>`;
}
