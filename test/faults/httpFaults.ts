import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { createBrotliCompress, createDeflate, createGzip } from "node:zlib";
import { ends, refuses, settles, works, type Expectation, type Misbehaviour, type Turn } from "./fault.ts";
import type { Stage } from "./stage.ts";
import { describe } from "./stateWords.ts";
import { noSession } from "../servers/sessionServer.ts";

/** An exchange that goes wrong: of the handshake, or of a call. Over HTTP+SSE the handshake opens the stream. */
function exchange(
	row: string,
	title: string,
	spoil: (turn: Turn) => void,
	host: Misbehaviour["host"],
	more: Partial<Misbehaviour> = {},
): Misbehaviour {
	return {
		row,
		title,
		phases: ["handshake", "call"],
		carriers: ["http", "sse"],
		act: spoil,
		onGet(turn) {
			if (turn.carrier !== "sse" || turn.phase !== "handshake") return false;
			spoil(turn);
			return true;
		},
		host,
		...more,
	};
}

function status(code: number, headers: Readonly<Record<string, string>> = {}, body = ""): (turn: Turn) => void {
	return (turn) => void turn.http?.response.writeHead(code, headers).end(body);
}

/** A user can read this in every phase. */
function says(words: RegExp): Record<"handshake" | "call", Expectation> {
	return { handshake: ends(words), call: refuses(words) };
}

const anyWords = says(/\w+ \w+/);
const html = "<html><h1>Sign in to the Wi-Fi</h1></html>";
/** Must reach no other place than the configured one. */
const secret = "planted-secret-4711";
const secretHeaders = { "X-Api-Key": secret, Authorization: `Bearer ${secret}`, Cookie: `a=${secret}` };

/** The same server under another name, which is another origin. */
function elsewhere({ http }: Turn, path = "/canary"): string {
	return `http://localhost:${http?.request.socket.localPort}${path}`;
}

/** No secret arrived at the place to which it was redirected. */
function nothingLeaked({ http }: Stage): void {
	for (const { path, headers } of http?.arrived ?? []) {
		if (path !== "/canary") continue;
		assert.ok(!JSON.stringify(headers).includes(secret), `a header was carried to another origin`);
		assert.equal(headers["mcp-session-id"], undefined, "the session id was carried to another origin");
	}
}

/** Writes an answer's head that Node would not write, and a body. */
function rawAnswer(headers: readonly (string | Uint8Array)[], body: string): (turn: Turn) => void {
	return (turn) => {
		const socket = turn.http?.response.socket;
		socket?.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n");
		for (const header of headers) socket?.write(header);
		socket?.end(`\r\n${body === "" ? turn.work() : body}`);
	};
}

function sessionId(id: string | Uint8Array): (turn: Turn) => void {
	return rawAnswer(["mcp-session-id: ", id, "\r\n"], "");
}

/** An answer of this many megabytes that is small on the wire. */
function bomb(encoding: "gzip" | "br" | "deflate", megabytes: number): (turn: Turn) => void {
	return ({ http, request }) => {
		if (http === undefined) return;
		const compress = { gzip: createGzip, br: createBrotliCompress, deflate: createDeflate }[encoding]();
		http.response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
		http.response.once("close", () => compress.destroy());
		function* plain(): Generator<string> {
			yield `{"jsonrpc":"2.0","id":${JSON.stringify(request?.id)},"result":{"content":[{"type":"text","text":"`;
			const piece = "a".repeat(1024 * 1024);
			for (let made = 0; made < megabytes; made++) yield piece;
			yield '"}]}}';
		}
		Readable.from(plain())
			.pipe(compress)
			.on("error", () => undefined)
			.pipe(http.response);
	};
}

/** The first session is lost: requests with its id are refused. */
function lostSession(code: number): Pick<Misbehaviour, "act" | "later"> {
	const refuse = (turn: Turn): boolean => {
		if (turn.request?.method === "initialize" || turn.handshakes > 1) return false;
		status(code, { "content-type": "application/json" }, JSON.stringify(noSession))(turn);
		return true;
	};
	return { act: (turn) => (turn.request === undefined || refuse(turn) ? undefined : turn.answer()), later: refuse };
}

