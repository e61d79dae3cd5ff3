import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import type { AuthServerOptions } from "../../../servers/authServer.ts";
import { startProtectedServer, type ProtectedServerOptions } from "../../../servers/protectedServer.ts";
import { type SceneOptions, setScene } from "./authorizationScene.ts";

/** Members that are set; `undefined` leaves one out. */
type Changes = Readonly<Record<string, Json | undefined>>;

const set =
	(changes: Changes) =>
	(document: object): JsonObject =>
		Object.fromEntries(Object.entries({ ...document, ...changes }).filter(([, value]) => value !== undefined));

/** Signs in and makes a call; `notes` has the lenient readings. */
async function attempt(options: ProtectedServerOptions, scene: Omit<SceneOptions, "plainFetch"> = {}) {
	await using server = await startProtectedServer(options);
	const notes: string[] = [];
	const { call, browser } = setScene(server.url, { ...scene, onNote: (text) => notes.push(text) });
	const ended = await call().then(
		({ status }) => ({ status }),
		(error: unknown) => ({ error }),
	);
	const status = "status" in ended ? ended.status : 0;
	return {
		isIn: status !== 0 && status !== 401 && status !== 403,
		error: "error" in ended ? inspect(ended.error, { depth: 5 }) : "",
		notes: notes.join("\n"),
		opened: browser.opened.length,
		auth: server.auth,
	};
}

const auth = (authOptions: AuthServerOptions): ProtectedServerOptions => ({ authOptions });
const token = (changes: Changes): ProtectedServerOptions => auth({ alter: { token: set(changes) } });
const registration = (changes: Changes): ProtectedServerOptions => auth({ alter: { registration: set(changes) } });
const metadata = (changes: Changes): ProtectedServerOptions => auth({ alter: { metadata: set(changes) } });
const resource = (changes: Changes): ProtectedServerOptions => ({ alterResource: set(changes) });

describe("a sign-in continues, with a note of the unused part, where the other end sends", () => {
	test.each<[string, ProtectedServerOptions, RegExp]>([
		[
			"tokens without a refresh token (null)",
			token({ refresh_token: null }),
			/token response .*is read without "refresh_token"/,
		],
		["tokens without a scope (null)", token({ scope: null }), /"scope"/],
		[
			"tokens with several nulls",
			token({ expires_in: null, scope: null, id_token: null, refresh_token: null }),
			/"refresh_token", "id_token", "expires_in", "scope"/,
		],
		[
			"tokens with members in wrong forms",
			token({ expires_in: {}, scope: ["a"], id_token: 7 }),
			/"expires_in", "scope"/,
		],
		[
			"a registration with nulls",
			registration({
				client_secret_expires_at: null,
				client_id_issued_at: null,
				redirect_uris: null,
				client_name: null,
				jwks_uri: null,
				contacts: null,
			}),
			/registration response .*is read without "client_secret_expires_at"/,
		],
		["a registration in wrong forms", registration({ redirect_uris: "x", logo_uri: 1, grant_types: {} }), /^$/],
		[
			"metadata with nulls",
			metadata({
				scopes_supported: null,
				revocation_endpoint: null,
				response_types_supported: null,
				client_id_metadata_document_supported: null,
				dpop_signing_alg_values_supported: null,
				jwks_uri: null,
				service_documentation: null,
			}),
			/"response_types_supported", "revocation_endpoint"/,
		],
		[
			"metadata in wrong forms",
			metadata({
				scopes_supported: "a b",
				token_endpoint_auth_methods_supported: ["none", null, "client_secret_post"],
				revocation_endpoint: "nowhere",
				op_tos_uri: "",
				response_types_supported: undefined,
			}),
			/"revocation_endpoint", "scopes_supported", "token_endpoint_auth_methods_supported\[\]"/,
		],
		[
			"metadata of OpenID Connect without its own members",
			auth({
				metadataAt: ["/.well-known/openid-configuration"],
				alter: { metadata: set({ jwks_uri: null, subject_types_supported: null }) },
			}),
			/^$/,
		],
		[
			"a page in place of metadata, and the metadata at the next address",
			auth({ page: "<h1>Welcome</h1>", metadataAt: ["/.well-known/openid-configuration"] }),
			/^$/,
		],
		[
			"a resource with nulls",
			resource({ scopes_supported: null, jwks_uri: null, resource_name: null }),
			/"scopes_supported"/,
		],
		[
			"a resource in wrong forms",
			resource({ scopes_supported: "a", bearer_methods_supported: 1 }),
			/"scopes_supported"/,
		],
	])("%s", async (_what, options, noted) => {
		const { isIn, error, notes, opened } = await attempt(options);
		expect(error).toBe("");
		expect(isIn).toBe(true);
		expect(opened).toBe(1);
		expect(notes).toMatch(noted);
	});

	test("a list of authorization servers with nulls in it", async () => {
		const { isIn, notes } = await attempt({
			alterResource: (it) => ({
				...it,
				authorization_servers: [null, ...(it["authorization_servers"] as string[]), 7],
			}),
		});
		expect([isIn, notes]).toEqual([true, expect.stringContaining('"authorization_servers[]"')]);
	});

	test("a machine's authorization server has no page to sign in on", async () => {
		const { isIn, opened } = await attempt(
			auth({
				clients: [{ clientId: "robot", clientSecret: "hunter-2", redirectUris: [] }],
				alter: { metadata: set({ authorization_endpoint: null, response_types_supported: null }) },
			}),
			{ config: { clientId: "robot", clientSecret: "hunter-2", grant: { kind: "client_credentials" } } },
		);
		// The user is asked whether the credentials may go there.
		expect([isIn, opened]).toEqual([true, 1]);
	});
});

