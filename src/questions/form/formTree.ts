import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import { exactJson } from "../../base/exactJson.ts";
import { isSameJson, valueAt, type JsonPath } from "./jsonPath.ts";
import { inputOf, isLeaf, leafField, leafValue, type LeafShape, type LeafValue } from "./leaf.ts";
import { emptyRows } from "./firstItem.ts";
import { groupRows, type GroupRow } from "./groupRows.ts";
import { leafProblem, type PlacedProblems } from "./problems.ts";
import type { ReadField } from "./fieldTree.ts";
import type { FieldInput, FormNode, NodeAction } from "./formProtocol.ts";
import { forbidden, type SchemaReader } from "./schemaMerge.ts";
import { shapeOf, type ShapeReading } from "./schemaShape.ts";
import { isOfShape, variantLabel, variantOf } from "./schemaValues.ts";
import type { TreeMemory } from "./treeMemory.ts";

/** Limits on what a form shows; beyond them a part is edited as JSON (TOL-20). */
const limits = { nodes: 600, depth: 12, description: 2000, default: 200 };

/** Down to this depth, and with so many members, a group is open at first. */
const openAtFirst = { depth: 3, rows: 30 };

/** The input of a tree. */
export interface TreeSource {
	readonly schema: Json;
	readonly reader: SchemaReader;
	readonly value: Json;
	readonly initial: Json;
	readonly memory: TreeMemory;
	readonly problems: PlacedProblems;
	/** Whether problems are also shown where the user has not been. */
	readonly saysAll: boolean;
}

/** The data of a node, for the changes that the view requests. */
export interface NodePlace {
	readonly path: JsonPath;
	readonly node: FormNode;
	/** Its shape by its schema. */
	readonly reading?: ShapeReading;
	/** The field of its question. */
	readonly field?: ReadField;
	/**
	 * The value of its control's input; undefined for an input that this control never has. Absent if there is no
	 * control.
	 */
	readonly read?: (input: FieldInput) => LeafValue | undefined;
	/** The kinds of value to choose from. */
	readonly variants: readonly Json[];
}

/** The nodes of a form, with the places behind their ids. */
export interface FormTree {
	readonly root: FormNode;
	readonly places: ReadonlyMap<number, NodePlace>;
}

/** Makes the nodes for the expanded parts of a value. Changes nothing, and is bounded for any schema. */
export function buildTree(source: TreeSource): FormTree {
	const builder = new TreeBuilder(source);
	const root = builder.node({ path: [], schema: source.schema, label: "", isRequired: true, actions: [] }, false);
	return { root, places: builder.places };
}

/** The members of every node, before its problem is known. */
type Frame = Omit<Extract<FormNode, { kind: "null" }>, "kind" | "problem">;

class TreeBuilder {
	readonly places = new Map<number, NodePlace>();
	private readonly source: TreeSource;
	/** Whether nothing was there at first: then nothing is marked as edited. */
	private readonly isFresh: boolean;
	private left = limits.nodes;
	/** How many problems have found their place. */
	private said = 0;

	constructor(source: TreeSource) {
		this.source = source;
		this.isFresh = isJsonObject(source.initial) && Object.keys(source.initial).length === 0;
	}

	/** `isGuess`: it is in one of several variants, where the validator also reports the problems of the others. */
	node(row: GroupRow, isGuess: boolean): FormNode {
		const { reader } = this.source;
		const { path } = row;
		this.left--;
		const value = valueAt(this.source.value, path);
		const outer = shapeOf(row.schema, reader);
		const variants = outer.shape.kind === "variants" ? flat(outer.shape.variants, reader) : [];
		const chosen = this.chosenVariant(path, variants, value);
		const variant = variants[chosen];
		const reading = variant === undefined ? outer : describedBy(outer, shapeOf(variant, reader));
		const frame = this.frame(row, reading, value, variants, chosen);
		const saidBefore = this.said;
		const node = this.content(row, reading, frame, value, isGuess || outer.isNullable || variants.length > 0);
		const problem = this.problemOf(row, node, reading, value, isGuess, this.said > saidBefore);
		if (problem !== undefined) this.said++;
		const isSaid = this.source.saysAll || frame.isEdited || this.source.memory.isTouched(path);
		const whole = problem === undefined || !isSaid ? node : { ...node, problem };
		const { shape } = reading;
		const read = (input: FieldInput): LeafValue | undefined =>
			isLeaf(shape) && typeof input === "string" ? leafValue(shape, input) : undefined;
		this.places.set(frame.id, { path, reading, node: whole, variants, ...(node.kind === "field" ? { read } : {}) });
		return whole;
	}

