import type { CreateMessageResult, CreateMessageResultWithTools } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelEvent, ModelStopReason } from "../../models/model.ts";
import type { ApprovedRequest } from "./fields.ts";
import type { SamplingRequest } from "./request.ts";

/** A part of a completion: text, or the use of a tool that the server offered and runs itself. */
export type CompletionPart =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "tool-use"; readonly id: string; readonly name: string; readonly input: JsonObject };

/** The answer to the server, as the user or a rule left it. */
export interface Completion {
	readonly parts: readonly CompletionPart[];
	/** The name of the model that answered; `human` for an answer by hand. */
	readonly model: string;
	readonly stopReason: ModelStopReason | undefined;
}

/**
 * A tool call of the model as a part of the completion, under the server's name of the tool. Otherwise a sentence that
 * says why it is not returned: an incomplete call must not look complete (SMP-03).
 */
export function toolUseOf(
	{ callId, name, arguments: input, malformed, problem }: Extract<ModelEvent, { type: "tool-call" }>,
	{ serverNames, toolChoice }: Pick<ApprovedRequest, "serverNames" | "toolChoice">,
): CompletionPart | { readonly problem: string } {
	const shown = oneLine(name, 60);
	const own = serverNames.get(name);
	if (own === undefined || toolChoice === "none") {
		return { problem: `The model called the tool “${shown}”, which was not offered to it.` };
	}
	if (problem !== undefined)
		return { problem: `The model called ${shown} with arguments that cannot be returned. ${problem}` };
	if (malformed !== undefined)
		return { problem: `The model called ${shown} with arguments that are not a JSON object.` };
	return { type: "tool-use", id: callId, name: own, input };
}

/**
 * The answer in the protocol's terms. A text alone is one block, which every revision understands; a list of blocks goes
 * only to a server that asked for tools (specification, "Sampling").
 */
export function toResult(
	{ parts, model, stopReason }: Completion,
	{ answersWithArray }: Pick<SamplingRequest, "answersWithArray">,
): CreateMessageResult | CreateMessageResultWithTools {
	const uses = answersWithArray ? parts.filter((part) => part.type === "tool-use") : [];
	const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
	const reason = stopReasonOf(stopReason, uses.length > 0);
	const rest = { model, role: "assistant" as const, ...(reason === undefined ? {} : { stopReason: reason }) };
	if (uses.length === 0) return { ...rest, content: { type: "text", text } };
	return {
		...rest,
		content: [
			...(text === "" ? [] : [{ type: "text" as const, text }]),
			...uses.map(({ id, name, input }) => ({ type: "tool_use" as const, id, name, input: { ...input } })),
		],
	};
}

/**
 * Says `toolUse` exactly when there is a use, because a server's tool loop depends on it. Other reasons are returned
 * unchanged.
 */
function stopReasonOf(reason: ModelStopReason | undefined, hasUses: boolean): string | undefined {
	if (hasUses) return reason === undefined || reason === "endTurn" ? "toolUse" : reason;
	// A call that was only written as text, or that the user removed, is the end of the turn for the server.
	return reason === "toolUse" || reason === "writtenCall" ? "endTurn" : reason;
}