describe("a sign-in ends with the name of the document and the member, and no value, where a required one is wrong:", () => {
	test.each<[string, ProtectedServerOptions, RegExp]>([
		[
			"no token",
			token({ access_token: null, token_type: "SENT" }),
			/token response .*cannot be used: "access_token" is missing/,
		],
		["a token that is no text", token({ access_token: ["SENT"] }), /"access_token" has the wrong format/],
		["a token without a type", token({ token_type: null }), /"token_type" is missing/],
		[
			"a client without an id",
			registration({ client_id: null, client_secret: "SENT" }),
			/registration response .*cannot be used: "client_id"/,
		],
		["no token endpoint", metadata({ token_endpoint: null }), /authorization server .* "token_endpoint" is missing/],
		[
			"a token endpoint that is no address",
			metadata({ token_endpoint: "SENT" }),
			/"token_endpoint" has the wrong format/,
		],
		[
			"no page",
			metadata({ authorization_endpoint: "javascript:SENT" }),
			/"authorization_endpoint" has the wrong format/,
		],
		["no issuer", metadata({ issuer: null }), /"issuer" is missing/],
		["no codes", metadata({ response_types_supported: ["token"] }), /"response_types_supported" does not name "code"/],
		["no resource", resource({ resource: null }), /protected resource\) cannot be used: "resource" is missing/],
		[
			"no authorization server",
			resource({ authorization_servers: [null] }),
			/"authorization_servers" contains no address/,
		],
		[
			"authorization servers that are no list",
			resource({ authorization_servers: {} }),
			/"authorization_servers" is not a list/,
		],
	])("%s", async (_what, options, says) => {
		const { isIn, error } = await attempt(options);
		expect(isIn).toBe(false);
		expect(error).toMatch(says);
		expect(error).not.toMatch(/SENT|access-|refresh-|code-|Zod|invalid_type/);
	});
});

describe("an issuer or a resource that differs by one slash is the same", () => {
	test.each<[string, ProtectedServerOptions]>([
		["the issuer of the metadata", auth({ alter: slashed() })],
		["the same, of OpenID Connect", auth({ metadataAt: ["/.well-known/openid-configuration"], alter: slashed() })],
		["the same, with a path", auth({ issuerPath: "/tenant", alter: slashed() })],
		[
			"the address of the authorization server",
			{
				alterResource: (it) => ({
					...it,
					authorization_servers: [`${String((it["authorization_servers"] as string[])[0])}/`],
				}),
			},
		],
		["the resource", { alterResource: (it) => ({ ...it, resource: `${String(it["resource"])}/` }) }],
	])("%s", async (_what, options) => {
		const { isIn, error, opened } = await attempt(options);
		expect(error).toBe("");
		expect([isIn, opened]).toEqual([true, 1]);
	});

	test("and is sent on in the metadata's spelling", async () => {
		const asRoot = { alterResource: (it: JsonObject) => ({ ...it, resource: new URL(String(it["resource"])).origin }) };
		for (const [options, spelling] of [
			[asRoot, /^http:\/\/127\.0\.0\.1:\d+$/],
			[{ alterResource: (it: JsonObject) => ({ ...it, resource: `${String(it["resource"])}/` }) }, /\/mcp\/$/],
		] as const) {
			const { auth: server } = await attempt(options);
			for (const endpoint of ["authorize", "token"] as const) {
				expect(server.requests(endpoint)[0]?.fields["resource"]).toMatch(spelling);
			}
		}
	});

	test("but not if `iss` is returned: it is compared exactly with the issuer of the metadata", async () => {
		// The server names itself with a slash, and answers without.
		const { metadata: alter } = slashed();
		const { isIn, error, auth: server } = await attempt(auth({ alter: { metadata: alter } }));
		expect(isIn).toBe(false);
		expect(server.requests("token")).toEqual([]);
		expect(error).toMatch(
			/names http:\/\/127\.0\.0\.1:\d+ as its issuer instead of http:\/\/127\.0\.0\.1:\d+\/, where/,
		);
		expect(error).not.toContain("intercept");
	});
});

