import type { JSONRPCErrorResponse, JSONRPCResultResponse, RequestId } from "@modelcontextprotocol/client";
import { isJsonObject } from "../../base/json.ts";

/** The received answer: its outer form is valid, its contents are not checked. */
export interface RawAnswer {
	readonly id?: RequestId | undefined;
	readonly result?: unknown;
	readonly error?: unknown;
}

/** JSON-RPC's "Internal error": there is no code for an answer that the receiving side cannot read. */
const unreadable = -32603;

/**
 * The answer to the request `id` as the SDK takes it. One that breaks JSON-RPC becomes an error of its request, which
 * would otherwise wait for the end of its time (TRN-13); a `null` beside the member that counts is forgiven.
 */
export function wellFormed(id: RequestId, { result, error }: RawAnswer): JSONRPCResultResponse | JSONRPCErrorResponse {
	const hasResult = result !== undefined && result !== null;
	const hasError = error !== undefined && error !== null;
	const fail = (message: string): JSONRPCErrorResponse => ({
		jsonrpc: "2.0",
		id,
		error: { code: unreadable, message },
	});
	if (hasResult && hasError) return fail("The server's response has both a result and an error.");
	if (hasResult) {
		if (!isJsonObject(result)) return fail("The server's response has a result that is not an object.");
		return { jsonrpc: "2.0", id, result };
	}
	if (!hasError) return fail("The server's response has neither a result nor an error.");
	if (!isJsonObject(error)) return fail("The server's response has an error that is not an object.");
	const { code, message, data } = error;
	return {
		jsonrpc: "2.0",
		id,
		error: {
			code: typeof code === "number" && Number.isSafeInteger(code) ? code : unreadable,
			message: typeof message === "string" ? message : "The server gave no reason.",
			...(data === undefined ? {} : { data }),
		},
	};
}
