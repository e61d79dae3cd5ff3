/** The keys that submit a form from anywhere in it, as they are shown. */
export const submitKey = /mac/i.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl+Enter";

/** Whether a key press submits the form. Enter alone never does. */
export function isSubmitKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
	return key === "Enter" && (ctrlKey || metaKey);
}
