import { isJsonObject, type JsonObject } from "./json.ts";
import { writingsOf } from "./secrets/knownSecret.ts";
import { wordsWithoutSecrets } from "./secrets/judge.ts";
import { withoutTerminal } from "./terminal.ts";
import { oneLine } from "./text.ts";

/**
 * How deep reasons are looked for, how many of a list are shown, and how long a body may be that is searched for them.
 */
const most = { depth: 6, items: 5, body: 200_000 };

/** Where a reason may be wrapped in another object or list, outermost first. */
const wrappers = ["error", "errors", "fault", "faults"];
/** Where the words of a reason are, the short ones first. */
const members = [
	"title",
	"message",
	"error_description",
	"Message",
	"detail",
	"msg",
	"description",
	"error_message",
	"errorMessage",
];
/** Secondary reasons, which are shown when the primary ones are missing. */
const spare = ["reason", "details", "faultstring", "status_message"];

/**
 * The reason in a failure, in any place where its sender's protocol puts reasons: JSON-RPC (`error.message`,
 * `error.data`), OAuth (`error_description`), problem details (RFC 9457), `error` as a text, an object or a list,
 * `message`, `detail`, the lists of validators, a plain text, or the title of a page. `body` is a text or a JSON value.
 * Undefined if it gives none. Untrusted: show it by `saysOf` only.
 */
export function reasonIn(body: unknown): string | undefined {
	return reasonAt(body, 0);
}

function reasonAt(body: unknown, depth: number): string | undefined {
	if (depth > most.depth) return undefined;
	if (typeof body === "string") return reasonInText(body, depth);
	if (Array.isArray(body)) {
		const reasons = (body as readonly unknown[]).slice(0, most.items).map((item) => reasonAt(item, depth + 1));
		return joined(reasons, "; ");
	}
	return isJsonObject(body) ? reasonInObject(body, depth) : undefined;
}

function reasonInObject(body: JsonObject, depth: number): string | undefined {
	const at = (name: string): string | undefined =>
		Object.hasOwn(body, name) ? reasonAt(body[name], depth + 1) : undefined;
	const words = joined([...wrappers.map(at), ...members.map(at)], ": ") ?? joined(spare.map(at), ": ");
	// Beside a message only: elsewhere data is the requested content.
	const data = words === undefined ? undefined : at("data");
	const said = joined([words, data], ": ");
	const place = body["path"] ?? body["loc"];
	return said !== undefined && Array.isArray(place) && place.length > 0
		? `${(place as readonly unknown[]).map(String).join(".")}: ${said}`
		: said;
}

function reasonInText(text: string, depth: number): string | undefined {
	const whole = text.slice(0, most.body).trim();
	if (whole === "") return undefined;
	if (isPage(whole)) return pageTitle(whole);
	const json = parsed(/^(?:event|data|id|retry|):/.test(whole) ? dataOf(whole) : whole);
	if (json !== undefined) return reasonAt(json, depth + 1);
	// The list of a validator in the middle of a sentence.
	const [, before = "", list = ""] = /^([^[{]{0,500})([[{]\s*["{].*[\]}])$/s.exec(whole) ?? [];
	const reason = before === "" ? undefined : reasonAt(parsed(list), depth + 1);
	return reason === undefined ? whole : `${before.trim()} ${reason}`;
}

/** The contents of an event stream that carries a failure. */
function dataOf(stream: string): string {
	return stream
		.split(/\r\n|\n|\r/)
		.flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length)] : []))
		.join("\n");
}

function parsed(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Texts as one, each once; a text that an earlier one contains is left out. */
function joined(texts: readonly (string | undefined)[], separator: string): string | undefined {
	const told: string[] = [];
	for (const text of texts) if (text !== undefined && !told.some((other) => other.includes(text))) told.push(text);
	return told.length === 0 ? undefined : told.join(separator);
}

/** Whether a text is a page, such as a proxy writes. */
export function isPage(text: string): boolean {
	return /^\s*<(?:!doctype|html|head|body|title|meta|center|h\d|\?xml)\b/i.test(text) || /^\s*<!--/.test(text);
}

/** The title of a page; undefined where it has none. Untrusted. */
export function pageTitle(page: string): string | undefined {
	const title = /<title[^<>]{0,200}>([^<]{1,200})<\/title/i.exec(page.slice(0, 20_000))?.[1]?.trim();
	return title === "" ? undefined : title;
}

/** The text with `mark` in place of each secret, in plain form and as JSON, addresses and base64 encode it. */
export function withoutSecrets(text: string, secrets: readonly string[], mark: string): string {
	const writings = secrets.flatMap((secret) => [secret, ...writingsOf(secret).map((writing) => writing.text)]);
	return writings
		.filter((writing) => writing !== "")
		.toSorted((one, other) => other.length - one.length)
		.reduce((left, writing) => left.replaceAll(writing, mark), text);
}

/** A text as a sentence that another one can follow: the words of a sender rarely end with a full stop. */
export function sentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/**
 * A reason as a sentence that follows ours: marked as its sender's words, on one line, escaped, at most `limit` characters, and
 * without text that looks like a key. Empty when there is none.
 */
export function saysOf(reason: string | undefined, limit = 300): string {
	const words = reason === undefined ? "" : oneLine(withoutTerminal(wordsWithoutSecrets(reason)), limit);
	return words === "" ? "" : sentence(` It says: ${words}`);
}

/** A text as a sentence, with those of `saysOf` and `asksToWait` behind it. */
export function withWords(text: string, words: string): string {
	return `${sentence(text)}${words}`;
}

/**
 * How long `Retry-After` asks to wait, in milliseconds: seconds or a date (RFC 9110, 10.2.3); 0 for a time in the past. Possibly
 * very long. Undefined where the header is missing or means nothing.
 */
export function requestedWaitMs(header: string | null, now = Date.now()): number | undefined {
	const text = header?.trim() ?? "";
	if (text === "") return undefined;
	const wait = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}

/** The sentence about a requested wait, to follow others; empty if none was requested. */
export function asksToWait(waitMs: number | undefined): string {
	return waitMs === undefined || waitMs < 1000
		? ""
		: ` It asks to wait ${Math.ceil(waitMs / 1000).toLocaleString("en-US")} s.`;
}
