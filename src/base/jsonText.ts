import { printParseErrorCode, visit } from "jsonc-parser";
import { type Json, jsonIn } from "./json.ts";
import { oneLine } from "./text.ts";
import { exactNumber } from "./exactJson.ts";

/** The value of a JSON text that a user wrote, or its problems, with line and column. */
export type JsonReading = { readonly value: Json } | { readonly problems: readonly string[] };

/** How deep objects and lists may be nested. */
const deepest = 200;
/** How many problems of a text are reported. */
const mostProblems = 5;

/**
 * Reads a JSON text strictly. Values that could not be sent unchanged are problems too: numbers beyond the precision of
 * a double, and a duplicate name, of which only one would remain. Never throws.
 */
export function readJsonText(text: string): JsonReading {
	if (text.trim() === "") return { problems: ["The text is empty. Enter JSON."] };
	const problems: string[] = [];
	const note = (line: number, column: number, message: string): void => {
		problems.push(`Line ${line + 1}, column ${column + 1}: ${message}`);
	};
	const scopes: Set<string>[] = [];
	const open = (): void => {
		// Ends the visit: recursion over values gives up far beyond this depth.
		if (scopes.push(new Set()) > deepest) throw new RangeError("too deeply nested");
	};
	const close = (): void => void scopes.pop();
	try {
		visit(
			text,
			{
				onObjectBegin: open,
				onObjectEnd: close,
				onArrayBegin: open,
				onArrayEnd: close,
				onObjectProperty: (name, _offset, _length, line, column) => {
					const names = scopes.at(-1);
					if (names?.has(name)) note(line, column, `the name ${JSON.stringify(oneLine(name, 60))} is used twice.`);
					names?.add(name);
				},
				onLiteralValue: (value, offset, length, line, column) => {
					if (typeof value !== "number") return;
					const literal = text.slice(offset, offset + length);
					if (exactNumber(literal) !== undefined) return;
					note(line, column, `${oneLine(literal, 60)} cannot be sent exactly; it would become ${String(value)}.`);
				},
				onError: (code, _offset, _length, line, column) => note(line, column, sentenceOf(printParseErrorCode(code))),
			},
			{ disallowComments: true, allowTrailingComma: false },
		);
		if (problems.length === 0) return { value: jsonIn(text) };
	} catch {
		// The parsers accept different texts.
		problems.push(scopes.length > deepest ? "This is nested too deeply." : "This is not JSON.");
	}
	return { problems: problems.slice(0, mostProblems) };
}

/** `CommaExpected` as `comma expected.` */
function sentenceOf(code: string): string {
	return `${code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()}.`;
}