/** An authorization server that names itself with a slash at the end, everywhere. */
function slashed() {
	const withSlash = (issuer: unknown): string => `${String(issuer)}/`;
	return {
		metadata: (it: JsonObject): Json => ({ ...it, issuer: withSlash(it["issuer"]) }),
		callback: (query: URLSearchParams): void => query.set("iss", withSlash(query.get("iss"))),
	};
}

describe("a different address is refused, and both are named in full:", () => {
	const changed =
		(change: (url: URL) => void) =>
		(it: JsonObject): JsonObject => {
			const url = new URL(String(it["resource"]));
			change(url);
			return { ...it, resource: url.href };
		};
	test.each<[string, (url: URL) => void, RegExp, boolean]>([
		["https in place of http", (url) => (url.protocol = "https:"), /names https:\/\/127\.0\.0\.1:\d+\/mcp\./, false],
		[
			"another name of this machine",
			(url) => (url.hostname = "localhost"),
			/names http:\/\/localhost:\d+\/mcp\./,
			false,
		],
		["another port", (url) => (url.port = "1"), /names http:\/\/127\.0\.0\.1:1\/mcp\./, false],
		["another path", (url) => (url.pathname = "/other"), /names http:\/\/127\.0\.0\.1:\d+\/other\./, false],
		["the beginning of a segment", (url) => (url.pathname = "/m"), /names .*\/m\./, false],
		["two slashes", (url) => (url.pathname = "/mcp//"), /names .*\/mcp\/\/\./, false],
		["another host", (url) => (url.hostname = "bank.example"), /names http:\/\/bank\.example:\d+\/mcp\./, true],
		["a user name", (url) => (url.username = "me"), /names the same with a user name/, false],
	])("a resource with %s", async (_what, change, names, isSuspicious) => {
		const { opened, error } = await attempt({ alterResource: changed(change) });
		expect(opened).toBe(0);
		expect(error).toMatch(/configured as http:\/\/127\.0\.0\.1:\d+\/mcp/);
		expect(error).toMatch(names);
		expect(error).toMatch(/set (?:that|\S+) as the URL in its configuration/);
		expect(error.includes("trying")).toBe(isSuspicious);
	});

	test.each<[string, (url: URL) => void, RegExp, boolean]>([
		[
			"https in place of http",
			(url) => (url.protocol = "https:"),
			/another address, https:\/\/127\.0\.0\.1:\d+\/,/,
			false,
		],
		[
			"another name of this machine",
			(url) => (url.hostname = "localhost"),
			/another address, http:\/\/localhost:/,
			false,
		],
		["another path", (url) => (url.pathname = "/tenant"), /another address, http:\/\/127\.0\.0\.1:\d+\/tenant,/, false],
		["two slashes", (url) => (url.pathname = "//"), /another address/, false],
		["a host that begins like it", (url) => (url.hostname = "127.0.0.1.evil.example"), /evil\.example/, true],
	])("an issuer with %s", async (_what, change, names, isSuspicious) => {
		const alter = (it: JsonObject): JsonObject => {
			const url = new URL(String(it["issuer"]));
			change(url);
			return { ...it, issuer: url.href };
		};
		const { opened, error } = await attempt(auth({ alter: { metadata: alter } }));
		expect(opened).toBe(0);
		expect(error).toMatch(/The metadata of http:\/\/127\.0\.0\.1:\d+ is meant for another address/);
		expect(error).toMatch(names);
		expect(error.includes("intercept")).toBe(isSuspicious);
	});

	test("an issuer that the configuration does not name", async () => {
		const { opened, error } = await attempt({}, { config: { issuer: "https://login.example/tenant" } });
		expect(opened).toBe(0);
		expect(error).toMatch(
			/sign-in at http:\/\/127\.0\.0\.1:\d+, but its "oauth" names https:\/\/login\.example\/tenant/,
		);
		expect(error).toContain('change "issuer" there');
	});

	test.each<[string, (query: URLSearchParams) => void, RegExp]>([
		[
			"another host",
			(query) => query.set("iss", "https://evil.example/x"),
			/names https:\/\/evil\.example\/x as its issuer/,
		],
		["another path", (query) => query.set("iss", `${query.get("iss") ?? ""}/evil`), /\/evil as its issuer/],
		["none", (query) => query.delete("iss"), /does not name http:\/\/127/],
	])("an answer of %s, whose sign-in may have been intercepted", async (_what, callback, says) => {
		const { error, auth: server } = await attempt(auth({ alter: { callback } }));
		expect(error).toMatch(says);
		expect(error).toContain("intercept");
		expect(server.requests("token")).toEqual([]);
	});
});
