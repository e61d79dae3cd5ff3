import { isJsonObject } from "../../../base/json.ts";
import { oneLine } from "../../../base/text.ts";
import { readJsonText } from "../../../base/jsonText.ts";
import { exactJson } from "../../../base/exactJson.ts";
import type { CompletionPart } from "../answer.ts";
import type { DraftProblem } from "../fields.ts";
import { isCount, parseEdits } from "./parseEdits.ts";
import type { CompletionDraft, ReviewPlace, ReviewField } from "./reviewProtocol.ts";

type ToolUse = Extract<CompletionPart, { type: "tool-use" }>;

/**
 * The parts of a completion that the user can change: its text at the place `text`, which exists even when the model
 * only called tools, and the arguments of each tool call at `call.N`.
 */
export function completionFields(parts: readonly CompletionPart[]): readonly ReviewField[] {
	return [
		{ place: "text", kind: "text", label: "Text that the server receives", original: textOf(parts) },
		...usesOf(parts).map(({ name, input }, index): ReviewField => ({
			place: callPlace(index),
			kind: "json",
			label: `Call of ${oneLine(name, 60)}`,
			original: exactJson(input),
			hint: "The arguments, a JSON object. The server runs the tool.",
		})),
	];
}

/**
 * A draft of a completion from the view, or undefined when it is invalid for these parts: only the text and arguments
 * may be changed, and only tool calls removed (UI-06).
 */
export function parseCompletionDraft(raw: unknown, parts: readonly CompletionPart[]): CompletionDraft | undefined {
	if (!isJsonObject(raw)) return undefined;
	const { attempt } = raw;
	const calls = usesOf(parts).map((_use, index) => callPlace(index));
	const edits = parseEdits(raw, new Set(["text", ...calls]), new Set(calls));
	return edits === undefined || !isCount(attempt) ? undefined : { ...edits, attempt };
}

/** Reads a draft of a completion for returning it, or returns in a sentence what the user must change first. */
export function readCompletion(
	parts: readonly CompletionPart[],
	{ changes, removed }: Pick<CompletionDraft, "changes" | "removed">,
): readonly CompletionPart[] | DraftProblem {
	const at = (place: ReviewPlace, own: string): string =>
		Object.hasOwn(changes, place) ? (changes[place] ?? own) : own;
	const text = at("text", textOf(parts));
	const kept: CompletionPart[] = text === "" ? [] : [{ type: "text", text }];
	for (const [index, use] of usesOf(parts).entries()) {
		const place = callPlace(index);
		if (removed.includes(place)) continue;
		const own = exactJson(use.input);
		const edited = at(place, own);
		if (edited === own) {
			kept.push(use);
			continue;
		}
		const read = readJsonText(edited);
		if ("problems" in read) return { problem: `This JSON cannot be sent. ${read.problems[0] ?? ""}`, place };
		if (!isJsonObject(read.value)) return { problem: "Arguments must be a JSON object.", place };
		kept.push({ ...use, input: read.value });
	}
	if (kept.length > 0) return kept;
	return { problem: "The completion is empty. Write one, or reject the request.", place: "text" };
}

function textOf(parts: readonly CompletionPart[]): string {
	return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function usesOf(parts: readonly CompletionPart[]): readonly ToolUse[] {
	return parts.filter((part) => part.type === "tool-use");
}

function callPlace(index: number): ReviewPlace {
	return `call.${index}`;
}
