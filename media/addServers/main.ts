import { html, nothing, render, type TemplateResult } from "lit";
import type {
	AddServersHostApi,
	AddServersView,
	AddServersViewApi,
	GroupView,
} from "../../src/setup/entries/addServersProtocol.ts";
import { showHidden } from "../../src/base/text.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { candidateCard, line } from "./candidateCard.ts";
import { keptField } from "./keptField.ts";
import { chosenIn, isChecked, valueOf } from "../shared/controls.ts";

/** This number of servers is shown whole; further ones are lines that unfold. */
const mostUnfolded = 3;
let shown: AddServersView | undefined;

const host = connectHost<AddServersHostApi, AddServersViewApi>(vscodePort(), { show });

function show(state: AddServersView): void {
	const isFirst = shown === undefined;
	shown = state;
	render(page(state), document.body);
	if (isFirst) focusWhenEntered(() => document.querySelector<HTMLElement>("#text") ?? document.querySelector("main"));
}

function page(state: AddServersView): TemplateResult {
	const { heading, text, groups, failure } = state;
	const count = groups.reduce((sum, { candidates }) => sum + candidates.length, 0);
	return html`
		<main tabindex="-1">
			<header class="frame">
				<h1>${heading}</h1>
				<p class="muted">
					${
						state.isUpdate
							? "The update does not start the server. It needs your approval again."
							: "Adding does not start servers. Each server needs your approval before its first start."
					}
				</p>
			</header>
			${text === undefined ? nothing : textBox(text)}
			<p class="visually-hidden" role="status">${summary(state, count)}</p>
			${groups.map((group) => groupSection(group, count <= mostUnfolded))}
			${failure === undefined ? nothing : html`<p class="notice error" role="alert">${failure}</p>`}
			${buttons(state, count)}
		</main>
	`;
}

function textBox(text: string): TemplateResult {
	return html`
		<div class="field">
			<label for="text">Paste the instructions from the server's page</label>
			<textarea
				id="text"
				rows="4"
				spellcheck="false"
				aria-describedby="text-help"
				placeholder='{ "mcpServers": … }     claude mcp add …     npx -y …     https://mcp.example.com'
				@input=${(event: InputEvent) => void host.call("read", valueOf(event))}
				${keptField(text)}
			></textarea>
			<p id="text-help" class="muted">
				Paste a configuration of any host, a command line, an install link, a URL or a domain. Or
				<button class="link" id="by-hand" @click=${() => void host.call("byHand")}>fill in a form</button>.
			</p>
		</div>
	`;
}

function summary({ groups }: AddServersView, count: number): string {
	const refused = groups.reduce((sum, group) => sum + group.refused.length, 0);
	if (groups.length === 0) return "";
	const servers = count === 1 ? "1 server" : `${count} servers`;
	return refused === 0 ? servers : `${servers}, ${refused} not recognized`;
}

