/** Messages of the trace against the protocol: their shape, and members of revisions that are not in use (TRC-45). */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import type { Exchange, ExchangeBodies } from "../../../../src/records/trace/exchange.ts";
import { checkProtocol } from "../../../../src/surfaces/trace/protocolCheck.ts";
import { detailOf } from "../../../../src/surfaces/trace/traceDetail.ts";
import { exchange } from "./exchangeScene.ts";

/** The findings for an exchange with this request and answer. */
async function misfits(
	method: string,
	{ params = {}, ...answer }: { params?: Json; result?: Json; error?: Json },
	protocolVersion = "2025-11-25",
): Promise<readonly string[]> {
	const place = { exchange: exchange(1, { method, protocolVersion }), child: undefined };
	const verdict = await checkProtocol(kept({ jsonrpc: "2.0", id: 1, method, params }, answer), place);
	expect(verdict?.revision).toBe(protocolVersion);
	return verdict?.misfits ?? [];
}

function kept(request: JsonObject, answer: JsonObject): ExchangeBodies {
	return {
		request: { kind: "whole", value: request },
		...(Object.keys(answer).length === 0
			? {}
			: { response: { kind: "whole", value: { jsonrpc: "2.0", id: 1, ...answer } } }),
		hidden: 0,
	};
}

const call = { name: "report", arguments: {} };
const text = { type: "text", text: "x" };

