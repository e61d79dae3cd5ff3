import {
	auth,
	exchangeAuthorization,
	OAuthError,
	RegistrationRejectedError,
	validateAuthorizationResponseIssuer,
	type DpopSession,
	type FetchLike,
	type OAuthTokens,
} from "@modelcontextprotocol/client";
import { orAborted } from "../../base/abort.ts";
import { HostError } from "../../base/errors.ts";
import type { Authorization, RedirectReceiver, SignInRequest } from "../authorization.ts";
import { describeAuthorizationFailure, hostOf, refusal } from "./authorizationFailure.ts";
import { clientAuthentication } from "./clientAuthentication.ts";
import type { Discovery } from "./discovery.ts";
import type { EndpointGuard } from "./endpointGuard.ts";
import { SignInProvider } from "./signInProvider.ts";
import type { StoredCredentials } from "./storedCredentials.ts";

/** How long a sign-in may take in the browser, in milliseconds (AUT-07). */
const signInTimeoutMs = 10 * 60_000;

/** The dependencies of one sign-in. */
export interface SignIn {
	readonly authorization: Authorization;
	readonly serverUrl: URL;
	readonly discovery: Discovery;
	readonly credentials: StoredCredentials;
	/** To be called when the user agreed to sign in there, before anything of the client is sent. */
	readonly confirmed: () => Promise<void>;
	/** The scopes to ask for; undefined for those that the server's metadata names. */
	readonly scope: string | undefined;
	readonly reason: SignInRequest["reason"];
	/** A value that the ID token must repeat; only for OpenID Connect. */
	readonly nonce?: string;
	readonly dpop: DpopSession | undefined;
	readonly guard: EndpointGuard;
	/** Guarded by it. */
	readonly fetch: FetchLike;
	/** The same for the exchange of the code, which is not abandoned once it is sent. */
	readonly tokenFetch: FetchLike;
	/** Aborted when nobody waits for the sign-in any more. */
	readonly signal: AbortSignal;
}

/**
 * Lets a user sign in with their browser and exchanges the returned code (specification, "Authorization Flow Steps").
 * The answer's `scope` is the granted scope, otherwise the requested one (RFC 6749, section 5.1).
 * @throws HostError `needs-sign-in` when the user declines, or `cancelled` for a step-up; others that describe the
 * problem; the signal's reason.
 */
export async function signIn(context: SignIn): Promise<OAuthTokens> {
	const { authorization, discovery, credentials, dpop, tokenFetch, signal } = context;
	const { issuer, authorizationServerUrl, metadata, resource } = discovery;
	try {
		const { provider, callback } = await orAborted(
			authorization.whileAsking((asking) => visit(context, asking), signal),
			signal,
		);
		const code = readCode(callback, discovery, provider.state());
		const iss = callback.get("iss");
		const clientInformation = await provider.clientInformation();
		if (clientInformation === undefined)
			throw new HostError("protocol", "The registered client is no longer known. Sign in again.");
		const tokens = await exchangeAuthorization(authorizationServerUrl, {
			...(metadata === undefined ? {} : { metadata }),
			clientInformation,
			addClientAuthentication: clientAuthentication(clientInformation),
			authorizationCode: code,
			...(iss === null ? {} : { iss }),
			codeVerifier: provider.codeVerifier(),
			redirectUri: provider.redirectUrl,
			...(resource === undefined ? {} : { resource }),
			...(dpop === undefined ? {} : { dpop }),
			fetchFn: tokenFetch,
		});
		const asked = provider.authorizationUrl.searchParams.get("scope") ?? undefined;
		return tokens.scope === undefined && asked !== undefined ? { ...tokens, scope: asked } : tokens;
	} catch (error) {
		signal.throwIfAborted();
		// A client that was forgotten there is registered again the next time.
		if (error instanceof OAuthError && (error.code === "invalid_client" || error.code === "unauthorized_client")) {
			await credentials.deleteClient(issuer);
		}
		const failure = describeAuthorizationFailure(error, issuer);
		// Without a sign-in the server is unusable. Without a step-up only the call that needed it ends.
		if (failure.code !== "cancelled" || context.reason === "step-up") throw failure;
		throw new HostError("needs-sign-in", `You did not sign in at ${hostOf(issuer)}. Choose Sign In to try again.`);
	}
}

