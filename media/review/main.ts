import { html, nothing, render, type TemplateResult } from "lit";
import { assertNever } from "../../src/base/assert.ts";
import type {
	ReviewPlace,
	ReviewHostApi,
	ReviewState,
	ReviewStep,
	ReviewViewApi,
} from "../../src/features/sampling/review/reviewProtocol.ts";
import { isSubmitKey } from "../shared/submitKey.ts";
import { announceArrival } from "../shared/arrival.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { completionSection } from "./completionView.ts";
import { Differences } from "../shared/diffView.ts";
import { nextEdit, type Edit } from "./edits.ts";
import { foot } from "./foot.ts";
import { type ReviewPanel, controlId } from "./panel.ts";
import { isRequestOpen, requestSection, sideBySide } from "./requestView.ts";
import { ReviewModel, type Stage } from "./reviewModel.ts";
import { StreamView } from "./streamView.ts";
import { ViewMemory } from "./viewMemory.ts";

const port = vscodePort();
const host = connectHost<ReviewHostApi, ReviewViewApi>(port, {
	show: (state) => show(state),
	load: (document) => model.load(document),
});

const model = new ReviewModel(
	await host.call("ready"),
	{
		edit: (draft) => host.call("edit", draft),
		editCompletion: (draft) => host.call("editCompletion", draft),
		approve: (draft) => host.call("approve", draft),
		answerByHand: () => host.call("answerByHand"),
		stop: () => host.call("stop"),
		showAttempt: (attempt) => host.call("showAttempt", attempt),
		returnToServer: (draft) => host.call("returnToServer", draft),
		reject: (reason) => host.call("reject", reason),
		denyAll: () => host.call("denyAll"),
		showRedacted: (id, isShown) => host.call("showRedacted", id, isShown),
	},
	update,
);
const memory = new ViewMemory(port);
const panel: ReviewPanel = {
	model,
	memory,
	differences: new Differences(update),
	update,
	openRules: () => host.notify("openRules"),
	manageModels: () => host.notify("manageModels"),
	openLog: () => host.notify("openLog"),
};
let stream = new StreamView();
let reason: string | undefined;
/** The edit to which the user went last. */
let lastEdit: ReviewPlace | undefined;

function update(): void {
	render(page(model.state.step), document.body);
}

function show(next: ReviewState): void {
	const { step, problem } = model.state;
	if (next.step.kind === "generating" && step.kind !== "generating") stream = new StreamView();
	model.show(next);
	if (next.step.kind !== step.kind) keepFocus();
	const place = next.problem?.place;
	// The problem of a field is shown at the field, to a user who has just tried to send.
	if (place !== undefined && next.problem?.text !== problem?.text && document.hasFocus())
		goTo(stageOfPlace(place), place);
}

function page(step: ReviewStep): TemplateResult {
	const { heading, server, during, notices } = model.document;
	const end = step.kind === "done" ? step.end : undefined;
	const isTwo = model.stage === "completion";
	return html`
		<main
			tabindex="-1"
			class="review ${isTwo ? "two" : ""}"
			@keydown=${onKey}
			@focusin=${onFocus}
			@focusout=${() => model.flush()}
		>
			${frameHeader({ heading, server, ...(during && { during }), ...(end && { end }) })}
			<p role="status" class="visually-hidden">${announcement(step)}</p>
			${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
			<div class="stages ${isRequestOpen(panel) ? "" : "folded"}">
				${isTwo ? completionSection(panel, stream) : nothing} ${requestSection(panel)}
			</div>
			${foot(panel, { showEdit, showProblem, reason, setReason })}
		</main>
	`;
}

function announcement({ kind }: ReviewStep): string {
	if (kind === "generating") return "The model is answering.";
	return kind === "completion" ? "The completion is ready for your review." : "";
}

function showEdit(stage: Stage): void {
	const edit = nextEdit(model.editsOf(stage), lastEdit);
	lastEdit = edit?.place;
	if (edit !== undefined) goToEdit(stage, edit);
}

function showProblem(): void {
	const place = model.state.problem?.place;
	if (place !== undefined) goTo(stageOfPlace(place), place);
}

