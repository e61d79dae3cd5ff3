import { HostError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { exactJson } from "../tools/exactJson.ts";
import { contentOf, type RawToolResult } from "../results/result.ts";
import { requestOf } from "./jsonRpc.ts";
import type { RunText } from "./runProtocol.ts";
import type { ToolRun } from "./toolRun.ts";

/**
 * The whole of what the panel may show only the beginning of, as JSON in which every character can be seen.
 * @throws HostError `invalid` for a run that has none.
 */
export function textOf(run: ToolRun, text: RunText): string {
	if (text === "request") return exactJson(requestOf(run));
	const raw = rawOf(run);
	const value = text === "result" ? raw : raw.structuredContent;
	if (value === undefined) throw new HostError("invalid", "The result has no structured content.");
	return exactJson(value as Json);
}

/**
 * What `Copy Result` takes: the texts of a result that is nothing but texts, exactly as they came; otherwise all of it as
 * JSON.
 */
export function copiedResult(run: ToolRun): string {
	const raw = rawOf(run);
	const blocks = contentOf(raw);
	const texts = blocks.flatMap(({ block }) => (block.type === "text" ? [block.text] : []));
	const isText = texts.length > 0 && texts.length === blocks.length;
	return isText ? texts.join("\n") : exactJson(raw as Json);
}

/**
 * What a run came back with, as the server sent it.
 * @throws HostError `invalid` for a run without a result.
 */
export function rawOf({ outcome }: ToolRun): RawToolResult {
	if (outcome?.kind === "done") return outcome.result.raw;
	throw new HostError("invalid", "This run has no result.");
}
