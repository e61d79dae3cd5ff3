import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import type { SignInBrowser } from "../../../../src/protocol/authorization.ts";
import type { AuthServerOptions } from "../../../servers/authServer.ts";
import { HeadlessBrowser } from "../../../servers/headlessBrowser.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

/** The result of a sign-in at a faulty server, and the requests to it. */
async function attempt(authOptions: AuthServerOptions, config = {}) {
	await using server = await startProtectedServer({ authOptions });
	const scene = setScene(server.url, { config });
	const error: unknown = await scene.call().then(
		() => undefined,
		(failure: unknown) => failure,
	);
	return { error, auth: server.auth, opened: scene.browser.opened.length };
}

describe("PKCE (AUT-06)", () => {
	const advertising = (methods?: readonly string[]): AuthServerOptions => ({
		alter: {
			metadata({ code_challenge_methods_supported: _left, ...rest }) {
				return methods === undefined ? rest : { ...rest, code_challenge_methods_supported: methods };
			},
		},
	});

	test("is required of the authorization server: without S256 in its metadata no sign-in happens", async () => {
		const { error, auth, opened } = await attempt(advertising());
		expect(error).toMatchObject({ code: "denied", message: expect.stringContaining("allowMissingPkce") as string });
		expect(opened).toBe(0);
		expect(auth.requests("register")).toEqual([]);
		expect((await attempt(advertising(["plain"]))).error).toMatchObject({ code: "denied" });
	});

	test("may be assumed by the user's setting, and is used nevertheless", async () => {
		const { error, auth } = await attempt(advertising(), { allowMissingPkce: true });
		expect(error).toBeUndefined();
		expect(auth.requests("authorize")[0]?.fields).toMatchObject({ code_challenge_method: "S256" });
	});
});

describe("a callback", () => {
	test.each([
		["with another state", (query: URLSearchParams) => query.set("state", "x".repeat(43))],
		["without a state", (query: URLSearchParams) => query.delete("state")],
		["with two states", (query: URLSearchParams) => query.append("state", "y")],
		["with two codes", (query: URLSearchParams) => query.append("code", "y")],
		["of another issuer", (query: URLSearchParams) => query.set("iss", "https://evil.example")],
		["without the issuer that was promised", (query: URLSearchParams) => query.delete("iss")],
		["without a code", (query: URLSearchParams) => query.delete("code")],
	])("%s is dropped before anything is exchanged (AUT-05, AUT-07)", async (_what, callback) => {
		const { error, auth } = await attempt({ alter: { callback } });
		expect(error).toMatchObject({ code: "denied" });
		expect(auth.requests("token")).toEqual([]);
	});

	test("of another issuer does not affect the shown page", async () => {
		const { error } = await attempt({
			alter: {
				callback(query) {
					query.set("iss", "https://evil.example");
					query.delete("code");
					query.set("error", "access_denied");
					query.set("error_description", "Call +1 555 0100 to unlock");
				},
			},
		});
		expect(inspect(error)).not.toContain("555");
		expect(error).toMatchObject({ code: "denied" });
	});

	test("answers one sign-in: each has a state and a verifier of its own", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		await scene.call();
		server.auth.grants.revokeAll();
		await scene.call();
		const [first, second] = server.auth.requests("authorize").map(({ fields }) => fields);
		expect(first?.["state"]).not.toBe(second?.["state"]);
		expect(first?.["code_challenge"]).not.toBe(second?.["code_challenge"]);
	});

	test("that never comes ends after its time limit", async () => {
		await using server = await startProtectedServer();
		vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
			const controller = new AbortController();
			if (ms === 10 * 60_000) setImmediate(() => controller.abort(new DOMException("late", "TimeoutError")));
			return controller.signal;
		});
		try {
			const browser = new HeadlessBrowser();
			browser.open = (...[, signal]: Parameters<SignInBrowser["open"]>) =>
				new Promise((_resolve, reject) => {
					if (signal.aborted) reject(signal.reason as Error);
					signal.addEventListener("abort", () => reject(signal.reason as Error));
				});
			await expect(setScene(server.url, { browser }).call()).rejects.toMatchObject({
				code: "needs-sign-in",
				message: expect.stringContaining("10 minutes") as string,
			});
		} finally {
			vi.restoreAllMocks();
		}
	});
});

test("metadata of another issuer, or for another resource, is not used (AUT-04, AUT-05)", async () => {
	const other = await attempt({ alter: { metadata: (it) => ({ ...it, issuer: "https://evil.example" }) } });
	expect(other.error).toMatchObject({
		code: "denied",
		message: expect.stringContaining("is meant for another address") as string,
	});
	expect(other.opened).toBe(0);
	const scene = setScene("http://127.0.0.1:1/mcp", {
		serverFetch: () => Promise.resolve(new Response("", { status: 401 })),
		plainFetch: () =>
			Promise.resolve(
				Response.json({ resource: "https://bank.example/mcp", authorization_servers: ["http://localhost:2"] }),
			),
	});
	await expect(scene.call()).rejects.toThrow("bank.example");
	expect(scene.plain).toHaveLength(1);
});