/** The part in which the user is asked: prepares the way back, registers if need be, opens the browser, waits. */
async function visit(
	context: SignIn,
	asking: AbortSignal,
): Promise<{ readonly provider: SignInProvider; readonly callback: URLSearchParams }> {
	const { authorization, discovery, guard, reason } = context;
	const limit = AbortSignal.timeout(signInTimeoutMs);
	const signal = AbortSignal.any([asking, limit]);
	const receiver = await openReceiver(context);
	try {
		const provider = await prepare(context, receiver.redirectUrl);
		const url = provider.authorizationUrl;
		await guard.check(url);
		signal.throwIfAborted();
		const answered = receiver.receive(provider.state(), signal);
		// It may reject while the user is still being asked.
		answered.catch(() => undefined);
		const scopes = url.searchParams.get("scope")?.split(" ") ?? [];
		await authorization.browser.open(
			{ server: authorization.server, url, issuer: discovery.issuer, scopes, reason },
			signal,
		);
		await context.confirmed();
		return { provider, callback: await answered };
	} catch (error) {
		asking.throwIfAborted();
		if (!limit.aborted) throw error;
		throw new HostError(
			"needs-sign-in",
			`The sign-in at ${hostOf(discovery.issuer)} was not finished within ${signInTimeoutMs / 60_000} minutes. Start it again.`,
			{ cause: error },
		);
	} finally {
		receiver.dispose();
	}
}

/** Registers this host where it is not known yet, and makes the authorization URL. */
async function prepare(context: SignIn, redirectUrl: string): Promise<SignInProvider> {
	const { authorization, discovery, credentials, serverUrl, scope, nonce, fetch } = context;
	const provider = new SignInProvider(authorization.config, discovery, credentials, redirectUrl, nonce);
	try {
		await auth(provider, {
			serverUrl,
			...(scope === undefined ? {} : { scope }),
			...(discovery.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: discovery.resourceMetadataUrl }),
			fetchFn: fetch,
			forceReauthorization: true,
		});
	} catch (error) {
		const { metadata, resourceMetadata } = discovery;
		if (error instanceof RegistrationRejectedError && metadata === undefined && resourceMetadata === undefined) {
			throw new HostError(
				"denied",
				'The server asks for sign-in (401) but does not name an authorization server. If it needs a key, add it to "headers" in its configuration.',
			);
		}
		if (metadata !== undefined && metadata.registration_endpoint === undefined && !(await provider.hasClient())) {
			throw new HostError(
				"invalid",
				`${hostOf(discovery.issuer)} accepts only registered clients. Register one there and set its id in "oauth": { "clientId": … }.`,
			);
		}
		throw error;
	}
	return provider;
}

/** The way back at the port that is configured, or at that of an earlier registration, or at any. */
async function openReceiver({ authorization, credentials, discovery }: SignIn): Promise<RedirectReceiver> {
	const { browser, config } = authorization;
	if (config.redirectPort !== undefined) return browser.openReceiver(config.redirectPort);
	const former = config.clientId === undefined ? await credentials.client(discovery.issuer) : undefined;
	const port = portOf(former?.redirect_uris?.[0]);
	if (port === undefined) return browser.openReceiver(undefined);
	// The port may be taken; then the client is registered again with another one.
	return browser.openReceiver(port).catch(() => browser.openReceiver(undefined));
}

function portOf(redirectUrl: string | undefined): number | undefined {
	if (redirectUrl === undefined || !URL.canParse(redirectUrl)) return undefined;
	const { protocol, port } = new URL(redirectUrl);
	return protocol === "http:" && port !== "" ? Number(port) : undefined;
}

/**
 * The code of a callback. Its `state` and then its issuer are checked before anything else in it is trusted (AUT-05,
 * AUT-07).
 */
function readCode(callback: URLSearchParams, { issuer, metadata }: Discovery, state: string): string {
	const only = (name: string): string | undefined => {
		const values = callback.getAll(name);
		if (values.length > 1)
			throw new HostError("denied", `The sign-in response contains "${name}" twice, so MCP Host ignored it.`);
		return values[0];
	};
	if (only("state") !== state) {
		throw new HostError("denied", "The sign-in response does not belong to this sign-in, so MCP Host ignored it.");
	}
	validateAuthorizationResponseIssuer({
		iss: only("iss"),
		expectedIssuer: metadata?.issuer,
		issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
	});
	const code = only("code");
	if (code !== undefined && code !== "") return code;
	throw refusal(issuer, only("error") ?? "", only("error_description"));
}
