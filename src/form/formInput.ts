import { isJsonObject } from "../base/json.ts";
import type { FieldInput, FormBody, FormField, FormInput } from "./formProtocol.ts";

/** The most characters that an input may have in all; beyond it a message of the view is not an input. */
export const inputLimit = 10_000_000;

/** What the view sent as the input of a form, or undefined when it does not fit the form (security.md UI-06). */
export function parseInput(raw: unknown, body: FormBody): FormInput | undefined {
	if (!isJsonObject(raw) || raw["kind"] !== body.kind) return undefined;
	if (body.kind === "url") return { kind: "url" };
	const values: unknown = raw["values"];
	if (!Array.isArray(values) || values.length !== body.fields.length) return undefined;
	const parsed = body.fields.map((field, index) => parseFieldInput(field, values[index]));
	if (!parsed.every((value) => value !== undefined)) return undefined;
	return sizeOf(parsed) <= inputLimit ? { kind: "fields", values: parsed } : undefined;
}

/** How many characters a field may hold beside what the others hold. */
export function roomFor(input: FormInput, field: number): number {
	return inputLimit - (input.kind === "fields" ? sizeOf(input.values.with(field, "")) : 0);
}

/** The field of that index with something to type into, or undefined when it is not one (security.md UI-06). */
export function typedField(body: FormBody, index: unknown): FormField | undefined {
	if (body.kind !== "fields" || typeof index !== "number") return undefined;
	const field = body.fields[index];
	return field?.kind === "text" || field?.kind === "number" ? field : undefined;
}

function parseFieldInput(field: FormField, value: unknown): FieldInput | undefined {
	if (field.kind === "boolean") return typeof value === "boolean" ? value : undefined;
	if (field.kind !== "choices") return typeof value === "string" ? value : undefined;
	const isChoice = Array.isArray(value) && value.length <= field.options.length;
	return isChoice && value.every((item) => typeof item === "string") ? value : undefined;
}

function sizeOf(values: readonly FieldInput[]): number {
	return values.flat().reduce((sum: number, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}