test("the server's headers stay with the server (AUT-11)", async () => {
	await using server = await startProtectedServer();
	const scene = setScene(server.url, {
		serverFetch: (input, init) => {
			const headers = new Headers(init?.headers);
			headers.set("x-api-key", "SENT-HEADER");
			return fetch(input, { ...init, headers, redirect: "manual" });
		},
	});
	await scene.call();
	expect(JSON.stringify(server.server.received)).toContain("SENT-HEADER");
	expect(JSON.stringify(server.auth.received)).not.toContain("SENT-HEADER");
	for (const { headers } of scene.plain) expect(headers.get("x-api-key")).toBeNull();
});

test("a server without encryption gets no token", async () => {
	const scene = setScene("http://mcp.example.com/mcp", {
		serverFetch: () => Promise.resolve(new Response("", { status: 401 })),
	});
	await expect(scene.call()).rejects.toMatchObject({
		code: "denied",
		message: expect.stringContaining("Use its https address") as string,
	});
	expect(scene.plain).toEqual([]);
});

describe("texts of servers are shown as theirs, and no secret in them (AUT-12, AUT-16)", () => {
	test("in the challenge, whose realm is not shown", async () => {
		const parameters =
			'realm="SENT-REALM", error="invalid_token", error_description="[Verify](https://evil.example)\u00a0  Bearer abc123def456"';
		const scene = setScene("http://127.0.0.1:1/mcp", {
			isInteractive: false,
			serverFetch: () => {
				const headers = new Headers({ "www-authenticate": `Bearer ${parameters}` });
				return Promise.resolve(new Response("SENT-TEXT", { status: 401, headers }));
			},
		});
		const error: unknown = await scene.call().catch((failure: unknown) => failure);
		expect(error).toMatchObject({
			code: "needs-sign-in",
			message: expect.stringMatching(
				/^The server requires you to sign in\. .* It says: \[Verify\]\(https:\/\/evil\.example\) (?:Bearer )?\(secret\)\.$/,
			) as string,
		});
		expect(inspect(error)).not.toMatch(/SENT-/);
	});

	test("in a refusal of tokens or of a registration", async () => {
		const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
		const refusal = { error: "invalid_grant", error_description: "Ask the\n help\u202e desk" };
		const { error } = await attempt({ alter: { token: () => refusal } });
		expect(error).toMatchObject({
			code: "denied",
			message: expect.stringMatching(/used already \(invalid_grant\)\. It says: Ask the help\\u202E desk\.$/) as string,
		});
		const refused = await attempt({ registration: "refused" });
		expect(refused.error).toMatchObject({
			code: "denied",
			message: expect.stringMatching(/"clientId": … \}\. It says: .*Clients are not welcome here\.$/) as string,
		});
		expect(inspect(warn.mock.calls, { depth: 10 })).not.toContain("help");
		warn.mockRestore();
	});

	test("without any value of an answer with tokens, and without anything of the request", async () => {
		const told = [];
		for (const token of [
			{ access_token: { nested: "SENT-TOKEN" }, refresh_token: "SENT-TOKEN" },
			{ access_token: "SENT-TOKEN", token_type: ["SENT-TOKEN"] },
			"SENT-TOKEN",
		]) {
			const { error } = await attempt({ alter: { token: () => token } });
			told.push(inspect(error, { depth: 10 }));
		}
		for (const text of told) expect(text).not.toMatch(/SENT-|access-|refresh-|code-/);
		await using server = await startProtectedServer({
			authOptions: {
				clients: [{ clientId: "known", clientSecret: "s:e/c r&t+42", redirectUris: ["http://127.0.0.1/callback"] }],
			},
		});
		const scene = setScene(server.url, {
			config: { clientId: "known", clientSecret: "s:e/c r&t+42" },
			plainFetch: async (input, init) => {
				if (init?.method !== "POST") return fetch(input, init);
				const headers = new Headers(init.headers).get("authorization") ?? "";
				return Response.json(
					{ error: "invalid_client", error_description: `No: ${String(init.body)} ${headers} s:e/c r&t+42` },
					{ status: 401 },
				);
			},
		});
		const error: unknown = await scene.call().catch((failure: unknown) => failure);
		const { code_verifier: verifier } = server.auth.requests("token")[0]?.fields ?? {};
		expect(verifier).toBeUndefined();
		expect(inspect(error)).toMatch(/\(invalid_client\)\. It says: No: .*code=\(secret\).*code_verifier=\(secret\)/);
		expect(inspect(error)).not.toMatch(/code=code-|s:e|s%3Ae/);
	});
});
