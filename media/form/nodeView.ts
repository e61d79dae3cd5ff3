import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { GroupNode, NodeAction, FormNode } from "../../src/questions/form/formProtocol.ts";
import { formField, requiredStar } from "./field.ts";
import { jsonEditor } from "./jsonEditor.ts";
import { memberAdder } from "./memberAdder.ts";
import { afterAdding, afterLeaving } from "./places.ts";
import type { FormModel } from "./formModel.ts";
import { valueOf } from "../shared/controls.ts";

/** Fields alone: nothing can be done with them but to fill them in. */
export function fieldsView(model: FormModel, root: GroupNode): unknown {
	return root.children.map((node) => (node.kind === "field" ? fieldView(model, node) : nothing));
}

/** One node of an object with all that can be done with it. */
function nodeView(model: FormModel, node: FormNode): TemplateResult {
	return html`<div class="node" id="node-${node.id}">${content(model, node)}</div>`;
}

/** The members of the object itself, without a frame of its own. */
export function rootView(model: FormModel, root: GroupNode): TemplateResult {
	return html`
		${root.variants === undefined ? nothing : html`<div class="row">${picker(model, root)}</div>`}
		${root.children.length === 0 ? html`<p class="muted">There is nothing to fill in.</p>` : nothing}
		<div class="nodes" id="node-${root.id}">
			${root.children.map((child) => nodeView(model, child))} ${adders(model, root)}
		</div>
	`;
}

function content(model: FormModel, node: FormNode): TemplateResult {
	switch (node.kind) {
		case "field":
			return html`${fieldView(model, node, extras(model, node))}`;
		case "json":
			return jsonEditor({
				id: `field-${node.id}`,
				label: label(node),
				text: model.text(node.id),
				problems: node.problem === undefined ? [] : [node.problem],
				isOver: model.isOver,
				note: [node.description, `${node.why} It is edited as JSON.`].filter(Boolean).join("\n"),
				isPart: true,
				extras: extras(model, node),
				onChange: (text) => model.setValue(node.id, text),
			});
		case "null":
			return html`<div class="field">
				<div class="row">
					<span class="label">${label(node)}</span> <span class="code">null</span> ${extras(model, node)}
				</div>
				${notes(node)}
			</div>`;
		case "absent":
			return html`<div class="field" data-invalid=${node.problem !== undefined}>
				<div class="row"><span class="label">${label(node)}</span> ${extras(model, node)}</div>
				${notes(node)}
			</div>`;
		case "group":
			return groupView(model, node);
	}
}

/** Only changed nodes are redrawn: a text may have a megabyte, and each of a hundred choices 500 options. */
function fieldView(model: FormModel, node: FieldNode, extras: TemplateResult | typeof nothing = nothing): unknown {
	const field = model.field(node.id);
	return field && guard(partsOf(model, node), () => formField(model, field, node.id, extras));
}

type FieldNode = Extract<FormNode, { kind: "field" }>;

/** All that a field shows: while each part is the same, the field looks the same. */
function partsOf(model: FormModel, node: FieldNode): unknown[] {
	const { id, label, description, isPresent, isEdited, problem, actions, variants } = node;
	const { suggestions } = model;
	const list = suggestions.of(id);
	const known = [id, label, description, isPresent, isEdited, problem, actions.join(), variants?.chosen];
	const entered = [String(model.value(id)), model.isTall(id), model.filter(id), model.isOver];
	const filled = [model.fillState(id)?.message, model.canUndoFill(id)];
	return [...known, ...entered, ...filled, list, list && suggestions.active, suggestions.isEmpty(id)];
}

