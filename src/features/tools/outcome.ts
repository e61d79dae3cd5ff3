import { assertNever } from "../../base/assert.ts";
import { canonicalJson, type Json, type JsonObject } from "../../base/json.ts";
import { cap, oneLine } from "../../base/text.ts";
import type { ModelPart } from "../../models/model.ts";
import type { ToolOutcome } from "./call.ts";

/**
 * The text for a model about a call that it requested, for every outcome. `reading` cuts results to the model's limit.
 */
export function resultForModel(
	callId: string,
	outcome: ToolOutcome,
	reading?: { fit(content: readonly ModelPart[]): readonly ModelPart[] },
): ModelPart {
	const report = (text: string, isError = true): ModelPart => ({
		type: "tool-result",
		callId,
		isError,
		content: [{ type: "text", text }],
	});
	switch (outcome.kind) {
		case "done": {
			const { forModel, isError } = outcome.result;
			const notes = [...repairNote(outcome), ...(outcome.isEdited ? [editNote(outcome)] : [])].map(
				(text): ModelPart => ({ type: "text", text }),
			);
			return { type: "tool-result", callId, isError, content: [...notes, ...(reading?.fit(forModel) ?? forModel)] };
		}
		case "denied": {
			if (outcome.by !== undefined) {
				const rule = `This call was not sent: a rule denied it (${oneLine(outcome.by.label)}).`;
				return report(
					`${rule} Do not repeat it and do not try to circumvent the rule. Continue without it, or ask the user.`,
					false,
				);
			}
			const why = outcome.reason === undefined ? "" : ` Their reason: ${outcome.reason}`;
			return report(
				`This call was not sent: the user denied it. Do not repeat it. Continue without it, or ask the user.${why}`,
				false,
			);
		}
		case "lapsed":
			return report("This call was not sent: it ended before the user decided.");
		case "invalid":
			return report(
				`This call was not sent: its arguments do not match the tool's input schema.\n- ${outcome.problems.join("\n- ")}`,
			);
		case "failed":
			return report(outcome.error.message);
		case "continued":
			return report(
				"This call continues as a task in the background. It has no result yet. Do not repeat it, and do not wait for it: the user sends you the result when it has ended.",
				false,
			);
		case "cancelled":
			if (outcome.isAlone !== true && outcome.isSent !== true)
				return report("This call was not sent: the user cancelled it.");
			return report(
				`${outcome.isAlone === true ? "The user cancelled this call while it ran." : "This call was stopped while it ran."} ` +
					"It may have taken effect. Do not repeat it unless the user asks for it.",
			);
		default:
			return assertNever(outcome);
	}
}

/** The text for a model about a call as the trace keeps it: for images and sounds only their length. */
export function asTold(part: ModelPart): Json {
	switch (part.type) {
		case "tool-result":
			return { isError: part.isError, content: part.content.map(asTold) };
		case "image":
		case "audio":
			return { type: part.type, mimeType: part.mimeType, bytes: Buffer.byteLength(part.data, "base64") };
		case "text":
		case "tool-call":
			return { ...part };
	}
}

/** The values that the host read in place of the model's. */
function repairNote({ repairs = [] }: Extract<ToolOutcome, { kind: "done" }>): readonly string[] {
	if (repairs.length === 0) return [];
	const lines = repairs.map((repair) => `- ${repair}`);
	return [
		["These arguments were corrected to match the tool's input schema. Write them like this:", ...lines].join("\n"),
	];
}

/** The user's changes, before and after, and everything that was sent. */
function editNote({ wanted, sent }: Extract<ToolOutcome, { kind: "done" }>): string {
	const changes = argumentChanges(wanted, sent).map((change) => `- ${change}`);
	return [
		"The user changed the arguments before allowing the call:",
		...changes,
		`It ran with ${JSON.stringify(sent)}`,
	].join("\n");
}

/** A model knows its own text; the beginning of a long one identifies it. */
const longestValue = 500;

/** The differences between two objects, member by member, such as `nights: 3 → 2`. */
export function argumentChanges(before: JsonObject, after: JsonObject): readonly string[] {
	const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
	return [...keys].flatMap((key) => {
		const [old, now] = [valueOf(before, key), valueOf(after, key)];
		return old === now ? [] : [`${JSON.stringify(key)}: ${cap(old, longestValue)} → ${cap(now, longestValue)}`];
	});
}

function valueOf(object: JsonObject, key: string): string {
	const value = Object.hasOwn(object, key) ? object[key] : undefined;
	return value === undefined ? "(absent)" : canonicalJson(value);
}
