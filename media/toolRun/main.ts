import { html, nothing, render, type TemplateResult } from "lit";
import { duration } from "../../src/base/amounts.ts";
import type {
	RunAction,
	RunHostApi,
	RunStanding,
	RunText,
	RunView,
	RunViewApi,
} from "../../src/surfaces/runner/runProtocol.ts";
import { frameHeader } from "../shared/frame.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { blockList } from "./blocks.ts";
import { structuredContent, type StructuredTab } from "./structured.ts";
import { messageOf } from "../../src/base/errors.ts";
import { timeOfDay } from "../../src/base/shownTime.ts";

/** The current content. */
let run: RunView | undefined;
/** The outcome of the last action. */
let outcome = "";
/** The user's choices for this run; undefined without one. */
let tab: StructuredTab | undefined;
let shownRaw: "request" | "result" = "result";

const host = connectHost<RunHostApi, RunViewApi>(vscodePort(), { show });

function show(shown: RunView): void {
	const isOther = run?.id !== shown.id;
	run = shown;
	document.title = shown.tool;
	if (isOther) {
		tab = undefined;
		shownRaw = "result";
		window.scrollTo(0, 0);
	}
	say("");
	if (isOther) focusWhenEntered(() => document.querySelector<HTMLElement>("main"));
	// The button that had the focus may be gone; no other one takes the Enter that was meant for it.
	else if (document.activeElement === document.body && document.hasFocus()) document.querySelector("main")?.focus();
}

/** Renders again, with the outcome of the last action. */
function say(words: string): void {
	outcome = words;
	if (run !== undefined) render(page(run), document.body);
}

function report(error: unknown): void {
	say(messageOf(error));
}

function act(action: RunAction): void {
	if (run !== undefined) host.call("act", run.id, action).then(say, report);
}

/** The second click of a double click is not a separate decision: the first may be done by then. */
function runAgain({ detail }: MouseEvent): void {
	if (detail <= 1) act("run-again");
}

function openText(text: RunText): void {
	if (run !== undefined) host.call("openText", run.id, text).catch(report);
}

const blockActions = {
	open: (index: number): void => {
		if (run !== undefined) host.call("openBlock", run.id, index).catch(report);
	},
	copyAddress: (index: number): void => {
		if (run !== undefined) host.call("copyAddress", run.id, index).then(say, report);
	},
	save: (index: number): void => {
		if (run !== undefined) host.call("saveBlock", run.id, index).then(say, report);
	},
};

function page(shown: RunView): TemplateResult {
	const { server, tool, during, result } = shown;
	return html`
		<main tabindex="-1">
			${frameHeader({ asker: "user", heading: tool, server, ...(during && { during }) })}
			<p class="muted">${shown.title === undefined ? nothing : html`<bdi>${shown.title}</bdi> · `}${shown.badges}</p>
			${standing(shown)} ${shown.changedFile === undefined ? nothing : changed(shown.changedFile)}
			${shown.notes.map((note) => html`<p class="notice warning">${note}</p>`)}
			<section class="card" aria-labelledby="arguments-heading">
				<h2 id="arguments-heading">Arguments</h2>
				${block(shown.arguments, "Arguments")}
			</section>
			${
				result === undefined
					? nothing
					: html`
							${
								result.problems.length === 0
									? nothing
									: html`<div class="notice warning">
											<p>${result.problemTitle}:</p>
											<ul>
												${result.problems.map((problem) => html`<li>${problem}</li>`)}
											</ul>
										</div>`
							}
							${
								result.structured === undefined
									? nothing
									: structuredContent(result.structured, tab, {
											choose: (chosen) => {
												tab = chosen;
												say(outcome);
											},
											open: () => openText("structured"),
										})
							}
							${blockList(result.blocks, blockActions)}
						`
			}
			${shown.log.length === 0 ? nothing : log(shown.log)} ${protocol(shown)} ${buttons(shown)}
		</main>
	`;
}

/** A notice that the server runs an older version of its file, with the button that restarts it and runs the call again. */
function changed(file: string): TemplateResult {
	return html`<div class="notice row">
		<span>${file} changed since the server started.</span>
		<button id="restart-and-run" @click=${() => act("restart-and-run")}>Restart and Run Again</button>
	</div>`;
}

