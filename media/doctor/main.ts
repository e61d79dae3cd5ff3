import { html, nothing, render, type TemplateResult } from "lit";
import type {
	DoctorHostApi,
	DoctorView,
	DoctorViewApi,
	FindingView,
	ServerView,
} from "../../src/surfaces/doctor/doctorProtocol.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { messageOf } from "../../src/base/errors.ts";

/** The current content. */
let view: DoctorView | undefined;
/** The outcome of the last action. */
let outcome = "";

const host = connectHost<DoctorHostApi, DoctorViewApi>(vscodePort(), { show });

function show(shown: DoctorView): void {
	const isFirst = view === undefined;
	view = shown;
	if (shown.standing === "checking") outcome = "";
	update();
	if (isFirst) focusWhenEntered(() => document.querySelector<HTMLElement>("main"));
	// The button that had the focus may be gone; no other one takes the Enter that was meant for it.
	else if (document.activeElement === document.body && document.hasFocus()) document.querySelector("main")?.focus();
}

function update(): void {
	if (view !== undefined) render(page(view), document.body);
}

function say(words: string): void {
	outcome = words;
	update();
}

function report(error: unknown): void {
	say(messageOf(error));
}

function page(shown: DoctorView): TemplateResult {
	const [only, ...others] = shown.servers;
	const isOne = only !== undefined && others.length === 0 && shown.entries.length === 0;
	const isChecking = shown.standing === "checking";
	return html`
		<main tabindex="-1">
			<header class="frame">
				<h1>Check: ${isOne ? html`<bdi>${only.name}</bdi>` : "All Servers"}</h1>
				<p class="muted">${isOne ? about(only) : counted(shown.servers)}</p>
				<p class="muted" role="status">${standing(shown)}</p>
			</header>
			${shown.entries.length === 0 ? nothing : entries(shown.entries)}
			${isOne ? serverBody(only) : shown.servers.map(serverCard)}
			<div class="actions bar">
				${
					isChecking
						? html`<button class="secondary" @click=${() => void host.call("cancel")}>Cancel</button>`
						: html`<button class="secondary" @click=${() => void host.call("again")}>Check Again</button>`
				}
				<button class="secondary" @click=${() => host.call("copyReport").then(say, report)}>Copy Report</button>
				<span class="outcome" role="status">${outcome}</span>
			</div>
		</main>
	`;
}

function about({ origin, state }: ServerView): TemplateResult | typeof nothing {
	return state === "" ? nothing : html`${state} · configured in <bdi>${origin}</bdi>`;
}

function standing({ standing: how, servers }: DoctorView): string {
	if (how === "cancelled") return "Cancelled. Found so far:";
	if (how === "done") return "";
	const current = servers.find(({ doing }) => doing !== undefined);
	if (current === undefined) return "Checking…";
	return servers.length === 1
		? `Checking: ${current.doing ?? ""}…`
		: `Checking ${current.name}: ${current.doing ?? ""}…`;
}

function counted(servers: readonly ServerView[]): string {
	const broken = servers.filter(({ verdict }) => verdict?.weight === "cause").length;
	const waiting = servers.filter(({ verdict }) => verdict?.weight === "waiting").length;
	const remarks = servers.filter(({ verdict }) => verdict?.weight === "warning").length;
	const all = servers.length === 1 ? "1 server" : `${servers.length} servers`;
	return [
		all,
		...(broken > 0 ? [`${broken} that cannot start`] : []),
		...(waiting > 0 ? [`${waiting} waiting for you`] : []),
		...(remarks > 0 ? [`${remarks} with a warning`] : []),
	].join(" · ");
}

/** The problems in the configuration that belong to no server. */
function entries(faults: readonly FindingView[]): TemplateResult {
	return html`
		<section class="card server" aria-labelledby="entries">
			<h2 id="entries">Configuration</h2>
			${faults.map(
				(fault) =>
					html`<article class=${`notice finding ${fault.weight === "cause" ? "error" : "warning"}`}>
						${findingBody("", fault, false)}
					</article>`,
			)}
		</section>
	`;
}

function serverCard(server: ServerView): TemplateResult {
	const id = `server-${server.id}`;
	return html`
		<section class="card server" aria-labelledby=${id}>
			<h2 id=${id}><bdi>${server.name}</bdi></h2>
			<p class="muted">${about(server)}</p>
			${serverBody(server)}
		</section>
	`;
}

function serverBody(server: ServerView): TemplateResult {
	const { findings, verdict, doing } = server;
	const [first] = findings;
	const cause = first?.weight === "cause" || first?.weight === "waiting" ? first : undefined;
	const others = findings.filter((finding) => finding !== cause && finding.weight !== "fine");
	const fine = findings.filter(({ weight }) => weight === "fine");
	return html`
		${
			cause !== undefined
				? html`<article
						class=${`notice finding ${cause.weight === "cause" ? "error" : "warning"}`}
						aria-label=${words[cause.weight]}
					>
						${findingBody(server.id, cause, true)}
					</article>`
				: verdict === undefined
					? html`<p class=${doing === undefined ? "muted" : "muted working"}>
							${doing === undefined ? "Not checked yet." : "Checking"}
						</p>`
					: html`<p class=${`notice ${verdict.weight === "warning" ? "warning" : ""}`}>
							<span class="mark" aria-hidden="true">${marks[verdict.weight]}</span> ${verdict.words}
						</p>`
		}
		${others.map((finding) => html`<article class="card finding">${findingBody(server.id, finding, false)}</article>`)}
		${
			fine.length === 0
				? nothing
				: html`<ul class="fine">
						${fine.map(
							({ layer, what }) =>
								html`<li>
									<span class="mark" aria-hidden="true">✓</span> <span class="muted">${layer}:</span> ${what}
								</li>`,
						)}
					</ul>`
		}
	`;
}

/** The sign of each weight; the word beside it says the same. */
const marks = { cause: "✗", waiting: "…", warning: "⚠", note: "ℹ", fine: "✓" } as const;
const words = { cause: "Cause", waiting: "Waiting for You", warning: "Warning", note: "Note", fine: "Fine" } as const;

function findingBody(server: string, finding: FindingView, isMain: boolean): TemplateResult {
	const { weight, layer, what, why, where, evidence, evidenceTitle: title, fixes } = finding;
	return html`
		<p class="kind">
			<span class="mark" aria-hidden="true">${marks[weight]}</span> ${words[weight]} · ${layer}
			${where === undefined ? nothing : html`· <bdi class="place">${where}</bdi>`}
		</p>
		<p class="what">${what}</p>
		${why === undefined ? nothing : html`<p>${why}</p>`}
		${
			evidence === undefined || evidence.length === 0
				? nothing
				: isMain && title === undefined
					? html`<pre class="evidence" tabindex="0" aria-label="Output of the server">${evidence.join("\n")}</pre>`
					: html`<details>
							<summary>${title ?? "Details"}</summary>
							<pre class="evidence">${evidence.join("\n")}</pre>
						</details>`
		}
		${
			fixes.length === 0
				? nothing
				: html`<div class="actions">
						${fixes.map(
							({ key, title }, index) =>
								html`<button
									class=${isMain && index === 0 ? "" : "secondary"}
									@click=${(event: MouseEvent) => fix(event, server, finding.key, key)}
								>
									${title}
								</button>`,
						)}
					</div>`
		}
	`;
}

/** The second click of a double click is not a separate decision. */
function fix({ detail }: MouseEvent, server: string, finding: string, key: string): void {
	if (detail > 1) return;
	say("");
	host.call("fix", server, finding, key).then(say, report);
}

void host.call("ready").then(show);
