import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { live } from "lit/directives/live.js";
import type { ContextChoice, ReviewField } from "../../src/features/sampling/review/reviewProtocol.ts";
import { editedBadge, panelField, type ReviewPanel, section } from "./panel.ts";
import { countOf, summaryOf } from "./summary.ts";
import { isChecked, valueOf } from "../shared/controls.ts";

/** The model that the request would go to, and why that one. */
export function modelSelect(panel: ReviewPanel): TemplateResult {
	const { model, manageModels } = panel;
	const { models, chosen } = model.state;
	const current = model.model;
	if (models.length === 0) {
		return html`<div class="notice warning row" data-place="model">
			<span>⚠ No model is available, so nothing can be sent. You can still answer by hand.</span>
			<button class="link" @click=${manageModels}>Manage Models…</button>
		</div>`;
	}
	const isHosts = !model.draft.isModelByHand || model.draft.modelId !== current?.id;
	const why =
		current === undefined
			? "No model supports this request. Choose one, or answer by hand."
			: isHosts && chosen !== undefined
				? `Chosen: ${chosen.reason}`
				: "Chosen by you.";
	return html`<div class="field" data-place="model">
		<label class="label" for="model">Model</label>
		<select
			id="model"
			aria-describedby="model-hint"
			?disabled=${model.isReadonly}
			@change=${(event: Event) => model.chooseModel(valueOf(event))}
		>
			${current === undefined ? html`<option value="" disabled .selected=${live(true)}>Choose a model…</option>` : nothing}
			${models.map(
				({ id, label, unusable }) =>
					html`<option value=${id} ?disabled=${unusable !== undefined} .selected=${live(id === current?.id)}>
						${unusable === undefined ? label : `${label} (${unusable})`}
					</option>`,
			)}
		</select>
		<p class="muted" id="model-hint">
			${current?.unusable === undefined ? why : `This model cannot be used: ${current.unusable}.`}
			${
				models.every(({ unusable }) => unusable !== undefined)
					? html`<button class="link" @click=${manageModels}>Manage Models…</button>`
					: nothing
			}
		</p>
	</div>`;
}

/** Max tokens, temperature and stop sequences: one line until it is opened. */
export function parameters(panel: ReviewPanel): TemplateResult {
	const { parameters } = panel.model.document;
	return foldedFields(panel, "parameters", "Parameters", "none", parameters);
}

/** Tools and tool choice; many tools are closed at first. */
export function tools(panel: ReviewPanel): TemplateResult | typeof nothing {
	const { tools } = panel.model.document;
	const [list] = tools;
	if (list === undefined) return nothing;
	const text = panel.model.textOf("request", list);
	const isSmall = list.original.length < 1500;
	const count = guard([text], () => {
		const count = countOf(text);
		return count === undefined ? "" : ` (${count})`;
	});
	const summary = html`Tools${count} ${editedBadge(isEdited(panel, tools))}`;
	// The section names the list.
	const words = { label: html`<span class="visually-hidden">${list.label}</span>` };
	return section(panel, "tools", summary, isSmall || hasProblem(panel, tools), () =>
		tools.map((field) => panelField(panel, "request", field, field === list ? words : {})),
	);
}

/** Model preferences of the server: hints and priorities, in short until it is opened. */
export function preferences(panel: ReviewPanel): TemplateResult | typeof nothing {
	const { preferences } = panel.model.document;
	if (preferences.length === 0) return nothing;
	return foldedFields(panel, "preferences", "Model preferences of the server", "none", preferences);
}

/** The metadata of the request: it stays here unless the user ticks it. */
export function metadata(panel: ReviewPanel): TemplateResult | typeof nothing {
	const { model } = panel;
	const { metadata } = model.document;
	if (metadata === undefined) return nothing;
	const { sendsMetadata } = model.draft;
	const summary = html`Metadata
		<span class="muted">${sendsMetadata ? "is sent" : "is not sent"}</span>
		${editedBadge(isEdited(panel, [metadata]))}`;
	return section(
		panel,
		"metadata",
		summary,
		hasProblem(panel, [metadata]),
		() => html`
			<div class="check">
				<input
					id="sends-metadata"
					type="checkbox"
					?disabled=${model.isReadonly}
					.checked=${live(sendsMetadata)}
					@change=${(event: Event) => model.setSendsMetadata(isChecked(event))}
				/>
				<label for="sends-metadata">Send the metadata to the model's provider</label>
			</div>
			${panelField(panel, "request", metadata)}
		`,
	);
}

const contextWords: Readonly<Record<ContextChoice, string>> = {
	none: "None",
	thisServer: "This server",
	allServers: "All servers",
};

const contextAsked: Readonly<Record<ContextChoice, string>> = {
	none: "The server did not request any context.",
	thisServer: "The server requested its own context. It is sent only if you choose it here.",
	allServers: "The server requested the context of all servers. It is sent only if you choose it here.",
};

/** Which context of servers goes along, with the text that would go: none unless the user chooses it (SMP-04). */
export function contextChoice(panel: ReviewPanel): TemplateResult {
	const { model } = panel;
	const { asked, field } = model.document.context;
	const { context } = model.draft;
	const summary = html`Context of servers <span class="muted">${contextWords[context].toLowerCase()}</span>`;
	return section(
		panel,
		"context",
		summary,
		asked !== "none" || context !== "none",
		() => html`
			<p class="muted" id="context-asked">${contextAsked[asked]}</p>
			<div class="row radios" role="radiogroup" aria-label="Context of servers" aria-describedby="context-asked">
				${(["none", "thisServer", "allServers"] as const).map(
					(choice) =>
						html`<label class="check">
							<input
								type="radio"
								name="context"
								value=${choice}
								?disabled=${model.isReadonly}
								.checked=${live(choice === context)}
								@change=${() => model.chooseContext(choice)}
							/>
							${contextWords[choice]}
						</label>`,
				)}
			</div>
			${
				context === "none"
					? nothing
					: field === undefined
						? html`<p class="muted" role="status">The context is being collected…</p>`
						: panelField(panel, "request", field)
			}
		`,
	);
}

/** Short fields beside each other, whose values are in one line while they are folded. */
function foldedFields(
	panel: ReviewPanel,
	key: string,
	title: string,
	empty: string,
	fields: readonly ReviewField[],
): TemplateResult {
	const short = summaryOf(fields.map((field) => [field.label, panel.model.textOf("request", field)]));
	const summary = html`${title}
		<span class="muted">${short === "" ? empty : short}</span> ${editedBadge(isEdited(panel, fields))}`;
	return section(
		panel,
		key,
		summary,
		hasProblem(panel, fields),
		() => html`<div class="columns">${fields.map((field) => panelField(panel, "request", field))}</div>`,
	);
}

function isEdited({ model }: ReviewPanel, fields: readonly ReviewField[]): boolean {
	return fields.some((field) => model.textOf("request", field) !== field.original);
}

function hasProblem({ model }: ReviewPanel, fields: readonly ReviewField[]): boolean {
	return fields.some(({ place }) => place === model.state.problem?.place);
}
