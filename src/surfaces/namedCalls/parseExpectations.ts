import type { JsonPath } from "../../base/configText.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { CallTarget, Expectations, TextExpectation, ValueExpectation } from "./namedCall.ts";
import { member, type Report, reportUnknown } from "./reading.ts";

/**
 * Reads what a call expects of its answer. An expectation that is not understood is a fault of the whole call, which would
 * otherwise pass for a reason that nobody meant (CAL-02).
 */
export function parseExpectations(
	value: Json | undefined,
	kind: CallTarget["kind"] | undefined,
	report: Report,
): Expectations {
	if (value === undefined) return {};
	if (!isJsonObject(value)) {
		report([], '"expect" must be an object.');
		return {};
	}
	const ofTools = kind === "tool" || kind === undefined ? ["isError", "structuredContent"] : [];
	reportUnknown(value, [...ofTools, "text", "result"], [], report);
	const isError = member(value, "isError");
	if (isError !== undefined && typeof isError !== "boolean") report(["isError"], '"isError" must be true or false.');
	const text = member(value, "text");
	const structuredContent = member(value, "structuredContent");
	const result = member(value, "result");
	return {
		...(typeof isError === "boolean" ? { isError } : {}),
		...(text === undefined ? {} : { text: parseText(text, ["text"], report) }),
		...(structuredContent === undefined
			? {}
			: { structuredContent: parseValue(structuredContent, ["structuredContent"], report) }),
		...(result === undefined ? {} : { result: parseValue(result, ["result"], report) }),
	};
}

function parseText(value: Json, path: JsonPath, report: Report): TextExpectation {
	const known = ["equals", "contains", "matches"];
	if (!isJsonObject(value) || Object.keys(value).length === 0) {
		report(path, `Add an expectation: one of ${known.join(", ")}.`);
		return {};
	}
	reportUnknown(value, known, path, report);
	const equals = member(value, "equals");
	const contains = member(value, "contains");
	const matches = member(value, "matches");
	if (equals !== undefined && typeof equals !== "string") report([...path, "equals"], '"equals" must be a string.');
	const parts = typeof contains === "string" ? [contains] : contains;
	const isTexts = (list: unknown): list is readonly string[] =>
		Array.isArray(list) && list.every((part) => typeof part === "string");
	if (parts !== undefined && !isTexts(parts))
		report([...path, "contains"], '"contains" must be a string or a list of strings.');
	if (matches !== undefined && !isExpression(matches)) {
		report([...path, "matches"], `${oneLine(JSON.stringify(matches), 60)} is not a valid regular expression.`);
	}
	return {
		...(typeof equals === "string" ? { equals } : {}),
		...(isTexts(parts) ? { contains: parts } : {}),
		...(typeof matches === "string" ? { matches } : {}),
	};
}

function parseValue(value: Json, path: JsonPath, report: Report): ValueExpectation {
	const known = ["equals", "includes", "at", "schema"];
	if (!isJsonObject(value) || Object.keys(value).length === 0) {
		report(path, `Add an expectation: one of ${known.join(", ")}.`);
		return {};
	}
	reportUnknown(value, known, path, report);
	const equals = member(value, "equals");
	const includes = member(value, "includes");
	const at = member(value, "at");
	const schema = member(value, "schema");
	if (at !== undefined && !isJsonObject(at))
		report([...path, "at"], '"at" must be an object of values by JSON Pointer.');
	for (const pointer of isJsonObject(at) ? Object.keys(at) : []) {
		// RFC 6901, section 3.
		if (/^(?:\/(?:[^~]|~[01])*)?$/.test(pointer)) continue;
		report(
			[...path, "at", pointer],
			`"${oneLine(pointer, 60)}" is not a JSON Pointer, which begins with "/", as in /items/0.`,
		);
	}
	if (schema !== undefined && !isJsonObject(schema)) report([...path, "schema"], '"schema" must be a JSON schema.');
	return {
		...(equals === undefined ? {} : { equals }),
		...(includes === undefined ? {} : { includes }),
		...(isJsonObject(at) ? { at: Object.fromEntries(Object.entries(at).map(([key, one]) => [key, one ?? null])) } : {}),
		...(isJsonObject(schema) ? { schema } : {}),
	};
}

function isExpression(source: Json): boolean {
	if (typeof source !== "string" || source === "") return false;
	try {
		return new RegExp(source, "u").unicode;
	} catch {
		return false;
	}
}
