import { html, nothing, type TemplateResult } from "lit";
import { assertNever } from "../../src/base/assert.ts";
import { hasHiddenCharacters, showHidden } from "../../src/base/text.ts";
import type { PreviewChange, PreviewMessage, PreviewPart } from "../../src/features/prompts/previewProtocol.ts";
import { gapNotice, sizeNotice } from "../shared/layoutNotice.ts";
import { textEditor } from "../shared/textEditor.ts";

/** The user's actions within the messages. */
export interface MessageActions {
	change(change: PreviewChange): void;
	open(message: number, part: number): void;
}

/** The messages in the server's order, each with its role, its contents, and a way to take it out. */
export function messageList(messages: readonly PreviewMessage[], actions: MessageActions): readonly TemplateResult[] {
	return messages.map((message, index) => messageCard(message, index, actions));
}

function messageCard(
	{ role, parts, isRemoved }: PreviewMessage,
	index: number,
	actions: MessageActions,
): TemplateResult {
	const label = role === "user" ? "User" : "Assistant";
	const name = `Message ${index + 1}, ${label}`;
	const kind = isRemoved ? "restore" : "remove";
	const word = isRemoved ? "Put Back" : "Remove";
	return html`
		<section class="card message ${role}" aria-label=${name}>
			<div class="heading">
				<h2><span class="badge">${index + 1}</span> ${label}</h2>
				${isRemoved ? html`<span class="muted">removed: it is not sent</span>` : nothing}
				<button class="link" aria-label="${word} ${name}" @click=${() => actions.change({ kind, message: index })}>
					${word}
				</button>
			</div>
			${isRemoved ? nothing : parts.map((part, place) => partOf(part, index, place, actions))}
		</section>
	`;
}

function partOf(part: PreviewPart, message: number, place: number, actions: MessageActions): TemplateResult {
	switch (part.kind) {
		case "text":
			return textEditor({
				id: `text-${message}-${place}`,
				// The heading of the message says it to the eye.
				label: html`<span class="visually-hidden">Text of Message ${message + 1}</span>`,
				name: `Text of Message ${message + 1}`,
				text: part.text,
				original: part.original,
				// The prompt's own hidden characters are escapes already; this is for the user's input.
				escaped: part.text !== part.original && hasHiddenCharacters(part.text) ? showHidden(part.text) : undefined,
				isDisabled: false,
				onChange: (text) => actions.change({ kind: "edit", message, part: place, text }),
			});
		case "image":
			return html`<figure>
				<img src=${part.source} alt=${part.label} />
				<figcaption class="muted">${part.label}</figcaption>
			</figure>`;
		case "audio":
			return html`<figure>
				<audio controls preload="metadata" src=${part.source} aria-label=${part.label}></audio>
				<figcaption class="muted">${part.label}</figcaption>
			</figure>`;
		case "attachment":
			return html`
				<div class="row">
					<p class="label">${part.label}</p>
					${
						part.isOpenable
							? html`<button class="link" aria-label="Open ${part.label}" @click=${() => actions.open(message, place)}>
									Open
								</button>`
							: nothing
					}
				</div>
				${part.text === undefined ? nothing : block(part.text, part.label)}
			`;
		case "note":
			return html`<p class="muted">${part.text}</p>`;
		default:
			return assertNever(part);
	}
}

/** A text of any length; it can be scrolled by keyboard. */
function block(text: string, label: string): TemplateResult {
	return html`<div class="field">
		${gapNotice(text)}
		<pre class="text" tabindex="0" role="group" aria-label=${label}>${text}</pre>
		${sizeNotice(text)}
	</div>`;
}
