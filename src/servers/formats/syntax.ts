import { parse as parseToml } from "smol-toml";
import { LineCounter, parseDocument } from "yaml";
import { readConfigText, writeBackslash, type JsonPath } from "../../base/configText.ts";
import { messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { withDoubledBackslashes } from "./windowsPaths.ts";

/** The languages that hosts write their configurations in. */
export type Syntax = "JSON" | "TOML" | "YAML";

/** A text as data, or why it cannot be parsed. Keys are data: they are read with `Object.hasOwn`. */
export type SyntaxReading = { readonly syntax: Syntax } & (
	| {
			readonly value: unknown;
			/** Keys that a JSON object gives more than once; the last one counts. The other languages refuse that. */
			readonly repeated: readonly JsonPath[];
			/** The change that made it readable, in our sentence. */
			readonly remark?: string;
	  }
	| { readonly fault: string }
);

/** Longest text that is read with its places, in characters. */
const maxLength = 1_000_000;
/** Longest JSON text: some hosts keep years of history beside their servers. */
const maxJsonLength = 50_000_000;
const singleBackslashes =
	"Its paths contain single backslashes, which JSON does not allow; they were read as backslashes.";
/** How often YAML may repeat an anchor, so that a few lines do not become billions. */
const maxAliases = 100;

/**
 * Reads a text as JSON with comments, TOML or YAML, whichever its first signs say. With `mayRepair`, single backslashes of paths
 * that make it no JSON are read as such. Never throws.
 */
export function readSyntax(text: string, mayRepair = false): SyntaxReading {
	const source = text.replace(/^\uFEFF/, "");
	const syntax = syntaxOf(source);
	const longest = syntax === "JSON" ? maxJsonLength : maxLength;
	if (source.length > longest)
		return { syntax, fault: `The text has more than ${longest.toLocaleString("en-US")} characters and was not read.` };
	try {
		if (syntax === "JSON") {
			const read = readJson(source);
			const repaired = mayRepair && "fault" in read ? withDoubledBackslashes(source) : undefined;
			const again = repaired === undefined ? read : readJson(repaired);
			if ("fault" in again) return { syntax, ...read };
			return { syntax, ...again, ...(again === read ? {} : { remark: singleBackslashes }) };
		}
		if (syntax === "TOML") return { syntax, value: parseToml(source, { integersAsBigInt: "asNeeded" }), repeated: [] };
		return { syntax, ...readYaml(source) };
	} catch (error) {
		// A parser's message begins with one line; the rest shows the text, which may hold secrets.
		const [message = ""] = messageOf(error).split("\n", 1);
		const advice = syntax === "TOML" && /escape/i.test(message) ? ` In double quotes, ${writeBackslash}.` : "";
		return { syntax, fault: `The text is not valid ${syntax}: ${oneLine(message, 160)}${advice}` };
	}
}

/**
 * JSON begins with a bracket, a text or its own comment; TOML has tables or assignments; all other text may be YAML.
 */
function syntaxOf(text: string): Syntax {
	let sample = text.slice(0, 20_000).trimStart();
	// Comments of TOML and YAML say nothing.
	while (sample.startsWith("#")) sample = sample.replace(/^#[^\n]*\n?/, "").trimStart();
	if (/^(?:\{|"|\/\/|\/\*)/.test(sample)) return /^"[^"\n]*"\s*=/.test(sample) ? "TOML" : "JSON";
	if (/^\[{1,2}\s*[\w"'][^\]\n{}]*\]{1,2}[^\S\n]*(?:#|\r?\n|$)/.test(sample)) return "TOML";
	if (sample.startsWith("[")) return "JSON";
	return /^[\w.-]+[^\S\n]*=/.test(sample) ? "TOML" : "YAML";
}

function readJson(text: string): { value: unknown; repeated: readonly JsonPath[] } | { fault: string } {
	// A place in such a long text helps nobody, and its tree costs a hundred times its length.
	if (text.length > maxLength) return { value: JSON.parse(text) as unknown, repeated: [] };
	// A part of a file, as documentation prints it: `"name": {…}` without the braces around it.
	const isPart = /^"|^\/[/*]/.test(text.trimStart());
	const whole = readConfigText(text);
	const isWhole = !isPart || (whole.faults.length === 0 && typeof whole.value === "object");
	// On a line of its own, since a comment may end the text.
	const read = isWhole ? whole : readConfigText(`{${text}\n}`);
	const [fault] = read.faults;
	if (fault === undefined) return { value: read.value, repeated: read.repeated };
	const at = Math.max(0, fault.offset - (isWhole ? 0 : 1));
	const line = text.slice(0, at).split("\n").length;
	const quotes = /[\u201C-\u201F]/.test(text) ? ` It contains typographic quotes instead of ".` : "";
	return { fault: `The text is not valid JSON: ${fault.message} (line ${line}).${quotes}` };
}

function readYaml(text: string): { value: unknown; repeated: readonly JsonPath[] } | { fault: string } {
	const lines = new LineCounter();
	const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent", merge: true });
	const [error] = document.errors;
	if (error !== undefined) {
		const { line } = lines.linePos(error.pos[0]);
		return { fault: `The text is not valid YAML: ${oneLine(error.message, 160)} (line ${line}).` };
	}
	return { value: document.toJS({ maxAliasCount: maxAliases }) as unknown, repeated: [] };
}
