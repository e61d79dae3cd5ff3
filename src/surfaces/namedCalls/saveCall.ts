import { knowsNone, SafeWriter } from "../../base/secrets/writer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { valueAt, withValue } from "../../setup/entries/jsonEdit.ts";
import { answerOf } from "./callEntry.ts";
import type { Expectations } from "./namedCall.ts";
import { formVersion, parseCalls } from "./parseCalls.ts";
import type { ToolResult } from "../../features/tools/results/result.ts";

/** A call that the user made and wants to keep. */
export interface SavedCall {
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	readonly expect: Expectations;
}

/** The possible expectations of the next answer, by this one. */
export interface ProposedExpectation {
	readonly label: string;
	/** Its meaning, in our words. */
	readonly detail: string;
	readonly expect: Expectations;
}

/** Longer ones are proposed by their shape, or by their beginning. */
const longestValue = 4000;
const longestText = 1000;
/** How deep a proposed schema goes, and how many members of an object it names. */
const deepest = 6;
const mostMembers = 50;

/** The possible expectations of a call with this answer, the most significant first; at least one. */
export function proposeExpectations(result: ToolResult): readonly ProposedExpectation[] {
	const { isError, text, structuredContent } = answerOf({ kind: "tool", name: "", arguments: {} }, result);
	if (isError) {
		return [
			{ label: "The Error", detail: "the tool reports an error again", expect: { isError: true } },
			...(text === "" || text.length > longestText
				? []
				: [
						{
							label: "The Error and Its Text",
							detail: oneLine(text, 100),
							expect: { isError: true, text: { equals: text } },
						},
					]),
		];
	}
	const proposals: ProposedExpectation[] = [];
	if (structuredContent !== undefined) {
		proposals.push({
			label: "The Shape of the Structured Content",
			detail: "the same members, of the same types",
			expect: { structuredContent: { schema: shapeOf(structuredContent) } },
		});
		if (JSON.stringify(structuredContent).length <= longestValue) {
			proposals.push({
				label: "The Whole Structured Content",
				detail: "exactly these values",
				expect: { structuredContent: { equals: structuredContent } },
			});
		}
	}
	if (text !== "" && text.length <= longestText) {
		proposals.push({ label: "The Whole Text", detail: oneLine(text, 100), expect: { text: { equals: text } } });
	}
	const line = text.split("\n").find((one) => one.trim() !== "" && one.length <= longestText);
	if (line !== undefined && line !== text) {
		proposals.push({ label: "A Line of the Text", detail: oneLine(line, 100), expect: { text: { contains: [line] } } });
	}
	return [...proposals, { label: "An Answer without an Error", detail: "any contents", expect: {} }];
}

/** A schema that a value fits, and others like it. */
function shapeOf(value: Json, depth = 0): JsonObject {
	if (value === null) return { type: "null" };
	if (Array.isArray(value)) {
		const [first] = value as readonly Json[];
		const isPlain = first === undefined || depth >= deepest;
		return { type: "array", ...(isPlain ? {} : { items: shapeOf(first, depth + 1) }) };
	}
	if (!isJsonObject(value)) return { type: typeof value };
	const members = Object.entries(value).flatMap(([key, member]) =>
		member === undefined ? [] : [[key, member] as const],
	);
	if (depth >= deepest || members.length > mostMembers || members.length === 0) return { type: "object" };
	return {
		type: "object",
		required: members.map(([key]) => key),
		properties: Object.fromEntries(members.map(([key, member]) => [key, shapeOf(member, depth + 1)])),
	};
}

/** A file of named calls with one more call, and what of it is asked for each time, since it looks like a secret. */
export interface CallAdded {
	readonly text: string;
	readonly inputs: readonly string[];
}

/**
 * The text of a file with a call added, replacing one of the same name; everything else stays unchanged. A text among
 * the arguments that looks like a secret becomes an input, because the file is made to be shared (CAL-08).
 * @throws HostError `invalid` for a text that is not a file of named calls.
 */
export function withCall(text: string, name: string, { server, tool, arguments: args, expect }: SavedCall): CallAdded {
	const fault = parseCalls(text).problems.find(({ severity }) => severity === "error");
	const isEmpty = text.trim() === "";
	if (fault !== undefined)
		throw new HostError("invalid", `The file has an error, so nothing was added: ${fault.message}`);
	const inputs: string[] = [];
	const mark = (key: string): string => {
		const id = idOf(`${server}-${key}`);
		if (!inputs.includes(id)) inputs.push(id);
		return `\${input:${id}}`;
	};
	const kept = new SafeWriter(knowsNone, { context: "asked", mark }).json(args);
	let result = isEmpty ? withValue(text, ["version"], formVersion) : text;
	const present = valueAt(result, ["inputs"]);
	const known = Array.isArray(present) ? (present as readonly unknown[]) : [];
	const added = inputs.filter((id) => !known.some((input) => isJsonObject(input) && input["id"] === id));
	if (added.length > 0) {
		const made = added.map((id) => ({ id, type: "promptString", description: id, password: true }));
		result = withValue(result, ["inputs"], [...known, ...made]);
	}
	const call = { server, tool, arguments: kept, ...(Object.keys(expect).length === 0 ? {} : { expect }) };
	return { text: withValue(result, ["calls", name], call), inputs };
}

/** Whether a file has a call of this name. */
export function hasCall(text: string, name: string): boolean {
	return valueAt(text, ["calls", name]) !== undefined;
}

function idOf(text: string): string {
	const id = text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
	return id.slice(0, 60);
}
