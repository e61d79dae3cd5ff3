import { duration } from "../../base/amounts.ts";
import { oneLine } from "../../base/text.ts";
import type { Exchange, ExchangeChild, ExchangeOutcome } from "../../records/trace/exchange.ts";
import type { Filterable } from "../../records/trace/filter.ts";
import type { TraceRow, TraceStanding } from "./viewProtocol.ts";

/** Who asked, in words. */
export const askerWords: Readonly<Record<Exchange["origin"], string>> = {
	user: "you",
	model: "model",
	app: "app",
	server: "server",
	host: "MCP Host",
};

/** The words for codes that the protocol gives a meaning (JSON-RPC 2.0, section 5.1; specification, "Error Handling"). */
const codeWords: Readonly<Record<number, string>> = {
	[-32_700]: "parse error",
	[-32_600]: "invalid request",
	[-32_601]: "method not found",
	[-32_602]: "invalid params",
	[-32_603]: "internal error",
	[-32_002]: "resource not found",
};

/** The state of an outcome, and its words. The words of the other side are capped and on one line. */
export function outcomeWords(outcome: ExchangeOutcome): { readonly standing: TraceStanding; readonly words: string } {
	switch (outcome.kind) {
		case "ok":
			return outcome.isUnfit === true
				? { standing: "error", words: "does not match its output schema" }
				: { standing: "ok", words: "ok" };
		case "waiting":
			return { standing: "waiting", words: outcome.on === "user" ? "waiting for you" : "waiting" };
		case "tool-error":
			return { standing: "error", words: "tool error" };
		case "rpc-error":
			return {
				standing: "error",
				words: withDetail(`error ${outcome.code}`, codeWords[outcome.code] ?? outcome.message),
			};
		case "http-error":
			return { standing: "error", words: `HTTP ${outcome.status}` };
		case "failed":
			return { standing: "error", words: outcome.message === "" ? "failed" : oneLine(outcome.message, 120) };
		case "cancelled":
			return { standing: "stopped", words: "cancelled" };
		case "timed-out":
			return { standing: "error", words: "timed out" };
		case "refused":
			return { standing: "stopped", words: withDetail("not sent", outcome.by) };
		case "unanswered":
			return { standing: "error", words: "never answered" };
	}
}

function withDetail(words: string, detail: string): string {
	return detail === "" ? words : `${words}: ${oneLine(detail, 120)}`;
}

/** The state of an exchange, and why, as far as its intermediate events show it. */
function standingOf(exchange: Exchange): { readonly standing: TraceStanding; readonly words: string } {
	const { kind, direction, outcome, children } = exchange;
	const { standing, words } = outcomeWords(outcome);
	if (isNoDiscovery(exchange)) return { standing: "note", words: `older server: ${words}` };
	if (kind === "notification" && outcome.kind === "ok")
		return { standing: "note", words: direction === "in" ? "received" : "sent" };
	if (outcome.kind === "unanswered") return { standing, words: withDetail(words, endWords(children)) };
	const again = children.findIndex((child) => child.kind === "retry");
	if (outcome.kind !== "ok" || again === -1) return { standing, words };
	const before = children.slice(0, again);
	const fault = faultIn(before);
	const why = fault?.outcome?.kind === "unanswered" ? endWords(before) : fault && childOutcome(fault).words;
	return { standing, words: `${words}, sent again${why === undefined ? "" : ` after ${why}`}` };
}

/**
 * Whether a server answered that it does not support the first request of the revision 2026-07-28, which is not an
 * error.
 */
function isNoDiscovery({ method, direction, outcome }: Exchange): boolean {
	if (method !== "server/discover" || direction === "in") return false;
	return outcome.kind === "rpc-error" || (outcome.kind === "http-error" && [400, 404, 405].includes(outcome.status));
}

/** The part that ended before the answer arrived: the stream over HTTP, or the connection. */
function endWords(children: readonly ExchangeChild[]): string {
	const attempt = children.findLast((child) => child.kind === "httpAttempt" && child.isSignIn !== true);
	if (attempt === undefined) return "the connection ended";
	const { standing, words } = childOutcome(attempt);
	return standing === "error" ? words : `its stream ended (${words})`;
}

/** The last problem among the intermediate events. */
function faultIn(children: readonly ExchangeChild[]): ExchangeChild | undefined {
	return children.findLast((child) => child.isSignIn !== true && childOutcome(child).standing === "error");
}

/** The label of an exchange: its method, and its subject. */
export function whatOf({ method, target = "", count }: Exchange): string {
	const what = oneLine(target === "" ? method : `${method} ${target}`, 160);
	return count > 1 ? `${what} × ${count.toLocaleString("en-US")}` : what;
}