function setReason(next: string | undefined): void {
	const wasOpen = reason !== undefined;
	reason = next;
	update();
	if (wasOpen !== (next !== undefined)) document.querySelector<HTMLElement>("#reason, #reject:enabled")?.focus();
	if (!wasOpen) document.querySelector<HTMLElement>("#reason")?.focus();
}

/** Ctrl+Enter is a yes only in a field of the half that it is about. A key that is held down decides nothing. */
function onKey(event: KeyboardEvent): void {
	if (event.isComposing) return;
	// It may be the key that brings another tab to the front.
	if (event.ctrlKey || event.metaKey) model.flush();
	if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
	if (event.repeat || !isSubmitKey(event)) return;
	const stage = stageOf(event.target);
	if (stage === undefined) return;
	event.preventDefault();
	if (stage === "request") model.approve();
	else model.returnToServer();
}

/** The place is kept while another tab is in front; that of a button is not, for it might be a yes. */
function onFocus({ target }: FocusEvent): void {
	if (target instanceof HTMLElement && stageOf(target) !== undefined) memory.place = target.id;
}

/** When a step takes away what had the focus, the focus goes to what is next, never to a yes. */
function keepFocus(): void {
	const title = document.querySelector<HTMLElement>("#completion-title");
	if (title !== null) bringIntoSight(title);
	const { activeElement } = document;
	const isLost =
		activeElement === null ||
		activeElement === document.body ||
		activeElement.matches(":disabled") ||
		!activeElement.checkVisibility();
	if (isLost && document.hasFocus()) nextFocus(model.state.step, title)?.focus();
}

/** The completion is above the scrolled position: its beginning is scrolled to the top. */
function bringIntoSight(title: HTMLElement): void {
	const { top } = title.getBoundingClientRect();
	if (top < 0 || top > innerHeight / 2) title.closest("section")?.scrollIntoView({ block: "start" });
}

function nextFocus(step: ReviewStep, title: HTMLElement | null): HTMLElement | null {
	switch (step.kind) {
		case "request":
			return document.querySelector<HTMLElement>("#reject");
		case "generating":
			return document.querySelector<HTMLElement>("#stop");
		case "completion":
			// The one who answers by hand is about to type.
			return step.completion.model === undefined ? document.querySelector("#completion-text") : title;
		case "done":
			return document.querySelector("main");
		default:
			return assertNever(step);
	}
}

/** The user's former place, otherwise the harmless answer. */
function firstFocus(): HTMLElement | null {
	const field = memory.place === undefined ? null : document.getElementById(memory.place);
	if (field?.checkVisibility() === true) return field;
	return document.querySelector<HTMLElement>("#reject:enabled");
}

update();
// Whether the request is folded follows the width, as long as the user has not opened or folded it.
sideBySide.addEventListener("change", update);
focusWhenEntered(firstFocus);
if (!model.isOver) announceArrival(model.document.heading);
// A hidden panel is removed immediately, and so is unsent input.
for (const event of ["blur", "pagehide"]) window.addEventListener(event, () => model.flush());
document.addEventListener("visibilitychange", () => model.flush());

/** The controls in which something is entered. */
const controls = "textarea, input, select";

/** The field of the review in which an event occurred; undefined for other elements. */
export function stageOf(target: EventTarget | null): Stage | undefined {
	if (!(target instanceof Element) || !target.matches(controls)) return undefined;
	const stage = target.closest<HTMLElement>("[data-stage]")?.dataset["stage"];
	return stage === "request" || stage === "completion" ? stage : undefined;
}

/** Makes a field visible and focuses it, even inside folded parts. */
export function goTo(stage: Stage, place: ReviewPlace): void {
	const control = document.getElementById(place === "model" ? "model" : controlId(stage, place));
	// An image or a sound has no control except the button that removes it.
	focusOn(
		control ?? document.querySelector(`[data-stage="${stage}"] [data-place="${CSS.escape(place)}"] .end-of-row button`),
	);
}

/** The half of the review in which a place is. */
export function stageOfPlace(place: ReviewPlace): Stage {
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
