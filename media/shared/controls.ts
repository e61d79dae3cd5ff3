/** The text of the control that an event is for; empty for other elements. */
export function valueOf({ currentTarget }: Event): string {
	return isTextControl(currentTarget) || currentTarget instanceof HTMLSelectElement ? currentTarget.value : "";
}

/** Whether something is a control that holds a text. */
export function isTextControl(control: unknown): control is HTMLInputElement | HTMLTextAreaElement {
	return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
}

/** Whether the box that listens for an event is ticked. */
export function isChecked({ currentTarget }: Event): boolean {
	return currentTarget instanceof HTMLInputElement && currentTarget.checked;
}

/** The index of the selection in the list that an event is for; -1 for none. */
export function chosenIn({ currentTarget }: Event): number {
	return currentTarget instanceof HTMLSelectElement ? currentTarget.selectedIndex : -1;
}

/** The element that listens for an event. Throws for a window and the like. */
export function listenerOf({ currentTarget }: Event): HTMLElement {
	if (currentTarget instanceof HTMLElement) return currentTarget;
	throw new TypeError("No element listens for this event");
}
