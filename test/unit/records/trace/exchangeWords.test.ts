import { describe, expect, it } from "vitest";
import { readFilter } from "../../../../src/records/trace/filter.ts";
import type { Exchange, ExchangeChild } from "../../../../src/records/trace/exchange.ts";
import { childRow, exchangeRow, filterable } from "../../../../src/surfaces/trace/exchangeWords.ts";
import { exchange } from "./exchangeScene.ts";

function child(kind: ExchangeChild["kind"], more: Partial<ExchangeChild> = {}): ExchangeChild {
	return { kind, at: 0, ms: 5, label: "tools/call", count: 1, ...more };
}

const lost = child("httpAttempt", { status: 404, outcome: { kind: "http-error", status: 404 } });
const cut = child("httpAttempt", { status: 200, outcome: { kind: "ok" } });
const unreachable = child("httpAttempt", { outcome: { kind: "failed", message: "connect ECONNREFUSED" } });
const unanswered = child("request", { outcome: { kind: "unanswered" } });
const retry = child("retry", { outcome: { kind: "ok" } });

describe("A row shows the reason in its first words (TRC-44)", () => {
	const rows: readonly [expected: string, changes: Partial<Exchange>][] = [
		["ok ok", {}],
		["error does not match its output schema", { outcome: { kind: "ok", isUnfit: true } }],
		["waiting waiting", { outcome: { kind: "waiting" } }],
		["waiting waiting for you", { outcome: { kind: "waiting", on: "user" } }],
		["ok ok, sent again after HTTP 404", { children: [lost, retry, cut] }],
		["ok ok, sent again after its stream ended (HTTP 200)", { children: [unanswered, cut, retry] }],
		["ok ok, sent again after the connection ended", { children: [unanswered, retry] }],
		["ok ok, sent again", { children: [retry] }],
		["error tool error", { outcome: { kind: "tool-error" }, children: [lost, retry] }],
		["error never answered: its stream ended (HTTP 200)", { outcome: { kind: "unanswered" }, children: [cut] }],
		["error never answered: HTTP 404", { outcome: { kind: "unanswered" }, children: [cut, lost] }],
		["error never answered: connect ECONNREFUSED", { outcome: { kind: "unanswered" }, children: [unreachable] }],
		["error never answered: the connection ended", { outcome: { kind: "unanswered" } }],
		["error no request has its id 6", { outcome: { kind: "failed", message: "no request has its id 6" } }],
		["error failed", { outcome: { kind: "failed", message: "" } }],
		[
			"note older server: error -32601: method not found",
			{ method: "server/discover", target: "", outcome: { kind: "rpc-error", code: -32_601, message: "" } },
		],
		["error HTTP 502", { method: "server/discover", target: "", outcome: { kind: "http-error", status: 502 } }],
		["note received", { kind: "notification", direction: "in", method: "notifications/message", count: 3000 }],
	];

	it.each(rows)("%s", (expected, changes) => {
		const one = exchange(1, changes);
		const { standing, outcome } = exchangeRow(one, false);
		expect(`${standing} ${outcome}`).toBe(expected);
		const found = readFilter("status:error");
		expect("matches" in found && found.matches(filterable(one, () => ""))).toBe(standing === "error");
	});

	it("is a burst from a hundred notifications on", () => {
		const found = readFilter("status:burst");
		const isFound = (count: number): boolean =>
			"matches" in found && found.matches(filterable(exchange(1, { kind: "notification", count }), () => ""));
		expect([1, 99, 100, 3000].map(isFound)).toEqual([false, false, true, true]);
	});

	it("shows that an unanswered request of the server waits", () => {
		const asked: ExchangeChild = { kind: "serverRequest", at: 0, label: "elicitation/create", count: 1 };
		const words = (outcome: Exchange["outcome"]): string | undefined =>
			childRow(exchange(1, { outcome, children: [asked] }), 0)?.outcome;
		expect(words({ kind: "waiting", on: "user" })).toBe("waiting for you");
		expect(words({ kind: "cancelled" })).toBe("never answered");
	});
});
