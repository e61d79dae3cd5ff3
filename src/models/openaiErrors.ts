import { oneLine } from "../base/text.ts";
import type { RetryAdvice } from "./retry.ts";

/** What an endpoint answered instead of a completion. */
export interface EndpointFailure {
	/** The HTTP status; undefined when the error came inside a stream. */
	readonly status: number | undefined;
	readonly code: string | undefined;
	/** What the endpoint says about it: untrusted text. */
	readonly detail: string | undefined;
}

/** One message for people: what happened, at which endpoint, and the next step. `detail` must not hold a key any more. */
export function explainFailure(label: string, model: string, failure: EndpointFailure): string {
	const { status, code } = failure;
	const name = oneLine(model, 80);
	const says = failure.detail === undefined || failure.detail === "" ? "" : ` It says: ${oneLine(failure.detail, 300)}`;
	// What an endpoint says about a wrong key often holds parts of it.
	if (status === 401) return `${label} refused the API key. Set the API key with "MCP Host: Manage Models…".`;
	if (status === 403)
		return `${label} does not allow this key to use ${name}. Check the key in "MCP Host: Manage Models…".${says}`;
	if (status === 404)
		return `${label} does not know the model ${name}. Choose another model, or check the address in "MCP Host: Manage Models…".${says}`;
	if (code === "insufficient_quota")
		return `${label}: the quota of this key is used up. Check your plan there, or choose another model.${says}`;
	if (status === 429)
		return `${label} is receiving too many requests, also after several tries. Wait a little, then ask again.${says}`;
	if (status === 413 || code === "context_length_exceeded") {
		return `The conversation is too long for ${name} at ${label}. Start a new chat, or choose a model with a longer context.${says}`;
	}
	if (status === 408 || (status !== undefined && status >= 500)) {
		return `${label} failed (status ${status}), also after several tries. Look at its log, or choose another model.${says}`;
	}
	if (status !== undefined && status >= 300 && status < 400) {
		return `${label} redirects to another address, which is not followed so that nothing goes astray. Set that address in "MCP Host: Manage Models…".`;
	}
	if (status === undefined) return `${label} broke off its answer with an error. Ask again, or look at its log.${says}`;
	return `${label} refused the request (status ${status}). Choose another model, or check its settings in mcpHost.models.${says}`;
}

/** Whether a failure passes by itself: overload and faults of the other side do, a spent quota does not. */
export function adviseRetry(failure: EndpointFailure, headers: Headers | undefined): RetryAdvice {
	const { status, code } = failure;
	const isPassing =
		status === 408 || status === 409 || status === 429 || (status !== undefined && status >= 500 && status !== 501);
	const wish = headers?.get("x-should-retry");
	if (code === "insufficient_quota" || wish === "false" || !(isPassing || wish === "true")) return { retry: false };
	const afterMs = retryAfter(headers);
	return { retry: true, ...(afterMs === undefined ? {} : { afterMs }) };
}

/** The pause that the endpoint asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers | undefined): number | undefined {
	const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
	if (milliseconds >= 0) return milliseconds;
	const text = headers?.get("retry-after") ?? "";
	const seconds = Number.parseFloat(text);
	if (seconds >= 0) return seconds * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
