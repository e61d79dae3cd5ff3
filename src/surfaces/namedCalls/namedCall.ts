import type { JsonPath, TextRange } from "../../base/configText.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { InputDefinition } from "../../servers/definitions/config.ts";

/** The request of a named call to its server. Texts may contain `${input:id}`. */
export type CallTarget =
	| { readonly kind: "tool"; readonly name: string; readonly arguments: JsonObject }
	| { readonly kind: "prompt"; readonly name: string; readonly arguments: JsonObject }
	| { readonly kind: "resource"; readonly uri: string };

/** The expectations of a text. All of them must hold. */
export interface TextExpectation {
	readonly equals?: string;
	readonly contains?: readonly string[];
	/** A regular expression that has to match somewhere. */
	readonly matches?: string;
}

/** The expectations of a JSON value. All of them must hold. */
export interface ValueExpectation {
	readonly equals?: Json;
	/** Objects may have more members than these; lists are as long, and each item includes the one at its place. */
	readonly includes?: Json;
	/** Values by JSON Pointer (RFC 6901). */
	readonly at?: Readonly<Record<string, Json>>;
	readonly schema?: JsonObject;
}

/** The expectations of a call's answer. */
export interface Expectations {
	/** Whether the tool reports an error; false by default. */
	readonly isError?: boolean;
	/** For the texts of the answer, joined by line breaks. */
	readonly text?: TextExpectation;
	/** For a tool's structured content. */
	readonly structuredContent?: ValueExpectation;
	/** For the whole result, as the server sent it. */
	readonly result?: ValueExpectation;
}

/** A request with a name, as a file has it, and what is expected of its answer. */
export interface NamedCall {
	readonly name: string;
	/** The configured name of the server. */
	readonly server: string;
	readonly target: CallTarget;
	readonly expect: Expectations;
}

/** Something wrong in a file of named calls. */
export interface CallProblem {
	readonly message: string;
	readonly severity: "error" | "warning";
	readonly range: TextRange;
}

/** A file of named calls as it was read: the sound calls, and what is wrong with the others. */
export interface CallsFile {
	readonly calls: readonly NamedCall[];
	readonly inputs: readonly InputDefinition[];
	readonly problems: readonly CallProblem[];
	/**
	 * The place of a part in the text, such as `["calls", "Finds flights", "expect", "text"]`; see `ConfigText.rangeOf`.
	 */
	readonly rangeOf: (path: JsonPath) => TextRange;
}
/** The name of the one file of a folder that holds named calls, and how others end. */
export const callsFile = ".vscode/mcp-calls.json";
/** The files of a workspace that hold named calls, as a glob pattern. */
export const callsPattern = "**/{mcp-calls,*.mcp-calls}.json";

/** The request of a call, in a few words: `tool searchFlights`. Untrusted. */
export function targetWords(target: CallTarget): string {
	return target.kind === "resource" ? `resource ${target.uri}` : `${target.kind} ${target.name}`;
}
