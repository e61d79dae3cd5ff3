import type { Json } from "./json.ts";

/** The start and the end of strings such as a window's title or a link. */
const beginsString = String.raw`\u0090\u0098\u009D-\u009F`;

/**
 * Sequences that control how a terminal shows a text (ECMA-48): control sequences such as colours, strings with their
 * end, character sets, and functions of two characters. An incomplete sequence is left visible.
 */
const sequences = new RegExp(
	[
		String.raw`(?:\u001B\[|\u009B)[0-?]*[ -\/]*[@-~]`,
		String.raw`(?:\u001B[\]PX^_]|[${beginsString}])[^\u0007\u001B\u009C${beginsString}]*(?:\u0007|\u001B\\|\u009C)`,
		String.raw`\u001B(?:[!-\/][ -\/]*[0-~]| [FGL-N])`,
		String.raw`\u001B[0-OQ-WYZ\\${"`"}-~]`,
	].join("|"),
	"g",
);
const anySign = new RegExp(String.raw`[\u001B\u0090-\u009F]`);

/** A text of a server's output without the sequences for terminals in it. Nothing is interpreted as a terminal would. */
export function withoutTerminal(text: string): string {
	return anySign.test(text) ? text.replace(sequences, "") : text;
}

/** A value whose texts are without sequences for terminals; the same value where none has any. */
export function withoutTerminalIn(value: Json): Json {
	const json = JSON.stringify(value);
	// JSON writes the first as an escape.
	if (!json.includes(String.raw`\u001b`) && !anySign.test(json)) return value;
	return JSON.parse(json, (_key, inner: Json) => (typeof inner === "string" ? withoutTerminal(inner) : inner));
}
