import { describe, expect, test } from "vitest";
import { asksToWait, reasonIn, requestedWaitMs, saysOf, withoutSecrets } from "../../../src/base/senderWords.ts";

const deep = (levels: number): string => `${'{"error":'.repeat(levels)}"far down"${"}".repeat(levels)}`;

describe("the reason of a failure", () => {
	test.each<[string, unknown, string | undefined]>([
		["an error of JSON-RPC", { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "no tenant" } }, "no tenant"],
		[
			"an error of JSON-RPC with data",
			{ error: { code: -32_602, message: "Invalid params", data: { detail: "limit is 10" } } },
			"Invalid params: limit is 10",
		],
		["a text as error", { error: "rate limited" }, "rate limited"],
		["an error with a message beside it", { error: "Internal", message: "db is down" }, "Internal: db is down"],
		["an error that repeats itself", { error: "db is down", message: "db is down" }, "db is down"],
		["a message", '{"message":"no"}', "no"],
		["a detail", { detail: "no" }, "no"],
		["details of a validator", { detail: [{ loc: ["body", "x", 0], msg: "required" }] }, "body.x.0: required"],
		["problem details", { type: "about:blank", title: "Busy", status: 503, detail: "later" }, "Busy: later"],
		["an error of OAuth", { error: "invalid_grant", error_description: "expired" }, "invalid_grant: expired"],
		["errors", { errors: [{ message: "a" }, { message: "b" }] }, "a; b"],
		["a list with an error", [{ error: { code: 400, message: "no", status: "X" } }], "no"],
		["a text", " just\nno ", "just\nno"],
		["a text in brackets", "[gateway] no", "[gateway] no"],
		["a text with angles", "<nil> is no value", "<nil> is no value"],
		["JSON in a message", { error: { message: '{"detail":"inner"}' } }, "inner"],
		[
			"a validator's dump in a sentence",
			'MCP error -32602: Invalid arguments: [\n {"code":"invalid_type","path":["a"],"message":"Required"}\n]',
			"MCP error -32602: Invalid arguments: a: Required",
		],
		["an object in a sentence that is no dump", 'Unknown filter {"a":1}', 'Unknown filter {"a":1}'],
		["an event", 'event: error\ndata: {"error":\ndata: "stale"}', "stale"],
		["the title of a page", "<!doctype html>\n<html><head><title>\n Blocked </title></head><body>x", "Blocked"],
		["a page without a title", "<html><h1>secret layout</h1></html>", undefined],
		["a page in a message", { message: "<html><title>Nope</title>" }, "Nope"],
		["nothing", "", undefined],
		["JSON without a reason", '{"ok":false,"error":true,"message":null}', undefined],
		["a number", 7, undefined],
		["a reason nested too deep", deep(50), undefined],
	])("is read from %s", (_what, body, reason) => {
		expect(reasonIn(body)).toBe(reason);
	});

	test("is shown marked, on one line, escaped, capped, and without text that looks like a key", () => {
		expect(saysOf(undefined)).toBe("");
		expect(saysOf("a\n\u202Eb")).toBe(" It says: a \\u202Eb.");
		expect(saysOf("x".repeat(1000)).length).toBeLessThan(350);
		const keys = [
			"Authorization: Bearer abc123def456",
			"Basic dXNlcjpwYXNz1234",
			"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2lnbmF0dXJl",
			"sk-proj-abcdefghijkl1234567",
			"-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",
		];
		for (const key of keys) {
			const said = saysOf(`before ${key} after`);
			expect(said).toMatch(/^ It says: before .*\(secret\) after\.$/);
			expect(said).not.toMatch(/abc123|dXNl|c2lnbmF0|abcdefgh|MIIE/);
		}
		expect(saysOf("Use basic authentication or a bearer token")).toBe(
			" It says: Use basic authentication or a bearer token.",
		);
	});

	test("is without known secrets, in any spelling", () => {
		const secret = 'pass"word/12345';
		const written = [secret, JSON.stringify(secret), encodeURIComponent(secret), btoa(secret)].join(" ");
		expect(withoutSecrets(written, [secret, ""], "(secret)")).not.toMatch(/word|cGFzcy/);
	});
});

test("the time to wait is read from seconds and dates, and shown in seconds", () => {
	const now = Date.parse("2026-01-01T00:00:00Z");
	const read = (header: string | null): string => asksToWait(requestedWaitMs(header, now));
	expect(read("30")).toBe(" It asks to wait 30 s.");
	expect(read("1.5")).toBe(" It asks to wait 2 s.");
	expect(read("Thu, 01 Jan 2026 01:00:00 GMT")).toBe(" It asks to wait 3,600 s.");
	for (const none of [null, "", "soon", "-5", "0"]) expect(read(none)).toBe("");
});
