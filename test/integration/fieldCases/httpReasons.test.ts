import { describe, expect, it } from "vitest";
import { isJsonObject, type Json } from "../../../src/base/json.ts";
import { startHttpServer, type CannedAnswer } from "../../servers/httpServer.ts";
import type { Received } from "../../servers/received.ts";
import { textOf } from "../fixtures.ts";
import { TestHost } from "../testHost.ts";

type HttpRequest = Extract<Received, { kind: "http" }>;

/** Whether a request carries this method of JSON-RPC; any request without one. */
const carries =
	(method?: string) =>
	({ body }: HttpRequest): boolean =>
		method === undefined || (isJsonObject(body) && body["method"] === method);

const isNotification = ({ body }: HttpRequest): boolean => isJsonObject(body) && !("id" in body);

const json = (status: number, body: Json, headers: Readonly<Record<string, string>> = {}): CannedAnswer => ({
	status,
	headers: { "content-type": "application/json", ...headers },
	body: JSON.stringify(body),
});

const text = (status: number, body: string, type = "text/plain"): CannedAnswer => ({
	status,
	headers: { "content-type": type },
	body,
});

const rpc = (status: number, code: number, message: string, data?: Json): CannedAnswer =>
	json(status, { jsonrpc: "2.0", id: null, error: { code, message, ...(data === undefined ? {} : { data }) } });

/** Starts a server at which some requests are refused, and returns the user's message. */
async function startAgainst(when: (request: HttpRequest) => boolean, answer: CannedAnswer, headers = {}) {
	await using server = await startHttpServer({ intercept: (request) => (when(request) ? answer : undefined) });
	await using host = new TestHost();
	const { state } = await host.start("web", { url: server.url, headers });
	return { kind: state.kind, message: "message" in state ? state.message : "", log: host.log.join("\n") };
}

/** Calls a tool whose call is refused, and returns the messages of user and model. */
async function callAgainst(answer: CannedAnswer, speaks: "modern" | "legacy" | "sse" = "modern", headers = {}) {
	let calls = 0;
	const intercept = (request: HttpRequest): CannedAnswer | undefined => {
		if (!carries("tools/call")(request)) return undefined;
		calls++;
		return answer;
	};
	await using server = await startHttpServer({ speaks, intercept });
	await using host = new TestHost();
	const session = await host.run("web", { url: server.url, headers });
	const message = await session.callTool("echo", { text: "?" }).then(textOf, (error: Error) => error.message);
	return { message, calls };
}

describe("a server that refuses to start shows its reason to the user", () => {
	it.each([
		{
			name: "an error of the protocol about no request",
			answer: rpc(400, -32_000, "Header X-Tenant is missing"),
			says: "The server answered 400 Bad Request. It says: Header X-Tenant is missing",
		},
		{ name: "a text (421)", answer: text(421, "Invalid Host header"), says: "It says: Invalid Host header" },
		{
			name: "an error about the origin (403)",
			answer: rpc(403, -32_000, "Origin not allowed"),
			says: "Check the headers in its configuration, and the account that is signed in. It says: Origin not allowed",
		},
		{
			name: "the detail of a framework (422)",
			answer: json(422, { detail: "tenant is unknown" }),
			says: "tenant is unknown",
		},
		{
			name: "the list of a validator (422)",
			answer: json(422, { detail: [{ loc: ["header", "x-team"], msg: "field required", type: "missing" }] }),
			says: "It says: header.x-team: field required",
		},
		{
			name: "problem details (RFC 9457)",
			answer: json(409, { type: "about:blank", title: "Not ready", status: 409, detail: "The index is being built" }),
			says: "It says: Not ready: The index is being built",
		},
		{
			name: "a nested message",
			answer: json(402, { error: { code: "plan", message: "Upgrade first" } }),
			says: "Upgrade first",
		},
		{
			name: "the title of a page",
			answer: text(
				403,
				"<!doctype html><html><head><title>Access denied</title></head><body>SENT-BODY</body></html>",
				"text/html",
			),
			says: "It says: Access denied",
		},
		{
			name: "a plain text with the type of JSON",
			answer: text(400, "no tenant", "application/json"),
			says: "It says: no tenant",
		},
		{
			name: "an event",
			answer: text(400, 'event: error\ndata: {"error":"stale client"}\n\n', "text/event-stream"),
			says: "It says: stale client",
		},
	])("as $name", async ({ answer, says }) => {
		const { kind, message } = await startAgainst(carries(), answer);
		expect(kind).toBe("failed");
		expect(message).toContain(says);
		expect(message).not.toContain("SENT-BODY");
	});

	it("or accepts the refusal of a notification", async () => {
		const { kind, message } = await startAgainst(isNotification, rpc(400, -32_600, "id is required"));
		expect(kind === "running" || message.includes("It says: id is required")).toBe(true);
	});

	it("also over HTTP+SSE", async () => {
		await using server = await startHttpServer({ speaks: "sse", intercept: () => text(503, "Down for maintenance") });
		await using host = new TestHost({ handshakeMs: 20_000 });
		const { state } = await host.start("old", { type: "sse", url: server.url });
		expect(state).toMatchObject({ kind: "failed", message: expect.stringContaining("It says: Down for maintenance") });
	});

	it("by its challenge, if a configured header is refused; the header's value is never shown", async () => {
		const { message } = await startAgainst(
			carries(),
			{
				status: 401,
				headers: {
					"www-authenticate": 'Bearer error="invalid_token", error_description="No account for hunter-2-is-long"',
				},
				body: "",
			},
			{ Authorization: "Bearer hunter-2-is-long" },
		);
		expect(message).toContain("The server asks for sign-in (401). Check the headers in its configuration.");
		expect(message).toContain("It says: No account for ");
		expect(message).not.toContain("hunter-2");
	});

	it("with the time to wait", async () => {
		const answer = json(500, { message: "no disk" }, { "retry-after": "3600" });
		const { message } = await startAgainst(carries(), answer);
		expect(message).toContain(
			"The server answered 500 Internal Server Error. It asks to wait 3,600 s. It says: no disk.",
		);
	});

	it("on one line, escaped, capped, and never in place of our advice", async () => {
		const { message } = await startAgainst(carries(), text(404, `gone\n\u202Eevil ${"x".repeat(5000)}`));
		expect(message).toMatch(/Check the path of its URL\. It says: gone \\u202Eevil x/);
		expect(message).toContain("Check the path of its URL.");
		expect(message).not.toMatch(/\n|\u202E/);
		expect(message.length).toBeLessThan(600);
	});
});

