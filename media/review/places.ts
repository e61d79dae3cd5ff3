import type { Place } from "../../src/features/sampling/review/reviewProtocol.ts";
import { controlId } from "./panel.ts";
import type { Edit } from "./edits.ts";
import type { Stage } from "./reviewModel.ts";

/** The controls in which something is entered. */
const controls = "textarea, input, select";

/** The field of the review in which something happened; nothing for what stands elsewhere. */
export function stageOf(target: EventTarget | null): Stage | undefined {
	if (!(target instanceof Element) || !target.matches(controls)) return undefined;
	const stage = target.closest<HTMLElement>("[data-stage]")?.dataset["stage"];
	return stage === "request" || stage === "completion" ? stage : undefined;
}

/** Brings a field into sight and gives it the focus, whatever it is folded away in. */
export function goTo(stage: Stage, place: Place): void {
	const control = document.getElementById(place === "model" ? "model" : controlId(stage, place));
	// An image or a sound has no control but the button that takes it out.
	focusOn(
		control ?? document.querySelector(`[data-stage="${stage}"] [data-place="${CSS.escape(place)}"] .end-of-row button`),
	);
}

/** The half of the review in which a place is. */
export function stageOfPlace(place: Place): Stage {
	return place === "text" || place.startsWith("call.") ? "completion" : "request";
}

/** Goes to an edit: to the changed text, or to the button that puts back what was taken out. */
export function goToEdit(stage: Stage, { place, kind }: Edit): void {
	if (kind === "changed") goTo(stage, place);
	else focusOn(document.querySelector<HTMLElement>(`[data-stage="${stage}"] [data-edit="${CSS.escape(place)}"]`));
}

function focusOn(element: HTMLElement | null): void {
	if (element === null) return;
	for (let details = element.closest("details"); details !== null;) {
		details.open = true;
		details = details.parentElement?.closest("details") ?? null;
	}
	element.scrollIntoView({ block: "center" });
	element.focus({ preventScroll: true });
}
