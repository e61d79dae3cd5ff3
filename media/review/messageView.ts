import { html, nothing, type TemplateResult } from "lit";
import type { MessageView, PartView, ReviewPlace } from "../../src/features/sampling/review/reviewProtocol.ts";
import { type PartGroup, partGroups } from "./edits.ts";
import { panelField, removeButton, type ReviewPanel } from "./panel.ts";

/** The messages in the server's order, each with its number, its role and its parts. */
export function messageList(panel: ReviewPanel): TemplateResult {
	const { messages } = panel.model.document;
	return html`<div class="messages ${messages.length > 40 ? "many" : ""}">
		${messages.map((message, index) => messageView(panel, message, index + 1))}
	</div>`;
}

function messageView(panel: ReviewPanel, message: MessageView, number: number): TemplateResult {
	const { role, place } = message;
	const name = `Message ${number}, ${role}`;
	const remove = removeButton(panel, "request", place, name);
	const heading = html`<span class="badge">${number}</span> ${role}`;
	const groups = partGroups(message);
	return html`<div class="message ${role}" role="group" aria-label=${name} data-place=${place}>
		${messageBody(panel, groups, number, role, heading, remove, panel.model.isRemoved("request", place))}
	</div>`;
}

function messageBody(
	panel: ReviewPanel,
	groups: readonly PartGroup[],
	number: number,
	role: string,
	heading: TemplateResult,
	remove: TemplateResult,
	isRemoved: boolean,
): TemplateResult | readonly TemplateResult[] {
	if (isRemoved) return headingRow(heading, html`<span class="muted">removed: it is not sent</span>`, remove);
	const [first] = groups;
	const [part] = first?.parts ?? [];
	// The usual message is one text: its heading is the label of it.
	if (groups.length === 1 && first?.parts.length === 1 && part?.kind === "field") {
		const own = labelOf(part);
		const label = own === "" ? heading : html`${heading}: ${own}`;
		const name = own === "" ? `${number} ${role}` : `${number} ${role}: ${own}`;
		return panelField(panel, "request", part.field, { name, label, extras: remove });
	}
	return html`
		${headingRow(heading, groups.length === 0 ? html`<span class="muted">without content</span>` : nothing, remove)}
		${groups.map((group, index) =>
			partGroup(panel, group, { message: number, role, part: index + 1, isOnly: groups.length === 1 }),
		)}
	`;
}

function headingRow(
	heading: TemplateResult,
	note: TemplateResult | typeof nothing,
	remove: TemplateResult,
): TemplateResult {
	return html`<div class="row">
		<h3>${heading}</h3>
		${note}<span class="end-of-row">${remove}</span>
	</div>`;
}

interface Position {
	readonly message: number;
	readonly role: string;
	readonly part: number;
	readonly isOnly: boolean;
}

function partGroup(panel: ReviewPanel, { place, parts }: PartGroup, position: Position): TemplateResult {
	const { message, part, isOnly } = position;
	const title = `Part ${part}`;
	const what = `${title} of Message ${message}`;
	if (panel.model.isRemoved("request", place)) {
		return html`<div class="part row" data-place=${place}>
			<span class="label">${title}</span> <span class="muted">removed: it is not sent</span>
			<span class="end-of-row">${removeButton(panel, "request", place, what)}</span>
		</div>`;
	}
	return html`<div class="part" data-place=${place}>
		${
			isOnly || parts.length === 1
				? nothing
				: html`<div class="row">
						<span class="label">${title}</span>
						<span class="end-of-row">${removeButton(panel, "request", place, what)}</span>
					</div>`
		}
		${parts.map((content, index) => {
			const remove = isOnly || index > 0 || parts.length > 1 ? nothing : removeButton(panel, "request", place, what);
			const more = parts.length === 1 ? "" : ` (${index + 1} of ${parts.length})`;
			return partView(panel, content, position, more, remove);
		})}
	</div>`;
}

function partView(
	panel: ReviewPanel,
	content: PartView,
	{ message, role, part }: Position,
	more: string,
	remove: TemplateResult | typeof nothing,
): TemplateResult {
	if (content.kind === "field") {
		const own = labelOf(content);
		const short = `Part ${part}${own === "" ? "" : `: ${own}`}${more}`;
		const name = `${message} ${role}, ${short}`;
		const label = html`<span class="visually-hidden">${message} ${role}, </span>${short}`;
		return panelField(panel, "request", content.field, { name, label, extras: remove });
	}
	const { kind, place, mimeType, size, url, problem } = content;
	const word = kind === "image" ? "Image" : "Sound";
	const what = `${word} in part ${part}${more} of Message ${message}`;
	// One within a tool result can be taken out without the rest of it.
	const isInside = more !== "";
	const isRemoved = isInside && panel.model.isRemoved("request", place);
	return html`<div class="row" data-place=${place}>
			<p class="label">Part ${part}: ${word}${more}</p>
			<p class="muted">${isRemoved ? "removed: it is not sent" : `${mimeType} · ${size}`}</p>
			<span class="end-of-row"> ${isInside ? removeButton(panel, "request", place, what) : nothing} ${remove} </span>
		</div>
		${isRemoved ? nothing : kind === "image" ? image(panel, place, url, what, problem) : sound(url, what, problem)}
		${isRemoved || problem === undefined ? nothing : html`<p class="problem">✗ ${problem}</p>`}`;
}

/** The label of a field, where it says more than that it is the message's text. */
function labelOf(part: PartView): string {
	return part.kind !== "field" || part.field.label === "Text" ? "" : part.field.label;
}

/** A thumbnail of an image, which the user can enlarge. Only images of the request are ever shown. */
function image(
	panel: ReviewPanel,
	place: ReviewPlace,
	url: string | undefined,
	described: string,
	problem: string | undefined,
): TemplateResult | typeof nothing {
	if (url?.startsWith("data:image/") !== true)
		return notShown("This type of image cannot be shown, but is sent.", problem);
	const { memory, update } = panel;
	const key = `large-${place}`;
	const isLarge = memory.isOpen(key);
	const toggle = (isOpen: boolean): void => {
		memory.setOpen(key, isOpen);
		update();
	};
	return html`<button
		class="picture"
		aria-expanded=${isLarge}
		aria-label="${isLarge ? "Shrink" : "Enlarge"} ${described}"
		@click=${() => toggle(!isLarge)}
		@keydown=${(event: KeyboardEvent) => {
			if (event.key === "Escape" && isLarge) toggle(false);
		}}
	>
		<img src=${url} alt="" />
	</button>`;
}

function sound(
	url: string | undefined,
	described: string,
	problem: string | undefined,
): TemplateResult | typeof nothing {
	return url?.startsWith("data:audio/") === true
		? html`<audio controls preload="metadata" src=${url} aria-label=${described}></audio>`
		: notShown("This type of recording cannot be played here, but is sent.", problem);
}

/** Says that a part is sent unseen; for a part that cannot be sent its problem is sufficient. */
function notShown(words: string, problem: string | undefined): TemplateResult | typeof nothing {
	return problem === undefined ? html`<p class="muted">${words}</p>` : nothing;
}
