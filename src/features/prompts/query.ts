import { HostError } from "../../base/errors.ts";
import { hasHiddenCharacters, oneLine } from "../../base/text.ts";

/** A prompt and its arguments as typed after `@mcp /prompt`. */
export interface PromptQuery {
	readonly id: string;
	readonly arguments: Readonly<Record<string, string>>;
}

const usage = 'Write /prompt server/name argument="value"';

/**
 * The query as one line of text: `travel/plan-vacation destination="Barcelona"`. `parsePromptQuery` returns every text
 * unchanged, and the chat cannot read anything in it as a variable or command.
 */
export function formatPromptQuery(query: PromptQuery): string {
	const pairs = Object.entries(query.arguments).map(([name, value]) => `${formatName(name)}=${quote(value)}`);
	return [formatName(query.id), ...pairs].join(" ");
}

/**
 * Reads a query, typed by hand or formatted. Values may be in double quotes, with the escapes `\"`, `\\`, `\n`, `\r`,
 * `\t` and `\u{…}`, or, without white space in them, bare and taken literally. Throws a HostError `invalid` that says
 * how to write it.
 */
export function parsePromptQuery(text: string): PromptQuery {
	const scanner = new Scanner(text.trim());
	const id = scanner.word(/[^\s"]+/y);
	if (id === "") throw new HostError("invalid", `${usage}.`);
	const values = new Map<string, string>();
	while (scanner.skipSpace()) {
		const start = scanner.rest;
		const name = scanner.word(/[^\s"=]+/y);
		if (name === "" || !scanner.skip("=")) {
			throw new HostError("invalid", `"${oneLine(start, 40)}" is not an argument. ${usage}.`);
		}
		if (values.has(name)) throw new HostError("invalid", `The argument "${oneLine(name)}" is given twice.`);
		values.set(name, scanner.word(/[^\s"]+/y));
	}
	return { id, arguments: Object.fromEntries(values) };
}

/** Reads names and values from left to right. */
class Scanner {
	private position = 0;
	private readonly text: string;

	constructor(text: string) {
		this.text = text;
	}

	get rest(): string {
		return this.text.slice(this.position);
	}

	/** Passes white space; false at the end. Throws when something follows a word without any. */
	skipSpace(): boolean {
		const space = /\s*/y;
		space.lastIndex = this.position;
		const length = space.exec(this.text)?.[0].length ?? 0;
		this.position += length;
		if (this.position === this.text.length) return false;
		if (length === 0) throw new HostError("invalid", `Put a space before "${oneLine(this.rest, 40)}".`);
		return true;
	}

	skip(character: string): boolean {
		if (!this.text.startsWith(character, this.position)) return false;
		this.position += character.length;
		return true;
	}

	/** A word in quotes, or the bare characters that the sticky pattern takes; empty when there is neither. */
	word(bare: RegExp): string {
		const quoted = /"((?:[^"\\]|\\[^])*)"/y;
		quoted.lastIndex = this.position;
		const match = quoted.exec(this.text);
		if (match !== null) {
			this.position = quoted.lastIndex;
			return unescape(match[1] ?? "");
		}
		if (this.text.startsWith('"', this.position)) {
			throw new HostError("invalid", `A closing quote is missing after ${oneLine(this.rest, 40)}`);
		}
		bare.lastIndex = this.position;
		const word = bare.exec(this.text)?.[0] ?? "";
		this.position += word.length;
		return word;
	}
}

const namedEscapes: ReadonlyMap<string, string> = new Map([
	["\n", "n"],
	["\r", "r"],
	["\t", "t"],
]);

/** A name that reads the same bare as quoted stays bare. */
function formatName(name: string): string {
	return /^[\p{L}\p{N}_][\p{L}\p{N}_.:/()+-]*$/u.test(name) && !hasHiddenCharacters(name) ? name : quote(name);
}

function quote(text: string): string {
	let previous = "";
	let quoted = "";
	for (const character of text) {
		quoted += escape(character, previous);
		previous = character;
	}
	return `"${quoted}"`;
}

function escape(character: string, previous: string): string {
	const named = namedEscapes.get(character);
	if (named !== undefined) return `\\${named}`;
	// After a space the chat takes these as the start of a variable, a participant or a command.
	const isChatSyntax = /[#@/]/.test(character) && /\s/.test(previous);
	if (isChatSyntax || character === '"' || character === "\\") return `\\${character}`;
	// An input box may lose half of a surrogate pair, and hidden characters would be invisible in it.
	const isFragile = hasHiddenCharacters(character) || /^[\uD800-\uDFFF]$/.test(character) || /[^\S ]/.test(character);
	return isFragile ? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}` : character;
}

function unescape(text: string): string {
	return text.replace(/\\(?:u\{([0-9A-Fa-f]{1,6})\}|([^]))/g, (whole, code: string | undefined, single: string) => {
		if (code !== undefined)
			return Number.parseInt(code, 16) > 0x10ffff ? whole : String.fromCodePoint(Number.parseInt(code, 16));
		for (const [character, name] of namedEscapes) if (name === single) return character;
		// Any other character is taken as typed, so that a Windows path needs no doubled backslashes.
		return /["\\#@/]/.test(single) ? single : whole;
	});
}
