import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { PartView, RequestDraft, ReviewDocument, ReviewState } from "../../src/sampling/reviewProtocol.ts";
import { textEditor } from "../shared/textEditor.ts";

/** The request as the person edits it. */
export interface RequestView {
	readonly review: ReviewDocument;
	readonly draft: RequestDraft;
	readonly state: ReviewState;
	readonly isDisabled: boolean;
	readonly onEdit: (change: Partial<RequestDraft>) => void;
	readonly onManageModels: () => void;
}

/** Everything that would go to a model: system prompt, messages, model and parameters, all of it visible. */
export function requestView(view: RequestView): TemplateResult {
	const { review, draft, isDisabled, onEdit } = view;
	return html`
		${
			draft.systemPrompt === undefined
				? nothing
				: textEditor({
						id: "system",
						label: "System prompt",
						text: draft.systemPrompt,
						original: review.original.systemPrompt ?? "",
						escaped: review.escaped["system"],
						isDisabled,
						onChange: (systemPrompt) => onEdit({ systemPrompt }),
					})
		}
		${messages(view)} ${parameters(view)}
	`;
}

function messages({ review, draft, isDisabled, onEdit }: RequestView): readonly TemplateResult[] {
	let next = 0;
	return review.messages.flatMap(({ role, parts }, number) =>
		parts.map((part) => {
			const title = html`<span class="badge">${number + 1}</span> ${role}`;
			if (part.kind !== "text") return html`<div class="field">${otherPart(part, title)}</div>`;
			const index = next++;
			return textEditor({
				id: `message-${index + 1}`,
				label: title,
				text: draft.texts[index] ?? "",
				original: review.original.texts[index] ?? "",
				escaped: review.escaped[String(index)],
				isDisabled,
				onChange: (text) => onEdit({ texts: draft.texts.with(index, text) }),
			});
		}),
	);
}

function otherPart(part: Exclude<PartView, { kind: "text" }>, title: TemplateResult): TemplateResult {
	switch (part.kind) {
		case "image":
			return html`<p class="label">${title} · image</p>
				<figure>
					${
						part.url === undefined
							? html`<p class="muted">This type of image is not shown.</p>`
							: html`<img src=${part.url} alt="Image of the message" />`
					}
					<figcaption class="muted">${part.mimeType} · ${part.size}</figcaption>
				</figure>`;
		case "audio":
			return html`<p class="label">${title} · audio</p>
				<p class="muted">${part.mimeType} · ${part.size} · is sent but cannot be played here</p>`;
		case "note":
			return html`<p class="label">${title} · ${part.label}</p>
				<pre class="quote">${part.text}</pre>`;
		default:
			return html``;
	}
}

function parameters({ review, draft, state, isDisabled, onEdit, onManageModels }: RequestView): TemplateResult {
	const field = (
		key: "maxTokens" | "temperature" | "stopSequences",
		label: string,
		hint: string,
		placeholder: string,
	) =>
		html`<div class="field">
			<div class="row">
				<label class="label" for=${key}>${label}</label>
				${draft[key] === review.original[key] ? nothing : html`<span class="badge edited">edited</span>`}
			</div>
			<input
				id=${key}
				type="text"
				autocomplete="off"
				spellcheck="false"
				placeholder=${placeholder}
				aria-describedby="${key}-hint"
				?disabled=${isDisabled}
				.value=${live(draft[key])}
				@input=${(event: Event) => onEdit({ [key]: (event.target as HTMLInputElement).value })}
			/>
			<p class="muted" id="${key}-hint">${hint}</p>
		</div>`;
	return html`
		${
			state.models.length === 0
				? html`<div class="notice warning row">
						<span>⚠ No model is available, so nothing can be sent.</span>
						<button class="secondary" id="manage-models" @click=${onManageModels}>Manage Models…</button>
					</div>`
				: html`<div class="field">
						<label class="label" for="model">Model</label>
						<select
							id="model"
							aria-describedby="model-hint"
							?disabled=${isDisabled}
							@change=${(event: Event) => onEdit({ modelId: (event.target as HTMLSelectElement).value })}
						>
							${state.models.map(
								({ id, label }) => html`<option value=${id} .selected=${live(id === draft.modelId)}>${label}</option>`,
							)}
						</select>
						<p class="muted" id="model-hint">
							${state.chosen?.id === draft.modelId ? `Chosen: ${state.chosen.reason}.` : "Chosen by you."}
						</p>
					</div>`
		}
		<div class="columns">
			${field("maxTokens", "Max tokens", `at most ${review.maxTokens}`, "")}
			${field("temperature", "Temperature", "empty: the model's default", "default")}
			${field("stopSequences", "Stop sequences", 'such as "END", "\\n\\n"', "none")}
		</div>
	`;
}
