import { html, nothing, type TemplateResult } from "lit";
import { assertNever } from "../../src/base/assert.ts";
import type { PlacedBlock, ResultBlock } from "../../src/features/tools/results/resultProtocol.ts";

/** The user's actions on one block of a result. */
export interface BlockActions {
	open(index: number): void;
	copyAddress(index: number): void;
	save(index: number): void;
}

/** The content of a result in the server's order. Nothing in it is more than text, pixels or sound. */
export function blockList(blocks: readonly PlacedBlock[], actions: BlockActions): TemplateResult {
	return html`
		<section class="card" aria-labelledby="content-heading">
			<h2 id="content-heading">Content</h2>
			${
				blocks.length === 0
					? html`<p class="muted">The result has no content.</p>`
					: blocks.map((placed) => html`<div class="block">${blockOf(placed, actions)}</div>`)
			}
		</section>
	`;
}

function blockOf({ index, block }: PlacedBlock, actions: BlockActions): TemplateResult {
	const audience = block.audience === undefined ? nothing : html`<p class="muted">${block.audience}</p>`;
	return html`${audience}${shown(block, index, actions)}`;
}

function shown(block: ResultBlock, index: number, actions: BlockActions): TemplateResult {
	switch (block.kind) {
		case "text":
			return longText(block.text, block.total, `Text ${index + 1}`);
		case "image":
			return html`<figure>
				<img src=${block.source} alt=${block.label} />
				${caption(block.label, index, actions)}
			</figure>`;
		case "audio":
			return html`<figure>
				<audio controls preload="metadata" src=${block.source} aria-label=${block.label}></audio>
				${caption(block.label, index, actions)}
			</figure>`;
		case "media":
			return html`<div class="row">
				<p>${block.label}</p>
				${saveButton(block.label, index, actions)}
			</div>`;
		case "link":
			return resource("Link", block, index, actions);
		case "resource":
			return html`
				${resource("Resource", block, index, actions)}
				${block.text === undefined ? saveButton(block.label, index, actions) : longText(block.text, block.total ?? 0, block.uri)}
			`;
		case "note":
			return html`<p class="muted">${block.text}</p>`;
		default:
			return assertNever(block);
	}
}

function resource(
	kind: string,
	{ label, uri, isOpenable }: { readonly label: string; readonly uri: string; readonly isOpenable: boolean },
	index: number,
	actions: BlockActions,
): TemplateResult {
	return html`
		<div class="row">
			<p><span class="label">${kind}:</span> <bdi>${label}</bdi></p>
			<p class="code uri">${uri}</p>
			${
				isOpenable
					? html`<button class="link" aria-label="Open ${uri}" @click=${() => actions.open(index)}>Open</button>`
					: html`<button class="link" aria-label="Copy ${uri}" @click=${() => actions.copyAddress(index)}>Copy</button>`
			}
		</div>
	`;
}

function caption(label: string, index: number, actions: BlockActions): TemplateResult {
	return html`<figcaption class="row muted"><span>${label}</span>${saveButton(label, index, actions)}</figcaption>`;
}

function saveButton(label: string, index: number, actions: BlockActions): TemplateResult {
	return html`<button class="link" aria-label="Save ${label}" @click=${() => actions.save(index)}>Save…</button>`;
}

/** A text that can be scrolled by keyboard, with a note on its omitted part. */
function longText(text: string, total: number, label: string): TemplateResult {
	const left = total - text.length;
	return html`
		<pre tabindex="0" role="group" aria-label=${label} dir="auto">${text}</pre>
		${
			left > 0
				? html`<p class="muted">
						Only the beginning of ${total.toLocaleString()} characters is shown. Open the result in the editor to see
						everything.
					</p>`
				: nothing
		}
	`;
}