function groupSection(group: GroupView, isUnfolded: boolean): TemplateResult {
	const { id, heading, path, about, bundle, domain, listed, candidates, refused, isFollowed } = group;
	// Text that is not a server is not an error: its name leads to one.
	const isListed = listed !== undefined && candidates.length === 0;
	const isAll = candidates.length > 0 && candidates.every(({ isChosen }) => isChosen);
	return html`
		<section class="group" aria-labelledby=${`group-${id}`}>
			<div class="row">
				<h2 id=${`group-${id}`}>${showHidden(heading)}</h2>
				${candidates.length > 1 ? html`<span class="badge">${candidates.length}</span>` : nothing}
				${path === undefined ? nothing : html`<code class="muted path">${path}</code>`}
			</div>
			${
				bundle === undefined
					? nothing
					: html`<div class="card about">
							${line({ label: "Bundle", values: [bundle] })}
							<p class="muted">
								A server in one file. You see its contents first. Nothing is installed before you agree.
							</p>
							<p>
								<button id="open-bundle" @click=${() => void host.call("openBundle", id)}>Inspect Bundle…</button>
							</p>
						</div>`
			}
			${
				domain === undefined
					? nothing
					: html`<p class="muted">
							${showHidden(domain)} may publish a list of its servers.
							<button class="link" id="open-domain" @click=${() => void host.call("openDomain", id)}>
								Ask It (Experimental)…
							</button>
						</p>`
			}
			${
				isListed
					? html`<div class="card about">
							${refused.map((reason) => html`<p>${showHidden(reason)}</p>`)}
							<p>
								<button id="open-listed" @click=${() => void host.call("openListed", id)}>Search the Registry…</button>
							</p>
						</div>`
					: nothing
			}
			${about.length === 0 ? nothing : html`<div class="card about">${about.map((one) => line(one))}</div>`}
			${
				isFollowed === undefined
					? nothing
					: check(
							`follow-${id}`,
							isFollowed,
							"Follow this file instead of copying it. Its servers are used here, and each change needs your approval.",
							(isOn) => void host.call("follow", id, isOn),
						)
			}
			${
				candidates.length > 1 && isFollowed !== true
					? check(`all-${id}`, isAll, "All of these", (isOn) => void host.call("chooseAll", id, isOn))
					: nothing
			}
			${candidates.map((candidate) => candidateCard(candidate, host, { isUnfolded, isFollowed: isFollowed === true, isUpdate: shown?.isUpdate === true, update }))}
			${
				refused.length === 0 || isListed
					? nothing
					: html`<div class="notice ${candidates.length === 0 ? "error" : "warning"}" role="alert">
							<p>${candidates.length === 0 ? "Not added:" : "Left out:"}</p>
							<ul class="reasons">
								${refused.map((reason) => html`<li>${showHidden(reason)}</li>`)}
							</ul>
						</div>`
			}
		</section>
	`;
}

function check(id: string, isOn: boolean, label: string, toggle: (isOn: boolean) => void): TemplateResult {
	return html`<div class="check">
		<input type="checkbox" id=${id} .checked=${isOn} @change=${(event: Event) => toggle(isChecked(event))} />
		<label for=${id}>${label}</label>
	</div>`;
}

/** Always in sight: a folder's file is shared with others. */
function placeField({ places, place }: AddServersView): TemplateResult {
	return html`
		<div class="place">
			<label for="place">Keep in</label>
			<select
				id="place"
				aria-describedby="place-help"
				@change=${(event: Event) => void host.call("choosePlace", chosenIn(event))}
			>
				${places.map(({ label }, index) => html`<option ?selected=${index === place}>${label}</option>`)}
			</select>
			<span id="place-help" class="muted">${places[place]?.description ?? ""}</span>
		</div>
	`;
}

function buttons(state: AddServersView, count: number): TemplateResult {
	const { chosen, followed, obstacle, isAdding } = state;
	const isBlocked = obstacle !== undefined;
	const isOne = chosen === 1 && followed === 0;
	return html`
		<div class="actions bar">
			${chosen === 0 || state.isUpdate ? nothing : placeField(state)}
			<button id="add" ?disabled=${isBlocked} @click=${() => void host.call("add", false)}>${addLabel(state)}</button>
			${
				isOne
					? html`<button
							id="add-review"
							class="secondary"
							?disabled=${isBlocked}
							@click=${() => void host.call("add", true)}
						>
							${state.isUpdate ? "Update and Review…" : "Add and Review…"}
						</button>`
					: nothing
			}
			<button id="cancel" class="secondary" @click=${() => void host.call("close")}>Cancel</button>
			<span class="muted outcome" role="status"
				>${count === 0 && followed === 0 ? "" : isAdding ? "Adding…" : (obstacle ?? "")}</span
			>
		</div>
	`;
}

function addLabel({ chosen, followed, isUpdate }: AddServersView): string {
	if (isUpdate) return "Update Server";
	const add = chosen === 1 ? "Add Server" : `Add ${chosen} Servers`;
	if (followed === 0) return chosen === 0 ? "Add Server" : add;
	const follow = followed === 1 ? "Follow File" : `Follow ${followed} Files`;
	return chosen === 0 ? follow : `${add} and ${follow}`;
}

/** Renders again, after a change in the view's own state. */
function update(): void {
	if (shown !== undefined) render(page(shown), document.body);
}

void host.call("ready").then(show);
