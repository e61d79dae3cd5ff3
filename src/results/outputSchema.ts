import type { Json, JsonObject } from "../base/json.ts";
import type { Tool } from "../servers/session.ts";
import { readResult, type RawToolResult, type ToolResult } from "./result.ts";
import { applySchema, problemSentence } from "../schema/schema.ts";

/**
 * Reads what a tool gave, and holds its structured content against the tool's output schema. What does not fit is told
 * and hides nothing: the tool has run (specification, "Tools": clients should validate; security.md TOL-14). This is the
 * only place that does so, for both eras. Never throws.
 */
export async function judgeResult(tool: Tool, raw: RawToolResult): Promise<ToolResult> {
	return readResult(raw, await outputProblems(tool.outputSchema as JsonObject | undefined, raw));
}

/**
 * What is wrong with a result by its tool's output schema, one sentence each; nothing for a tool without one, and for
 * errors, which need not fit.
 */
export async function outputProblems(schema: JsonObject | undefined, raw: RawToolResult): Promise<readonly string[]> {
	if (schema === undefined || raw.isError === true) return [];
	if (raw.structuredContent === undefined) {
		return ["The tool has an output schema, but the result has no structured content."];
	}
	const verdict = await applySchema(schema, raw.structuredContent as Json);
	if (verdict.kind === "unusable") return [`The structured content was not checked: the output schema ${verdict.why}`];
	return verdict.problems.map(({ path, message }) =>
		problemSentence({ path: ["structuredContent", ...path], message }),
	);
}
