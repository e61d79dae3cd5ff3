import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { SchemaReader } from "./schemaMerge.ts";
import { shapeOf, type Shape, type ShapeReading } from "./schemaShape.ts";

/** How deep a value is searched to determine its variant. */
const deepestLook = 3;

/** Whether a value is of a shape's kind. It may still break rules, which the validator reports. */
export function isOfShape({ shape, isNullable }: ShapeReading, value: Json): boolean {
	if (value === null && isNullable) return true;
	switch (shape.kind) {
		case "object":
			return isJsonObject(value);
		case "list":
			return Array.isArray(value);
		case "text":
			return typeof value === "string";
		case "number":
			return typeof value === "number";
		case "boolean":
			return typeof value === "boolean";
		case "null":
			return value === null;
		case "choice":
			return optionIndex(shape, value) !== -1;
		case "variants":
		case "json":
			return true;
	}
}

/** Which of a choice's values this one is; -1 when it is none of them. */
export function optionIndex({ options }: Extract<Shape, { kind: "choice" }>, value: Json): number {
	const sought = canonicalJson(value);
	return options.findIndex((option) => canonicalJson(option.value) === sought);
}

/** The variant of a value: the first one that it fits closely, otherwise the first of its kind, otherwise -1. */
export function variantOf(variants: readonly Json[], value: Json, reader: SchemaReader): number {
	const close = variants.findIndex((variant) => fits(variant, value, reader, deepestLook));
	return close === -1 ? variants.findIndex((variant) => isOfShape(shapeOf(variant, reader), value)) : close;
}

function fits(schema: Json, value: Json, reader: SchemaReader, depth: number): boolean {
	const reading = shapeOf(schema, reader);
	const { shape } = reading;
	if (!isOfShape(reading, value)) return false;
	if (value === null || depth === 0) return true;
	if (shape.kind === "number") return reading.schema["type"] !== "integer" || Number.isInteger(value);
	if (shape.kind === "variants") return shape.variants.some((variant) => fits(variant, value, reader, depth - 1));
	if (shape.kind === "list" && Array.isArray(value)) {
		const [item] = value as readonly Json[];
		return item === undefined || fits(shape.first[0] ?? shape.rest, item, reader, depth - 1);
	}
	if (shape.kind !== "object" || !isJsonObject(value)) return true;
	if ([...shape.required].some((name) => !Object.hasOwn(value, name))) return false;
	const members = Object.entries(value).slice(0, 100);
	return members.every(([name, member]) => {
		const known = shape.members.get(name) ?? shape.rest;
		return member === undefined || (known !== false && fits(known, member, reader, depth - 1));
	});
}

/**
 * The initial value of a place that the user adds: the schema's default, its only value, or the plainest one of its
 * kind. In an object only fixed values of the schema are filled in: nothing is invented for the user.
 */
export function plainValue(reading: ShapeReading, reader: SchemaReader, depth = deepestLook): Json {
	const { schema, shape } = reading;
	if (schema["default"] !== undefined && isOfShape(reading, schema["default"])) return schema["default"];
	switch (shape.kind) {
		case "object":
			return plainObject(shape, reader, depth);
		case "list":
			return [];
		case "text":
			return "";
		case "number":
			return nearestToZero(schema);
		case "boolean":
			return false;
		case "null":
		case "json":
			return null;
		case "choice":
			return shape.options[0]?.value ?? null;
		case "variants": {
			const [first] = shape.variants;
			return first === undefined || depth === 0 ? null : plainValue(shapeOf(first, reader), reader, depth - 1);
		}
	}
}

function plainObject(shape: Extract<Shape, { kind: "object" }>, reader: SchemaReader, depth: number): JsonObject {
	const fixed = [...shape.required].slice(0, 100).flatMap((name): [string, Json][] => {
		const member = depth === 0 ? undefined : shapeOf(shape.members.get(name) ?? true, reader).shape;
		const [only, ...others] = member?.kind === "choice" ? member.options : [];
		return only === undefined || others.length > 0 ? [] : [[name, only.value]];
	});
	return Object.fromEntries(fixed);
}

function nearestToZero({ minimum, maximum }: JsonObject): number {
	const lowest = typeof minimum === "number" ? Math.max(0, minimum) : 0;
	return typeof maximum === "number" ? Math.min(lowest, maximum) : lowest;
}

/** The name of a variant: its title, its only fixed value, or its kind. */
export function variantLabel(schema: Json, index: number, reader: SchemaReader): string {
	const reading = shapeOf(schema, reader);
	const { shape } = reading;
	const title = reading.schema["title"];
	if (typeof title === "string" && title.trim() !== "") return oneLine(title, 60);
	if (shape.kind === "object") {
		for (const [name, value] of Object.entries(plainObject(shape, reader, 1))) {
			if (typeof value === "string") return `${oneLine(name, 40)}: ${oneLine(value, 60)}`;
		}
		const names = [...shape.members.keys()].slice(0, 3).map((name) => oneLine(name, 30));
		return names.length === 0 ? "object" : `object with ${names.join(", ")}`;
	}
	if (shape.kind === "list") {
		const item = shape.first.length === 0 ? shapeOf(shape.rest, reader).shape.kind : "json";
		return item === "text" || item === "number" ? `list of ${item}s` : "list";
	}
	if (shape.kind === "choice") {
		const named = shape.options.slice(0, 3).map(({ value }) => oneLine(JSON.stringify(value), 30));
		return `one of ${named.join(", ")}${shape.options.length > 3 ? "…" : ""}`;
	}
	return shape.kind === "json" || shape.kind === "variants" ? `variant ${index + 1}` : shape.kind;
}
