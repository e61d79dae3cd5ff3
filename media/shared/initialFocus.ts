/**
 * Focuses an element as soon as the user is in this panel, and not before: a panel that opened automatically must not
 * take the focus from the editor (UI-11).
 */
export function focusWhenEntered(find: () => HTMLElement | null): void {
	const focus = (options?: FocusOptions): void => {
		if (document.activeElement === null || document.activeElement === document.body) find()?.focus(options);
	};
	if (document.hasFocus()) focus();
	// A press of the mouse focuses the page as well; its target must not move.
	else window.addEventListener("focus", () => focus({ preventScroll: true }), { once: true });
}
