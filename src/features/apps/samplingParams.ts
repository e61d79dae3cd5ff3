import { type CreateMessageRequestParams, specTypeSchemas } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../base/json.ts";
import { invalidParams } from "../../base/refusal.ts";
import { oneLine } from "../../base/text.ts";

/**
 * Reads the params of an app's `sampling/createMessage` by the schema of the specification, as the SDK reads a
 * server's.
 * @throws RequestRefusal -32602 when they do not fit.
 */
export function readSamplingParams(params: JsonObject): CreateMessageRequestParams {
	const read = specTypeSchemas.CreateMessageRequestParams["~standard"].validate(params);
	if (read.issues === undefined) return read.value;
	throw invalidParams(`sampling/createMessage: ${oneLine(read.issues[0]?.message ?? "its params are invalid", 200)}`);
}
