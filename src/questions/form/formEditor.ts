import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { SchemaProblem } from "../../base/schema/schema.ts";
import { exactJson } from "../../base/exactJson.ts";
import { isSameJson, valueAt, withValueAt, type JsonPath } from "./jsonPath.ts";
import { readJsonText } from "../../base/jsonText.ts";
import { PlacedProblems } from "./problems.ts";
import { buildFields, inOrder, readFields, type ReadField } from "./fieldTree.ts";
import type { FieldInput, FormChange, FormField, FormNode, FormTab, NodeAction } from "./formProtocol.ts";
import { withContainers } from "./firstItem.ts";
import type { FormContent } from "./formQuestion.ts";
import { buildTree, itemSchema, memberSchema, type NodePlace, type FormTree } from "./formTree.ts";
import { SchemaReader } from "./schemaMerge.ts";
import { shapeOf } from "./schemaShape.ts";
import { plainValue } from "./schemaValues.ts";
import { TreeMemory } from "./treeMemory.ts";

/** The dialects whose keywords the form reads alike. */
const dialects = /^https?:\/\/json-schema\.org\/(?:draft\/20(?:19-09|20-12)|draft-0[467])\//;

/** The input for the nodes of a form. */
type NodeSource =
	| { readonly kind: "fields"; readonly fields: readonly ReadField[] }
	| { readonly kind: "schema"; readonly schema: JsonObject };

/** The value of a form while it is edited, which only the user's changes touch, and how it is shown. */
export class FormEditor {
	private readonly source: NodeSource;
	private readonly initial: JsonObject;
	private readonly reader: SchemaReader;
	private readonly memory = new TreeMemory();
	private current: JsonObject;
	private shownTab: FormTab = "form";
	/** The text of the JSON tab, with its value; another value has another text. */
	private json: { readonly text: string; readonly value: JsonObject; readonly problems: readonly string[] } | undefined;
	private beforeReset: JsonObject | undefined;
	private problems: readonly SchemaProblem[] = [];
	private saysAll = false;
	private tree: FormTree | undefined;

	constructor(content: FormContent, initial: JsonObject) {
		this.source =
			content.kind === "schema"
				? content
				: { kind: "fields", fields: readFields(content.kind === "fields" ? content.fields : []) };
		this.initial = initial;
		this.current = initial;
		this.reader = new SchemaReader(content.kind === "schema" ? content.schema : {});
		this.keepTab();
	}

	/** The value as it would be sent; the very `initial` while nothing is edited. */
	get value(): JsonObject {
		return this.current;
	}

	get tab(): FormTab {
		return this.noForm === undefined ? this.shownTab : "json";
	}