function groupView(model: FormModel, node: GroupNode): TemplateResult {
	const id = `node-${node.id}`;
	return html`<div class="group" role="group" aria-labelledby="${id}-label" data-invalid=${node.problem !== undefined}>
		<div class="row">
			<button
				class="link twistie"
				id="${id}-toggle"
				aria-expanded=${node.isOpen}
				@click=${() => model.change({ kind: "toggle", id: node.id })}
			>
				<span class="label" id="${id}-label">${label(node)}</span>
			</button>
			<span class="muted">${node.size}</span> ${extras(model, node)}
		</div>
		${notes(node)}
		${
			node.isOpen
				? html`<div class="nodes inside">
						${node.children.map((child) => nodeView(model, child))} ${adders(model, node)}
					</div>`
				: nothing
		}
	</div>`;
}

function label({ label, isRequired }: FormNode): TemplateResult {
	return html`${label}${isRequired ? html`${requiredStar}<span class="visually-hidden"> (required)</span>` : nothing}`;
}

function notes({ id, description, problem }: FormNode): TemplateResult {
	return html`<div class="notes" id="field-${id}-notes">
		${description === undefined ? nothing : html`<p class="muted description" dir="auto">${description}</p>`}
		<div role="status">${problem === undefined ? nothing : html`<p class="problem">${problem}</p>`}</div>
	</div>`;
}

function adders(model: FormModel, node: GroupNode): TemplateResult {
	const isQuiet = node.children.length > 0 && node.adding?.names.length === 0;
	const add = (): void => model.change({ kind: "addItem", id: node.id }, afterAdding(model));
	return html`
		${
			node.canAddItem
				? html`<div>
						<button class="secondary add-item" ?disabled=${model.isOver} @click=${add}>
							Add Item<span class="visually-hidden"> (${node.label})</span>
						</button>
					</div>`
				: nothing
		}
		${node.adding === undefined ? nothing : memberAdder(model, node.id, node.label, node.adding, isQuiet)}
	`;
}

const actionLabels: Readonly<Record<NodeAction, string>> = {
	add: "Add",
	empty: "Send Empty List",
	remove: "Remove",
	null: "Set to Null",
	replace: "Enter a Value",
	reset: "Reset",
	up: "Move Up",
	down: "Move Down",
};

/** The text beside a node's label, and its actions there. */
function extras(model: FormModel, node: FormNode): TemplateResult {
	// A list of choices and an empty text control say it themselves.
	const saysIt = node.variants !== undefined || (node.kind === "field" && model.field(node.id)?.kind !== "boolean");
	return html`
		${node.variants === undefined ? nothing : picker(model, node)}
		${node.isPresent || saysIt ? nothing : html`<span class="muted">not set</span>`}
		${node.isEdited ? html`<span class="badge edited">edited</span>` : nothing}
		${node.actions.map(
			(action) =>
				html`<button
					class="link"
					data-action=${action}
					aria-label="${actionLabels[action]}: ${node.label}"
					?disabled=${model.isOver}
					@click=${() => model.change({ kind: "action", id: node.id, action }, follow(model, node, action))}
				>
					${actionLabels[action]}
				</button>`,
		)}
	`;
}

/** The focus after an action: on the added element, or on the one in place of a removed one. */
function follow(model: FormModel, { id }: FormNode, action: NodeAction): () => void {
	return action === "add" ? afterAdding(model) : afterLeaving(id, action);
}

function picker(model: FormModel, node: FormNode): TemplateResult {
	const { labels = [], chosen = -1 } = node.variants ?? {};
	const choose = (event: Event): void => {
		const index = Number(valueOf(event));
		if (index >= 0) model.change({ kind: "variant", id: node.id, index });
		else model.change({ kind: "action", id: node.id, action: "remove" });
	};
	const isOptional = node.actions.includes("remove");
	return html`<select
		class="variants"
		aria-label="Kind of value: ${node.label}"
		?disabled=${model.isOver}
		@change=${choose}
	>
		${
			chosen === -1 || isOptional
				? html`<option value="-1" .selected=${chosen === -1} ?disabled=${node.isPresent && !isOptional}>
						${node.isPresent && chosen === -1 ? "(none of these)" : "(not set)"}
					</option>`
				: nothing
		}
		${labels.map((label, index) => html`<option value=${index} .selected=${index === chosen}>${label}</option>`)}
	</select>`;
}
