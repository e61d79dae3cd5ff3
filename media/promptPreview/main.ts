import { css, html, nothing, render, type TemplateResult } from "lit";
import { assertNever } from "../../src/base/assert.ts";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type {
	PreviewAction,
	PreviewHostApi,
	PreviewMessage,
	PreviewPart,
	PreviewViewApi,
	PromptPreview,
} from "../../src/prompts/previewProtocol.ts";
import { vscodePort } from "../shared/vscodePort.ts";

const actions: readonly (readonly [PreviewAction, string])[] = [
	["chat", "Send to Chat"],
	["document", "Open as Document"],
	["insert", "Insert at Cursor"],
	["copy", "Copy"],
];

const host = new RpcEndpoint<PreviewHostApi, PreviewViewApi>(vscodePort(), {
	// Only the extension can post to this page, and it sends what the contract says.
	show: (preview) => open(preview as PromptPreview),
});

/** Shows a prompt that has just been run. Nothing is sent by a button, so the first one may have the focus. */
function open(preview: PromptPreview): void {
	document.title = preview.title;
	show(preview, "");
	window.scrollTo(0, 0);
	document.querySelector<HTMLButtonElement>(".actions button")?.focus();
}

/** `outcome` is what became of the last action. */
function show(preview: PromptPreview, outcome: string): void {
	render(page(preview, outcome), document.body);
}

async function choose(preview: PromptPreview, action: PreviewAction): Promise<void> {
	show(preview, await host.call("choose", action).catch((error: unknown) => (error as Error).message));
}

function page(preview: PromptPreview, outcome: string): TemplateResult {
	const { server, title, id, description, messages, hasHidden } = preview;
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
			${preview.arguments.length === 0 ? nothing : argumentList(preview)}
			${
				hasHidden
					? html`<p class="notice warning">
							Warning: the messages hold characters that cannot be seen. They are shown and sent as escapes such as
							\\u200B.
						</p>`
					: nothing
			}
			${messages.length === 0 ? html`<p class="notice">The server returned no messages.</p>` : messages.map(message)}
			<div class="actions bar">
				${actions.map(([action, label], index) => button(preview, action, label, index > 0))}
				<span class="muted" role="status">${outcome === "" ? "Nothing has been sent." : outcome}</span>
			</div>
		</main>
	`;
}

function button(preview: PromptPreview, action: PreviewAction, label: string, isSecondary: boolean): TemplateResult {
	return html`
		<button
			class=${isSecondary ? "secondary" : ""}
			?disabled=${preview.messages.length === 0}
			@click=${() => void choose(preview, action)}
		>
			${label}
		</button>
	`;
}

function argumentList(preview: PromptPreview): TemplateResult {
	return html`
		<dl class="arguments">
			${preview.arguments.map(
				({ name, value }) =>
					html`<dt>${name}</dt>
						<dd>${value}</dd>`,
			)}
		</dl>
	`;
}

function message({ role, parts }: PreviewMessage, index: number): TemplateResult {
	const label = role === "user" ? "User" : "Assistant";
	return html`
		<section class="card message ${role}" aria-label="Message ${index + 1}, ${label}">
			<h2><span class="badge">${label}</span></h2>
			${parts.map(partOf)}
		</section>
	`;
}

function partOf(part: PreviewPart): TemplateResult {
	switch (part.kind) {
		case "text":
			return block(part.text, "Text");
		case "image":
			return html`<figure>
				<img src=${part.source} alt="" />
				<figcaption class="muted">${part.label}</figcaption>
			</figure>`;
		case "attachment":
			return html`
				<p class="label">${part.label}</p>
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
	return html`<pre tabindex="0" role="group" aria-label=${label}>${text}</pre>`;
}

/** Beside base.css, what only this view needs. */
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
	.message.assistant {
		border-inline-start: 3px solid var(--vscode-focusBorder);
	}
	.message pre {
		max-height: 50vh;
		overflow-y: auto;
	}
`;

if (style.styleSheet !== undefined) document.adoptedStyleSheets = [style.styleSheet];
document.addEventListener("keydown", (event) => {
	if (event.key === "Escape" && !event.defaultPrevented) void host.call("close");
});
void host.call("ready").then(open);