/** The row of an exchange; `isOpen` says whether it is folded out. */
export function exchangeRow(exchange: Exchange, isOpen: boolean): TraceRow {
	const { id, serverName, origin, startedAt, durations, bytesOut, bytesIn, children } = exchange;
	const { standing, words } = standingOf(exchange);
	return {
		key: String(id),
		level: 1,
		...(children.length > 0 ? { isOpen } : {}),
		what: whatOf(exchange),
		server: oneLine(serverName, 60),
		who: askerWords[origin],
		at: startedAt,
		...(isWaiting(exchange) || exchange.kind === "notification" ? {} : { milliseconds: durations.total }),
		userMs: durations.user,
		bytesOut,
		bytesIn,
		standing,
		outcome: words,
	};
}

/** The row of an intermediate event, below its exchange. */
export function childRow(exchange: Exchange, index: number): TraceRow | undefined {
	const child = exchange.children[index];
	if (child === undefined) return undefined;
	const { at, ms, bytesOut = 0, bytesIn = 0 } = child;
	const { standing, words } = isOpen(child) ? outcomeWords(openOutcome(exchange)) : childOutcome(child);
	return {
		key: `${exchange.id}/${index}`,
		level: 2,
		what: childWhat(child),
		server: "",
		who: "",
		at: exchange.startedAt + at,
		...(ms === undefined ? {} : { milliseconds: ms }),
		userMs: 0,
		bytesOut,
		bytesIn,
		standing,
		outcome: words,
	};
}

const childWords: Readonly<Record<ExchangeChild["kind"], string>> = {
	progress: "progress",
	log: "log",
	notification: "notification",
	stderr: "standard error",
	serverRequest: "the server asked",
	request: "request",
	round: "round",
	retry: "sent again",
	httpAttempt: "HTTP",
};

function childWhat({ kind, label, count, isSignIn = false }: ExchangeChild): string {
	const what = `${isSignIn ? "sign-in" : childWords[kind]}: ${oneLine(label, 160)}`;
	return count > 1 ? `${what} × ${count.toLocaleString("en-US")}` : what;
}

function childOutcome({ kind, status, outcome }: ExchangeChild): { standing: TraceStanding; words: string } {
	if (status !== undefined) return { standing: status >= 400 ? "error" : "ok", words: `HTTP ${status}` };
	if (outcome !== undefined) return outcomeWords(outcome);
	return { standing: "note", words: kind === "stderr" ? "" : "received" };
}

/** Whether a request within an exchange has no answer. */
function isOpen({ kind, ms }: ExchangeChild): boolean {
	return ms === undefined && (kind === "serverRequest" || kind === "request" || kind === "round" || kind === "retry");
}

/** The state of a request without an answer: as its exchange, as long as that continues. */
function openOutcome({ outcome }: Exchange): ExchangeOutcome {
	return outcome.kind === "waiting" ? outcome : { kind: "unanswered" };
}

/** Whether its answer is still awaited. */
export function isWaiting({ outcome }: Exchange): boolean {
	return outcome.kind === "waiting";
}

/** An exchange as filters look at it. `textOf` has all of its texts. */
export function filterable(exchange: Exchange, textOf: (exchange: Exchange) => string): Filterable {
	const { serverName, method, target = "", origin, rpcId, bytesIn, bytesOut } = exchange;
	return {
		server: serverName,
		method,
		target,
		origin,
		id: rpcId === undefined ? "" : String(rpcId),
		statuses: statusesOf(exchange),
		milliseconds: machineMs(exchange),
		bytes: bytesIn + bytesOut,
		text: () => textOf(exchange),
	};
}

/** From how many notifications in one row on nobody reads them one by one. */
const burst = 100;

/** How long it took without the time of a user. */
function machineMs({ durations }: Exchange): number {
	return durations.total - durations.user;
}

/** All words by which `status:` finds an exchange. */
function statusesOf(exchange: Exchange): readonly string[] {
	const { outcome, children, kind, count } = exchange;
	return [
		kind === "notification" && outcome.kind === "waiting" ? "ok" : outcome.kind,
		...(standingOf(exchange).standing === "error" ? ["error"] : []),
		...(outcome.kind === "rpc-error" ? [String(outcome.code)] : []),
		...(outcome.kind === "http-error" ? [String(outcome.status)] : []),
		...children.flatMap(({ status }) => (status === undefined ? [] : [String(status)])),
		...(children.some(({ isSignIn, status }) => isSignIn === true || status === 401) ? ["sign-in"] : []),
		...(children.some((child) => child.kind === "retry") ? ["retried"] : []),
		...(count >= burst ? ["burst"] : []),
	];
}

/** How the time of an exchange was spent, in words: the time of a user is separate from that of machines. */
export function timingWords({ durations }: Exchange): string {
	const { total, user, server, own } = durations;
	const parts = [
		...(user > 0 ? [`you ${duration(user)}`] : []),
		`server ${duration(server)}`,
		...(own > 0.5 ? [`MCP Host ${duration(own)}`] : []),
	];
	return `${duration(total)} (${parts.join(", ")})`;
}
