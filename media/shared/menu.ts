import { listenerOf } from "./controls.ts";

/** The menu in which something happened. */
export function menuOf(event: Event): HTMLElement {
	const listener = listenerOf(event);
	return listener.closest<HTMLElement>("[role=menu]") ?? listener;
}

/** Opens the menu of a button by the arrow keys, for `keydown` of the button in front of the menu. */
export function openByArrow(event: KeyboardEvent): void {
	if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
	event.preventDefault();
	listenerOf(event).click();
}

/** Says at its button whether a menu is open, and goes to its first item that can be chosen, for `toggle` of the menu. */
export function onToggle(event: ToggleEvent): void {
	const menu = listenerOf(event);
	const isOpen = event.newState === "open";
	menu.previousElementSibling?.setAttribute("aria-expanded", String(isOpen));
	if (isOpen) menu.querySelector<HTMLElement>("[role=menuitem]:not([aria-disabled=true])")?.focus();
}

/** Moves among the items of a menu and leaves it by Tab, for `keydown` of the menu. */
export function moveByKey(event: KeyboardEvent): void {
	const menu = listenerOf(event);
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
