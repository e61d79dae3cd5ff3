import { html, nothing, type TemplateResult } from "lit";
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

function menuOf(event: Event): HTMLElement {
	return (event.currentTarget as HTMLElement).closest<HTMLElement>("[role=menu]") as HTMLElement;
}

function openByArrow(event: KeyboardEvent): void {
	if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
	event.preventDefault();
	(event.currentTarget as HTMLElement).click();
}

function onToggle(event: ToggleEvent): void {
	const menu = event.currentTarget as HTMLElement;
	const isOpen = event.newState === "open";
	menu.previousElementSibling?.setAttribute("aria-expanded", String(isOpen));
	if (isOpen) menu.querySelector<HTMLElement>("[role=menuitem]:not([aria-disabled=true])")?.focus();
}

function moveByKey(event: KeyboardEvent): void {
	const menu = event.currentTarget as HTMLElement;
	const items = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
	const index = items.findIndex((item) => item === document.activeElement);
	const targets: Readonly<Record<string, number>> = {
		ArrowDown: (index + 1) % items.length,
		ArrowUp: (index - 1 + items.length) % items.length,
		Home: 0,
		End: items.length - 1,
	};
	if (event.key === "Tab") menu.hidePopover();
	const target = targets[event.key];
	if (target === undefined) return;
	event.preventDefault();
	items[target]?.focus();
}
