import { isJsonObject, type Json, objectsIn } from "../../base/json.ts";
import { isPage, pageTitle, reasonIn, requestedWaitMs, saysOf, withoutSecrets } from "../../base/senderWords.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelFailureReason } from "../failure.ts";
import type { RetryAdvice } from "./retry.ts";

/** An endpoint's answer in place of a completion. */
export interface EndpointFailure {
	/** The HTTP status, or the number in an error inside a stream; undefined when neither is known. */
	readonly status: number | undefined;
	/** The endpoint's word for the case, such as `insufficient_quota`. */
	readonly code: string | undefined;
	/** The field of the request that it is about. */
	readonly param: string | undefined;
	/** The endpoint's text about it, without the key: untrusted text. */
	readonly detail: string | undefined;
	/** How long it asks to wait, in milliseconds. */
	readonly afterMs?: number;
}

/** The message to users about a failure, and the case for code that distinguishes cases. */
export interface Explanation {
	readonly reason: ModelFailureReason;
	/** The problem, its endpoint, and the next step. */
	readonly message: string;
}

/**
 * Reads the body of an error in the shapes that endpoints use: `{ error: { message, code, param, type } }` of OpenAI
 * and Azure, `{ error: { code: 429, message, metadata } }` of OpenRouter, `[{ error: { code, message, status, details }
 * }]` of Gemini, `{ error: "text" }` of Ollama, `{ message, type, param, code }` of vLLM, `{ detail }` of FastAPI (a
 * text or a list), which Mistral has as its message, or a text that is not JSON. An endpoint may repeat the key in its
 * text, so the key is removed here, before anything is cut (SEC-02).
 */
export function readFailure(status: number | undefined, body: unknown, secrets: readonly string[]): EndpointFailure {
	const first: unknown = Array.isArray(body) && isJsonObject(body[0]) ? body[0] : body;
	// A text there may be but the name of the status, with the reason beside it.
	const outer = isJsonObject(first) && typeof first["error"] !== "string" ? (first["error"] ?? first) : first;
	const inner = isJsonObject(outer) && isJsonObject(outer["message"]) ? outer["message"] : outer;
	if (!isJsonObject(inner))
		return { status, code: undefined, param: undefined, detail: withoutKey(textOf(inner), secrets) };
	const { code, type, param, message, detail, metadata, details } = inner;
	const google = objectsIn(details);
	const reason = google.find((one) => typeof one["reason"] === "string")?.["reason"];
	const faulty = Array.isArray(detail) && isJsonObject(detail[0]) ? detail[0] : undefined;
	const word = textOf(reason) ?? textOf(code) ?? textOf(faulty?.["type"]) ?? textOf(type) ?? textOf(inner["status"]);
	// OpenRouter names the provider behind it, and quotes it.
	const raw = isJsonObject(metadata) ? textOf(metadata["raw"]) : undefined;
	const said = textOf(message) ?? textOf(detail) ?? reasonIn(first);
	const delay =
		textOf(google.find((one) => one["retryDelay"] !== undefined)?.["retryDelay"]) ?? waitIn(said ?? raw ?? "");
	const afterMs = readReset(delay ?? null, 0);
	return {
		status: status ?? statusOf(code) ?? (word === undefined ? undefined : statusesByWord.get(word)),
		code: withoutKey(word, secrets),
		param: withoutKey(textOf(param) ?? placeOf(faulty?.["loc"]), secrets),
		detail: withoutKey(raw === undefined || said === undefined ? (said ?? raw) : `${said}: ${raw}`, secrets),
		...(afterMs === undefined ? {} : { afterMs }),
	};
}

/** A number in place of a status, which some write as a text. */
function statusOf(code: Json | undefined): number | undefined {
	const number = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
	return typeof number === "number" && number >= 400 && number < 600 ? number : undefined;
}

/** The types of errors inside a stream without a number: of Anthropic, OpenAI and Gemini. */
const statusesByWord: ReadonlyMap<string, number> = new Map([
	["overloaded_error", 529],
	["rate_limit_error", 429],
	["rate_limit_exceeded", 429],
	["RESOURCE_EXHAUSTED", 429],
	["UNAVAILABLE", 503],
	["api_error", 500],
	["server_error", 500],
]);

/** The field of a request that FastAPI means by `["body", "messages", 2, "assistant", "name"]`: the innermost one. */
function placeOf(place: Json | undefined): string | undefined {
	if (!Array.isArray(place)) return undefined;
	return (place as readonly Json[]).slice(1).findLast((step) => typeof step === "string");
}

function withoutKey(text: string | undefined, secrets: readonly string[]): string | undefined {
	return text === undefined ? text : withoutSecrets(text, secrets, "(API key)");
}

