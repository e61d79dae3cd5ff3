import type { FetchLike } from "@modelcontextprotocol/client";
import type { Disposable } from "../base/lifecycle.ts";

/**
 * The `oauth` part of an HTTP server's configuration. Everything is optional, because a server's own metadata usually
 * suffices (specification, "Authorization"). Texts may hold variables; the client secret should be `${input:id}`.
 */
export interface OAuthConfig {
	/** A client that was registered beforehand. */
	readonly clientId?: string;
	readonly clientSecret?: string;
	/**
	 * The authorization server that this client is registered with; its secret is sent to no other. Absent: the one that
	 * the user confirms.
	 */
	readonly issuer?: string;
	/** The https address of a client-id metadata document that names this host. */
	readonly clientMetadataUrl?: string;
	/** Scopes to ask for in place of those that the server names. */
	readonly scopes?: readonly string[];
	/** The port of the loopback redirect, for clients that were registered with one. Absent: any free port. */
	readonly redirectPort?: number;
	/** Accept an authorization server that does not say that it supports PKCE with S256. False by default. */
	readonly allowMissingPkce?: boolean;
	/** How a token is obtained; a user signs in by default. */
	readonly grant?: OAuthGrant;
	/**
	 * Whether the configured identity provider vouches for the user. Absent: where the authorization server declares that
	 * it accepts that.
	 */
	readonly enterpriseManaged?: boolean;
}

/** A client that is registered at an authorization server. */
export interface RegisteredClient {
	readonly clientId: string;
	readonly clientSecret?: string;
}

/** The identity provider of an organization, at which its users sign in once for all servers. */
export interface IdentityProviderConfig extends RegisteredClient {
	readonly issuer: string;
	/** The port of the loopback redirect, if the client is registered with one. */
	readonly redirectPort?: number;
	/** The clients to use at authorization servers, by their issuers. */
	readonly clients: ReadonlyMap<string, RegisteredClient>;
}

/** The identity provider in use; the extension "Enterprise-Managed Authorization" gets tokens of servers by it. */
export interface IdentityProvider {
	readonly config: IdentityProviderConfig;
	/** The setting or the file that names it. */
	readonly source: string;
	/** Where the sign-in there is kept. */
	readonly credentials: CredentialStore;
}

/** The grants that need no user: machine clients and enterprise-managed access. */
export type OAuthGrant =
	| { readonly kind: "authorization_code" }
	/** `clientId` with `clientSecret`, or with a private key in PEM for a signed assertion. */
	| { readonly kind: "client_credentials"; readonly privateKey?: string; readonly algorithm?: string }
	/** A ready-made assertion, as workloads get one from their platform. */
	| { readonly kind: "jwt_bearer"; readonly assertion: string }
	/** Enterprise-managed authorization: an identity provider vouches for the user (cross-app access). */
	| {
			readonly kind: "cross_app_access";
			readonly idpIssuer: string;
			readonly idpTokenEndpoint: string;
			readonly idpClientId: string;
			readonly idpIdToken: string;
	  };

/** The question to a user before their browser opens. The texts come from servers and are untrusted. */
export interface SignInRequest {
	/** The server's configured name. */
	readonly server: string;
	/** The complete authorization URL, `https:`, or `http:` on loopback (AUT-01); for `credentials` the issuer's. */
	readonly url: URL;
	readonly issuer: string;
	readonly scopes: readonly string[];
	/**
	 * `step-up`: the server requires more than was granted before (specification, "Step-Up Authorization Flow").
	 * `credentials`: the configured ones are to be sent to this authorization server for the first time; no browser is
	 * needed. `identity-provider`: for all servers of an organization.
	 */
	readonly reason: "sign-in" | "step-up" | "credentials" | "identity-provider";
}

/** Where the authorization server sends the user back to. Lives for one sign-in. */
export interface RedirectReceiver extends Disposable {
	readonly redirectUrl: string;
	/**
	 * Resolves with the query of the one callback whose `state` is the given one; others are refused with a page that
	 * repeats nothing of them (AUT-07 to AUT-09). Rejects with the signal's reason, or HostError `cancelled`
	 * when disposed.
	 */
	receive(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

/** The user's side of a sign-in; tests and the conformance driver have one without a user. */
export interface SignInBrowser {
	/**
	 * Prepares the redirect, before the authorization URL is made. `port`: of the loopback redirect, if it must be a
	 * certain one.
	 */
	openReceiver(port: number | undefined): Promise<RedirectReceiver>;
	/**
	 * Asks the user and, if they agree, opens the URL outside of VS Code; for `credentials` there is only the question.
	 * @throws HostError `cancelled` when they do not agree; the signal's reason.
	 */
	open(request: SignInRequest, signal: AbortSignal): Promise<void>;
}

/** Who is signed in at a server, for display. */
export interface SignedIn {
	readonly issuer: string;
	/** The user's name or address, if the tokens contain it. Untrusted text. */
	readonly account: string | undefined;
	readonly scopes: readonly string[];
	/** The issuer of the identity provider that vouched for the user; absent if they signed in at the server's own. */
	readonly provider?: string;
	/** The user chose it among several accounts. */
	readonly isChosen?: true;
}

/**
 * One server's secrets of authorization, in the operating system's key store only, keyed by the server's definition
 * (AUT-10). Values are JSON texts; keys name the issuer where a value belongs to one.
 */
export interface CredentialStore {
	get(key: string): Promise<string | undefined>;
	/**
	 * Stores a value and returns whether it did: not if the server was forgotten or its address has changed, and with
	 * `since`, the result of `signOuts`, not if any window signed out at it after that (AUT-17).
	 */
	set(key: string, value: string, since?: string): Promise<boolean>;
	delete(key: string): Promise<void>;
	/** A text that changes with each sign-out at the server, in any window. */
	signOuts(): Promise<string>;
}

/** All that a connection needs to sign in. */
export interface Authorization {
	/** The server's configured name. */
	readonly server: string;
	readonly config: OAuthConfig;
	readonly credentials: CredentialStore;
	readonly browser: SignInBrowser;
	/** Whether a user may be asked now: they wait for the server's start or for a call. */
	readonly isInteractive: () => boolean;
	/** The identity provider of the user's organization, if one is configured now. */
	readonly identityProvider?: () => Promise<IdentityProvider | undefined>;
	/** Who is signed in changed: after a sign-in, a refresh with another account, or a lost grant (undefined). */
	readonly onDidChangeSignedIn: (signedIn: SignedIn | undefined) => void;
	/** Runs a question to a user with the clocks of the running calls stopped. */
	readonly whileAsking: <T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) => Promise<T>;
}

/** The inputs of the fetch of a server that may require a sign-in. */
export interface AuthorizingOptions {
	readonly serverUrl: URL;
	/** To the server itself; leaves 401 and 403 to the caller. */
	readonly serverFetch: FetchLike;
	/** To authorization servers and metadata: the user's proxy and certificates, nothing that is meant for the server. */
	readonly plainFetch: FetchLike;
	/** Undefined where nobody can sign in. */
	readonly authorization: Authorization | undefined;
	/** Receives lenient readings, and the reason of a failed refresh; each once. */
	readonly onNote?: ((text: string) => void) | undefined;
	/** Aborted when the connection ends. */
	readonly signal: AbortSignal;
}

/** Makes the fetch of a server that may ask for a sign-in (specification, "Authorization"). */
export type Authorizing = (options: AuthorizingOptions) => FetchLike;
