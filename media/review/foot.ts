import { html, nothing, type TemplateResult } from "lit";
import { submitKey } from "../shared/submitKey.ts";
import { menuOf, moveByKey, onToggle, openByArrow } from "../shared/menu.ts";
import type { ReviewPanel } from "./panel.ts";
import type { Stage } from "./reviewModel.ts";
import { editCount } from "./summary.ts";
import { valueOf } from "../shared/controls.ts";

/** The actions of the foot beyond those of the panel's model. */
export interface FootActions {
	/** Goes to the next edit, or to the field that a problem is about. */
	readonly showEdit: (stage: Stage) => void;
	readonly showProblem: () => void;
	/** Whether the reason of a rejection is being written, and its text so far. */
	readonly reason: string | undefined;
	readonly setReason: (reason: string | undefined) => void;
}

/** The visible end of the panel: the edits, the cost, the next step, the buttons. */
export function foot(panel: ReviewPanel, actions: FootActions): TemplateResult {
	const { model } = panel;
	const { stage, isOver } = model;
	return html`<div class="foot">
		<div role="status">${model.state.problem === undefined || isOver ? nothing : problem(panel, actions)}</div>
		<div class="row foot-facts">
			${edits(panel, stage, actions)} ${isOver ? nothing : costs(panel, stage)}
			<span class="row end-of-row">
				${isOver ? html`<button class="link" @click=${panel.openLog}>Show in Activity</button>` : nothing}
				<button class="link" @click=${panel.openRules}>Rules for This Server</button>
			</span>
		</div>
		${
			model.document.rule === undefined || isOver || stage !== "request"
				? nothing
				: html`<p class="rule">${model.document.rule}</p>`
		}
		<div class="actions" role="group" aria-label="Decision">
			${stage === "request" ? requestButtons(panel) : completionButtons(panel)} ${rejection(panel, actions)}
		</div>
	</div>`;
}

/** The maximum cost of sending, and the state of the budgets; for another completion in one line until it is opened. */
function costs({ model }: ReviewPanel, stage: Stage): TemplateResult {
	const { estimate, budget } = model.state;
	if (stage === "completion" && estimate !== "") {
		return html`<details class="muted estimate">
			<summary>Another completion: ${estimate.replace(/^About/, "about")}</summary>
			${budget.map((line) => html`<p>${line}</p>`)}
		</details>`;
	}
	return html`<div class="muted estimate">
		${[estimate, ...budget].filter((line) => line !== "").map((line) => html`<p>${line}</p>`)}
	</div>`;
}

function problem({ model }: ReviewPanel, { showProblem }: FootActions): TemplateResult {
	const { text, place } = model.state.problem ?? { text: "" };
	return html`<p class="notice error">
		✗ ${text}
		${place === undefined ? nothing : html`<button class="link" @click=${showProblem}>Show the Field</button>`}
	</p>`;
}

function edits({ model }: ReviewPanel, stage: Stage, { showEdit }: FootActions): TemplateResult | typeof nothing {
	const count = model.editsOf(stage).length;
	if (count === 0) return nothing;
	return html`<span class="edits">
		<button class="link" title="Go to the next edit" @click=${() => showEdit(stage)}>${editCount(count)}</button>
		<button
			class="link"
			aria-label="Reset All Edits"
			?disabled=${model.isReadonly}
			@click=${() => model.resetAll(stage)}
		>
			Reset All
		</button>
	</span>`;
}

function requestButtons({ model }: ReviewPanel): TemplateResult {
	return html`
		<button
			id="send"
			title="${submitKey} in a field of the request"
			?disabled=${!model.canSend}
			@click=${once(() => model.approve())}
		>
			Send to Model
		</button>
		<button id="by-hand" class="secondary" ?disabled=${model.isReadonly} @click=${once(() => model.answerByHand())}>
			Answer by Hand
		</button>
	`;
}