function textOf(value: unknown): string | undefined {
	if (typeof value === "string") return value === "" ? undefined : withoutMarkup(value);
	if (!Array.isArray(value)) return undefined;
	const texts = (value as readonly Json[]).flatMap((item) =>
		isJsonObject(item) ? (textOf(item["msg"] ?? item["message"]) ?? []) : (textOf(item) ?? []),
	);
	return texts.length === 0 ? undefined : texts.join("; ");
}

/** A page of a proxy in place of an answer: its title is more informative than its first line. */
function withoutMarkup(text: string): string {
	// Qwen begins with a status in such brackets.
	if (!isPage(text)) return text;
	const title = pageTitle(text);
	return title === undefined ? "a web page instead of an answer" : `a web page titled "${title}"`;
}

/** One message for users. */
export function explainFailure(
	label: string,
	model: string,
	failure: EndpointFailure,
	wasRetried: boolean = false,
): Explanation {
	const { status, code } = failure;
	const name = oneLine(model, 80);
	const says = saysOf(failure.detail);
	const tries = wasRetried ? ", even after several attempts" : "";
	const explain = (reason: ModelFailureReason, message: string): Explanation => ({ reason, message });
	// An endpoint's text about a wrong key often contains parts of it.
	if (status === 401 || code === "API_KEY_INVALID")
		return explain("refused", `${label} refused the API key. Set the API key with "MCP Host: Manage Models…".`);
	// Some have no other status for it. A refusal of the key or of a permission stays one, regardless of its text.
	const isUnfit = status === undefined || [400, 413, 422, 500].includes(status);
	const isTooLarge = status === 429 && /request too large/i.test(failure.detail ?? "");
	if (status === 413 || tooLongCodes.has(code ?? "") || isTooLarge || (isUnfit && isTooLong(failure.detail ?? "")))
		return explain(
			"too-long",
			`The conversation is too long for ${name} at ${label}. Start a new chat, or choose a model with a longer context.${says}`,
		);
	if (
		status === 402 ||
		code === "insufficient_quota" ||
		((isUnfit || status === 429) && spent.test(failure.detail ?? ""))
	)
		return explain(
			"blocked",
			`${label}: the quota of this key is used up. Check your plan there, or choose another model.${says}`,
		);
	if (
		code === "content_filter" ||
		code === "content_policy_violation" ||
		(status === 400 && filtered.test(failure.detail ?? ""))
	)
		return explain(
			"blocked",
			`A content filter at ${label} refused this conversation. Reword it, or start a new chat.`,
		);
	if (status === 403)
		return explain(
			"refused",
			`${label} does not allow this key to use ${name}. Check the key in "MCP Host: Manage Models…".${says}`,
		);
	if (status === 404 || (isUnfit && unknownModel.test(failure.detail ?? "")))
		return explain(
			"not-found",
			`${label} does not know the model ${name}. Choose another model, or check the address in "MCP Host: Manage Models…".${says}`,
		);
	const { afterMs } = failure;
	if (status === 429) {
		const wait = afterMs === undefined ? "Wait a moment, then ask again." : `Ask again in ${span(afterMs)}.`;
		return explain("blocked", `${label} is receiving too many requests${tries}. ${wait}${says}`);
	}
	if (status === 408 || (status !== undefined && status >= 500)) {
		return explain(
			"unreachable",
			`${label} failed (status ${status})${tries}. ${afterMs === undefined ? "Check its log, or choose another model." : `Ask again in ${span(afterMs)}, or choose another model.`}${says}`,
		);
	}
	if (status !== undefined && status >= 300 && status < 400) {
		return explain(
			"other",
			`${label} redirects to another address, which MCP Host does not follow for safety. Set that address in "MCP Host: Manage Models…".`,
		);
	}
	if (status === undefined)
		return explain("other", `${label} stopped its answer with an error. Ask again, or check its log.${says}`);
	return explain(
		"other",
		`${label} refused the request (status ${status}). Choose another model, or check its settings in mcpHost.models.${says}`,
	);
}

/** The codes of OpenAI, llama.cpp and LM Studio for a conversation that does not fit. */
const tooLongCodes: ReadonlySet<string> = new Set([
	"context_length_exceeded",
	"exceed_context_size_error",
	"string_above_max_length",
	"model_context_length_exceeded",
]);

/**
 * The texts of Gemini, Anthropic, DeepSeek, vLLM, OpenRouter, Mistral, Qwen, LM Studio and Ollama, which have no common
 * code for it.
 */
const tooLong =
	/input token count .{0,40}exceeds|prompt is too long|maximum context length|maximum model length|Range of input length should be|greater than the context length|n_keep .{0,20}>= ?n_ctx|Trying to keep the first \d+ tokens|exceeds the available context size/i;

/** The texts of gateways and others without a code that name the excess. */
function isTooLong(detail: string): boolean {
	return (
		tooLong.test(detail) ||
		(/\b(?:input|prompt|context|conversation|messages?|tokens?)\b/i.test(detail) && tooMuch.test(detail))
	);
}

