import { isJsonObject, type Json, type JsonObject, parseJson } from "../base/json.ts";
import { capped, discard, maxErrorBytes } from "../protocol/http/bodies.ts";
import { HostError } from "../base/errors.ts";

/**
 * An endpoint's answer to a short request: a JSON object, or nothing usable. A list is in its member `data`, as in
 * OpenAI's answers.
 */
export interface BriefAnswer {
	readonly status: number;
	readonly body: JsonObject | undefined;
}

/** A question that is a courtesy: asked once, with a bound on time and size, and never of another address. */
export interface BriefQuestion {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly signal: AbortSignal;
	/** Sent as JSON by POST; absent for GET. */
	readonly body?: JsonObject;
	readonly maxBytes?: number;
}

/**
 * Requests a small JSON document with plain `fetch`, so that no library is loaded for it. Rejects when nothing answers,
 * the signal is aborted, or the answer is larger than 1 MB (by default).
 */
export async function askBriefly(question: BriefQuestion): Promise<BriefAnswer> {
	const { url, headers, signal, body, maxBytes = maxErrorBytes } = question;
	const response = await fetch(url, {
		method: body === undefined ? "GET" : "POST",
		headers: {
			accept: "application/json",
			...(body === undefined ? {} : { "content-type": "application/json" }),
			...headers,
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		// A key belongs to its origin: another address is not followed (SEC-06).
		redirect: "manual",
		signal,
	});
	if (!response.ok || response.body === null) {
		await discard(response);
		return { status: response.status, body: undefined };
	}
	const tooLarge = (): HostError => new HostError("limit", "The answer is too large.");
	const text = await capped(response, { maxBytes, tooLarge }).text();
	return { status: response.status, body: parseObject(text) };
}

function parseObject(text: string): JsonObject | undefined {
	const value = parseJson(text);
	if (Array.isArray(value)) return { data: value as readonly Json[] };
	return isJsonObject(value) ? value : undefined;
}
