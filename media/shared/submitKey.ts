/** The keys that submit a form from anywhere in it, as they are shown. */
export const submitKey = /mac/i.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl+Enter";

/** Whether Ctrl or Command went down in this page and is still down. */
let isHeldHere = false;

/**
 * Whether a key press submits the form. Enter alone never does, nor a key that is held down, nor one whose Ctrl was
 * pressed before the user was in this page: it was meant for another view (UI-22).
 */
export function isSubmitKey({ key, ctrlKey, metaKey, repeat }: KeyboardEvent): boolean {
	return key === "Enter" && (ctrlKey || metaKey) && !repeat && isHeldHere;
}

window.addEventListener(
	"keydown",
	({ key, repeat }) => {
		if ((key === "Control" || key === "Meta") && !repeat) isHeldHere = true;
	},
	{ capture: true },
);
window.addEventListener(
	"keyup",
	({ key }) => {
		if (key === "Control" || key === "Meta") isHeldHere = false;
	},
	{ capture: true },
);
window.addEventListener("blur", () => (isHeldHere = false));
