import { html, nothing, type TemplateResult } from "lit";
import { menuOf, moveByKey, onToggle, openByArrow } from "../shared/menu.ts";
import type { ReviewPanel } from "./panel.ts";

/** A menu of the models beside the one that answered: choosing one asks it for another completion. */
export function modelMenu({ model }: ReviewPanel, isDisabled: boolean): TemplateResult | typeof nothing {
	const { models } = model.state;
	if (models.length < 2) return nothing;
	return html`
		<button
			id="other-model"
			class="secondary menu-button"
			aria-haspopup="menu"
			aria-expanded="false"
			aria-label="Regenerate with Another Model"
			title="Regenerate with Another Model"
			popovertarget="model-menu"
			?disabled=${isDisabled}
			@keydown=${openByArrow}
		>
			<span class="chevron" aria-hidden="true"></span>
		</button>
		<div
			id="model-menu"
			class="menu"
			role="menu"
			aria-labelledby="other-model"
			popover
			@toggle=${onToggle}
			@keydown=${moveByKey}
		>
			${models.map(
				({ id, label, unusable }) =>
					html`<button
						role="menuitem"
						tabindex="-1"
						aria-disabled=${unusable !== undefined}
						@click=${(event: MouseEvent) => {
							if (unusable !== undefined) return;
							menuOf(event).hidePopover();
							model.approve(id);
						}}
					>
						${unusable === undefined ? label : `${label} (${unusable})`}
					</button>`,
			)}
		</div>
	`;
}
