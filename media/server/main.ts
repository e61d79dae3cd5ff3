import { html, render, type TemplateResult } from "lit";
import type {
	ServerReviewHostApi,
	ServerReviewState,
	ServerReviewViewApi,
} from "../../src/servers/review/reviewProtocol.ts";
import { showHidden } from "../../src/base/text.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { reviewRow, reviewWarnings, trustNote } from "../shared/reviewRows.ts";
import { isAutomatic, startChoice } from "../shared/startChoice.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";

const host = connectHost<ServerReviewHostApi, ServerReviewViewApi>(vscodePort(), { show });

const ends: Readonly<Record<NonNullable<ServerReviewState["outcome"]>, string>> = {
	approved: "You approved this server.",
	declined: "You declined. Nothing was started.",
	lapsed: "This request has ended. Nothing was started.",
};

function show(state: ServerReviewState): void {
	render(page(state), document.body);
	// The safe answer has the focus: Enter alone must never start anything.
	if (state.outcome === undefined) focusWhenEntered(() => document.querySelector("#decline"));
}

function page({ review, startsWithWindow, trust, outcome }: ServerReviewState): TemplateResult {
	const isOver = outcome !== undefined;
	const verb = review.isRemote ? "Connect" : "Start";
	const question = review.isRemote ? "Connect to this server?" : "Start this server?";
	return html`
		<main>
			${frameHeader({
				heading: review.isChange ? "A server that you approved has changed" : question,
				server: showHidden(review.name),
				origin: showHidden(review.origin),
				...(outcome === undefined ? {} : { end: ends[outcome] }),
			})}
			<p>${review.meaning.join(" ")}</p>
			${trustNote(isOver ? undefined : trust, () => void host.call("manageTrust"))} ${reviewWarnings(review.warnings)}
			${review.rows.map(reviewRow)} ${startChoice(startsWithWindow, isOver)}
			<div class="actions bar">
				<button id="approve" ?disabled=${isOver} @click=${() => void host.call("approve", isAutomatic())}>
					Approve and ${verb}
				</button>
				<button id="decline" class="secondary" ?disabled=${isOver} @click=${() => void host.call("decline")}>
					Don't ${verb}
				</button>
			</div>
		</main>
	`;
}

void host.call("ready").then(show);
