import type { ViewPort } from "../shared/vscodePort.ts";

/** The controls of a form that hold something. */
export const controls = ":is(textarea, input, select)";

/** The first control in which something is wrong, or the button that would put it right. */
export function invalidControl(): HTMLElement | null {
	const first = document.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid=true]");
	return first?.matches(controls) === true ? first : (first?.querySelector<HTMLElement>("input, button") ?? null);
}

/** Keeps the place in a long form: a person looks something up in another tab and comes back. */
export function rememberControl(port: ViewPort, { target }: FocusEvent): void {
	const place = target instanceof Element ? target.closest(".form-body [id]") : null;
	if (place !== null) port.remember(place.id);
}

/** The control that had the focus when the view was last shown. */
export function recalledControl(port: ViewPort): HTMLElement | null {
	const id = port.recall();
	const place = typeof id === "string" ? document.getElementById(id) : null;
	return place === null || place.matches(controls) ? place : place.querySelector<HTMLElement>(controls);
}
