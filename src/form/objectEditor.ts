import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { SchemaProblem } from "../schema/schema.ts";
import { exactJson } from "../tools/exactJson.ts";
import { isSameJson, valueAt, withValueAt, type JsonPath } from "./jsonPath.ts";
import { readJsonText } from "./jsonText.ts";
import { isLeaf, leafValue } from "./objectLeaf.ts";
import { ObjectProblems } from "./objectProblems.ts";
import type { NodeAction, ObjectChange, ObjectNode, ObjectTab } from "./objectProtocol.ts";
import { buildTree, itemSchema, memberSchema, type NodePlace, type ObjectTree } from "./objectTree.ts";
import { SchemaReader } from "./schemaMerge.ts";
import { shapeOf } from "./schemaShape.ts";
import { plainValue } from "./schemaValues.ts";
import { TreeMemory } from "./treeMemory.ts";

/** The dialects whose keywords the form reads alike. */
const dialects = /^https?:\/\/json-schema\.org\/(?:draft\/20(?:19-09|20-12)|draft-0[467])\//;

/** An object while it is edited: the value, which only the person's changes touch, and how it is shown. */
export class ObjectEditor {
	private readonly schema: JsonObject;
	private readonly initial: JsonObject;
	private readonly reader: SchemaReader;
	private readonly memory = new TreeMemory();
	private current: JsonObject;
	private shownTab: ObjectTab = "form";
	/** The text of the JSON tab, with the value that it stands for; another value has another text. */
	private json: { readonly text: string; readonly value: JsonObject; readonly problems: readonly string[] } | undefined;
	private beforeReset: JsonObject | undefined;
	private problems: readonly SchemaProblem[] = [];
	private saysAll = false;
	private tree: ObjectTree | undefined;
	constructor(schema: JsonObject, initial: JsonObject) {
		this.schema = schema;
		this.initial = initial;
		this.current = initial;
		this.reader = new SchemaReader(schema);
		this.keepTab();
	}

	/** The value as it would be sent; the very `initial` while nothing is edited. */
	get value(): JsonObject {
		return this.current;
	}

	get tab(): ObjectTab {
		return this.noForm === undefined ? this.shownTab : "json";
	}

	/** Why there is no form, only JSON; a sentence. */
	get noForm(): string | undefined {
		const dialect = this.schema["$schema"];
		if (dialect !== undefined && !(typeof dialect === "string" && dialects.test(dialect))) {
			return "The schema is of a dialect that a form cannot be made from.";
		}
		const { root } = this.built;
		return root.kind === "json" ? root.why : undefined;
	}

	get isEdited(): boolean {
		return this.current !== this.initial || this.slip !== undefined;
	}

	get canUndoReset(): boolean {
		return this.beforeReset !== undefined;
	}

	/** The form, while its tab is shown. */
	get root(): ObjectNode | undefined {
		return this.tab === "form" ? this.built.root : undefined;
	}

	/** The text of the JSON tab. */
	get text(): string {
		return this.json?.value === this.current ? this.json.text : exactJson(this.current);
	}

	/** What keeps the shown text or a shown control from being a value; nothing may be sent then. */
	get slip(): string | undefined {
		if (this.tab === "json") return this.jsonProblems[0];
		return this.memory.slips.find(({ path, typed }) => valueAt(this.current, path) === typed.value)?.typed.slip;
	}

	/** What is wrong with the text of the JSON tab as a text. */
	get jsonProblems(): readonly string[] {
		return this.json?.value === this.current ? this.json.problems : [];
	}

	/** Takes what the validator says of the value; `saysAll` when it is to be said of every place. */
	setProblems(problems: readonly SchemaProblem[], saysAll: boolean): void {
		this.problems = problems;
		this.saysAll = saysAll;
		this.tree = undefined;
	}

	/** Opens all groups in which something is wrong. */
	openProblems(): void {
		for (const { path } of [...this.problems, ...this.memory.slips]) {
			for (let length = 1; length <= path.length; length++) this.memory.setOpen(path.slice(0, length), true);
		}
		this.tree = undefined;
	}

	/** Makes a change that the view asks for. False when it stays as it is: it does not fit, or a text is no JSON yet. */
	apply(change: ObjectChange): boolean {
		const isMade = this.make(change);
		this.tree = undefined;
		this.keepTab();
		return isMade;
	}

	/** Where the JSON came up because there was no form, it stays: nothing is to change while somebody types into it. */
	private keepTab(): void {
		if (this.noForm !== undefined) this.shownTab = "json";
	}

	private make(change: ObjectChange): boolean {
		const place = "id" in change ? this.built.places.get(change.id) : undefined;
		switch (change.kind) {
			case "tab":
				return this.showTab(change.tab);
			case "json":
				return this.tab === "json" && this.takeJson(change.text);
			case "reset":
				return this.toggleReset();
			case "input":
			case "action":
			case "variant":
			case "toggle":
			case "addItem":
			case "addMember":
				if (place === undefined || this.tab !== "form") return false;
				return this.applyAt(place, change);
		}
	}

	private get built(): ObjectTree {
		this.tree ??= this.build();
		return this.tree;
	}

	private build(): ObjectTree {
		const { schema, reader, current: value, initial, memory, saysAll } = this;
		return buildTree({ schema, reader, value, initial, memory, problems: new ObjectProblems(this.problems), saysAll });
	}

