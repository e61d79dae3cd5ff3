import type { JsonPath } from "../../base/configText.ts";
import { HostError } from "../../base/errors.ts";
import { exactJson } from "../../base/exactJson.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { applySchema, problemSentence } from "../../base/schema/schema.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import { withinTime } from "../../base/timeBudget.ts";
import type { Expectations, TextExpectation, ValueExpectation } from "./namedCall.ts";

/** An answer as expectations see it. All of it is the server's: untrusted. */
export interface CallAnswer {
	/** The tool reports an error. */
	readonly isError: boolean;
	/** The texts of the answer, joined by line breaks. */
	readonly text: string;
	/** A tool's structured content; undefined if there is none. */
	readonly structuredContent: Json | undefined;
	/** The whole result, as the server sent it. */
	readonly result: Json;
	/** The problems of the structured content by the tool's own output schema. */
	readonly problems: readonly string[];
}

/** An expectation that does not hold. */
export interface CallFailure {
	/** The expectation, as a path below `expect`; empty for what every call is expected to be. */
	readonly path: JsonPath;
	/** One line. */
	readonly message: string;
	/** Two texts for a comparison, if that is more informative; every character is visible. */
	readonly difference?: Difference;
}

/** The expected and the actual value. */
export interface Difference {
	readonly expected: string;
	readonly actual: string;
}

/** How long one expression may take, in milliseconds: it is a file's, and the text is a server's (TRN-53). */
const patternTimeMs = 500;
/** How much is shown of a text. */
const mostShown = 50_000;

/**
 * Checks an answer against its expectations; empty when all hold. The defaults are checked too: no error, and
 * structured content that fits its tool's output schema (CAL-03). Never throws.
 */
export async function checkAnswer(expect: Expectations, answer: CallAnswer): Promise<readonly CallFailure[]> {
	const { isError = false, text, structuredContent, result } = expect;
	const failures: CallFailure[] = [];
	if (answer.isError !== isError) {
		const message = answer.isError
			? `The tool reported an error: ${oneLine(answer.text, 200)}`
			: "The tool was expected to report an error, but reported none.";
		failures.push({ path: expect.isError === undefined ? [] : ["isError"], message });
	}
	for (const problem of answer.problems) {
		failures.push({ path: [], message: `Output schema of the tool: ${problem}` });
	}
	if (text !== undefined) failures.push(...below("text", checkText(text, answer.text)));
	if (structuredContent !== undefined) {
		failures.push(...below("structuredContent", await checkValue(structuredContent, answer.structuredContent)));
	}
	if (result !== undefined) failures.push(...below("result", await checkValue(result, answer.result)));
	return failures;
}

function below(key: string, failures: readonly CallFailure[]): readonly CallFailure[] {
	return failures.map((failure) => Object.assign({}, failure, { path: [key, ...failure.path] }));
}

function checkText({ equals, contains = [], matches }: TextExpectation, actual: string): readonly CallFailure[] {
	const failures: CallFailure[] = [];
	const difference = (expected: string): Difference => ({
		expected: shown(expected),
		actual: shown(actual),
	});
	if (equals !== undefined && actual !== equals) {
		failures.push({ path: ["equals"], message: "The text is different.", difference: difference(equals) });
	}
	for (const part of contains) {
		if (actual.includes(part)) continue;
		const message = `The text does not contain "${oneLine(part, 100)}".`;
		failures.push({ path: ["contains"], message, difference: difference(part) });
	}
	if (matches !== undefined) {
		const fault = whyNoMatch(matches, actual);
		if (fault !== undefined) {
			const difference = { expected: shown(`/${matches}/u`), actual: shown(actual) };
			failures.push({ path: ["matches"], message: fault, difference });
		}
	}
	return failures;
}

function whyNoMatch(source: string, actual: string): string | undefined {
	try {
		const isMatch = withinTime(patternTimeMs, () => new RegExp(source, "u").test(actual));
		return isMatch ? undefined : `The text does not match ${oneLine(source, 100)}.`;
	} catch (error) {
		const why = HostError.is(error, "limit") ? "took too long and was stopped" : "failed";
		return `The search for ${oneLine(source, 100)} ${why}.`;
	}
}

