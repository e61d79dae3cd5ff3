import { specTypeSchemas, type CompleteResult, type StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isJsonObject } from "../base/json.ts";
import { asSent } from "./heldAnswers.ts";

/** As many values as a completion may have (specification, "Completion"). */
const mostValues = 100;
/** A longer value is none that a person chooses; a part of it would be another value. In characters. */
const longestValue = 10_000;

/**
 * What `completion/complete` must answer. Of more values than the protocol allows the first are kept, of which those that
 * are too long are left out (security.md PRM-05); `total` then says how many there were.
 */
export const completionSchema: StandardSchemaV1<unknown, CompleteResult> = asSent({
	"~standard": {
		version: 1,
		vendor: "mcp-host",
		validate: (result) => specTypeSchemas.CompleteResult["~standard"].validate(cut(result)),
	},
});

function cut(result: unknown): unknown {
	if (!isJsonObject(result) || !isJsonObject(result["completion"])) return result;
	const { completion } = result;
	const { values } = completion;
	if (!Array.isArray(values)) return result;
	const kept = values.slice(0, mostValues).filter((value) => typeof value !== "string" || value.length <= longestValue);
	// Some servers write null for the counts that they do not have.
	const total = completion["total"] ?? undefined;
	const hasMore = completion["hasMore"] ?? undefined;
	const counts = values.length > mostValues ? { total: total ?? values.length, hasMore: true } : { total, hasMore };
	return { ...result, completion: { ...completion, ...counts, values: kept } };
}
