import { html, nothing, render, type TemplateResult } from "lit";
import { showHidden } from "../../src/base/text.ts";
import type { BatchedServer, BatchHostApi, BatchState, BatchViewApi } from "../../src/servers/review/batchProtocol.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { reviewRow, reviewWarnings, trustNote } from "../shared/reviewRows.ts";
import { isAutomatic, startChoice } from "../shared/startChoice.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { isChecked } from "../shared/controls.ts";

const host = connectHost<BatchHostApi, BatchViewApi>(vscodePort(), {
	show: (state) => {
		shown = state;
		show();
	},
});

let shown: BatchState = { groups: [], warnings: [], startsWithWindow: false };
/** The keys of the servers that the user selected. Nothing is selected initially. */
const ticked = new Set<string>();
/** Set with the answer: the choice can then no longer be changed. */
let isOver = false;

function show(): void {
	render(page(), document.body);
}

function page(): TemplateResult {
	const count = shown.groups.reduce((sum, { servers }) => sum + servers.length, 0);
	const local = shown.groups.flatMap(({ servers }) => servers).find(({ review }) => !review.isRemote);
	const start = ticked.size === 0 ? "Approve and Start" : `Approve and Start ${ticked.size} of ${count}`;
	return html`
		<main>
			<header class="frame">
				<h1>${count === 1 ? "A server is waiting" : `${count} servers are waiting`} for your approval</h1>
				<p class="muted">Nothing has run yet.</p>
			</header>
			<p>
				Select the servers that you trust; the others keep waiting. You approve exactly what is shown here and under
				<em>Details</em>; if anything changes, you are asked again.
			</p>
			${local === undefined ? nothing : html`<p>${local.review.meaning.slice(0, -1).join(" ")}</p>`}
			${reviewWarnings(shown.warnings)}
			${trustNote(isOver ? undefined : shown.trust, () => void host.call("manageTrust"))}
			<div class="actions">
				<button class="secondary" ?disabled=${isOver || ticked.size === count} @click=${selectAll}>Select All</button>
			</div>
			${shown.groups.map(
				({ origin, servers }) => html`
					<section class="group" aria-label=${origin}>
						<h2>${showHidden(origin)}</h2>
						${servers.map(serverCard)}
					</section>
				`,
			)}
			${startChoice(shown.startsWithWindow, isOver)}
			<div class="actions bar">
				<button
					id="approve"
					?disabled=${isOver || ticked.size === 0}
					@click=${() => answer(() => host.call("approve", [...ticked], isAutomatic()))}
				>
					${start}
				</button>
				<button id="decline" class="secondary" ?disabled=${isOver} @click=${() => answer(() => host.call("decline"))}>
					Not Now
				</button>
				<span class="muted" role="status">${ticked.size === 0 ? "No server is selected." : ""}</span>
			</div>
		</main>
	`;
}

function serverCard({ key, review }: BatchedServer): TemplateResult {
	const { name, summary, isChange, isRemote, meaning, warnings, rows } = review;
	return html`
		<article class="card server">
			<label class="tick">
				<input
					type="checkbox"
					.checked=${ticked.has(key)}
					?disabled=${isOver}
					@change=${(event: Event) => tick(key, event)}
				/>
				<span class="name"><bdi>${showHidden(name)}</bdi></span>
				${isChange ? html`<span class="badge">changed</span>` : ""}
				<span class="muted">${isRemote ? "connects to a URL" : "runs on this machine"}</span>
			</label>
			<p class="summary"><code>${showHidden(summary)}</code></p>
			${isRemote ? html`<p>${meaning.slice(0, -1).join(" ")}</p>` : nothing} ${reviewWarnings(warnings)}
			<details ?open=${isChange}>
				<summary>Details</summary>
				${rows.map(reviewRow)}
			</details>
		</article>
	`;
}

function selectAll(): void {
	for (const { servers } of shown.groups) for (const { key } of servers) ticked.add(key);
	show();
}

function tick(key: string, event: Event): void {
	if (isChecked(event)) ticked.add(key);
	else ticked.delete(key);
	show();
}

function answer(send: () => Promise<unknown>): void {
	if (isOver) return;
	isOver = true;
	show();
	void send();
}

function open(state: BatchState): void {
	shown = state;
	show();
	// The safe answer has the focus: Enter alone must never start anything.
	focusWhenEntered(() => document.querySelector("#decline"));
}

void host.call("ready").then(open);
