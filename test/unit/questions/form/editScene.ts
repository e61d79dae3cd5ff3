import type { JsonObject } from "../../../../src/base/json.ts";
import { FormEditor } from "../../../../src/questions/form/formEditor.ts";
import type { NodeAction, FormChange, FormNode } from "../../../../src/questions/form/formProtocol.ts";
import { problemsOf } from "../../../../src/base/schema/schema.ts";

/** An edited object, controlled by the labels of its nodes as a user does. */
export class Edit {
	readonly editor: FormEditor;
	private readonly schema: JsonObject;

	constructor(schema: JsonObject, initial: JsonObject = {}) {
		this.schema = schema;
		this.editor = new FormEditor({ kind: "schema", schema }, initial);
	}

	/** The node under these labels, each in the one before. */
	node(...labels: readonly string[]): FormNode {
		let node = this.editor.root;
		for (const label of labels) {
			node = node?.kind === "group" ? node.children.find((child) => child.label === label) : undefined;
		}
		if (node === undefined) throw new Error(`There is no node ${labels.join(" / ")}`);
		return node;
	}

	/** Types into the control of a node. */
	type(input: string, ...labels: readonly string[]): boolean {
		return this.editor.apply({ kind: "input", id: this.node(...labels).id, input });
	}

	act(action: NodeAction, ...labels: readonly string[]): boolean {
		return this.editor.apply({ kind: "action", id: this.node(...labels).id, action });
	}

	/** Makes a change that needs the id of a node. */
	change(change: (id: number) => FormChange, ...labels: readonly string[]): boolean {
		return this.editor.apply(change(this.node(...labels).id));
	}

	/** Checks the value and shows every problem, like a failed attempt to submit. */
	async check(): Promise<void> {
		this.editor.setProblems(await problemsOf(this.schema, this.editor.value), true);
		this.editor.openProblems();
	}

	/** All problems that are shown, each behind the labels of its node. */
	get problems(): readonly string[] {
		return this.editor.root === undefined ? [] : problemsIn(this.editor.root, []);
	}
}

function problemsIn(node: FormNode, labels: readonly string[]): readonly string[] {
	const own = node.problem === undefined ? [] : [`${labels.join(" / ")}: ${node.problem}`];
	const inner =
		node.kind === "group" ? node.children.flatMap((child) => problemsIn(child, [...labels, child.label])) : [];
	return [...own, ...inner];
}

/** Every node of a form. */
export function nodesOf(node: FormNode): readonly FormNode[] {
	return [node, ...(node.kind === "group" ? node.children.flatMap(nodesOf) : [])];
}
