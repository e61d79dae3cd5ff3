import type { ModelPart } from "../models/model.ts";
import { assertNever } from "../base/assert.ts";
import type { ToolOutcome } from "./call.ts";

/** What a model is told about a call that it asked for, whatever became of it. */
export function tellModel(callId: string, outcome: ToolOutcome): ModelPart {
	const told = (text: string, isError = true): ModelPart => ({
		type: "tool-result",
		callId,
		isError,
		content: [{ type: "text", text }],
	});
	switch (outcome.kind) {
		case "done": {
			const { forModel, isError } = outcome.result;
			const note = `The person changed the arguments before allowing the call. It ran with ${JSON.stringify(outcome.sent)}`;
			const notes: readonly ModelPart[] = outcome.isEdited ? [{ type: "text", text: note }] : [];
			return { type: "tool-result", callId, isError, content: [...notes, ...forModel] };
		}
		case "denied": {
			const why = outcome.reason === undefined ? "" : ` Their reason: ${outcome.reason}`;
			return told(
				`The person denied this call, so it was not made. Do not repeat it; go on without it, or ask them.${why}`,
				false,
			);
		}
		case "lapsed":
			return told("This call was not made: it ended before the person decided.");
		case "invalid":
			return told(
				`This call was not made: its arguments do not fit the tool's input schema.\n- ${outcome.problems.join("\n- ")}`,
			);
		case "failed":
			return told(outcome.error.message);
		case "cancelled":
			return told("This call was cancelled by the person.");
		default:
			return assertNever(outcome);
	}
}
