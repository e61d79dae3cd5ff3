import { html, nothing, type TemplateResult } from "lit";
import type { ReviewPlace, ReviewField } from "../../src/features/sampling/review/reviewProtocol.ts";
import type { Differences } from "../shared/diffView.ts";
import { fieldView } from "./fieldView.ts";
import type { ReviewModel, Stage } from "./reviewModel.ts";
import type { ViewMemory } from "./viewMemory.ts";

/** The common inputs of every part of the panel: the content, the open parts, and a way to render again. */
export interface ReviewPanel {
	readonly model: ReviewModel;
	readonly memory: ViewMemory;
	readonly differences: Differences;
	readonly update: () => void;
	readonly openRules: () => void;
	readonly manageModels: () => void;
	readonly openLog: () => void;
}

/** The name of a field and the elements beside it, if that is not its own label. */
export interface FieldWords {
	readonly name?: string;
	readonly label?: TemplateResult;
	readonly extras?: TemplateResult | typeof nothing;
}

/** The control of a field of the request or of the completion. */
export function panelField(
	panel: ReviewPanel,
	stage: Stage,
	field: ReviewField,
	words: FieldWords = {},
): TemplateResult {
	const { model, memory, differences, update } = panel;
	const { problem } = model.state;
	const text = model.textOf(stage, field);
	const key = `diff-${stage}-${field.place}`;
	const isOpen = text !== field.original && memory.isOpen(key);
	return fieldView({
		id: controlId(stage, field.place),
		field,
		name: words.name ?? field.label,
		text,
		isReadonly: model.isReadonly,
		diff: isOpen ? differences.of(key, field.original, text) : undefined,
		...(words.label && { label: words.label }),
		...(words.extras && { extras: words.extras }),
		...(problem?.place === field.place && !model.isOver && { problem: problem.text }),
		onText: (changed) => model.setText(stage, field, changed),
		onToggleDiff: () => {
			memory.setOpen(key, !isOpen);
			update();
		},
	});
}

/** The id of the control of a field, such as `request-message-0-part-1`. */
export function controlId(stage: Stage, place: ReviewPlace): string {
	return `${stage}-${place.replaceAll(".", "-")}`;
}

/** A way to take something out, or to put it back. */
export function removeButton(panel: ReviewPanel, stage: Stage, place: ReviewPlace, what: string): TemplateResult {
	const { model } = panel;
	const isRemoved = model.isRemoved(stage, place);
	const word = isRemoved ? "Put Back" : "Remove";
	return html`<button
		class="link"
		data-edit=${place}
		?disabled=${model.isReadonly}
		aria-label="${word} ${what}"
		@click=${() => model.setRemoved(stage, place, !isRemoved)}
	>
		${word}
	</button>`;
}

/** A part of the panel that opens and closes, and stays as the user left it. */
export function section(
	{ memory }: ReviewPanel,
	key: string,
	summary: TemplateResult | string,
	isOpenByDefault: boolean,
	content: () => unknown,
): TemplateResult {
	return html`<details
		class="section"
		?open=${memory.isOpen(key, isOpenByDefault)}
		@toggle=${({ currentTarget }: Event) =>
			memory.setOpen(key, currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
	>
		<summary>${summary}</summary>
		<div class="section-body">${content()}</div>
	</details>`;
}

/** The badge that says that something within is edited; nothing otherwise. */
export function editedBadge(isEdited: boolean): TemplateResult | typeof nothing {
	return isEdited ? html`<span class="badge edited">edited</span>` : nothing;
}