function completionButtons(panel: ReviewPanel): TemplateResult {
	const { model } = panel;
	const isByHand = model.completion !== undefined && model.completion.model === undefined;
	const cannotSend = !model.canSend;
	return html`
		<button
			id="return"
			title="${submitKey} in a field of the completion"
			?disabled=${model.state.step.kind !== "completion"}
			@click=${once(() => model.returnToServer())}
		>
			Return to Server
		</button>
		<span class="split">
			<button id="regenerate" class="secondary" ?disabled=${cannotSend} @click=${once(() => model.approve())}>
				${isByHand ? "Send to Model" : "Regenerate"}
			</button>
			${modelMenu(panel, model.isReadonly)}
		</span>
	`;
}

function rejection({ model }: ReviewPanel, { reason, setReason }: FootActions): TemplateResult {
	const { isOver } = model;
	const others = model.state.alsoWaiting;
	const reject = (): void => model.reject(reason ?? "");
	return html`
		<button id="reject" class="secondary" ?disabled=${isOver} @click=${once(reject)}>Reject</button>
		${
			reason === undefined || isOver
				? html`<button
						id="add-reason"
						class="link"
						aria-label="Add Reason…"
						?disabled=${isOver}
						@click=${() => setReason("")}
					>
						<span class="where-wide">Add</span> Reason…
					</button>`
				: html`<input
						id="reason"
						type="text"
						class="inline"
						autocomplete="off"
						aria-label="Reason for the server"
						placeholder="Reason for the server; Enter rejects"
						.value=${reason}
						@input=${(event: Event) => setReason(valueOf(event))}
						@keydown=${(event: KeyboardEvent) => onReasonKey(event, reject, () => setReason(undefined))}
					/>`
		}
		${
			others === 0 || isOver
				? nothing
				: html`<button
						id="deny-all"
						class="secondary"
						aria-label="Reject All from This Server"
						title=${others === 1 ? "1 more waits" : `${others} more wait`}
						@click=${once(() => model.denyAll())}
					>
						Reject All <span class="where-wide">from This Server</span><span class="count">+${others}</span>
					</button>`
		}
	`;
}

function onReasonKey(event: KeyboardEvent, reject: () => void, close: () => void): void {
	if (event.isComposing || event.repeat) return;
	if (event.key === "Enter") reject();
	else if (event.key === "Escape") close();
	else return;
	event.preventDefault();
	event.stopPropagation();
}

/** The second click of a double click is not a separate decision: by then the button may be another one. */
function once(decide: () => void): (event: MouseEvent) => void {
	return ({ detail }) => {
		if (detail <= 1) decide();
	};
}

/** A menu of the models beside the one that answered: choosing one asks it for another completion. */
function modelMenu({ model }: ReviewPanel, isDisabled: boolean): TemplateResult | typeof nothing {
	const { models } = model.state;
	if (models.length < 2) return nothing;
	return html`
		<button
			id="other-model"
			class="secondary menu-button"
			aria-haspopup="menu"
			aria-expanded="false"
			aria-label="Regenerate with Another Model"
			title="Regenerate with Another Model"
			popovertarget="model-menu"
			?disabled=${isDisabled}
			@keydown=${openByArrow}
		>
			<span class="chevron" aria-hidden="true"></span>
		</button>
		<div
			id="model-menu"
			class="menu"
			role="menu"
			aria-labelledby="other-model"
			popover
			@toggle=${onToggle}
			@keydown=${moveByKey}
		>
			${models.map(
				({ id, label, unusable }) =>
					html`<button
						role="menuitem"
						tabindex="-1"
						aria-disabled=${unusable !== undefined}
						@click=${(event: MouseEvent) => {
							if (unusable !== undefined) return;
							menuOf(event).hidePopover();
							model.approve(id);
						}}
					>
						${unusable === undefined ? label : `${label} (${unusable})`}
					</button>`,
			)}
		</div>
	`;
}
