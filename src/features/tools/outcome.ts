import { assertNever } from "../../base/assert.ts";
import { canonicalJson, type Json, type JsonObject } from "../../base/json.ts";
import { cap, oneLine } from "../../base/text.ts";
import type { ModelPart } from "../../models/model.ts";
import type { ToolOutcome } from "./call.ts";

/** What a model is told about a call that it asked for, whatever became of it. `reading` cuts results to what it can take. */
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
				const rule = `A rule of the user's denied this call, so it was not made: ${oneLine(outcome.by.label)}.`;
				return report(
					`${rule} Do not repeat it, nor try to get around the rule; go on without it, or ask them.`,
					false,
				);
			}
			const why = outcome.reason === undefined ? "" : ` Their reason: ${outcome.reason}`;
			return report(
				`The user denied this call, so it was not made. Do not repeat it; go on without it, or ask them.${why}`,
				false,
			);
		}
		case "lapsed":
			return report("This call was not made: it ended before the user decided.");
		case "invalid":
			return report(
				`This call was not made: its arguments do not fit the tool's input schema.\n- ${outcome.problems.join("\n- ")}`,
			);
		case "failed":
			return report(outcome.error.message);
		case "cancelled":
			if (outcome.isAlone !== true && outcome.isSent !== true) return report("This call was cancelled by the user.");
			return report(
				`${outcome.isAlone === true ? "The user cancelled this call while it ran." : "This call was ended while it ran."} ` +
					"Whether it took effect is unknown. Do not repeat it unless the user asks for it.",
			);
		default:
			return assertNever(outcome);
	}
}

/** What a model was told of a call as the trace keeps it: of images and sounds how long they are. */
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

/** What the host read in the place of what the model wrote. */
function repairNote({ repairs = [] }: Extract<ToolOutcome, { kind: "done" }>): readonly string[] {
	if (repairs.length === 0) return [];
	const lines = repairs.map((repair) => `- ${repair}`);
	return [["These arguments were read as the tool's input schema wants them. Write them so:", ...lines].join("\n")];
}

/** What the user changed, before and after, and all that was sent. */
function editNote({ wanted, sent }: Extract<ToolOutcome, { kind: "done" }>): string {
	const changes = argumentChanges(wanted, sent).map((change) => `- ${change}`);
	return [
		"The user changed the arguments before allowing the call:",
		...changes,
		`It ran with ${JSON.stringify(sent)}`,
	].join("\n");
}

/** A model knows what it wrote; of a long text the beginning tells which one is meant. */
const longestValue = 500;

/** What differs between two objects, member by member, such as `nights: 3 → 2`. */
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
