/**
 * Gives an element the focus as soon as the person is in this panel, and not before: a panel that opened on its own must
 * not take the focus from the editor (security.md UI-11).
 */
export function focusWhenEntered(find: () => HTMLElement | null): void {
	const focus = (): void => {
		if (document.activeElement === null || document.activeElement === document.body) find()?.focus();
	};
	if (document.hasFocus()) focus();
	else window.addEventListener("focus", focus, { once: true });
}