/** The look of each state; the sentence beside it says the same in words. */
const looks: Readonly<Record<RunStanding, { readonly kind: string; readonly mark: string }>> = {
	running: { kind: "", mark: "…" },
	done: { kind: "", mark: "✓" },
	"tool-error": { kind: "warning", mark: "⚠" },
	failed: { kind: "error", mark: "✗" },
	cancelled: { kind: "warning", mark: "⊘" },
	denied: { kind: "error", mark: "⊘" },
	unknown: { kind: "warning", mark: "?" },
};

function standing(shown: RunView): TemplateResult {
	const { kind, mark } = looks[shown.standing];
	const { progress } = shown;
	return html`
		<div class="notice standing ${kind}">
			<span class="mark" aria-hidden="true">${mark}</span>
			<div class="standing-words">
				<p class="standing-sentence" role="status">${shown.sentence}</p>
				${timing(shown)}
				${
					progress === undefined
						? nothing
						: html`<p>${progress.text}</p>
								<progress
									aria-label="Progress"
									max=${progress.total ?? nothing}
									value=${progress.total === undefined ? nothing : (progress.done ?? 0)}
								></progress>`
				}
			</div>
			${
				shown.standing === "running"
					? html`<button id="cancel" class="secondary" @click=${() => act("cancel")}>Cancel</button>`
					: nothing
			}
		</div>
	`;
}

function timing({ startedAt, milliseconds }: RunView): TemplateResult | typeof nothing {
	const parts = [
		...(milliseconds === undefined ? [] : [duration(milliseconds)]),
		...(startedAt === undefined ? [] : [`started at ${timeOfDay(startedAt)}`]),
	];
	return parts.length === 0 ? nothing : html`<p class="timing">${parts.join(" · ")}</p>`;
}

function log(lines: readonly string[]): TemplateResult {
	return html`<details class="card" open>
		<summary>Log of This Call (${lines.length})</summary>
		${block(lines.join("\n"), "Log of this call")}
	</details>`;
}

function protocol(shown: RunView): TemplateResult {
	const { result } = shown;
	const raw = result === undefined ? "request" : shownRaw;
	const left = result === undefined ? 0 : result.rawTotal - result.raw.length;
	return html`
		<details class="card">
			<summary>Protocol</summary>
			<div class="row" role="group" aria-label="Message">
				${(["request", "result"] as const).map(
					(kind) =>
						html`<button
							class="tab"
							aria-pressed=${raw === kind}
							?disabled=${kind === "result" && result === undefined}
							@click=${() => {
								shownRaw = kind;
								say(outcome);
							}}
						>
							${kind === "request" ? "Request" : "Result"}
						</button>`,
				)}
				<button class="link" @click=${() => openText(raw)}>Open in Editor</button>
			</div>
			${
				raw === "request"
					? html`<p class="muted">As passed to the connection, which adds an ID and metadata.</p>`
					: left > 0
						? html`<p class="muted">Only the beginning. Use Open in Editor to see everything.</p>`
						: nothing
			}
			${raw === "request" ? block(shown.request, "Request") : block(result?.raw ?? "", "Result")}
		</details>
	`;
}

function buttons(shown: RunView): TemplateResult {
	const { canRunAgain, canCopyCommand, isTraced, result } = shown;
	const isOver = shown.standing !== "running";
	return html`
		<div class="actions bar">
			${canRunAgain ? html`<button ?disabled=${!isOver} @click=${runAgain}>Run Again</button>` : nothing}
			${canRunAgain ? button("edit", "Edit and Run…") : nothing}
			${result === undefined ? nothing : button("copy-result", "Copy Result")}
			${shown.hasApp ? button("open-app", "Open App") : nothing}
			${canRunAgain && result !== undefined ? button("save-call", "Save as Named Call…", "link") : nothing}
			${button("copy-json-rpc", "Copy as JSON-RPC", "link")}
			${canCopyCommand ? button("copy-command", "Copy as Command", "link") : nothing}
			${isTraced ? button("trace", "Show in Trace", "link") : nothing}
			<span class="muted outcome" role="status">${outcome}</span>
		</div>
	`;
}

function button(action: RunAction, label: string, look: "secondary" | "link" = "secondary"): TemplateResult {
	return html`<button class=${look} @click=${() => act(action)}>${label}</button>`;
}

/** A text of any length; it can be scrolled by keyboard. */
function block(text: string, label: string): TemplateResult {
	return html`<pre tabindex="0" role="group" aria-label=${label}>${text}</pre>`;
}

document.addEventListener("keydown", (event) => {
	if (event.key === "Escape" && !event.defaultPrevented) void host.call("close");
});
void host.call("ready").then(show);