/** A session that the server has forgotten: one call detects it, and the next ones have another session. */
function lost(row: string, code: number, phase: "idle" | "call"): Misbehaviour {
	return {
		row,
		title: `the session is lost, reported by ${code}`,
		phases: [phase],
		carriers: ["http"],
		...lostSession(code),
		host: settles, // A call is sent once, so that its outcome is unknown.
		async check(stage) {
			if (phase === "idle") await stage.call();
			await stage.until(() => stage.requests("initialize") === 2, "one new handshake");
			await stage.callsWork("echo");
		},
	};
}

/** At most this many requests of a method: the host does not keep trying. */
function atMost(count: number, method: string): (stage: Stage) => void {
	return (stage) => {
		const times = stage.requests(method);
		assert.ok(times <= count, `${method} was sent ${times} times`);
	};
}

const retryAfter = [
	"1",
	"0",
	"-5",
	"999999999",
	"soon",
	"Wed, 21 Oct 2015 07:28:00 GMT",
	"Fri, 31 Dec 2999 23:59:59 GMT",
	"",
];

/** Faults of HTTP itself. */
export const httpFaults: readonly Misbehaviour[] = [
	...[404, 400].flatMap((code): readonly Misbehaviour[] => {
		const row = code === 404 ? "TRN-35" : "TRN-36";
		const body = { "content-type": "text/plain" };
		return [
			lost(row, code, "idle"),
			lost(row, code, "call"),
			{
				row,
				title: `every call is answered by ${code}`,
				phases: ["call"],
				carriers: ["http", "sse"],
				act: status(code, body, "No"),
				host: settles,
				check(stage) {
					atMost(5, "initialize")(stage);
					assert.ok(stage.outcomes.slice(0, 2).every(({ kind }) => kind === "error"));
				},
			},
			exchange(row, `the handshake is answered by ${code}`, status(code, body, "No"), ends(new RegExp(`${code}`)), {
				phases: ["handshake"],
				check: atMost(4, "initialize"),
			}),
		];
	}),
	...[401, 403].map((code) =>
		exchange(
			"TRN-37",
			`always ${code}`,
			status(code, { "www-authenticate": 'Bearer realm="x", error="insufficient_scope"' }),
			settles,
			{
				check(stage, phase) {
					const words = [...stage.outcomes.map(({ text }) => text), ...stage.states.map(describe)];
					assert.ok(
						words.some((text) => /sign|40[13]|access/i.test(text)),
						`nothing says so: ${words.join(" | ").slice(0, 300)}`,
					);
					const count = phase === "handshake" ? "initialize" : "tools/call";
					// Three attempts for each of the two calls, and for the request that arms the fault.
					atMost(7, count)(stage);
				},
			},
		),
	),
	...[429, 503].flatMap((code) =>
		retryAfter.map((value) =>
			exchange(
				"TRN-38",
				`${code} with Retry-After ${value === "" ? "absent" : value}`,
				status(code, value === "" ? {} : { "retry-after": value }, "Busy"),
				{
					handshake: ends(new RegExp(`${code}|busy|time`, "i")),
					call: refuses(new RegExp(`${code}|busy|did not|no answer`, "i")),
				},
				{
					carriers: ["http"],
					times: { requestMs: 1500, handshakeMs: 2500 },
					phases: code === 429 ? ["call"] : ["handshake"],
					check: (stage) => atMost(12, "tools/call")(stage),
				},
			),
		),
	),
	exchange("TRN-38", "429 once while the tools are listed", status(429, { "retry-after": "1" }), works, {
		carriers: ["http"],
		phases: ["handshake"],
		strikes: "tools/list",
		act: (turn) => (turn.nth === 1 ? status(429, { "retry-after": "1" })(turn) : turn.answer()),
		check: (stage) => stage.until(() => stage.session.tools.items.length === 3, "the tools were listed after the wait"),
	}),
	exchange("TRN-39", "always 500", status(500, {}, "The database is on fire"), says(/500/)),
	exchange("TRN-39", "always 502 with a page", status(502, { "content-type": "text/html" }, html), says(/502/)),
	exchange("TRN-39", "the connection is reset", (turn) => turn.http?.response.socket?.resetAndDestroy(), {
		handshake: ends(/cut|reset|closed|broke/i),
		call: refuses(/cut|reset|closed|lost|broke/i),
	}),
	exchange("TRN-39", "the host name does not exist", () => undefined, ends(/not found/i), {
		phases: ["handshake"],
		url: (url) => url.replace("127.0.0.1", "no-such-host.invalid"),
	}),
	exchange("TRN-39", "no TLS where it should be", () => undefined, ends(/TLS|SSL|certificate|https/i), {
		phases: ["handshake"],
		url: (url) => url.replace("http:", "https:"),
	}),
	exchange("TRN-40", "the page of a captive portal", status(200, { "content-type": "text/html" }, html), anyWords),
	exchange("TRN-40", "an empty answer", status(200), anyWords, { carriers: ["http"] }),
	exchange(
		"TRN-40",
		"a page that claims to be JSON",
		status(200, { "content-type": "application/json" }, html),
		anyWords,
		{
			carriers: ["http"],
		},
	),
	exchange("TRN-40", "no content type", status(200, {}, "hello"), anyWords, { carriers: ["http"] }),
	...(["gzip", "br", "deflate"] as const).map((encoding) =>
		exchange(
			"TRN-45",
			`a compression bomb of ${encoding}`,
			bomb(encoding, encoding === "gzip" ? 300 : 60),
			says(/\d+ MB|too large|larger/i),
			{
				carriers: ["http"],
			},
		),
	),
	exchange(
		"TRN-45",
		"a compression bomb in the list of tools",
		bomb("gzip", 300),
		refuses(/\d+ MB|too large|larger/i),
		{
			carriers: ["http"],
			phases: ["handshake"],
			strikes: "tools/list",
		},
	),
	exchange(
		"TRN-46",
		"more bytes promised than sent",
		rawAnswer(["content-length: 99999\r\n"], '{"jsonrpc"'),
		anyWords,
		{
			carriers: ["http"],
		},
	),
	exchange("TRN-46", "fewer bytes promised than sent", rawAnswer(["content-length: 12\r\n"], ""), anyWords, {
		carriers: ["http"],
	}),
	exchange("TRN-46", "a header of 200 KB", rawAnswer([`x-huge: ${"h".repeat(200_000)}\r\n`], ""), anyWords),
	exchange(
		"TRN-46",
		"ten thousand headers",
		rawAnswer(
			Array.from({ length: 10_000 }, (_, index) => `x-many-${index}: ${index}\r\n`),
			"",
		),
		anyWords,
	),
	exchange(
		"TRN-46",
		"an answer that is no HTTP",
		(turn) => turn.http?.response.socket?.end("220 smtp ready\r\n"),
		anyWords,
	),
	...[301, 302, 303, 307, 308].map((code) =>
		exchange(
			"TRN-47",
			`a redirect by ${code} to another origin`,
			(turn) => status(code, { location: elsewhere(turn) })(turn),
			anyWords,
			{ headers: secretHeaders, check: nothingLeaked },
		),
	),
	...["file:///etc/passwd", "unix:///run/x.sock", "ftp://127.0.0.1/", "data:application/json,1", "javascript:1"].map(
		(location) =>
			exchange("TRN-48", `a redirect to ${location}`, status(307, { location }), anyWords, { headers: secretHeaders }),
	),
	exchange(
		"TRN-47",
		"a redirect to itself for ever",
		(turn) => status(307, { location: turn.http?.request.url ?? "" })(turn),
		anyWords,
		{
			check: (stage) => assert.ok((stage.http?.arrived.length ?? 0) < 60, "it was followed for ever"),
		},
	),
	{
		row: "TRN-49",
		title: "the endpoint is of another origin",
		phases: ["handshake"],
		carriers: ["sse"],
		headers: secretHeaders,
		act: () => undefined,
		onGet(turn) {
			turn.http?.response.writeHead(200, { "content-type": "text/event-stream" });
			turn.http?.response.write(`event: endpoint\ndata: ${elsewhere(turn)}\n\n`);
			return true;
		},
		host: ends(/origin|endpoint/i),
		check(stage) {
			nothingLeaked(stage);
			assert.ok(
				stage.http?.arrived.every(({ path }) => path !== "/canary"),
				"the other origin was asked",
			);
		},
	},
	...(
		[
			["with a control character", "a\u0001b", /\w+ \w+/],
			["with a blank", "a b c", /session/i],
			["beyond ASCII", Buffer.from("s\u00e9ance", "latin1"), /session/i],
			["of one megabyte", "s".repeat(1024 * 1024), /\w+ \w+/],
		] as const
	).map(([what, value, words]) =>
		exchange("TRN-50", `a session id ${what}`, sessionId(value), ends(words), {
			carriers: ["http"],
			phases: ["handshake"],
		}),
	),
];