	private chosenVariant(path: JsonPath, variants: readonly Json[], value: Json | undefined): number {
		if (variants.length === 0 || value === undefined) return -1;
		const { reader, memory } = this.source;
		const remembered = memory.variant(path);
		const variant = remembered === undefined ? undefined : variants[remembered];
		if (remembered !== undefined && variant !== undefined && isOfShape(shapeOf(variant, reader), value))
			return remembered;
		return variantOf(variants, value, reader);
	}

	private frame(
		{ path, label, isRequired, actions }: GroupRow,
		{ schema, isNullable }: ShapeReading,
		value: Json | undefined,
		variants: readonly Json[],
		chosen: number,
	): Frame {
		const { memory, initial, reader } = this.source;
		const former = valueAt(initial, path);
		const isEdited = !isSameJson(value, former) && !this.isFresh;
		const can: NodeAction[] = value === undefined ? [] : [...actions];
		if (isNullable && value !== null) can.push("null");
		// Added parts are removed by Remove, if that is possible.
		if (isEdited && path.length > 0 && !(former === undefined && can.includes("remove"))) can.push("reset");
		const description = descriptionOf(schema, value);
		return {
			id: memory.id(path),
			label,
			...(description === undefined ? {} : { description }),
			isRequired,
			isPresent: value !== undefined,
			isEdited,
			actions: can,
			...(variants.length === 0
				? {}
				: { variants: { labels: labelsOf(variants, reader), chosen: value === undefined ? -1 : chosen } }),
		};
	}

	private content(
		row: GroupRow,
		reading: ShapeReading,
		frame: Frame,
		value: Json | undefined,
		isGuess: boolean,
	): FormNode {
		const { shape, isNullable } = reading;
		if (isLeaf(shape) && (value === undefined || (isOfShape(reading, value) && value !== null))) {
			return this.leaf({ ...reading, shape }, frame, row.path, value);
		}
		if (value === undefined) {
			const rows = frame.variants === undefined ? emptyRows(row, reading, this.source.reader) : undefined;
			if (rows !== undefined && rows.length <= this.left) return this.emptyGroup(row, reading, frame, rows);
			return {
				...frame,
				kind: "absent",
				actions: frame.variants === undefined ? ["add", ...frame.actions] : frame.actions,
			};
		}
		if (value === null && (isNullable || shape.kind === "null")) {
			return { ...frame, kind: "null", actions: isNullable ? ["replace", ...frame.actions] : frame.actions };
		}
		if (shape.kind === "json") return this.json(frame, row.path, value, `The schema ${shape.why}.`);
		if (shape.kind === "variants")
			return this.json(frame, row.path, value, "The value does not match any of these types.");
		if (!isOfShape(reading, value)) {
			const node = this.json(frame, row.path, value, "The value does not have the type that the schema requires.");
			return { ...node, actions: ["replace", ...node.actions] };
		}
		return this.group(row, reading, frame, value, isGuess);
	}

	private leaf(
		reading: ShapeReading & { readonly shape: LeafShape },
		frame: Frame,
		path: JsonPath,
		value?: Json,
	): FormNode {
		const { label, description, isRequired } = frame;
		const typed = this.source.memory.typedAt(path, value);
		// By the initial value: the control must not change its kind while the user types into it.
		const former = valueAt(this.source.initial, path);
		return {
			...frame,
			kind: "field",
			field: leafField(
				reading,
				{ label, isRequired, ...(description === undefined ? {} : { description }) },
				path.at(-1),
				former,
			),
			input: typed?.text ?? inputOf(reading.shape, value),
		};
	}

	private json(frame: Frame, path: JsonPath, value: Json, why: string): FormNode {
		const text = this.source.memory.typedAt(path, value)?.text ?? exactJson(value);
		return { ...frame, kind: "json", text, why };
	}

	private group(row: GroupRow, { shape, schema }: ShapeReading, frame: Frame, value: Json, isGuess: boolean): FormNode {
		const { path } = row;
		const isGroup = typeof value === "object" && value !== null;
		const rows = isGroup ? groupRows(path, shape, schema, value) : undefined;
		if (rows === undefined || path.length >= limits.depth || rows.rows.length > this.left) {
			return this.json(frame, path, value, "The value is too large for a form.");
		}
		const isSmall = path.length < openAtFirst.depth && rows.rows.length <= openAtFirst.rows;
		const isOpen = path.length === 0 || (this.source.memory.isOpen(path) ?? isSmall);
		const { size, canAddItem, adding, rows: inside } = rows;
		return {
			...frame,
			kind: "group",
			isList: shape.kind === "list",
			isOpen,
			size,
			children: isOpen ? inside.map((row) => this.node(row, isGuess)) : [],
			canAddItem,
			...(adding === undefined ? {} : { adding }),
		};
	}

