import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from "jose";
import { Provider, errors, type Configuration, type KoaContextWithOIDC } from "oidc-provider";
import { isThisMachine } from "../../src/base/addresses.ts";
import type { JsonObject } from "../../src/base/json.ts";

const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const idJag = "urn:ietf:params:oauth:token-type:id-jag";

/** The behaviour of the identity provider; by default it vouches for its user everywhere. */
export interface IdentityProviderOptions {
	readonly clientId?: string;
	/** Absent: a public client, which only PKCE protects. */
	readonly clientSecret?: string;
	/** The decision of the administrators about one exchange: an error of OAuth with its words, or nothing. */
	readonly decide?: (asked: Readonly<Record<string, string>>) => { error: string; description: string } | undefined;
	/** The clients of the host at authorization servers, by their issuers; the same as here by default. */
	readonly clientAt?: (issuer: string) => string;
	/** Changes an answer with tokens, for faulty providers. */
	readonly alterTokens?: (answer: JsonObject, provider: TestIdentityProvider) => Promise<JsonObject> | JsonObject;
	readonly idTokenSeconds?: () => number;
}

/** A complete OpenID provider (`oidc-provider`) on loopback, which also issues assertions for authorization servers. */
export interface TestIdentityProvider extends AsyncDisposable {
	readonly issuer: string;
	/** The sign-ins so far. */
	readonly signIns: number;
	/** The requests of the token endpoint: their fields. */
	readonly tokenRequests: readonly Readonly<Record<string, string>>[];
	/** The refresh tokens that were revoked. */
	readonly revoked: number;
	/** Every token that was issued; none of them may be seen anywhere. */
	readonly issued: readonly string[];
	/** Ends all sign-ins, as an administrator does. */
	endSignIns(): void;
	/** Signs claims with the key of the provider, or another one that it does not publish. */
	sign(claims: JsonObject, typ: string, isForeign?: boolean): Promise<string>;
	/** The claims of an assertion that it issued. @throws if it did not */
	check(assertion: string): Promise<JsonObject>;
}

