import { html, nothing, type TemplateResult } from "lit";
import type { RpcEndpoint } from "../../src/base/rpc.ts";
import { showHidden } from "../../src/base/text.ts";
import type {
	AddServersHostApi,
	AddServersViewApi,
	CandidateLine,
	CandidateView,
	RowView,
} from "../../src/setup/entries/addServersProtocol.ts";
import { keptField } from "./keptField.ts";
import { chosenIn, isChecked, valueOf } from "../shared/controls.ts";

type Host = RpcEndpoint<AddServersHostApi, AddServersViewApi>;

/** The candidates whose command or URL the user changes. */
const retargeted = new Set<string>();

/** How a candidate is shown beside others. */
export interface CardOptions {
	readonly isUnfolded: boolean;
	/** Whether its file is followed, so that it is not copied. */
	readonly isFollowed: boolean;
	/** Whether it replaces an existing one, so that it is the only one and keeps that one's name. */
	readonly isUpdate: boolean;
	readonly update: () => void;
}

/** A server that may be added: whether it is, its name, its definition, and how its values are kept. */
export function candidateCard(candidate: CandidateView, host: Host, options: CardOptions): TemplateResult {
	const { id, isChosen, name, nameProblem, state, isNew, isByHand, problems } = candidate;
	const { isFollowed, isUnfolded, isUpdate } = options;
	const isOut = !isChosen || isFollowed;
	return html`
		<div class="card candidate ${isOut ? "out" : ""}" role="group" aria-label=${showHidden(name) || "New server"}>
			<div class="candidate-head">
				${
					isByHand || isFollowed || isUpdate
						? nothing
						: html`<input
								type="checkbox"
								id=${`choose-${id}`}
								aria-label=${`Add ${showHidden(name)}`}
								.checked=${isChosen}
								@change=${(event: Event) => void host.call("choose", id, isChecked(event))}
							/>`
				}
				<div class="field name">
					<label for=${`name-${id}`}>Name</label>
					<input
						id=${`name-${id}`}
						type="text"
						spellcheck="false"
						?disabled=${isFollowed || isUpdate}
						aria-invalid=${nameProblem === undefined ? "false" : "true"}
						aria-describedby=${`name-problem-${id}`}
						@input=${(event: InputEvent) => void host.call("rename", id, valueOf(event))}
						${keptField(name)}
					/>
					<p class="problem" id=${`name-problem-${id}`} ?hidden=${nameProblem === undefined}>${nameProblem ?? ""}</p>
				</div>
				${isByHand || isUpdate ? nothing : html`<span class="badge state ${isNew ? "" : "edited"}">${state}</span>`}
			</div>
			${isFollowed || isUnfolded ? contents(candidate, host, options) : folded(candidate, host, options)}
			${problems.map((problem) => html`<p class="problem" role="alert">${showHidden(problem)}</p>`)}
		</div>
	`;
}

/** One line that unfolds. */
function folded(candidate: CandidateView, host: Host, options: CardOptions): TemplateResult {
	const secrets = candidate.rows.filter(({ kind }) => kind === "secret").length;
	return html`<details>
		<summary>
			<code>${showHidden(candidate.target)}</code>
			${secrets === 0 ? nothing : html`<span class="muted">${secrets === 1 ? "1 secret" : `${secrets} secrets`}</span>`}
		</summary>
		<div class="folded">${contents(candidate, host, options)}</div>
	</details>`;
}

function contents(candidate: CandidateView, host: Host, { isFollowed, update }: CardOptions): TemplateResult {
	const { id, lines, notes, warnings, rows, isRemote, isByHand } = candidate;
	if (isFollowed) return html`${lines.map((one) => line(one))}`;
	const isOpen = isByHand || lines.length === 0 || retargeted.has(id);
	return html`
		${isByHand ? nothing : lines.map((one) => line(one, (index) => void host.call("keepArgument", id, index)))}
		${
			isOpen
				? targetField(candidate, host)
				: html`<p>
						<button
							class="link"
							@click=${() => {
								retargeted.add(id);
								update();
								document.querySelector<HTMLElement>(`#target-${id}`)?.focus();
							}}
						>
							${isRemote ? "Change URL" : "Change Command"}
						</button>
					</p>`
		}
		${
			warnings.length === 0
				? nothing
				: html`<ul class="warnings">
						${warnings.map((warning) => html`<li>${showHidden(warning)}</li>`)}
					</ul>`
		}
		${rows.length === 0 ? nothing : html`<div class="value-rows">${rows.map((row) => valueRow(id, row, host))}</div>`}
		<p>
			<button class="link" @click=${() => void host.call("addRow", id)}>
				${isRemote ? "Add Header" : "Add Environment Variable"}
			</button>
		</p>
		${notes.map((note) => html`<p class="muted note">${showHidden(note)}</p>`)}
	`;
}

