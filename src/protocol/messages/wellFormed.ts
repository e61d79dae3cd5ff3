import type { JSONRPCErrorResponse, JSONRPCResultResponse, RequestId } from "@modelcontextprotocol/client";
import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { NoteReading } from "./generousReading.ts";

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
 * would otherwise wait for the end of its time (TRN-13); a `null` beside the member that counts is forgiven. `note` receives
 * each violation.
 */
export function wellFormed(
	id: RequestId,
	{ result, error }: RawAnswer,
	note: NoteReading = () => undefined,
): JSONRPCResultResponse | JSONRPCErrorResponse {
	const hasResult = result !== undefined && result !== null;
	const hasError = error !== undefined && error !== null;
	const fail = (place: string, reading: string): JSONRPCErrorResponse => {
		note(place, reading);
		return { jsonrpc: "2.0", id, error: { code: unreadable, message: `The server's response has ${reading}.` } };
	};
	if (hasResult && hasError) return fail("error", "both a result and an error");
	if (hasResult) {
		if (!isJsonObject(result)) return fail("result", "a result that is not an object");
		return { jsonrpc: "2.0", id, result };
	}
	if (!hasError) return fail("result", "neither a result nor an error");
	if (!isJsonObject(error)) return fail("error", "an error that is not an object");
	const { code, message, data } = error;
	const isNumber = typeof code === "number" && Number.isSafeInteger(code);
	const isText = typeof message === "string";
	if (!isNumber)
		note("error.code", `${oneLine(JSON.stringify(code) ?? "nothing", 40)} is no integer, read as ${unreadable}`);
	if (!isText) note("error.message", "it is no string");
	return {
		jsonrpc: "2.0",
		id,
		error: {
			code: isNumber ? code : unreadable,
			message: isText ? message : "The server gave no reason.",
			...(data === undefined ? {} : { data }),
		},
	};
}