	private applyAt(
		place: NodePlace,
		change: Exclude<ObjectChange, { readonly kind: "tab" | "json" | "reset" }>,
	): boolean {
		const { path, node, variants } = place;
		switch (change.kind) {
			case "input":
				return this.type(place, change.input);
			case "action":
				return node.actions.includes(change.action) && this.act(place, change.action);
			case "variant": {
				const variant = variants[change.index];
				if (variant === undefined || node.variants?.chosen === change.index) return false;
				this.memory.forget(path);
				this.memory.setVariant(path, change.index);
				return this.set(path, plainValue(shapeOf(variant, this.reader), this.reader));
			}
			case "toggle":
				if (node.kind !== "group") return false;
				this.memory.setOpen(path, !node.isOpen);
				return true;
			case "addItem":
				return this.addItem(place);
			case "addMember":
				return this.addMember(place, change.name);
		}
	}

	/** Takes what a control holds. A text that is no value yet stays in the control and keeps everything from being sent. */
	private type({ path, node, reading: { shape } }: NodePlace, input: string): boolean {
		const former = valueAt(this.current, path);
		if (node.kind === "json") {
			const read = readJsonText(input);
			if ("problems" in read) return this.keepSlip(path, input, former, read.problems[0] ?? "");
			if (path.length === 0) return false;
			this.set(path, read.value);
			this.memory.setTyped(path, { text: input, value: valueAt(this.current, path) });
			return true;
		}
		if (node.kind !== "field" || !isLeaf(shape)) return false;
		const read = leafValue(shape, input);
		if ("slip" in read) return this.keepSlip(path, input, former, read.slip);
		if (read.value === undefined && typeof path.at(-1) === "number") {
			// An item cannot be absent; a number is emptied on the way to another one.
			return shape.kind === "number" && this.keepSlip(path, "", former, "Fill in this field.");
		}
		this.set(path, read.value);
		if (shape.kind === "number") this.memory.setTyped(path, { text: input, value: read.value });
		return true;
	}

	private keepSlip(path: JsonPath, text: string, value: Json | undefined, slip: string): boolean {
		this.memory.touch(path);
		this.memory.setTyped(path, { text, value, slip });
		return true;
	}

	private act({ path, reading }: NodePlace, action: NodeAction): boolean {
		switch (action) {
			case "add":
			case "replace":
				return this.set(path, plainValue(reading, this.reader));
			case "null":
				return this.set(path, null);
			case "remove":
				this.removeMemory(path);
				return this.set(path, undefined);
			case "reset":
				this.memory.forget(path);
				return this.set(path, valueAt(this.initial, path));
			case "up":
			case "down":
				return this.move(path, action === "up" ? -1 : 1);
		}
	}

	private removeMemory(path: JsonPath): void {
		const key = path.at(-1);
		if (typeof key !== "number") this.memory.forget(path);
		else
			this.memory.moveItems(path.slice(0, -1), (index) =>
				index === key ? undefined : index > key ? index - 1 : index,
			);
	}

	private move(path: JsonPath, by: -1 | 1): boolean {
		const [list, from] = [path.slice(0, -1), path.at(-1)];
		const items = valueAt(this.current, list);
		if (!Array.isArray(items) || typeof from !== "number") return false;
		const to = from + by;
		const [one, other] = [(items as readonly Json[])[from], (items as readonly Json[])[to]];
		if (one === undefined || other === undefined) return false;
		this.memory.moveItems(list, (index) => (index === from ? to : index === to ? from : index));
		return this.set(list, (items as readonly Json[]).with(from, other).with(to, one));
	}

	private addItem({ path, node, reading }: NodePlace): boolean {
		const items = valueAt(this.current, path);
		if (node.kind !== "group" || !node.canAddItem || !Array.isArray(items)) return false;
		const schema = itemSchema(reading, items.length);
		if (schema === undefined) return false;
		this.memory.setOpen(path, true);
		return this.set([...path, items.length], plainValue(shapeOf(schema, this.reader), this.reader));
	}

	private addMember({ path, node, reading }: NodePlace, name: string): boolean {
		const object = valueAt(this.current, path);
		if (node.kind !== "group" || node.adding === undefined || !isJsonObject(object)) return false;
		const schema = memberSchema(reading, name);
		if (schema === undefined || valueAt(object, [name]) !== undefined) return false;
		this.memory.setOpen(path, true);
		this.memory.setOpen([...path, name], true);
		return this.set([...path, name], plainValue(shapeOf(schema, this.reader), this.reader));
	}

	/** Puts a value at a place, or takes it away; true, for a change was made. */
	private set(path: JsonPath, value: Json | undefined): boolean {
		this.memory.touch(path);
		this.memory.forgetTyped(path);
		this.setValue(withValueAt(this.current, path, value));
		return true;
	}

	private setValue(value: Json | undefined): void {
		if (!isJsonObject(value)) return;
		this.beforeReset = undefined;
		// An edit that was taken back leaves nothing behind, not even another object.
		this.current = isSameJson(value, this.initial) ? this.initial : value;
	}

	private showTab(tab: ObjectTab): boolean {
		if (tab === this.tab || (tab === "form" && this.noForm !== undefined) || this.slip !== undefined) return false;
		this.shownTab = tab;
		return true;
	}

	private takeJson(text: string): boolean {
		const read = readJsonText(text);
		if ("problems" in read) {
			this.json = { text, value: this.current, problems: read.problems };
		} else if (!isJsonObject(read.value)) {
			this.json = { text, value: this.current, problems: ["This must be a JSON object: { … }"] };
		} else {
			this.memory.forgetTexts();
			this.setValue(read.value);
			this.json = { text, value: this.current, problems: [] };
		}
		this.beforeReset = undefined;
		return true;
	}

	private toggleReset(): boolean {
		const { beforeReset, current } = this;
		if (beforeReset === undefined && !this.isEdited) return false;
		this.memory.forgetTexts();
		this.json = undefined;
		this.current = beforeReset ?? this.initial;
		this.beforeReset = beforeReset === undefined ? current : undefined;
		return true;
	}
}
