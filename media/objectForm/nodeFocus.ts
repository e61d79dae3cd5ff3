import type { NodeAction } from "../../src/form/objectProtocol.ts";
import { controls } from "../form/places.ts";
import type { ObjectModel } from "./objectModel.ts";

/** Gives the focus to what an addition brought, once it is in the page. Call before the change is made. */
export function afterAdding(model: ObjectModel): () => void {
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