async function checkValue(
	{ equals, includes, at = {}, schema }: ValueExpectation,
	actual: Json | undefined,
): Promise<readonly CallFailure[]> {
	if (actual === undefined) return [{ path: [], message: "The result has no structured content." }];
	const failures: CallFailure[] = [];
	if (equals !== undefined && !isSame(actual, equals)) {
		failures.push({ path: ["equals"], message: "The value is different.", difference: compared(equals, actual) });
	}
	if (includes !== undefined && !hasAll(actual, includes)) {
		const message = "The value does not include what is expected.";
		failures.push({ path: ["includes"], message, difference: compared(includes, partOf(actual, includes)) });
	}
	for (const [pointer, expected] of Object.entries(at)) {
		const found = valueAt(actual, pointer);
		if (found !== undefined && isSame(found, expected)) continue;
		const message =
			found === undefined
				? `There is nothing at ${oneLine(pointer, 100)}.`
				: `The value at ${oneLine(pointer, 100)} is different.`;
		failures.push({
			path: ["at", pointer],
			message,
			...(found === undefined ? {} : { difference: compared(expected, found) }),
		});
	}
	if (schema !== undefined) {
		const verdict = await applySchema(schema, actual);
		const faults = verdict.kind === "applied" ? verdict.problems.map(problemSentence) : [`The schema ${verdict.why}`];
		for (const message of faults) failures.push({ path: ["schema"], message });
	}
	return failures;
}

function compared(expected: Json, actual: Json): Difference {
	return {
		expected: cap(exactJson(expected), mostShown),
		actual: cap(exactJson(inOrderOf(expected, actual)), mostShown),
	};
}

function shown(text: string): string {
	return cap(showHidden(text), mostShown);
}

/** Whether two values are equal, regardless of the order of members. */
function isSame(one: Json, other: Json): boolean {
	return canonicalJson(one) === canonicalJson(other);
}

/** Whether a value contains everything that is expected: additional members are ignored, additional items are not. */
function hasAll(actual: Json | undefined, expected: Json | undefined): boolean {
	if (Array.isArray(expected)) {
		const items = expected as readonly Json[];
		return (
			Array.isArray(actual) &&
			actual.length === items.length &&
			items.every((item, index) => hasAll((actual as readonly Json[])[index], item))
		);
	}
	if (isJsonObject(expected)) {
		return (
			isJsonObject(actual) &&
			Object.entries(expected).every(([key, value]) => Object.hasOwn(actual, key) && hasAll(actual[key], value))
		);
	}
	return actual === expected;
}

/** The value without the members that nothing is expected of, so that a comparison shows what matters. */
function partOf(actual: Json, expected: Json): Json {
	if (Array.isArray(actual) && Array.isArray(expected)) {
		return (actual as readonly Json[]).map((item, index) => partOf(item, (expected as readonly Json[])[index] ?? item));
	}
	if (!isJsonObject(actual) || !isJsonObject(expected)) return actual;
	const kept = Object.keys(expected).filter((key) => Object.hasOwn(actual, key));
	return Object.fromEntries(kept.map((key) => [key, partOf(actual[key] ?? null, expected[key] ?? null)]));
}

/** The value with the members that both have in the order of the other one: order means nothing, and would be a difference. */
function inOrderOf(model: Json, value: Json): Json {
	if (Array.isArray(model) && Array.isArray(value)) {
		return (value as readonly Json[]).map((item, index) => inOrderOf((model as readonly Json[])[index] ?? item, item));
	}
	if (!isJsonObject(model) || !isJsonObject(value)) return value;
	const common = Object.keys(model).filter((key) => Object.hasOwn(value, key));
	const others = Object.keys(value).filter((key) => !Object.hasOwn(model, key));
	return Object.fromEntries(
		[...common, ...others].map((key) => [key, inOrderOf(model[key] ?? null, value[key] ?? null)]),
	) satisfies JsonObject;
}

/** The target of a JSON Pointer (RFC 6901, section 4); undefined for none. */
function valueAt(value: Json, pointer: string): Json | undefined {
	let current: Json | undefined = value;
	for (const token of pointer.split("/").slice(1)) {
		const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
		if (Array.isArray(current))
			current = /^(?:0|[1-9]\d*)$/.test(key) ? (current as readonly Json[])[Number(key)] : undefined;
		else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
	}
	return current;
}