	/** Why there is no form, only JSON; a sentence. */
	get noForm(): string | undefined {
		if (this.source.kind === "fields") return undefined;
		const dialect = this.source.schema["$schema"];
		if (dialect !== undefined && !(typeof dialect === "string" && dialects.test(dialect))) {
			return "MCP Host cannot show a form for this dialect of JSON Schema.";
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
	get root(): FormNode | undefined {
		return this.tab === "form" ? this.built.root : undefined;
	}

	/** The text of the JSON tab. */
	get text(): string {
		return this.json?.value === this.current ? this.json.text : exactJson(this.current);
	}

	/** The problem of the form as a whole, if it is to be shown. */
	get formProblems(): readonly string[] {
		const { problem } = this.built.root;
		if (this.source.kind === "schema") return problem === undefined ? [] : [problem];
		return this.saysAll ? new PlacedProblems(this.problems).at([]) : [];
	}

	/** The field of a question with an id, and the content of its control. */
	field(id: unknown): { readonly name: string; readonly field: FormField; readonly input: FieldInput } | undefined {
		const place = typeof id === "number" ? this.built.places.get(id) : undefined;
		if (place?.field === undefined || place.node.kind !== "field") return undefined;
		return { name: place.field.name, field: place.field.field, input: place.node.input };
	}

	/** The reason why the shown text or a shown control is not a value; nothing may be sent then. */
	get slip(): string | undefined {
		if (this.tab === "json") return this.jsonProblems[0];
		return this.memory.slips.find(({ path, typed }) => valueAt(this.current, path) === typed.value)?.typed.slip;
	}

	/** The syntax problem of the JSON tab's text. */
	get jsonProblems(): readonly string[] {
		return this.json?.value === this.current ? this.json.problems : [];
	}

	/** Takes the validator's problems of the value; `saysAll` when all places are to show them. */
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

	/** Makes a change that the view requests. False when it has no effect: it does not fit, or a text is not JSON yet. */
	apply(change: FormChange): boolean {
		const isMade = this.make(change);
		this.tree = undefined;
		this.keepTab();
		return isMade;
	}

	/** Replaces the content by a whole value. */
	replace(value: JsonObject): void {
		this.memory.forgetTexts();
		this.setValue(value);
		this.tree = undefined;
	}

	/** If JSON was shown because there was no form, it stays: nothing may change while the user types into it. */
	private keepTab(): void {
		if (this.noForm !== undefined) this.shownTab = "json";
	}

	private make(change: FormChange): boolean {
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

	private get built(): FormTree {
		this.tree ??= this.build();
		return this.tree;
	}

	private build(): FormTree {
		const { source, reader, current: value, initial, memory, saysAll } = this;
		const common = { value, initial, memory, problems: new PlacedProblems(this.problems), saysAll };
		return source.kind === "fields"
			? buildFields(source.fields, common)
			: buildTree({ ...common, schema: source.schema, reader });
	}

	private applyAt(place: NodePlace, change: Exclude<FormChange, { readonly kind: "tab" | "json" | "reset" }>): boolean {
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

	/** Takes the content of a control. A text that is not a value yet stays in the control and prevents sending. */
	private type({ path, node, read }: NodePlace, input: FieldInput): boolean {
		const former = valueAt(this.current, path);
		if (node.kind === "json") return typeof input === "string" && this.typeJson(path, input, former);
		const leaf = read?.(input);
		if (leaf === undefined) return false;
		const isNumber = node.kind === "field" && node.field?.kind === "number";
		const text = typeof input === "string" ? input : "";
		if ("slip" in leaf) return this.keepSlip(path, text, former, leaf.slip);
		if (leaf.value === undefined && former !== undefined && typeof path.at(-1) === "number") {
			// An item cannot be absent; a number is emptied on the way to another one.
			return isNumber && this.keepSlip(path, "", former, "Fill in this field.");
		}
		this.set(path, leaf.value);
		if (isNumber) this.memory.setTyped(path, { text, value: leaf.value });
		return true;
	}

	private typeJson(path: JsonPath, text: string, former: Json | undefined): boolean {
		const read = readJsonText(text);
		if ("problems" in read) return this.keepSlip(path, text, former, read.problems[0] ?? "");
		if (path.length === 0) return false;
		this.set(path, read.value);
		this.memory.setTyped(path, { text, value: valueAt(this.current, path) });
		return true;
	}

	private keepSlip(path: JsonPath, text: string, value: Json | undefined, slip: string): boolean {
		this.memory.touch(path);
		this.memory.setTyped(path, { text, value, slip });
		return true;
	}

	private act({ path, reading }: NodePlace, action: NodeAction): boolean {
		if (reading === undefined) return false;
		switch (action) {
			case "add":
			case "replace":
				return this.set(path, plainValue(reading, this.reader));
			case "null":
				return this.set(path, null);
			case "empty":
			case "remove":
				this.removeMemory(path);
				return this.set(path, action === "empty" ? [] : undefined);
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
		const schema = reading && itemSchema(reading, items.length);
		if (schema === undefined) return false;
		this.memory.setOpen(path, true);
		return this.set([...path, items.length], plainValue(shapeOf(schema, this.reader), this.reader));
	}

	private addMember({ path, node, reading }: NodePlace, name: string): boolean {
		const object = valueAt(this.current, path);
		if (node.kind !== "group" || node.adding === undefined || !isJsonObject(object)) return false;
		const schema = reading && memberSchema(reading, name);
		if (schema === undefined || valueAt(object, [name]) !== undefined) return false;
		this.memory.setOpen(path, true);
		this.memory.setOpen([...path, name], true);
		return this.set([...path, name], plainValue(shapeOf(schema, this.reader), this.reader));
	}

	/** Puts a value at a place, or takes it away; true, for a change was made. */
	private set(path: JsonPath, value: Json | undefined): boolean {
		this.memory.touch(path);
		this.memory.forgetTyped(path);
		const { places } = this.built;
		const placeAt = (place: JsonPath): NodePlace | undefined => places.get(this.memory.id(place));
		const whole = value === undefined ? this.current : withContainers(this.current, path, placeAt, this.reader);
		this.setValue(withValueAt(whole, path, value));
		return true;
	}

	private setValue(value: Json | undefined): void {
		if (!isJsonObject(value)) return;
		this.beforeReset = undefined;
		const taken = this.source.kind === "fields" ? inOrder(value, this.source.fields) : value;
		// An edit that was taken back leaves nothing behind, not even another object.
		this.current = isSameJson(taken, this.initial) ? this.initial : taken;
	}

	private showTab(tab: FormTab): boolean {
		if (this.source.kind === "fields" || tab === this.tab || this.slip !== undefined) return false;
		if (tab === "form" && this.noForm !== undefined) return false;
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
