import { html, type TemplateResult } from "lit";
import type { FillSource } from "../../src/form/formProtocol.ts";
import { menuOf, moveByKey, onToggle, openByArrow } from "../shared/menu.ts";

/** A button with a menu of the places from which a field can be filled. */
export function fillMenu(
	id: string,
	label: string,
	sources: readonly FillSource[],
	isOver: boolean,
	choose: (source: string) => void,
): TemplateResult {
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