const tooMuch =
	/\btoo (?:long|large|many (?:input |total |prompt )?tokens)|(?:exceed(?:s|ed|ing)?|larger than|longer than|beyond|over|fits? (?:in|into)) .{0,60}(?:context|token limit|maximum (?:length|number of tokens|input)|max(?:imum)?[ _](?:input[ _])?tokens)|(?:context|token)[- ]?(?:length|window|limit|size)s?.{0,30}exceeded|reduce the (?:length|size)/i;

/** A spent quota is not a fault of the request, with any status. */
const spent = /credit balance is too low|(?:insufficient|not enough|out of|no) (?:\w+ )?(?:credits?|balance|funds)\b/i;

/** Azure, Qwen and gateways have no code for it at that place. */
const filtered = /content management policy|content[_ -]filter|inappropriate content|flagged (?:by|as)|moderation/i;

const unknownModel =
	/\bmodel\b.{0,100}\b(?:not found|does not exist|doesn't exist|is not (?:a )?valid|not a valid|unknown|no such)|\b(?:unknown|invalid|no such) model\b/i;

/** A span in words, rounded up: `20 seconds`, `7 minutes`, `1 hour`. */
function span(milliseconds: number): string {
	const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
	const [count, unit] =
		seconds < 90
			? [seconds, "second"]
			: seconds < 3540
				? [Math.ceil(seconds / 60), "minute"]
				: seconds < 48 * 3600
					? [Math.ceil((seconds - 60) / 3600), "hour"]
					: [Math.ceil((seconds - 3600) / 86_400), "day"];
	return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The span that an endpoint names in its words: `try again in 7m12.3s`, `retry after 30 seconds`. */
function waitIn(detail: string): string | undefined {
	const said = /\b(?:again|retry|wait|reset\w*)\b[^.\d]{0,30}(\d[\w. ]{0,30})/i.exec(detail)?.[1] ?? "";
	const compact = /^(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?m?s\b/.exec(said)?.[0];
	if (compact !== undefined) return compact;
	const [, number, unit = ""] =
		/^(\d+(?:\.\d+)?) ?(milliseconds?|hours?|h|minutes?|min|m|seconds?|s)\b/i.exec(said) ?? [];
	if (number === undefined) return undefined;
	return `${number}${/^milli/i.test(unit) ? "ms" : unit.charAt(0).toLowerCase()}`;
}

/** Whether a failure is temporary: overload and faults of the other side are, a spent quota is not. */
export function adviseRetry(failure: EndpointFailure, headers: Headers | undefined): RetryAdvice {
	const { status, code, detail = "" } = failure;
	if (status === 500 && isTooLong(detail)) return { retry: false };
	const isPassing =
		status === 408 || status === 409 || status === 429 || (status !== undefined && status >= 500 && status !== 501);
	const wish = headers?.get("x-should-retry");
	if (code === "insufficient_quota" || wish === "false" || !(isPassing || wish === "true")) return { retry: false };
	const reason =
		status === 429
			? "is receiving too many requests"
			: status === 503 || status === 529
				? "is overloaded"
				: `failed (status ${status})`;
	const afterMs = requestedPause(headers) ?? failure.afterMs;
	return { retry: true, reason, ...(afterMs === undefined ? {} : { afterMs }) };
}

/**
 * How long an endpoint asks to wait, in milliseconds; undefined if it does not say. In this order: `retry-after-ms`,
 * `retry-after` in seconds or as a date (RFC 9110, 10.2.3), and the `x-ratelimit-reset` headers of OpenAI, Azure and
 * OpenRouter, of which the longest of those with a spent allowance counts.
 */
export function requestedPause(headers: Headers | undefined, now: number = Date.now()): number | undefined {
	if (headers === undefined) return undefined;
	const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
	if (milliseconds >= 0) return milliseconds;
	const wait = requestedWaitMs(headers.get("retry-after"), now);
	if (wait !== undefined) return wait;
	const resets = ["", "-requests", "-tokens"].flatMap((what) => {
		const isLeft = Number.parseFloat(headers.get(`x-ratelimit-remaining${what}`) ?? "") > 0;
		const reset = readReset(headers.get(`x-ratelimit-reset${what}`), now);
		return isLeft || reset === undefined ? [] : [reset];
	});
	return resets.length === 0 ? undefined : Math.max(...resets);
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A span such as `6m0s` or `850ms`, a number of seconds, or a moment in seconds or milliseconds since 1970. */
function readReset(header: string | null, now: number): number | undefined {
	const text = header?.trim() ?? "";
	if (/^\d+(\.\d+)?$/.test(text)) {
		const number = Number(text);
		if (number > 1e12) return Math.max(0, number - now);
		return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000;
	}
	if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
	const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gy)];
	return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitsMs[unit ?? ""] ?? 0), 0);
}