	/** A list or an object that has no value yet, with the fields that give it one. */
	private emptyGroup(
		{ path }: GroupRow,
		{ shape, schema }: ShapeReading,
		frame: Frame,
		rows: readonly GroupRow[],
	): FormNode {
		const isList = shape.kind === "list";
		const isOpen = this.source.memory.isOpen(path) ?? true;
		const { minItems = 0 } = schema;
		return {
			...frame,
			kind: "group",
			isList,
			isOpen,
			size: "",
			children: isOpen ? rows.map((row) => this.node(row, false)) : [],
			canAddItem: false,
			actions: isList && minItems === 0 ? ["empty", ...frame.actions] : frame.actions,
		};
	}

	/** The problem of a node, unless a node in it shows one. */
	private problemOf(
		{ path, isRequired }: GroupRow,
		node: FormNode,
		reading: ShapeReading,
		value: Json | undefined,
		isGuess: boolean,
		isSaidWithin: boolean,
	): string | undefined {
		const { problems, memory } = this.source;
		const slip = memory.typedAt(path, value)?.slip;
		if (slip !== undefined) return slip;
		if (value === undefined) {
			const isMissed = isRequired && problems.at(path.slice(0, -1)).length > 0;
			return isMissed ? (node.kind === "field" ? "Fill in this field." : "This is required.") : undefined;
		}
		if (isForbidden(reading) && problems.at(path.slice(0, -1)).length > 0)
			return "Remove this: the schema does not allow it.";
		const [first] = problems.within(path);
		if (first === undefined) return undefined;
		const own = leafProblem(reading, value, isGuess);
		if (own !== undefined || isGuess) return own;
		// For a choice the validator reports the problems of each variant; those of the chosen one are sufficient.
		const isChoice = node.variants !== undefined || reading.isNullable;
		if (isSaidWithin && isChoice) return undefined;
		if (isChoice || node.kind !== "group" || !node.isOpen) return first;
		const isExplained = node.children.some(
			({ id, isRequired, isPresent }) =>
				(isRequired && !isPresent) || (isPresent && isForbidden(this.places.get(id)?.reading)),
		);
		return isExplained ? undefined : problems.at(path)[0];
	}
}

function isForbidden(reading: ShapeReading | undefined): boolean {
	return reading?.shape.kind === "json" && reading.shape.why === forbidden;
}

/** Variants that are choices themselves are offered beside the others. */
function flat(variants: readonly Json[], reader: SchemaReader): readonly Json[] {
	return variants.flatMap((variant) => {
		const { shape } = shapeOf(variant, reader);
		return shape.kind === "variants" ? shape.variants : [variant];
	});
}

/** Variants of the same name are distinguished by their number. */
function labelsOf(variants: readonly Json[], reader: SchemaReader): readonly string[] {
	const labels = variants.map((variant, index) => variantLabel(variant, index, reader));
	return labels.map((label, index) =>
		labels.filter((other) => other === label).length > 1 ? `${label} (${index + 1})` : label,
	);
}

function describedBy({ schema }: ShapeReading, inner: ShapeReading): ShapeReading {
	const own = schema["description"] === undefined ? {} : { description: schema["description"] };
	return { ...inner, schema: { ...inner.schema, ...own } };
}

/** The schema's text about a value, and the server's default. */
function descriptionOf(schema: JsonObject, value: Json | undefined): string | undefined {
	const { description, default: fallback } = schema;
	const text = typeof description === "string" ? cap(showHidden(description), limits.description) : "";
	const note =
		fallback === undefined || value !== undefined
			? ""
			: `Default: ${oneLine(JSON.stringify(fallback), limits.default)}`;
	const whole = [text, note].filter((part) => part !== "").join("\n");
	return whole === "" ? undefined : whole;
}

/** The schema of a new member by the shape of its object; undefined when there must be none of that name. */
export function memberSchema({ shape }: ShapeReading, name: string): Json | undefined {
	if (shape.kind !== "object") return undefined;
	const schema = shape.members.get(name) ?? shape.rest;
	return schema === false ? undefined : schema;
}

/** The schema of the next item of a list. */
export function itemSchema({ shape }: ShapeReading, length: number): Json | undefined {
	if (shape.kind !== "list") return undefined;
	const schema = shape.first[length] ?? shape.rest;
	return schema === false || !(isJsonObject(schema) || schema === true) ? undefined : schema;
}
