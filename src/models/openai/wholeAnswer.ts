import { HostError } from "../../base/errors.ts";
import { isJsonObject, type Json, parseJson } from "../../base/json.ts";
import { capped, maxErrorBytes } from "../../protocol/http/bodies.ts";

/** An unstreamed completion may contain long arguments; nobody writes more. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Converts an answer for the openai package: an unstreamed completion becomes a stream of one chunk, although a stream
 * was requested. The body of an error, of which the package keeps only a member `error`, becomes that member. Streams
 * pass unchanged. Rejects when a body breaks off or is far too large.
 */
export async function streamOfAnswer(response: Response): Promise<Response> {
	const { ok, body, headers } = response;
	const isJson = /^application\/(\w+\+)?json/.test(headers.get("content-type") ?? "");
	if (body === null || (ok && !isJson)) return response;
	const tooLarge = (): HostError => new HostError("limit", "The answer is too large.");
	const text = await capped(response, { maxBytes: ok ? mostBytes : maxErrorBytes, tooLarge }).text();
	const parsed = parseJson(text);
	// Gemini's errors are lists of one.
	const value = !ok && Array.isArray(parsed) && isJsonObject(parsed[0]) ? parsed[0] : parsed;
	if (!ok)
		return again(
			response,
			JSON.stringify({
				error: isJsonObject(value) ? (isJsonObject(value["error"]) ? value["error"] : value) : (value ?? text),
			}),
		);
	// Some label a stream as JSON.
	if (!isJsonObject(value)) return again(response, text);
	return again(response, `data: ${JSON.stringify(toChunk(value))}\n\ndata: [DONE]\n\n`);
}

function toChunk(answer: { readonly [key: string]: Json | undefined }): unknown {
	const { choices } = answer;
	if (!Array.isArray(choices)) return answer;
	// Only the first one is read.
	const choice: unknown = choices[0];
	if (!isJsonObject(choice) || choice["delta"] !== undefined) return answer;
	const chunks = [{ ...choice, delta: choice["message"] }];
	return { ...answer, choices: chunks };
}

function again({ status, headers }: Response, body: string): Response {
	const kept = new Headers(headers);
	// They describe the body that was.
	for (const name of ["content-length", "content-encoding", "transfer-encoding"]) kept.delete(name);
	return new Response(body, { status, headers: kept });
}
