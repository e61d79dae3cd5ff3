import { HostError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { parseObject } from "../schema/schema.ts";

/** What was typed after `@mcp /call`. */
export interface CallQuery {
	/** `server/tool`, or the tool alone. */
	readonly tool: string;
	/** Undefined when there were none. */
	readonly arguments: JsonObject | undefined;
	/** Why what was typed for arguments is none; the form helps then. */
	readonly problem?: string;
}

/** How `/call` is written. */
export const callUsage = 'Write /call server/tool {"argument": "value"}, or /call alone to choose.';

/**
 * Reads what was typed after `/call`: the tool, up to the first brace or white space, and its arguments as JSON. A name
 * that holds white space stands in double quotes. Undefined for an empty text.
 * @throws HostError `invalid` for one that names no tool.
 */
export function parseCallQuery(text: string): CallQuery | undefined {
	const typed = text.trim();
	if (typed === "") return undefined;
	const [, quoted, bare, rest = ""] = /^(?:"([^"]+)"|([^\s"{]+))\s*([^]*)$/.exec(typed) ?? [];
	const tool = quoted ?? bare;
	if (tool === undefined) throw new HostError("invalid", callUsage);
	if (rest === "") return { tool, arguments: undefined };
	const parsed = parseObject(rest);
	return "problem" in parsed
		? { tool, arguments: undefined, problem: parsed.problem }
		: { tool, arguments: parsed.value };
}
