import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { nextAttempt, type Failed } from "../../../../src/protocol/connection/attempts.ts";
import { describeFailure } from "../../../../src/protocol/connection/connectFailure.ts";
import { networkFaultOf } from "../../../../src/protocol/http/networkFault.ts";
import type { ConnectRequest, EraVerdict } from "../../../../src/protocol/connection.ts";
import type { Launch } from "../../../../src/protocol/launch.ts";
import { launchOf } from "../stdio/processes.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";

const http: Launch = { kind: "http", url: "http://127.0.0.1/mcp", headers: {} };
const legacy: EraVerdict = { kind: "legacy" };
const modern: EraVerdict = { kind: "modern", version: "2026-07-28" };

type Question = Pick<ConnectRequest, "launch" | "protocol" | "verdict">;

function request(question: Partial<Question>): ConnectRequest {
	return {
		launch: launchOf("x"),
		protocol: "auto",
		verdict: undefined,
		...question,
		client: { name: "test", title: "Test", version: "0" },
		limits: defaultConnectionLimits,
		network: { environment: {} },
		logLevel: () => "info",
		handshakeTimeoutMs: 60_000,
		signal: new AbortController().signal,
		handlers: undefined as never,
	};
}

const lost = new SdkError(SdkErrorCode.ConnectionClosed, "The server exited with code 1 during the handshake.");
const noEra = new SdkError(SdkErrorCode.EraNegotiationFailed, "the server did not offer it");
const refused = new ProtocolError(-32_601, "Method not found");
const status = (code: number): SdkHttpError =>
	new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, "x", { status: code, statusText: "" });
const unreachable = new SdkError(SdkErrorCode.EraNegotiationFailed, "probe failed", undefined, {
	cause: new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) }),
});

/** The attempts when each fails with the given errors in turn, in short. */
function waysOf(question: Partial<Question>, errors: readonly unknown[], elapsedMs = 10): readonly string[] {
	const asked = request(question);
	const ways: string[] = [];
	let failed: Failed | undefined;
	for (const error of [...errors, undefined]) {
		const attempt = nextAttempt(asked, failed);
		if (attempt === undefined) break;
		const { era, transport } = attempt;
		ways.push(`${era === "probe" ? "probe" : era.kind} ${transport}`);
		failed = { attempt, error, elapsedMs };
	}
	return ways;
}

describe("the attempts over stdio", () => {
	it.each<readonly [string, Partial<Question>, readonly unknown[], readonly string[]]>([
		["a server that works", {}, [], ["probe stdio"]],
		["one that dies of the question", {}, [lost], ["probe stdio", "legacy stdio"]],
		["one that dies of anything", {}, [lost, lost], ["probe stdio", "legacy stdio"]],
		["one that cannot be started", {}, [new HostError("start-failed", "not found")], ["probe stdio"]],
		["one that rejects the handshake", {}, [refused], ["probe stdio"]],
		["one remembered as legacy", { verdict: legacy }, [], ["legacy stdio"]],
		["one remembered as legacy that dies", { verdict: legacy }, [lost], ["legacy stdio"]],
		["one remembered as legacy that is modern now", { verdict: legacy }, [refused], ["legacy stdio", "probe stdio"]],
		["one remembered as modern that is legacy now", { verdict: modern }, [noEra], ["modern stdio", "probe stdio"]],
		[
			"one remembered as modern that dies of the question now",
			{ verdict: modern },
			[lost, lost],
			["modern stdio", "legacy stdio"],
		],
		["one configured as legacy", { protocol: "legacy", verdict: modern }, [refused], ["legacy stdio"]],
		["one configured as modern", { protocol: "modern", verdict: legacy }, [noEra], ["modern stdio"]],
	])("lead to %s", (_name, question, errors, ways) => {
		expect(waysOf(question, errors)).toEqual(ways);
	});

	it("give a modern server that was too slow for the era probe another chance", () => {
		expect(waysOf({}, [refused, lost], 3500)).toEqual(["probe stdio", "modern stdio"]);
		const asked = request({});
		const attempt = nextAttempt(asked);
		expect(attempt && nextAttempt(asked, { attempt, error: refused, elapsedMs: 3500 })).toMatchObject({
			probeTimeoutMs: 60_000,
			isGuess: true,
		});
	});

	it("ask an unknown server for three seconds, one known to be modern for half of the handshake", () => {
		expect(nextAttempt(request({}))?.probeTimeoutMs).toBe(3000);
		expect(nextAttempt(request({ verdict: modern }))?.probeTimeoutMs).toBe(30_000);
	});
});

