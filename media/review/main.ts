import { html, nothing, render, type TemplateResult } from "lit";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type {
	RequestDraft,
	ReviewHostApi,
	ReviewState,
	ReviewStep,
	ReviewViewApi,
} from "../../src/sampling/reviewProtocol.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { vscodePort } from "../shared/vscodePort.ts";
import { requestView } from "./requestView.ts";
import { textEditor } from "../shared/textEditor.ts";

const host = new RpcEndpoint<ReviewHostApi, ReviewViewApi>(vscodePort(), {
	// Only the extension can post to this page, and it sends what the contract says.
	show: (state) => show(state as ReviewState),
});

const review = await host.call("ready");
let state: ReviewState = review.state;
let draft: RequestDraft = review.draft;
let completion = takeCompletion(undefined, review.state.step);

/** The completion under review, with what the person has made of it. */
interface EditedCompletion {
	readonly attempt: number;
	readonly original: string;
	readonly text: string;
}

/** Takes over a new completion; of one that is under review already the person's own text stays. */
function takeCompletion(current: EditedCompletion | undefined, step: ReviewStep): EditedCompletion | undefined {
	if (step.kind !== "completion" || current?.attempt === step.attempt) return current;
	return { attempt: step.attempt, original: step.original, text: step.text };
}

function show(next: ReviewState): void {
	const isNewStep = next.step.kind !== state.step.kind;
	state = next;
	completion = takeCompletion(completion, state.step);
	if (!state.models.some(({ id }) => id === draft.modelId)) draft = { ...draft, modelId: state.chosen?.id ?? "" };
	update();
	if (isNewStep) keepFocus();
}

function update(): void {
	render(page(state.step), document.body);
}

function edit(change: Partial<RequestDraft>): void {
	draft = { ...draft, ...change };
	host.notify("edit", draft);
	update();
}

function page(step: ReviewStep): TemplateResult {
	const { heading, server, during, notices } = review;
	const end = step.kind === "done" ? step.end : undefined;
	return html`
		<main>
			${frameHeader({ heading, server, ...(during && { during }), ...(end && { end }) })}
			<p role="status" class="visually-hidden">${announcement(step)}</p>
			${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
			<section class="card" aria-labelledby="request-title">
				<h2 id="request-title">Request</h2>
				${requestView({
					review,
					draft,
					state,
					isDisabled: step.kind === "generating" || step.kind === "done",
					onEdit: edit,
					onManageModels: () => host.notify("manageModels"),
				})}
				<div role="status">
					${state.problem === undefined || step.kind === "done" ? nothing : html`<p class="notice error">✗ ${state.problem}</p>`}
				</div>
				${step.kind === "request" || (step.kind === "done" && completion === undefined) ? requestActions(step) : nothing}
			</section>
			${completionSection(step)}
		</main>
	`;
}

function requestActions(step: ReviewStep): TemplateResult {
	const isOver = step.kind === "done";
	const send = state.problem === undefined ? "Send to Model" : "Retry";
	return html`<div class="actions">
		<button id="send" ?disabled=${isOver || state.models.length === 0} @click=${approve}>${send}</button>
		${rejectButton(isOver)}
	</div>`;
}

function completionSection(step: ReviewStep): TemplateResult | typeof nothing {
	if (step.kind === "request" || (step.kind !== "generating" && completion === undefined)) return nothing;
	const isOver = step.kind === "done";
	return html`<section class="card" aria-labelledby="completion-title" id="completion-section">
		<div class="row">
			<h2 id="completion-title">Completion</h2>
			<span class="muted">${step.kind === "generating" || step.kind === "completion" ? `by ${step.model}` : ""}</span>
		</div>
		${step.kind === "generating" ? streaming(step.text) : editor(step)}
		<div class="actions">
			${
				step.kind === "generating"
					? html`<button id="stop" class="secondary" @click=${() => host.notify("stop")}>Stop</button>`
					: html`<button id="return" ?disabled=${isOver} @click=${returnToServer}>Return to Server</button>
							<button
								id="regenerate"
								class="secondary"
								?disabled=${isOver || state.models.length === 0}
								@click=${approve}
							>
								Regenerate
							</button>`
			}
			${rejectButton(isOver)}
		</div>
	</section>`;
}

/** How much of a streamed answer is painted each time; the whole of it is reviewed at its end. */
const streamedTail = 20_000;

function streaming(text: string): TemplateResult {
	const tail = text.slice(-streamedTail);
	return html`
		${tail.length < text.length ? html`<p class="muted">The last part of ${text.length} characters so far</p>` : nothing}
		<pre class="quote working" tabindex="0" aria-label="The answer so far">${tail}</pre>
	`;
}

function editor(step: ReviewStep): TemplateResult {
	const { text, original } = completion ?? { text: "", original: "" };
	return html`
		${textEditor({
			id: "completion",
			label: "Text that the server gets",
			text,
			original,
			escaped: step.kind === "completion" ? step.escaped : undefined,
			isDisabled: step.kind !== "completion",
			onChange: editCompletion,
		})}
		${step.kind === "completion" ? html`<p class="muted">${step.note}</p>` : nothing}
	`;
}

function rejectButton(isOver: boolean): TemplateResult {
	return html`<button id="reject" class="secondary" ?disabled=${isOver} @click=${() => host.notify("reject")}>
		Reject
	</button>`;
}

function approve(): void {
	host.notify("approve", draft);
}

function editCompletion(text: string): void {
	if (completion === undefined) return;
	completion = { ...completion, text };
	host.notify("editCompletion", text);
	update();
}

function returnToServer(): void {
	if (completion !== undefined) host.notify("returnToServer", completion.text);
}

function announcement({ kind }: ReviewStep): string {
	if (kind === "generating") return "The model is answering.";
	return kind === "completion" ? "The completion is ready for your review." : "";
}

/** When a step takes away the button that had the focus, the focus goes on to the next thing to do, never to a yes. */
function keepFocus(): void {
	document.querySelector("#completion-section")?.scrollIntoView({ block: "nearest" });
	if (!document.hasFocus() || document.activeElement !== document.body) return;
	document.querySelector<HTMLElement>("#stop, #completion:enabled, #reject:enabled")?.focus();
}

update();
// The safe answer has the focus (experience.md, "One frame for every decision").
focusWhenEntered(() => document.querySelector<HTMLElement>("#reject:enabled, #stop"));
