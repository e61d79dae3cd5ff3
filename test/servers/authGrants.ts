import { createHash, createHmac, randomUUID } from "node:crypto";

/** A registered client of the authorization server. */
export interface AuthClient {
	readonly clientId: string;
	/** Absent for a public client. */
	readonly clientSecret?: string;
	readonly redirectUris: readonly string[];
}

/** The consent of a user, or of a machine's own credentials, for a client. */
export interface Grant {
	readonly clientId: string;
	readonly scopes: readonly string[];
	/** The resource that the tokens are for (RFC 8707); undefined when the client named none. */
	readonly resource: string | undefined;
}

/** The grant behind an access token. */
export interface AccessToken extends Grant {
	readonly expiresAt: number;
}

interface Code extends Grant {
	readonly redirectUri: string;
	readonly challenge: string | undefined;
}

/** All tokens that derive from one consent: they are withdrawn together. */
interface Family {
	readonly grant: Grant;
	isRevoked: boolean;
}

/** The answer of a token endpoint, as it goes over the wire. */
export interface TokenAnswer {
	readonly access_token: string;
	readonly token_type: "Bearer";
	readonly expires_in: number;
	readonly scope: string;
	readonly refresh_token?: string;
	readonly id_token?: string;
}

/** A refusal with a code of RFC 6749, section 5.2. */
export class GrantError extends Error {
	readonly code: string;

	constructor(code: string) {
		super(code);
		this.code = code;
	}
}

/** The codes and tokens of one authorization server. Every secret is used once, if the standard requires it. */
export class Grants {
	private readonly issuer: () => string;
	private readonly account: string | undefined;
	private readonly codes = new Map<string, Code>();
	private readonly access = new Map<string, { readonly family: Family; readonly expiresAt: number }>();
	private readonly refresh = new Map<string, { readonly family: Family; isUsed: boolean }>();
	/** Read at each token. */
	tokenSeconds: number;

	constructor(issuer: () => string, account: string | undefined, tokenSeconds: number) {
		this.issuer = issuer;
		this.account = account;
		this.tokenSeconds = tokenSeconds;
	}

	/** A code for the redirect, good for one exchange. */
	issueCode(code: Code): string {
		const value = `code-${randomUUID()}`;
		this.codes.set(value, code);
		return value;
	}

	/** @throws GrantError `invalid_grant` for anything that does not fit the authorization request, PKCE included. */
	exchangeCode(
		value: string,
		clientId: string,
		redirectUri: string,
		verifier: string | undefined,
		resource: string | undefined,
	): TokenAnswer {
		const code = this.codes.get(value);
		this.codes.delete(value);
		if (code === undefined || code.clientId !== clientId || code.redirectUri !== redirectUri) {
			throw new GrantError("invalid_grant");
		}
		if (code.challenge !== undefined && code.challenge !== challengeOf(verifier ?? "")) {
			throw new GrantError("invalid_grant");
		}
		if (code.resource !== undefined && resource !== code.resource) throw new GrantError("invalid_target");
		const { scopes, resource: audience } = code;
		return this.issueTokens({ grant: { clientId, scopes, resource: audience }, isRevoked: false }, true);
	}

	/**
	 * New tokens for a refresh token, which is used up by it. One that was used before is taken as stolen: all tokens of
	 * its family end.
	 * @throws GrantError `invalid_grant`
	 */
	exchangeRefresh(value: string, clientId: string): TokenAnswer {
		const token = this.refresh.get(value);
		if (token === undefined || token.family.grant.clientId !== clientId) throw new GrantError("invalid_grant");
		if (token.isUsed) token.family.isRevoked = true;
		if (token.family.isRevoked) throw new GrantError("invalid_grant");
		token.isUsed = true;
		return this.issueTokens(token.family, true);
	}

	/** Tokens for a client of its own, without a user and without a refresh token. */
	grantToClient(grant: Grant): TokenAnswer {
		return this.issueTokens({ grant, isRevoked: false }, false);
	}

	/** The grant behind an access token; undefined when it is unknown, expired or revoked. */
	find(token: string): AccessToken | undefined {
		const known = this.access.get(token);
		if (known === undefined || known.family.isRevoked || known.expiresAt <= Date.now()) return undefined;
		return { ...known.family.grant, expiresAt: known.expiresAt };
	}

	/** Ends a token, access or refresh, with all others of its family; an unknown one is no error (RFC 7009). */
	revoke(token: string): void {
		const family = this.access.get(token)?.family ?? this.refresh.get(token)?.family;
		if (family !== undefined) family.isRevoked = true;
	}

	/** Ends all access tokens; refresh tokens stay good. */
	expireAccess(): void {
		this.access.clear();
	}

	/** Ends all grants. */
	revokeAll(): void {
		for (const { family } of [...this.access.values(), ...this.refresh.values()]) family.isRevoked = true;
	}

	/** How many access tokens are good now. */
	get liveAccessTokens(): number {
		return [...this.access.keys()].filter((token) => this.find(token) !== undefined).length;
	}

	private issueTokens(family: Family, hasRefresh: boolean): TokenAnswer {
		const access = `access-${randomUUID()}`;
		this.access.set(access, { family, expiresAt: Date.now() + this.tokenSeconds * 1000 });
		const answer: TokenAnswer = {
			access_token: access,
			token_type: "Bearer",
			expires_in: this.tokenSeconds,
			scope: family.grant.scopes.join(" "),
		};
		if (!hasRefresh) return answer;
		const refresh = `refresh-${randomUUID()}`;
		this.refresh.set(refresh, { family, isUsed: false });
		const idToken = this.account === undefined ? {} : { id_token: this.idToken(family.grant.clientId, this.account) };
		return { ...answer, refresh_token: refresh, ...idToken };
	}

	/** A token about the user, as in OpenID Connect; no one has its key. */
	private idToken(clientId: string, account: string): string {
		const now = Math.floor(Date.now() / 1000);
		const claims = { iss: this.issuer(), sub: "1", aud: clientId, iat: now, exp: now + 3600, email: account };
		const text = [{ alg: "HS256", typ: "JWT" }, claims]
			.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
			.join(".");
		return `${text}.${createHmac("sha256", "test").update(text).digest("base64url")}`;
	}
}

/** The S256 challenge of a verifier (RFC 7636). */
function challengeOf(verifier: string): string {
	return createHash("sha256").update(verifier).digest("base64url");
}