/** Starts an identity provider whose one user, Ann, signs in without a question. */
export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<TestIdentityProvider> {
	const { clientId = "mcp-host", clientSecret, decide, clientAt = () => clientId, idTokenSeconds } = options;
	const server = createServer();
	await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
	const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const { privateKey } = await generateKeyPair("RS256", { extractable: true });
	const jwk = { ...(await exportJWK(privateKey)), kid: "one", alg: "RS256", use: "sig" };
	const key = await importJWK(jwk, "RS256");
	const foreign = (await generateKeyPair("RS256")).privateKey;
	const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicJwk } = jwk;
	const keys = createLocalJWKSet({ keys: [publicJwk] });
	const tokenRequests: Readonly<Record<string, string>>[] = [];
	const issued: string[] = [];
	const counts = { signIns: 0, revoked: 0 };
	let isEnded = false;

	const configuration: Configuration = {
		clients: [
			{
				client_id: clientId,
				...(clientSecret === undefined
					? { token_endpoint_auth_method: "none" }
					: { client_secret: clientSecret, token_endpoint_auth_method: "client_secret_post" }),
				application_type: "native",
				redirect_uris: ["http://127.0.0.1/callback"],
				grant_types: ["authorization_code", "refresh_token", exchange],
				response_types: ["code"],
			},
		],
		jwks: { keys: [jwk] },
		pkce: { required: () => true },
		claims: { openid: ["sub"], email: ["email"], profile: ["name"] },
		conformIdTokenClaims: false,
		rotateRefreshToken: true,
		cookies: { keys: [randomUUID()] },
		features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
		interactions: { url: (_context, { uid }) => `${issuer}/interaction/${uid}` },
		ttl: { IdToken: () => idTokenSeconds?.() ?? 3600, AccessToken: 600, Session: 600, Interaction: 600, Grant: 6000 },
		findAccount: (_context, sub) => ({
			accountId: sub,
			claims: () => ({ sub, email: `${sub}@acme.example`, name: "Ann" }),
		}),
	};
	const provider = new Provider(issuer, configuration);
	// The way back to a window in a browser has a query of its own.
	provider.Client.prototype.redirectUriAllowed = (address) => isThisMachine(new URL(address));
	provider.registerGrantType(
		exchange,
		grantAssertion,
		"requested_token_type audience resource scope subject_token subject_token_type".split(" "),
	);
	provider.use(async (context: KoaContextWithOIDC, next) => {
		await next();
		if (context.path === "/token/revocation" && context.status === 200) counts.revoked++;
		if (context.path !== "/token") return;
		const fields = context.oidc?.body ?? {};
		tokenRequests.push(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])));
		const answer = context.body as JsonObject;
		if (context.status === 200) {
			context.body = (await options.alterTokens?.(answer, identityProvider)) ?? answer;
			for (const value of Object.values(context.body as JsonObject))
				if (typeof value === "string" && value.length > 40 && !value.includes(":")) issued.push(value);
		}
	});
	provider.on("server_error", (_context, error) => console.error(error));

	async function grantAssertion(context: KoaContextWithOIDC): Promise<void> {
		const { params = {}, client } = context.oidc;
		const asked = Object.fromEntries(
			Object.entries(params).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
		);
		if (asked["requested_token_type"] !== idJag) throw new errors.InvalidRequest("unexpected token type");
		const { payload } = await jwtVerify(asked["subject_token"] ?? "", keys, {
			issuer,
			audience: client?.clientId ?? "",
		}).catch(() => {
			throw new errors.InvalidGrant("subject token");
		});
		if (isEnded) throw new errors.InvalidGrant("The session was ended.");
		const refusal = decide?.(asked);
		if (refusal !== undefined) throw new errors.CustomOIDCProviderError(refusal.error, refusal.description);
		const { audience = "", resource, scope } = asked;
		const claims = {
			resource: resource ?? "",
			client_id: clientAt(audience),
			...(scope === undefined ? {} : { scope }),
		};
		context.body = {
			issued_token_type: idJag,
			access_token: await sign(
				{ ...claims, sub: payload.sub ?? "", aud: audience, email: "ann@acme.example" },
				"oauth-id-jag+jwt",
			),
			token_type: "N_A",
			expires_in: 300,
			...(scope === undefined ? {} : { scope }),
		};
		context.status = 200;
	}

	function sign(claims: JsonObject, typ: string, isForeign = false): Promise<string> {
		const now = Math.floor(Date.now() / 1000);
		return new SignJWT({ iss: issuer, iat: now, exp: now + 300, jti: randomUUID(), ...claims })
			.setProtectedHeader({ alg: "RS256", kid: "one", typ })
			.sign(isForeign ? foreign : key);
	}

	/** Ann signs in, and agrees to what is asked. */
	async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { prompt, params, session } = await provider.interactionDetails(request, response);
		if (prompt.name === "login") {
			counts.signIns++;
			isEnded = false;
			await provider.interactionFinished(request, response, { login: { accountId: "ann" } });
			return;
		}
		const grant = new provider.Grant({ accountId: session?.accountId ?? "ann", clientId: String(params["client_id"]) });
		grant.addOIDCScope("openid profile email offline_access");
		await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
	}

	const callback = provider.callback();
	server.on("request", (request, response) => {
		// A window in a browser sends the first request through a proxy; the rest must not depend on it.
		request.headers.host = new URL(issuer).host;
		if (request.url?.startsWith("/interaction/") !== true) return void callback(request, response);
		interact(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
	});
	const identityProvider: TestIdentityProvider = {
		issuer,
		tokenRequests,
		issued,
		get signIns() {
			return counts.signIns;
		},
		get revoked() {
			return counts.revoked;
		},
		endSignIns: () => void (isEnded = true),
		sign,
		check: async (assertion) => {
			const { payload, protectedHeader } = await jwtVerify(assertion, keys, { issuer });
			if (protectedHeader.typ !== "oauth-id-jag+jwt") throw new Error("not an assertion");
			return payload as JsonObject;
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return identityProvider;
}

/** Follows a sign-in to its redirect as a browser does, with its cookies; returns the status of the last page. */
export async function visit(url: URL): Promise<number> {
	const cookies = new Map<string, string>();
	let next = url;
	for (let steps = 0; steps < 20; steps++) {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const response = await fetch(next, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
		for (const set of response.headers.getSetCookie()) {
			const [pair = ""] = set.split(";");
			const at = pair.indexOf("=");
			cookies.set(pair.slice(0, at), pair.slice(at + 1));
		}
		const location = response.headers.get("location");
		await response.text();
		if (location === null) return response.status;
		next = new URL(location, next);
	}
	throw new Error("The sign-in never ends.");
}
