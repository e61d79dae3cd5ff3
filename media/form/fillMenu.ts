import { html, type TemplateResult } from "lit";
import type { FillSource } from "../../src/form/formProtocol.ts";

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

function menuOf(event: Event): HTMLElement {
	return (event.currentTarget as HTMLElement).closest<HTMLElement>("[role=menu]") as HTMLElement;
}

function openByArrow(event: KeyboardEvent): void {
	if (event.key !== "ArrowDown") return;
	event.preventDefault();
	(event.currentTarget as HTMLElement).click();
}

function onToggle(event: ToggleEvent): void {
	const menu = event.currentTarget as HTMLElement;
	const isOpen = event.newState === "open";
	menu.previousElementSibling?.setAttribute("aria-expanded", String(isOpen));
	if (isOpen) menu.querySelector("button")?.focus();
}

function moveByKey(event: KeyboardEvent): void {
	const menu = event.currentTarget as HTMLElement;
	const items = [...menu.querySelectorAll("button")];
	const index = items.findIndex((item) => item === document.activeElement);
	const targets: Readonly<Record<string, number>> = {
		ArrowDown: (index + 1) % items.length,
		ArrowUp: (index - 1 + items.length) % items.length,
		Home: 0,
		End: items.length - 1,
	};
	const target = targets[event.key];
	if (event.key === "Tab") menu.hidePopover();
	if (target === undefined) return;
	event.preventDefault();
	items[target]?.focus();
}
