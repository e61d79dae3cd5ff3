import { html, nothing, render, type TemplateResult } from "lit";
import type {
	CallReviewAnswer,
	CallReviewHostApi,
	CallReviewState,
	ReviewedCall,
} from "../../src/surfaces/namedCalls/callReviewProtocol.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";

const host = connectHost<CallReviewHostApi, object>(vscodePort(), {});

let shown: CallReviewState = { calls: [], grantable: 0 };
const always = "Run and Allow While Unchanged";
/** Set with the answer: a second press decides nothing. */
let isOver = false;

function show(): void {
	render(page(), document.body);
}

function page(): TemplateResult {
	const { calls, grantable } = shown;
	const count = calls.length === 1 ? "1 Call" : `${calls.length} Calls`;
	const rest = calls.length - grantable;
	return html`
		<main>
			<header class="frame">
				<h1>Run ${count}?</h1>
				<p class="muted">Nothing has been sent yet. A file requests exactly these calls.</p>
			</header>
			${calls.map(card)}
			<div class="actions bar">
				${
					grantable > 0 && rest > 0
						? html`<p class="muted">With “${always}”, ${rest} of them still need confirmation each time.</p>`
						: nothing
				}
				<button id="once" ?disabled=${isOver} @click=${() => answer("once")}>Run Once</button>
				${
					grantable === 0
						? nothing
						: html`<button
								id="always"
								class="secondary"
								title="Does not ask again in this workspace while the arguments and the tool are unchanged. Use Manage Rules and Grants… to revoke it."
								?disabled=${isOver}
								@click=${() => answer("always")}
							>
								${always}
							</button>`
				}
				<button id="none" class="secondary" ?disabled=${isOver} @click=${() => answer("none")}>Run None</button>
			</div>
		</main>
	`;
}

function card(call: ReviewedCall): TemplateResult {
	return html`
		<article class="card call" aria-label=${call.name}>
			<h2><bdi>${call.name}</bdi></h2>
			<p><bdi>${call.server}</bdi> · <bdi>${call.target}</bdi></p>
			<p class="muted">${call.isRisky ? "⚠ " : ""}${call.badges} · <bdi>${call.place}</bdi></p>
			${call.notes.map((note) => html`<p class="notice warning">${note}</p>`)}
			<pre tabindex="0" role="group" aria-label="Arguments of ${call.name}">${call.arguments}</pre>
		</article>
	`;
}

function answer(said: CallReviewAnswer): void {
	if (isOver) return;
	isOver = true;
	show();
	void host.call("answer", said);
}

function open(state: CallReviewState): void {
	shown = state;
	show();
	// The safe answer has the focus: Enter alone must never send anything.
	document.querySelector<HTMLButtonElement>("#none")?.focus({ preventScroll: true });
}

void host.call("ready").then(open);