describe("a message against the protocol (TRC-45)", () => {
	it.each<[string, JsonObject, string]>([
		["tools/call", { params: call, result: { content: [text] } }, "2025-11-25"],
		["tools/call", { params: call, result: { content: [text], structuredContent: { a: 1 } } }, "2025-06-18"],
		["tools/list", { result: { tools: [{ name: "a", inputSchema: { type: "object" } }] } }, "2024-11-05"],
		["ping", { result: {} }, "2024-11-05"],
		["tools/call", { params: call, error: { code: -32602, message: "no" } }, "2026-07-28"],
		["custom/method", { params: { anything: 1 }, result: { more: true } }, "2025-06-18"],
	])("%s is valid", async (method, parts, revision) => {
		expect(await misfits(method, parts, revision)).toEqual([]);
	});

	it("is valid for any extension, if its shape is that of a message", async () => {
		const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...call, _meta: envelope() } };
		const place = { exchange: exchange(1, { protocolVersion: "2026-07-28" }), child: undefined };
		const result = { resultType: "input_required", inputRequests: {}, requestState: "s", _meta: {} };
		expect((await checkProtocol(kept(request, { result }), place))?.misfits).toEqual([]);
	});

	it.each<[string, JsonObject, RegExp]>([
		[
			"tools/call",
			{ params: call, result: {} },
			/^The answer does not match revision 2025-11-25 at \/result: content is missing\.$/,
		],
		[
			"tools/call",
			{ params: call, result: { content: [text, { type: "text" }] } },
			/^The answer does not match the protocol at \/result\/content\/1\/text: It is missing\.$/,
		],
		[
			"tools/call",
			{ params: call, result: { content: [{ type: "hologram" }] } },
			/at \/result\/content\/0: It does not have any of the allowed types\.$/,
		],
		[
			"tools/call",
			{ params: { name: 3 } },
			/^The request does not match the protocol at \/params\/name: Must be text, but is a number\.$/,
		],
		[
			"tools/list",
			{ result: { tools: [{ name: "a", inputSchema: { type: "array" } }] } },
			/at \/result\/tools\/0\/inputSchema\/type: Must be "object"\.$/,
		],
		[
			"resources/read",
			{ params: { uri: "a:b" }, result: { contents: [{ uri: "a:b" }] } },
			/at \/result\/contents\/0\/text: It is missing\.$/,
		],
		[
			"tools/list",
			{ error: { code: "none" } },
			/^The answer does not match the protocol at \/error\/code: Must be a number, but is text\.$/,
		],
	])("%s with %j is reported with its place", async (method, parts, told) => {
		expect((await misfits(method, parts))[0]).toMatch(told);
	});

	it.each<[string, JsonObject, string, string]>([
		[
			"tools/call",
			{ params: call, result: { content: [text], structuredContent: { a: 1 } } },
			"2025-03-26",
			"In the answer, /result/structuredContent is in no revision before 2025-06-18; this connection uses 2025-03-26.",
		],
		[
			"tools/call",
			{ params: call, result: { content: [text, { type: "audio", data: "AA==", mimeType: "audio/wav" }] } },
			"2024-11-05",
			"In the answer, /result/content/1/type audio is in no revision before 2025-03-26; this connection uses 2024-11-05.",
		],
		[
			"tools/list",
			{ result: { tools: [], resultType: "complete" } },
			"2025-11-25",
			"In the answer, /result/resultType is in no revision before 2026-07-28; this connection uses 2025-11-25.",
		],
		[
			"tools/list",
			{ params: { _meta: envelope() }, result: { tools: [], resultType: "complete", ttlMs: 0 } },
			"2026-07-28",
			"The answer does not match revision 2026-07-28 at /result: cacheScope is missing.",
		],
		[
			"logging/setLevel",
			{ params: { level: "info" }, result: { resultType: "complete" } },
			"2026-07-28",
			"In the request, logging/setLevel is in no revision after 2025-11-25; this connection uses 2026-07-28.",
		],
		[
			"elicitation/create",
			{ params: { message: "m", mode: "url", url: "https://a.example", elicitationId: "1" } },
			"2025-06-18",
			"In the request, /params/mode url is in no revision before 2025-11-25; this connection uses 2025-06-18.",
		],
	])("%s with %j in %s is reported as of another revision", async (method, parts, revision, told) => {
		expect(await misfits(method, parts, revision)).toEqual([told]);
	});

	it("reports nothing of hidden parts, of output that is not a message, or if nothing was kept", async () => {
		const image = { type: "image", data: "⟦hidden⟧", mimeType: "image/png" };
		expect(await misfits("tools/call", { params: call, result: { content: [image] } })).toEqual([]);
		const place = (changes: Partial<Exchange>) => ({ exchange: exchange(1, changes), child: undefined });
		const line: ExchangeBodies = { request: { kind: "whole", value: "Ready" }, hidden: 0 };
		expect(await checkProtocol(line, place({ method: "stderr", kind: "notification" }))).toBeUndefined();
		expect(await checkProtocol(undefined, place({}))).toBeUndefined();
		const head: ExchangeBodies = { request: { kind: "head", text: "{", length: 9_000_000 }, hidden: 0 };
		expect(await checkProtocol(head, place({}))).toBeUndefined();
	});

	it("checks messages in between by their own method", async () => {
		const children: Exchange["children"] = [
			{ kind: "progress", at: 0, label: "notifications/progress", count: 1, bodyId: "1" },
			{ kind: "serverRequest", at: 1, label: "roots/list", count: 1, bodyId: "2" },
			{ kind: "httpAttempt", at: 2, label: "POST https://a.example", count: 1, bodyId: "3" },
		];
		const at = (child: number) => ({ exchange: exchange(1, { children, protocolVersion: "2025-11-25" }), child });
		const notification = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1 } };
		const told = await checkProtocol({ request: { kind: "whole", value: notification }, hidden: 0 }, at(0));
		expect(told?.misfits).toEqual(["The notification does not match the protocol at /params/progress: It is missing."]);
		const roots = kept({ jsonrpc: "2.0", id: 1, method: "roots/list" }, { result: { roots: [{ uri: 7 }] } });
		expect((await checkProtocol(roots, at(1)))?.misfits).toEqual([
			"The answer does not match the protocol at /result/roots/0/uri: Must be text, but is a number.",
		]);
		expect(await checkProtocol(roots, at(2))).toBeUndefined();
	});

	it("is in the details: its result among the facts, and mismatches below", async () => {
		const place = { exchange: exchange(1, { protocolVersion: "2025-11-25" }), child: undefined };
		const bodies = kept({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }, { result: {} });
		const shown = detailOf({
			place,
			bodies,
			tokensOf: () => 1,
			notKept: "",
			misfits: [],
			protocol: await checkProtocol(bodies, place),
			actions: [],
			copies: [],
		});
		expect(shown.facts.at(-1)).toEqual({ name: "Protocol", value: "does not match revision 2025-11-25" });
		expect(shown.notes[0]).toContain("content is missing");
	});
});

/** The members that every request of the revision 2026-07-28 has. */
function envelope(): JsonObject {
	return {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": {},
	};
}