/** A line; values that the user may take for secrets have a button. */
export function line({ label, values, plain = [] }: CandidateLine, keep?: (index: number) => void): TemplateResult {
	return html`<div class="line">
		<h3>${label}</h3>
		<ol class="values">
			${values.map(
				(value, index) =>
					html`<li>
						<code>${showHidden(value)}</code>
						${
							keep !== undefined && plain.includes(index)
								? html`<button
										class="link keep"
										aria-label=${`Keep ${showHidden(value)} as a secret`}
										@click=${() => keep(index)}
									>
										Keep as Secret
									</button>`
								: nothing
						}
					</li>`,
			)}
		</ol>
	</div>`;
}

function targetField({ id, target, isByHand }: CandidateView, host: Host): TemplateResult {
	return html`<div class="field">
		<label for=${`target-${id}`}>Command or URL</label>
		<textarea
			id=${`target-${id}`}
			class="target"
			rows="1"
			spellcheck="false"
			placeholder=${isByHand ? "npx -y @modelcontextprotocol/server-memory   or   https://mcp.example.com" : ""}
			@input=${(event: InputEvent) => void host.call("retarget", id, valueOf(event))}
			${keptField(target)}
		></textarea>
		<p class="muted">Put arguments with spaces in quotes, as in a terminal.</p>
	</div>`;
}

const kinds = [
	["plain", "Plain text"],
	["environment", "From the environment"],
	["secret", "Secret"],
] as const;

/** How the value of a non-secret input is stored. */
const openInput = "Input";

function valueRow(candidate: string, row: RowView, host: Host): TemplateResult {
	const { id, label, where, isOwn, before, kind, text, hint, note, isOpenInput } = row;
	const key = `${candidate}-${id}`;
	const shownLabel = showHidden(label);
	const member = kind === "environment" ? "variable" : "text";
	return html`
		<div class="value-row" role="group" aria-label=${`${where} ${shownLabel}`}>
			<div class="field">
				<label for=${`label-${key}`}>${where}</label>
				<input
					id=${`label-${key}`}
					type="text"
					spellcheck="false"
					placeholder="Name"
					?readonly=${!isOwn}
					@input=${(event: InputEvent) => void host.call("changeRow", candidate, id, { name: valueOf(event) })}
					${keptField(label)}
				/>
			</div>
			<div class="field">
				<label for=${`kind-${key}`}>Kept as</label>
				<select
					id=${`kind-${key}`}
					@change=${(event: Event) => {
						const [chosen] = kinds[chosenIn(event)] ?? ["plain"];
						void host.call("changeRow", candidate, id, { kind: chosen });
					}}
				>
					${kinds.map(
						([value, words]) =>
							html`<option value=${value} ?selected=${value === kind}>
								${value === "secret" && isOpenInput ? openInput : words}
							</option>`,
					)}
				</select>
			</div>
			<div class="field value">
				<label for=${`value-${key}`}>${before === "" ? "Value" : `Value, after “${before.trim()}”`}</label>
				<input
					id=${`value-${key}`}
					type=${kind === "secret" && !isOpenInput ? "password" : "text"}
					autocomplete="off"
					spellcheck="false"
					placeholder=${showHidden(hint)}
					@input=${(event: InputEvent) => void host.call("changeRow", candidate, id, { [member]: valueOf(event) })}
					${keptField(text)}
				/>
				${note === undefined ? nothing : html`<p class="muted">${showHidden(note)}</p>`}
			</div>
			${
				isOwn
					? html`<button
							class="secondary remove"
							aria-label=${`Remove ${shownLabel}`}
							title="Remove"
							@click=${() => void host.call("removeRow", candidate, id)}
						>
							✕
						</button>`
					: nothing
			}
		</div>
	`;
}