describe("a server that refuses a call shows its reason to user and model, and receives the call once", () => {
	it.each([
		{
			name: "an error with a message beside it (500)",
			answer: json(500, { error: "Internal Server Error", message: "db is down" }),
			says: [/The tool may have run. Check before you repeat the call.*It says: Internal Server Error: db is down\.$/],
		},
		{
			name: "a limit with a time to wait (429)",
			answer: json(429, { error: "rate limited" }, { "retry-after": "30" }),
			says: [/It asks to wait 30 s\. It says: rate limited\.$/],
		},
		{
			name: "a challenge that is no question of rights (403)",
			answer: {
				status: 403,
				headers: { "www-authenticate": 'Bearer error="blocked", error_description="Account is locked"' },
				body: "",
			},
			says: [/The server answered 403/, /It says: Account is locked\.$/],
		},
		{ name: "nothing", answer: text(400, ""), says: [/The server answered 400/] },
	])("as $name", async ({ answer, says }) => {
		for (const speaks of ["modern", "legacy", "sse"] as const) {
			const { message, calls } = await callAgainst(answer, speaks);
			for (const words of says) expect(message, speaks).toMatch(words);
			expect(calls).toBe(1);
		}
	});

	it("without secrets of the request, and without keys", async () => {
		const answer = text(500, "x-api-key was hunter-2-is-long, and sk-proj-abcdefghijkl1234567 is known");
		const { message } = await callAgainst(answer, "modern", { "X-Api-Key": "hunter-2-is-long" });
		expect(message).toContain("is known");
		expect(message).not.toMatch(/hunter-2|sk-proj/);
	});
});

describe("a server that refuses the stream of its own messages", () => {
	it.each([
		{
			name: "an error of the protocol (400)",
			answer: rpc(400, -32_000, "Stream needs the plan Pro"),
			says: "Stream needs the plan Pro",
		},
		{
			name: "the detail of a framework (406)",
			answer: json(406, { detail: "no streams here" }),
			says: "no streams here",
		},
		{ name: "a text (503)", answer: text(503, "streams are down"), says: "streams are down" },
		{
			name: "the title of a page (502)",
			answer: text(502, "<html><title>No backend</title>SENT-BODY</html>", "text/html"),
			says: "No backend",
		},
	])("has its reason in the log, without the header's value, as $name", async ({ answer, says }) => {
		const body = answer.body.replace(says, `${says}, hunter-2-is-long`);
		const intercept = ({ method }: HttpRequest): CannedAnswer | undefined =>
			method === "GET" ? { ...answer, body } : undefined;
		await using server = await startHttpServer({ speaks: "legacy", intercept });
		await using host = new TestHost();
		const { state } = await host.start("web", { url: server.url, headers: { "X-Api-Key": "hunter-2-is-long" } });
		expect(state.kind).toBe("running");
		await expect.poll(() => host.log.join("\n")).toContain(`It says: ${says}`);
		expect(host.log.join("\n")).not.toMatch(/hunter-2|SENT-BODY/);
	});
});
