import { html, nothing, render, type TemplateResult } from "lit";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type {
	ReviewRow,
	ServerReviewHostApi,
	ServerReviewState,
	ServerReviewViewApi,
} from "../../src/servers/reviewProtocol.ts";
import { showHidden } from "../../src/base/text.ts";
import { frameHeader } from "../shared/frame.ts";
import { vscodePort } from "../shared/vscodePort.ts";

const host = new RpcEndpoint<ServerReviewHostApi, ServerReviewViewApi>(vscodePort(), {
	// Only the extension can post to this page, and it sends what the contract says.
	show: (state) => show(state as ServerReviewState),
});

const ends: Readonly<Record<NonNullable<ServerReviewState["outcome"]>, string>> = {
	approved: "You approved this server.",
	declined: "You declined. Nothing was started.",
	lapsed: "This question has ended. Nothing was started.",
};

function show(state: ServerReviewState): void {
	render(page(state), document.body);
	// The safe answer has the focus: Enter alone must never start anything.
	if (state.outcome === undefined) document.querySelector<HTMLButtonElement>("#decline")?.focus();
}

function page({ review, outcome }: ServerReviewState): TemplateResult {
	const isOver = outcome !== undefined;
	return html`
		<main>
			${frameHeader({
				heading: review.isChange ? "A server that you approved has changed" : "Start this server?",
				server: showHidden(review.name),
				origin: showHidden(review.origin),
				...(outcome === undefined ? {} : { end: ends[outcome] }),
			})}
			<p>
				A server runs with your rights: it can read your files and use the network. Start it only if you trust where it
				comes from. This answer counts for exactly what is shown; any change asks again.
			</p>
			${
				review.warnings.length === 0
					? nothing
					: html`<ul class="warnings" role="alert">
							${review.warnings.map((warning) => html`<li>${warning}</li>`)}
						</ul>`
			}
			${review.rows.map(row)}
			<div class="actions bar">
				<button id="decline" class="secondary" ?disabled=${isOver} @click=${() => void host.call("decline")}>
					Don't Start
				</button>
				<button id="approve" ?disabled=${isOver} @click=${() => void host.call("approve")}>Approve and Start</button>
			</div>
		</main>
	`;
}

function row({ label, values, former }: ReviewRow): TemplateResult {
	return html`
		<section class="card">
			<h2>${label}${former === undefined ? nothing : html` <span class="badge">changed</span>`}</h2>
			${values.length === 0 ? html`<p class="muted">none</p>` : list(values, "")}
			${
				former === undefined
					? nothing
					: html`<h3 class="muted">Approved before</h3>
							${former.length === 0 ? html`<p class="muted">none</p>` : list(former, "former")}`
			}
		</section>
	`;
}

function list(values: readonly string[], kind: string): TemplateResult {
	return html`<ol class="values ${kind}">
		${values.map((value) => html`<li><code>${showHidden(value)}</code></li>`)}
	</ol>`;
}

void host.call("ready").then(show);
