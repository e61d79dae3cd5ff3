import type { ModelPart } from "../models/model.ts";
import { assertNever } from "../base/assert.ts";
import { oneLine } from "../base/text.ts";
import { argumentChanges } from "./argumentChanges.ts";
import type { ToolOutcome } from "./call.ts";

/** What a model is told about a call that it asked for, whatever became of it. `reading` cuts results to what it can take. */
export function tellModel(
	callId: string,
	outcome: ToolOutcome,
	reading?: { fit(content: readonly ModelPart[]): readonly ModelPart[] },
): ModelPart {
	const told = (text: string, isError = true): ModelPart => ({
		type: "tool-result",
		callId,
		isError,
		content: [{ type: "text", text }],
	});
	switch (outcome.kind) {
		case "done": {
			const { forModel, isError } = outcome.result;
			const notes: readonly ModelPart[] = outcome.isEdited ? [{ type: "text", text: editNote(outcome) }] : [];
			return { type: "tool-result", callId, isError, content: [...notes, ...(reading?.fit(forModel) ?? forModel)] };
		}
		case "denied": {
			if (outcome.by !== undefined) {
				const rule = `A rule of the person's denied this call, so it was not made: ${oneLine(outcome.by.label)}.`;
				return told(`${rule} Do not repeat it, nor try to get around the rule; go on without it, or ask them.`, false);
			}
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
			return told(
				outcome.isAlone === true
					? "The person cancelled this call while it ran. Whether it took effect is unknown. Do not repeat it unless they ask for it."
					: "This call was cancelled by the person.",
			);
		default:
			return assertNever(outcome);
	}
}

/** What the person changed, before and after, and all that was sent. */
function editNote({ wanted, sent }: Extract<ToolOutcome, { kind: "done" }>): string {
	const changes = argumentChanges(wanted, sent).map((change) => `- ${change}`);
	return [
		"The person changed the arguments before allowing the call:",
		...changes,
		`It ran with ${JSON.stringify(sent)}`,
	].join("\n");
}
