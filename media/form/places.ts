import type { NodeAction } from "../../src/questions/form/formProtocol.ts";
import type { ViewPort } from "../shared/vscodePort.ts";
import type { FormModel } from "./formModel.ts";

/** The controls of a form that hold something. */
export const controls = ":is(textarea, input, select)";

/** The first control in which something is wrong, or the button that would put it right. */
export function invalidControl(): HTMLElement | null {
	const first = document.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid=true]");
	return first?.matches(controls) === true ? first : (first?.querySelector<HTMLElement>("input, button") ?? null);
}

/** Keeps the place in a long form: a user looks something up in another tab and returns. */
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

/** Focuses the added element, once it is in the page. Call before the change is made. */
export function afterAdding(model: FormModel): () => void {
	const before = model.present;
	return () => {
		const added = [...model.present].find((id) => !before.has(id));
		focusIn(added === undefined ? null : document.getElementById(`node-${added}`));
	};
}

/** Keeps the focus near when the button that had it has gone with its node, or moved with it. */
export function afterLeaving(id: number, action: NodeAction): () => void {
	const node = document.getElementById(`node-${id}`);
	const sibling = action === "up" ? node?.previousElementSibling : action === "down" ? node?.nextElementSibling : node;
	const group = node?.parentElement?.closest(".nodes, .node");
	return () => {
		const moved = sibling?.isConnected === true ? sibling.querySelector<HTMLElement>(`[data-action=${action}]`) : null;
		if (moved !== null && (action === "up" || action === "down")) moved.focus();
		else if (document.activeElement === null || document.activeElement === document.body) {
			const next = sibling?.isConnected === true ? sibling : group?.querySelector(".add-item");
			focusIn(next ?? null);
		}
	};
}

function focusIn(place: Element | null): void {
	const target =
		place?.matches("button") === true ? place : (place?.querySelector(controls) ?? place?.querySelector("button"));
	if (target instanceof HTMLElement) target.focus();
}
