import { isOwnVariable } from "./ownVariables.ts";

/** One command of a text as a shell reads it, with nothing expanded and nothing run. */
export interface ShellCommand {
	/** The words, without quotes. A variable in them has the form `${env:NAME}`, the home folder `${userHome}`. */
	readonly words: readonly string[];
	/** The `NAME=value` before the command, for it alone. */
	readonly environment: Readonly<Record<string, string>>;
	/** Parts that a shell might have changed, in our sentences. */
	readonly remarks: readonly string[];
}

/** The result of a line of a text; a refusal says why it is not one program with arguments, and how it begins. */
export type ShellLine = ShellCommand | { readonly refusal: string; readonly words: readonly string[] };

/** How Windows writes paths and variables: there a backslash is a character like any other. */
const windows = /(?:^|[\s"'=])(?:[A-Za-z]:\\|\.{1,2}\\|\\\\\w)|%[A-Z_][A-Z\d_]{2,60}%/;
/** The prompt that a terminal shows before a command, which users copy with it. */
const prompt = /[ \t]*(?:[$%>\u276F\u279C]|PS [^>\n]{0,200}>|[A-Za-z]:\\[^>\n]{0,200}>)[ \t]+/y;
/** A placeholder for the reader, which a shell would read as redirections. */
const blank = /<[A-Za-z](?:[\w ./:|-]{0,60}[\w.])?>/y;
const variableName = /[A-Za-z_]\w*/y;
const assignment = /^[A-Za-z_]\w*$/;

const operators: Readonly<Record<string, string>> = {
	"|": "it pipes one command into another (|)",
	"&": "it runs in the background, or several commands at once (&)",
	";": "it runs several commands (;)",
	"<": "it reads from a file (<)",
	">": "it writes into a file (>)",
	"(": "it contains parentheses, with which a shell runs several commands",
	")": "it contains parentheses, with which a shell runs several commands",
};

/** Ends the reading of a line. */
class Refusal extends Error {}

/**
 * Reads a text as a shell would: blanks separate words, quotes join them, and a backslash takes the next character
 * literally, or joins two lines (POSIX.1-2017, 2.2 and 2.3). Text that a shell would expand, pipe, chain or redirect is
 * refused, because no shell runs a server. Variables and `~` become those of an `mcp.json`. Prompts and comments are
 * left out.
 */
export function readShell(text: string): readonly ShellLine[] {
	return new ShellReader(text).read();
}

/** The text as a shell reads back exactly, and as this reader does. */
export function shellQuoted(word: string): string {
	if (/^[\w@+=:,./-]+$/.test(word)) return word;
	// A quote in a piece of its own, so that it is read alike where a backslash is a character like any other.
	return (
		word
			.split("'")
			.map((piece) => (piece === "" ? "" : `'${piece}'`))
			.join(`"'"`) || "''"
	);
}

class ShellReader {
	private readonly text: string;
	private readonly isWindows: boolean;
	private at = 0;
	private words: string[] = [];
	private environment = nothing();
	private remarks = new Set<string>();
	private word: { text: string; isOpen: boolean; isBare: boolean; equals: number } = unstarted();

	constructor(text: string) {
		this.text = text.replace(/\r\n?/g, "\n");
		this.isWindows = windows.test(this.text);
	}

	read(): readonly ShellLine[] {
		const lines: ShellLine[] = [];
		while (this.at < this.text.length) {
			prompt.lastIndex = this.at;
			if (prompt.test(this.text)) this.at = prompt.lastIndex;
			try {
				this.readLine();
				const { words, environment } = this;
				if (words.length > 0 || Object.keys(environment).length > 0)
					lines.push({ words, environment, remarks: [...this.remarks] });
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				lines.push({ refusal: error.message, words: this.words });
				const end = this.text.indexOf("\n", this.at);
				this.at = end === -1 ? this.text.length : end + 1;
			}
			this.words = [];
			this.environment = nothing();
			this.remarks = new Set();
			this.word = unstarted();
		}
		return lines;
	}

	/** Reads up to the end of a line that is not continued by a backslash or a quote. */
	private readLine(): void {
		while (this.at < this.text.length) {
			const character = this.text.charAt(this.at);
			if (this.skipContinuation()) continue;
			if (character === "\n") {
				this.at++;
				break;
			}
			if (character === " " || character === "\t") {
				this.endWord();
				this.at++;
			} else if (character === "#" && !this.word.isOpen) this.at = this.endOfLine();
			else if (character === "'") this.readSingle();
			else if (character === '"') this.readDouble();
			else if (character === "\\") this.readBackslash();
			else if (character === "$") this.readDollar();
			else if (character === "%" && this.isWindows) this.readPercent();
			else if (character === "`") throw new Refusal("it runs another command within (`…`)");
			else if (character === "<" && this.matches(blank)) this.readBlank();
			else if (Object.hasOwn(operators, character)) throw this.refusalOf(character);
			else this.readBare(character);
		}
		this.endWord();
	}

	private readBare(character: string): void {
		if (/[\u2018\u2019\u201C\u201D]/.test(character))
			throw new Refusal(`it contains typographic quotes (${character}), which a shell does not treat as quotes`);
		if (character === "~" && (!this.word.isOpen || this.isInAssignment())) {
			const next = this.text.charAt(this.at + 1);
			if (/[\w.-]/.test(next)) throw new Refusal("it refers to the home folder of another user (~)");
			this.append("${userHome}", true);
		} else {
			if (character === "=" && this.word.isBare && this.word.equals === -1) this.word.equals = this.word.text.length;
			if (/[*?[]/.test(character) && !/^[a-z]+:\/\//i.test(this.word.text) && !this.word.text.startsWith("-"))
				this.remarks.add(`“${character}” is used literally, because MCP Host does not use a shell.`);
			this.append(character, true);
		}
		this.at++;
	}

	private readBlank(): void {
		this.append(this.text.slice(this.at, blank.lastIndex), true);
		this.at = blank.lastIndex;
	}

	private readSingle(): void {
		const end = this.text.indexOf("'", this.at + 1);
		if (end === -1) throw this.unclosed("'");
		this.append(this.text.slice(this.at + 1, end), false);
		this.at = end + 1;
	}

	private readDouble(): void {
		this.append("", false);
		for (this.at++; this.text.charAt(this.at) !== '"';) {
			const character = this.text.charAt(this.at);
			if (character === "") throw this.unclosed('"');
			if (this.skipContinuation()) continue;
			const next = this.text.charAt(this.at + 1);
			if (character === "\\" && (this.isWindows ? next === '"' : /["\\$`]/.test(next))) {
				this.append(next, false);
				this.at += 2;
			} else if (character === "`") throw new Refusal("it runs another command within (`…`)");
			else if (character === "$") this.readDollar();
			else if (character === "%" && this.isWindows) this.readPercent();
			else {
				this.append(character, false);
				this.at++;
			}
		}
		this.at++;
	}

	private readBackslash(): void {
		const next = this.text.charAt(this.at + 1);
		const isEscape = this.isWindows ? next === '"' : next !== "";
		this.append(isEscape ? next : "\\", false);
		this.at += isEscape ? 2 : 1;
	}

	/** `$NAME`, `${NAME}`, `${NAME:-default}`, PowerShell's `$env:NAME`, and those of an `mcp.json`. */
	private readDollar(): void {
		const rest = this.text.charAt(this.at + 1);
		if (rest === "{") {
			const end = this.text.indexOf("}", this.at);
			const inside = end === -1 ? "" : this.text.slice(this.at + 2, end);
			this.append(this.braced(inside), false);
			this.at = end + 1;
			return;
		}
		if (rest === "(") {
			const isFolder = this.text.startsWith("$(pwd)", this.at);
			throw new Refusal(
				isFolder
					? "it asks a shell for its current folder ($(pwd)); write ${workspaceFolder} instead"
					: "it runs another command within ($(…))",
			);
		}
		if (rest === "'" || rest === '"') throw new Refusal(`it quotes with $${rest}, which MCP Host does not support`);
		if (/[\d@*#?!$-]/.test(rest)) throw new Refusal(`it uses $${rest}, which only a shell understands`);
		if (this.text.slice(this.at + 1, this.at + 5).toLowerCase() === "env:") this.at += 4;
		variableName.lastIndex = this.at + 1;
		const [name] = variableName.exec(this.text) ?? [];
		this.append(name === undefined ? "$" : this.variable(name), false);
		this.at += 1 + (name?.length ?? 0);
	}

	private braced(inside: string): string {
		const [, name, fallback] = /^([A-Za-z_]\w*)(?::-([^{}$`]*))?$/.exec(inside) ?? [];
		if (isOwnVariable(inside)) return `\${${inside}}`;
		if (name === undefined) throw new Refusal("it uses a form of ${…} that MCP Host does not support");
		return fallback === undefined ? this.variable(name) : `\${env:${name}:-${fallback}}`;
	}

	private variable(name: string): string {
		if (name === "HOME") return "${userHome}";
		if (name === "PWD")
			this.remarks.add("$PWD is the folder in which VS Code was started. Use ${workspaceFolder} for the open folder.");
		return `\${env:${name}}`;
	}

	private readPercent(): void {
		variableName.lastIndex = this.at + 1;
		const [name] = variableName.exec(this.text) ?? [];
		// In a URL it precedes the code of a character.
		const isUrl = this.word.text.includes("://");
		const isVariable = !isUrl && name !== undefined && this.text.charAt(variableName.lastIndex) === "%";
		this.append(isVariable ? `\${env:${name}}` : "%", false);
		this.at = isVariable ? variableName.lastIndex + 1 : this.at + 1;
	}

	/** A line break that does not end the line: behind a backslash, PowerShell's backtick or the caret of cmd.exe. */
	private skipContinuation(): boolean {
		const next = /[\\`^]/.test(this.text.charAt(this.at)) ? this.at + 1 : -1;
		if (next === -1) return false;
		let end = next;
		while (this.text.charAt(end) === " " || this.text.charAt(end) === "\t") end++;
		if (this.text.charAt(end) !== "\n") return false;
		this.at = end + 1;
		return true;
	}

	private append(text: string, isBare: boolean): void {
		this.word.isOpen = true;
		// A quoted name is not an assignment.
		if (!isBare && this.word.equals === -1) this.word.isBare = false;
		this.word.text += text;
	}

	private isInAssignment(): boolean {
		const { text, equals } = this.word;
		return (
			equals !== -1 && equals === text.length - 1 && this.words.length === 0 && assignment.test(text.slice(0, equals))
		);
	}

	private endWord(): void {
		const { text, isOpen, equals } = this.word;
		this.word = unstarted();
		if (!isOpen) return;
		const name = equals === -1 ? "" : text.slice(0, equals);
		if (this.words.length === 0 && assignment.test(name)) this.environment[name] = text.slice(equals + 1);
		else this.words.push(text);
	}

	private matches(pattern: RegExp): boolean {
		pattern.lastIndex = this.at;
		return pattern.test(this.text);
	}

	private endOfLine(): number {
		const end = this.text.indexOf("\n", this.at);
		return end === -1 ? this.text.length : end;
	}

	/** By the whole operator, which may be two equal characters. */
	private refusalOf(character: string): Refusal {
		const isTwice = this.text.charAt(this.at + 1) === character;
		if (isTwice && (character === "&" || character === "|"))
			return new Refusal(`it runs several commands (${character}${character})`);
		return new Refusal(operators[character] ?? "");
	}

	private unclosed(quote: string): Refusal {
		this.at = this.text.length;
		return new Refusal(`a quote (${quote}) is not closed`);
	}
}

function unstarted() {
	return { text: "", isOpen: false, isBare: true, equals: -1 };
}

/** Names are data: none is inherited. */
function nothing(): Record<string, string> {
	return Object.create(null);
}
