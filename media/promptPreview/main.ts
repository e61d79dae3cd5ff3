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
				<h1>${title}</h1>
				<p class="muted">Prompt <code>${id}</code> of the server <strong>${server}</strong></p>
			</header>
			${description === undefined ? nothing : html`<p class="description">${description}</p>`}
			${preview.arguments.length === 0 ? nothing : argumentList(preview)}
			${
				hasHidden
					? html`<ul class="warnings" role="alert">
							<li>
								The server's text holds characters that cannot be seen. They are shown as escapes such as \\u200B.
							</li>
						</ul>`
					: nothing
			}
			${messages.length === 0 ? html`<p class="muted">The server returned no messages.</p>` : messages.map(message)}
			<div class="actions bar">
				${actions.map(
					([action, label], index) => html`
						<button
							class=${index === 0 ? "" : "secondary"}
							?disabled=${messages.length === 0}
							@click=${() => void choose(preview, action)}
						>
							${label}
						</button>
					`,
				)}
				<span class="outcome" role="status">${outcome === "" ? "Nothing has been sent yet." : outcome}</span>
			</div>
		</main>
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
				<p class="attachment">${part.label}</p>
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

const style = css`
	.description {
		white-space: pre-wrap;
	}
	.arguments {
		display: grid;
		grid-template-columns: max-content 1fr;
		gap: 4px 16px;
		margin: 0 0 16px;
	}
	.arguments dt {
		color: var(--vscode-descriptionForeground);
	}
	.arguments dd {
		margin: 0;
		overflow-wrap: anywhere;
		white-space: pre-wrap;
		max-height: 6em;
		overflow-y: auto;
	}
	.message.assistant {
		border-inline-start: 3px solid var(--vscode-focusBorder);
	}
	.message pre {
		font-family: var(--vscode-editor-font-family);
		font-size: var(--vscode-editor-font-size);
		margin: 8px 0;
		max-height: 50vh;
		overflow: auto;
		overflow-wrap: anywhere;
		white-space: pre-wrap;
	}
	.message figure {
		margin: 8px 0;
	}
	.message img {
		background: var(--vscode-editorWidget-background);
		display: block;
		max-height: 240px;
		max-width: min(100%, 360px);
	}
	.attachment {
		overflow-wrap: anywhere;
	}
	.bar {
		align-items: center;
		background: var(--vscode-editor-background);
		border-block-start: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, transparent));
		bottom: 0;
		padding-block: 12px;
		position: sticky;
	}
	.outcome {
		color: var(--vscode-descriptionForeground);
	}
`;

if (style.styleSheet !== undefined) document.adoptedStyleSheets = [style.styleSheet];
document.addEventListener("keydown", (event) => {
	if (event.key === "Escape" && !event.defaultPrevented) void host.call("close");
});
void host.call("ready").then(open);