describe("the attempts over HTTP", () => {
	it.each<readonly [string, Partial<Question>, readonly unknown[], readonly string[]]>([
		["an address that refuses with 405", {}, [status(405), status(404)], ["probe http", "legacy sse"]],
		["an address that refuses with 404", {}, [status(404)], ["probe http", "legacy sse"]],
		["an address that refuses with 400", {}, [status(400)], ["probe http", "legacy sse"]],
		["one that asks for sign-in", {}, [status(401)], ["probe http"]],
		["one that forbids", {}, [status(403)], ["probe http"]],
		["a broken one", {}, [status(500)], ["probe http"]],
		["one where nothing listens", {}, [unreachable], ["probe http"]],
		["HTTP+SSE remembered as legacy", { verdict: legacy }, [status(405)], ["legacy http", "legacy sse"]],
		["one remembered as legacy that is modern now", { verdict: legacy }, [status(400)], ["legacy http", "probe http"]],
		[
			"one remembered as legacy that is modern now, recognised by its words",
			{ verdict: legacy },
			[refused],
			["legacy http", "probe http"],
		],
		[
			"one remembered as modern that is legacy now",
			{ verdict: modern },
			[noEra, status(405)],
			["modern http", "probe http", "legacy sse"],
		],
		["one remembered where nothing listens", { verdict: modern }, [unreachable], ["modern http"]],
		["one remembered that asks for sign-in", { verdict: legacy }, [status(401)], ["legacy http"]],
		["one remembered that is broken", { verdict: modern }, [status(503)], ["modern http"]],
		["one configured as legacy", { protocol: "legacy" }, [status(404)], ["legacy http", "legacy sse"]],
		["one configured as modern", { protocol: "modern" }, [status(404)], ["modern http"]],
		[
			"one configured as HTTP+SSE",
			{ launch: { ...http, kind: "sse" }, verdict: modern },
			[status(404)],
			["legacy sse"],
		],
	])("lead to %s", (_name, question, errors, ways) => {
		expect(waysOf({ launch: http, ...question }, errors)).toEqual(ways);
	});

	it("wait for the answer as long as for the handshake: silence does not mean an old server", () => {
		expect(nextAttempt(request({ launch: http }))?.probeTimeoutMs).toBe(60_000);
	});
});

describe("describeFailure", () => {
	it.each([
		[status(401), /^The server asks for sign-in \(401\)\. Check the headers/],
		[status(403), /^The server refused access \(403\)/],
		[status(404), /^The server found nothing at this address \(404\)/],
		[
			new SdkHttpError(SdkErrorCode.EraNegotiationFailed, "x", { status: 503, statusText: "Un\u202Eavailable" }),
			/^The server answered 503 Un\\u202Eavailable\.$/,
		],
		[unreachable, /^Nothing answers at this address \(connection refused\)/],
		[new Error("odd\u001B[2J\u202E"), /^The handshake failed: odd\\u202E\.$/],
	])("%#", (error, message) => {
		expect(describeFailure(error, "http")).toMatchObject({ message: expect.stringMatching(message), cause: error });
	});

	it.each(["ENOTFOUND", "ECONNRESET", "ETIMEDOUT", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED"])(
		"recognises %s",
		(code) => {
			expect(networkFaultOf(new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) }))).toMatch(
				/\.$/,
			);
		},
	);

	it("ends for a circular chain of causes", () => {
		const error = new Error("a");
		error.cause = error;
		expect(describeFailure(error, "http").message).toBe("The handshake failed: a.");
	});
});
