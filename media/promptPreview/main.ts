import { css, html, nothing, render, type TemplateResult } from "lit";
import type {
	PreviewAction,
	PreviewChange,
	PreviewHostApi,
	PreviewMessage,
	PreviewViewApi,
	PromptPreview,
} from "../../src/features/prompts/previewProtocol.ts";
import { focusWhenEntered } from "../shared/initialFocus.ts";
import { isSubmitKey } from "../shared/submitKey.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";
import { messageList } from "./messages.ts";
import { messageOf } from "../../src/base/errors.ts";

const actions: readonly (readonly [PreviewAction, string])[] = [
	["chat", "Insert into Chat"],
	["document", "Open as Document"],
	["insert", "Insert at Cursor"],
	["copy", "Copy"],
];

/** The current content, with the user's changes. */
let preview: PromptPreview | undefined;
/** The outcome of the last action. */
let outcome = "";
/** Set by an Escape that would have thrown changes away. */
let isAskedToClose = false;

const host = connectHost<PreviewHostApi, PreviewViewApi>(vscodePort(), {
	show: (shown) => open(shown),
});

/**
 * Shows a prompt that has just been run. No button sends anything, so the first one may have the focus, once the user
 * is in this panel: a user who types elsewhere when the server answers is not interrupted (UI-22).
 */
function open(shown: PromptPreview): void {
	preview = shown;
	document.title = shown.title;
	say("");
	window.scrollTo(0, 0);
	if (document.hasFocus()) return firstButton()?.focus();
	// The focused element belongs to the previous prompt.
	if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
	focusWhenEntered(firstButton);
}

function firstButton(): HTMLButtonElement | null {
	return document.querySelector<HTMLButtonElement>(".actions button");
}

/** Renders again, with the outcome of the last action. */
function say(words: string): void {
	outcome = words;
	isAskedToClose = false;
	if (preview !== undefined) render(page(preview), document.body);
}

function change(made: PreviewChange): void {
	if (preview === undefined) return;
	preview = withChange(preview, made);
	say("");
	host.call("change", preview.run, made).catch(report);
}

function choose(action: PreviewAction): void {
	if (preview !== undefined) host.call("choose", preview.run, action).then(say, report);
}

function openResource(message: number, part: number): void {
	if (preview !== undefined) host.call("open", preview.run, message, part).catch(report);
}

function report(error: unknown): void {
	say(messageOf(error));
}

function page(shown: PromptPreview): TemplateResult {
	const { server, title, id, description, messages, hasHidden } = shown;
	const isEmpty = messages.every(({ isRemoved }) => isRemoved);
	return html`
		<main>
			<header class="frame">
				<h1>Prompt: ${title}</h1>
				<p class="muted">Server: ${server} · ${id}</p>
			</header>
			${
				description === undefined
					? nothing
					: html`<blockquote class="quote"><span class="quote-source">${server} says:</span>${description}</blockquote>`
			}
			${shown.takesArguments ? argumentList(shown) : nothing}
			${
				hasHidden
					? html`<p class="notice warning">
							Warning: the messages contain hidden characters. They are shown and sent as escapes such as \\u200B.
						</p>`
					: nothing
			}
			${
				messages.length === 0
					? html`<p class="notice">The server returned no messages.</p>`
					: messageList(messages, { change, open: openResource })
			}
			<div class="actions bar">
				${actions.map(([action, label], index) => button(action, label, index > 0, isEmpty))}
				<span class="muted" role="status">${outcome === "" ? standing(shown) : outcome}</span>
			</div>
		</main>
	`;
}

/** The text before any action. */
function standing(shown: PromptPreview): string {
	return isChanged(shown) ? "Changed by you. Nothing has been sent." : "Nothing has been sent.";
}

function button(action: PreviewAction, label: string, isSecondary: boolean, isDisabled: boolean): TemplateResult {
	return html`
		<button class=${isSecondary ? "secondary" : ""} ?disabled=${isDisabled} @click=${() => choose(action)}>
			${label}
		</button>
	`;
}

function argumentList(shown: PromptPreview): TemplateResult {
	return html`
		<dl class="arguments">
			${shown.arguments.map(
				({ name, value }) =>
					html`<dt>${name}</dt>
						<dd tabindex=${value.includes("\n") || value.length > 300 ? "0" : nothing}>${value}</dd>`,
			)}
		</dl>
		<button class="link change" @click=${() => host.call("changeArguments", shown.run).catch(report)}>
			Change Arguments…
		</button>
	`;
}

/** Escape leaves a text, then the panel; changes are not thrown away by a single key. */
function leave(event: KeyboardEvent): void {
	if (event.target instanceof HTMLTextAreaElement) {
		firstButton()?.focus();
	} else if (preview !== undefined && isChanged(preview) && !isAskedToClose) {
		say("Press Escape again to close the preview. Your changes will be lost.");
		isAskedToClose = true;
	} else {
		void host.call("close");
	}
}

/** Beside base.css, the styles of this view only. */
const style = css`
	.arguments {
		display: grid;
		gap: 4px 16px;
		grid-template-columns: max-content 1fr;
		margin: 0;
	}
	.arguments dt {
		color: var(--vscode-descriptionForeground);
	}
	.arguments dd {
		margin: 0;
		max-height: 6em;
		overflow-y: auto;
		white-space: pre-wrap;
	}
	/* As wide as its words, below the arguments that it changes. */
	.change {
		align-self: start;
	}
	.message.assistant {
		border-inline-start: 3px solid var(--vscode-focusBorder);
	}
	.message .heading {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 4px 12px;
	}
	.message .heading button {
		margin-inline-start: auto;
	}
	/* Hidden to the eye, and so without a place in the row. */
	.message .field label {
		position: absolute;
	}
	.message pre {
		max-height: 50vh;
		overflow-y: auto;
	}
	.message audio {
		max-width: 100%;
	}
`;

if (style.styleSheet !== undefined) document.adoptedStyleSheets = [style.styleSheet];
document.addEventListener("keydown", (event) => {
	if (event.defaultPrevented) return;
	if (event.key === "Escape") leave(event);
	// As in every form of ours, the main action without leaving the text.
	else if (isSubmitKey(event)) choose("chat");
});
void host.call("ready").then(open);

/** The preview after a change of the user's; the host makes the same change to the messages that are sent. */
function withChange(preview: PromptPreview, change: PreviewChange): PromptPreview {
	const message = preview.messages[change.message];
	if (message === undefined) return preview;
	return { ...preview, messages: preview.messages.with(change.message, changed(message, change)) };
}

/** Whether anything is other than the server gave it. */
function isChanged({ messages }: PromptPreview): boolean {
	return messages.some(
		({ isRemoved, parts }) => isRemoved || parts.some((part) => part.kind === "text" && part.text !== part.original),
	);
}

function changed(message: PreviewMessage, change: PreviewChange): PreviewMessage {
	if (change.kind !== "edit") return { ...message, isRemoved: change.kind === "remove" };
	const part = message.parts[change.part];
	if (part?.kind !== "text") return message;
	return { ...message, parts: message.parts.with(change.part, { ...part, text: change.text }) };
}
