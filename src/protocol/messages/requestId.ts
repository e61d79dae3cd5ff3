import type { RequestId } from "@modelcontextprotocol/client";

/** Whether a value can be the id of a request (JSON-RPC 2.0, section 4), or a token of its progress. */
export function isRequestId(value: unknown): value is RequestId {
	return typeof value === "string" || typeof value === "number";
}
