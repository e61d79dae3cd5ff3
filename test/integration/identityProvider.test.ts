/** Enterprise-managed authorization: one sign-in at an identity provider for two servers, each with its own authorization server. */
import { describe, expect, it } from "vitest";
import type { RedirectReceiver, SignInBrowser, SignInRequest } from "../../src/protocol/authorization.ts";
import { openLoopbackReceiver } from "../../src/protocol/authorization/loopbackReceiver.ts";
import { HostError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { startAuthServer, type AuthServer, type AuthServerOptions } from "../servers/authServer.ts";
import {
	startIdentityProvider,
	visit,
	type IdentityProviderOptions,
	type TestIdentityProvider,
} from "../servers/identityProvider.ts";
import { startProtectedServer, type ProtectedServer } from "../servers/protectedServer.ts";
import { textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** A user who signs in wherever they are sent, in a browser that keeps cookies. */
class User implements SignInBrowser {
	readonly asked: SignInRequest[] = [];
	agrees = true;

	openReceiver(port: number | undefined): Promise<RedirectReceiver> {
		return openLoopbackReceiver(port === undefined ? {} : { port });
	}

	async open(request: SignInRequest): Promise<void> {
		this.asked.push(request);
		if (!this.agrees) throw new HostError("cancelled", "No.");
		if (request.reason !== "credentials") await visit(request.url);
	}
}

interface Company extends AsyncDisposable {
	readonly provider: TestIdentityProvider;
	readonly auths: readonly [AuthServer, AuthServer];
	readonly servers: readonly [ProtectedServer, ProtectedServer];
}

const scopes = { scopes: ["small:use", "small:change"], defaultScopes: ["small:use"] };
const chat = { clientId: "chat-client", clientSecret: "chat-secret", redirectUris: [] };

/** A company with two servers: one knows the client beforehand, the other one registers it. */
async function startCompany(
	options: IdentityProviderOptions = {},
	{ first = {}, second = {} }: { readonly first?: AuthServerOptions; readonly second?: AuthServerOptions } = {},
): Promise<Company> {
	const made: { auths: AuthServer[] } = { auths: [] };
	const provider = await startIdentityProvider({
		clientAt: (issuer) =>
			issuer === made.auths[0]?.issuer ? chat.clientId : (made.auths[1]?.registered.at(-1)?.clientId ?? "none"),
		...options,
	});
	const trust = { check: provider.check };
	const one = await startAuthServer({ ...scopes, trust, clients: [chat], registration: "absent", ...first });
	const two = await startAuthServer({ ...scopes, trust, ...second });
	made.auths.push(one, two);
	const servers = await Promise.all([one, two].map((auth) => startProtectedServer({ auth })));
	const [a, b] = servers;
	if (a === undefined || b === undefined) throw new Error("unreachable");
	return {
		provider,
		auths: [one, two],
		servers: [a, b],
		async [Symbol.asyncDispose]() {
			for (const each of [...servers, one, two, provider]) await each[Symbol.asyncDispose]();
		},
	};
}

async function configure(host: TestHost, company: Company, oauth: JsonObject = {}): Promise<User> {
	const user = new User();
	host.signInWith(user);
	host.identityProvider = {
		source: "mcpHost.identityProvider",
		config: {
			issuer: company.provider.issuer,
			clientId: "mcp-host",
			clients: new Map([[company.auths[0].issuer, { clientId: chat.clientId, clientSecret: chat.clientSecret }]]),
		},
	};
	await host.configure({
		chat: { url: company.servers[0].url, oauth },
		wiki: { url: company.servers[1].url, oauth },
	});
	return user;
}

async function start(host: TestHost, name: string): Promise<void> {
	await host.host.start(host.session(name).definition.id);
}

const stateOf = (host: TestHost, name: string) => host.session(name).state;
const accountOf = (host: TestHost, name: string) => host.host.signIns.accounts.get(host.session(name).definition.id);

describe("a user who signs in at the identity provider of their organization", () => {
	it("is signed in at two servers by one sign-in, and at none after they sign out (AUT-19, AUT-24)", async () => {
		await using company = await startCompany();
		await using host = new TestHost({ extensions: {} });
		const user = await configure(host, company);
		await Promise.all([start(host, "chat"), start(host, "wiki")]);
		expect([stateOf(host, "chat").kind, stateOf(host, "wiki").kind]).toEqual(["running", "running"]);
		expect(user.asked).toMatchObject([{ reason: "identity-provider", issuer: company.provider.issuer }]);
		expect(company.provider.signIns).toBe(1);
		const request = user.asked[0]?.url.searchParams;
		expect(request?.get("code_challenge_method")).toBe("S256");
		expect([request?.get("nonce"), request?.get("state")].every((text) => (text ?? "").length >= 32)).toBe(true);
		const received = JSON.stringify(company.servers.map(({ server }) => server.received));
		expect(received.split('"io.modelcontextprotocol/enterprise-managed-authorization":{}').length).toBeGreaterThan(2);
		expect(accountOf(host, "chat")).toMatchObject({
			account: "ann@acme.example",
			issuer: company.auths[0].issuer,
			provider: company.provider.issuer,
		});
		expect(textOf(await host.session("wiki").callTool("echo", { text: "in" }))).toBe("in");
		for (const [index, auth] of company.auths.entries()) {
			const [token] = auth.requests("token");
			expect(token?.fields["grant_type"]).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
			expect(await company.provider.check(token?.fields["assertion"] ?? "")).toMatchObject({
				aud: auth.issuer,
				resource: company.servers[index]?.url,
				scope: "small:use",
			});
		}
		// Secrets stay in the key store.
		const seen = [...host.log, JSON.stringify(host.trace)].join("\n");
		expect(company.provider.issued.length).toBeGreaterThan(3);
		for (const token of company.provider.issued) expect(seen).not.toContain(token);

		await (await host.host.identity.get()).signOut();
		expect([stateOf(host, "chat"), stateOf(host, "wiki")]).toMatchObject([
			{ kind: "needs-sign-in", message: "You signed out of your identity provider." },
			{ kind: "needs-sign-in" },
		]);
		expect([accountOf(host, "chat"), accountOf(host, "wiki")]).toEqual([undefined, undefined]);
		const kept = JSON.stringify([...host.secrets]);
		expect(kept).not.toMatch(/access_token|id_token|refresh_token/);
		expect(company.provider.revoked).toBe(1);
		await host.host.startApproved();
		expect(stateOf(host, "chat").kind).toBe("needs-sign-in");
		await start(host, "chat");
		expect(user.asked).toHaveLength(2);
		expect(stateOf(host, "chat").kind).toBe("running");
	});

	it("is not asked again for an expired token, for more scopes, or in a new window (AUT-20)", async () => {
		await using company = await startCompany();
		const secrets = new Map<string, string>();
		await using host = new TestHost({ secrets });
		const user = await configure(host, company);
		await start(host, "chat");
		for (const auth of company.auths) auth.grants.expireAccess();
		const session = host.session("chat");
		const calls = Array.from({ length: 20 }, (_, index) => session.callTool("echo", { text: String(index) }));
		expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map((_, index) => String(index)));
		expect(company.auths[0].requests("token")).toHaveLength(2);
		expect(textOf(await session.callTool("change", { what: "prompts" }))).toBe("changed prompts");
		await using later = new TestHost({ secrets });
		const laterUser = await configure(later, company);
		await later.host.startApproved();
		await expect.poll(() => stateOf(later, "wiki").kind).toBe("running");
		expect([user.asked.length, laterUser.asked.length]).toEqual([1, 0]);
	});

	it("is not asked when an ID token ends: it is refreshed, also for two servers at once (AUT-20)", async () => {
		let seconds = 5;
		await using company = await startCompany({ idTokenSeconds: () => seconds });
		await using host = new TestHost();
		const user = await configure(host, company);
		await start(host, "chat").catch(() => undefined);
		seconds = 3600;
		const before = company.provider.tokenRequests.length;
		await Promise.all([start(host, "chat"), start(host, "wiki")]);
		expect([stateOf(host, "chat").kind, stateOf(host, "wiki").kind]).toEqual(["running", "running"]);
		const grants = company.provider.tokenRequests.slice(before).map(({ grant_type }) => grant_type);
		expect(grants.filter((grant) => grant === "refresh_token")).toHaveLength(1);
		expect(user.asked).toHaveLength(1);
	});

	it("signs in again when the provider has ended the sign-in, in the call that notices it", async () => {
		await using company = await startCompany();
		await using host = new TestHost();
		const user = await configure(host, company);
		await start(host, "chat");
		company.provider.endSignIns();
		company.auths[0].grants.expireAccess();
		await host.host.start(host.session("chat").definition.id, true);
		expect(stateOf(host, "chat").kind, JSON.stringify(stateOf(host, "chat"))).toBe("running");
		expect(user.asked).toHaveLength(2);
	});

	it("who declines signs in nowhere", async () => {
		await using company = await startCompany();
		await using host = new TestHost();
		const user = await configure(host, company);
		user.agrees = false;
		await start(host, "chat");
		expect(stateOf(host, "chat")).toMatchObject({
			kind: "needs-sign-in",
			message: expect.stringContaining("did not sign in"),
		});
		expect(company.provider.tokenRequests).toEqual([]);
	});

	it("is signed out in another window that shares the key store (AUT-24)", async () => {
		await using company = await startCompany();
		const secrets = new Map<string, string>();
		await using here = new TestHost({ secrets });
		await using there = new TestHost({ secrets });
		await configure(here, company);
		const other = await configure(there, company);
		await start(here, "chat");
		await start(there, "wiki");
		expect(other.asked).toEqual([]);
		await (await here.host.identity.get()).signOut();
		await expect.poll(() => stateOf(there, "wiki").kind).toBe("needs-sign-in");
		expect(JSON.stringify([...secrets])).not.toMatch(/access_token/);
	});
});

describe("a server", () => {
	it.each([
		["that opts out", { enterpriseManaged: false }, false],
		["whose authorization server does not declare the profile", {}, true],
	] as const)("%s is signed in to at its own authorization server (AUT-21)", async (_what, oauth, isSilent) => {
		await using company = await startCompany(
			{},
			{
				second: { trust: { check: async () => ({}), isSilent } },
			},
		);
		await using host = new TestHost({ extensions: {} });
		const user = await configure(host, company, oauth);
		await start(host, "wiki");
		expect(user.asked).toMatchObject([{ reason: "sign-in", issuer: company.auths[1].issuer }]);
		const isDeclared = JSON.stringify(company.servers[1].server.received).includes("enterprise-managed-authorization");
		expect(isDeclared).toBe(isSilent);
		expect(company.provider.tokenRequests).toEqual([]);
	});

	it("that asks for it uses the identity provider although the authorization server does not declare it", async () => {
		await using company = await startCompany({ clientAt: () => chat.clientId });
		await using host = new TestHost();
		const { check } = company.provider;
		await using auth = await startAuthServer({ ...scopes, trust: { check, isSilent: true }, clients: [chat] });
		await using server = await startProtectedServer({ auth });
		const user = await configure(host, company);
		const { clientId, clientSecret } = chat;
		const oauth = { enterpriseManaged: true, clientId, clientSecret, issuer: auth.issuer };
		await host.configure({ mail: { url: server.url, oauth } });
		await start(host, "mail");
		expect(user.asked.map(({ reason }) => reason)).toEqual(["identity-provider"]);
		expect(stateOf(host, "mail").kind).toBe("running");
	});

	it("that requires an identity provider says so where none is configured", async () => {
		await using company = await startCompany();
		await using host = new TestHost();
		const user = await configure(host, company, { enterpriseManaged: true });
		host.identityProvider = undefined;
		await start(host, "chat");
		expect(JSON.stringify(stateOf(host, "chat"))).toContain("mcpHost.identityProvider");
		expect(user.asked).toEqual([]);
	});
});

describe("a refusal is explained in the words of who refuses (AUT-23)", () => {
	const cases: readonly (readonly [string, IdentityProviderOptions, string])[] = [
		[
			"of the provider's policy",
			{ decide: () => ({ error: "access_denied", description: "Ask Bob for the role chat-user." }) },
			"did not issue an assertion for AUTH: your organization does not let you use this server (access_denied). It says: Ask Bob for the role chat-user.",
		],
		[
			"of scopes",
			{ decide: () => ({ error: "invalid_scope", description: "Read only." }) },
			"your organization does not allow the requested scopes (invalid_scope). It says: Read only.",
		],
		[
			"with an unknown code",
			{ decide: () => ({ error: "device_not_compliant", description: "Update your laptop." }) },
			"it gave an unknown reason. It says: Update your laptop.",
		],
		[
			"of the authorization server",
			{ clientAt: () => "somebody-else" },
			"AUTH did not accept the assertion of IDP: it does not trust it, or not for this user, client or server (invalid_grant).",
		],
		[
			"of another token than an assertion",
			{ alterTokens: (answer) => ({ ...answer, issued_token_type: "urn:ietf:params:oauth:token-type:access_token" }) },
			"IDP sent another token than the assertion",
		],
	];
	it.each(cases)("%s", async (_what, options, words) => {
		await using company = await startCompany(options);
		await using host = new TestHost();
		await configure(host, company);
		await start(host, "chat");
		const state = stateOf(host, "chat");
		expect(state.kind).not.toBe("running");
		const hosts = { AUTH: new URL(company.auths[0].issuer).host, IDP: new URL(company.provider.issuer).host };
		const message = "message" in state ? state.message : "";
		expect(message).toContain(words.replaceAll(/AUTH|IDP/g, (name) => (name === "AUTH" ? hosts.AUTH : hosts.IDP)));
		for (const token of company.provider.issued) expect(message + host.log.join("\n")).not.toContain(token);
	});
});

describe("an ID token is refused (AUT-22)", () => {
	const claimsOf = (answer: JsonObject): JsonObject =>
		JSON.parse(Buffer.from(String(answer["id_token"]).split(".")[1] ?? "", "base64url").toString("utf8")) as JsonObject;
	type Alter = NonNullable<IdentityProviderOptions["alterTokens"]>;
	const resigned =
		(change: (claims: JsonObject) => JsonObject, isForeign = false): Alter =>
		async (answer, provider) =>
			answer["id_token"] === undefined
				? answer
				: { ...answer, id_token: await provider.sign(change(claimsOf(answer)), "JWT", isForeign) };
	const none = (answer: JsonObject): JsonObject => {
		const [, payload = ""] = String(answer["id_token"]).split(".");
		const head = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
		return { ...answer, id_token: `${head}.${payload}.` };
	};
	it.each([
		["of another nonce", resigned((claims) => ({ ...claims, nonce: "theirs" })), "(nonce)"],
		["of another issuer", resigned((claims) => ({ ...claims, iss: "https://evil.example" })), "another issuer (iss)"],
		["for another client", resigned((claims) => ({ ...claims, aud: "another" })), "another client (aud)"],
		[
			"for two clients without azp",
			resigned((claims) => ({ ...claims, aud: ["mcp-host", "other"], azp: "other" })),
			"(azp)",
		],
		["that has expired", resigned((claims) => ({ ...claims, exp: 1000 })), "has expired"],
		["with another's signature", resigned((claims) => claims, true), "its signature is wrong"],
		["without a signature", none, "not signed in an accepted way"],
		["that is missing", ({ id_token: _none, ...answer }: JsonObject) => answer, "it sent none"],
	] as const)("%s", async (_what, alterTokens, words) => {
		await using company = await startCompany({ alterTokens });
		await using host = new TestHost();
		await configure(host, company);
		await start(host, "chat");
		const state = stateOf(host, "chat");
		expect("message" in state ? state.message : state.kind).toContain(words);
		expect(company.provider.tokenRequests).toHaveLength(1);
		expect(JSON.stringify([...host.secrets])).not.toContain("id_token");
	});
});
