import type { ModelMessage, ModelPart } from "../../models/model.ts";

/** The problems of the tool uses and results in a conversation. */
export interface Imbalance {
	/** In the words that the specification has for it, where it has some. */
	readonly error: string;
	/** The invalid message, or the one that continues without the results of the previous one. */
	readonly message: number;
}

type ToolCall = Extract<ModelPart, { type: "tool-call" }>;
type ToolResult = Extract<ModelPart, { type: "tool-result" }>;

/**
 * Whether every tool use of an assistant message is answered by the next message, which holds nothing but results
 * (specification 2025-11-25, "Sampling", message content constraints; SMP-12). Undefined when
 * all is well.
 */
export function findImbalance(messages: readonly ModelMessage[]): Imbalance | undefined {
	let open: ReadonlySet<string> = new Set();
	for (const [message, { role, content }] of messages.entries()) {
		const results = content.filter((part): part is ToolResult => part.type === "tool-result");
		const uses = content.filter((part): part is ToolCall => part.type === "tool-call");
		const error = resultError(role, results, content.length, open) ?? useError(role, uses);
		if (error !== undefined) return { error, message };
		open = new Set(uses.map(({ callId }) => callId));
	}
	return open.size === 0 ? undefined : { error: missing, message: messages.length - 1 };
}

const missing = "Tool result missing in request";

function resultError(
	role: ModelMessage["role"],
	results: readonly ToolResult[],
	parts: number,
	open: ReadonlySet<string>,
): string | undefined {
	if (results.length > 0) {
		if (results.length < parts) return "Tool results mixed with other content";
		if (role !== "user") return "Tool results must be in a user message";
		if (results.some(({ callId }) => !open.has(callId))) return "Tool result without a tool use";
	}
	const answered = new Set(results.map(({ callId }) => callId));
	if (answered.size < results.length) return "Two tool results for one tool use";
	return answered.size < open.size ? missing : undefined;
}

function useError(role: ModelMessage["role"], uses: readonly ToolCall[]): string | undefined {
	if (uses.length > 0 && role !== "assistant") return "Tool uses must be in an assistant message";
	return new Set(uses.map(({ callId }) => callId)).size < uses.length ? "Two tool uses have the same id" : undefined;
}
