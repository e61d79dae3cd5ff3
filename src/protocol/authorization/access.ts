import {
	computeScopeUnion,
	isStrictScopeSuperset,
	refreshAuthorization,
	type DpopSession,
	type FetchLike,
	type OAuthTokens,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { saysOf } from "../../base/senderWords.ts";
import { isProtected } from "../../base/addresses.ts";
import { readingAnswers } from "./answers.ts";
import type { Authorization, AuthorizingOptions, IdentityProvider } from "../authorization.ts";
import { describeAuthorizationFailure } from "./authorizationFailure.ts";
import type { Challenge } from "../http/challenge.ts";
import { clientAuthentication } from "./clientAuthentication.ts";
import { acceptsAssertions, discover, requirePkce, type Discovery } from "./discovery.ts";
import type { LenientNote } from "./documents.ts";
import { EndpointGuard, limited } from "./endpointGuard.ts";
import { requestMachineTokens, type MachineGrant } from "./machineGrants.ts";
import { signIn } from "./signIn.ts";
import { configuredClient } from "./signInProvider.ts";
import { shownAddress } from "./sameAddress.ts";
import type { KeptTokens } from "./storedCredentials.ts";
import { TokenKeeper } from "./tokenKeeper.ts";

/** The known data when new tokens are needed. */
interface Renewal {
	readonly challenge: Challenge;
	readonly discovery: Discovery;
	/** The tokens that this issuer gave before. */
	readonly former: KeptTokens | undefined;
	readonly scope: string | undefined;
	readonly dpop: DpopSession | undefined;
	/** Whether the tokens that were refused had only just been obtained. */
	readonly isRefused: boolean;
	/** Guarded, because the server may name its addresses; ends with `signal`. */
	readonly fetch: FetchLike;
	/** Aborted when nobody waits for the tokens any more. */
	readonly signal: AbortSignal;
}

/** More different notes than this are not from an honest server. */
const maxNotes = 100;

/** The dependencies of getting tokens for one server. */
export interface AccessOptions extends Pick<AuthorizingOptions, "serverUrl" | "plainFetch" | "onNote"> {
	readonly authorization: Authorization;
}

/**
 * The tokens for one server: stored, refreshed, or obtained by a sign-in. Only one renewal runs at a time, for all
 * callers.
 */
export class Access {
	private readonly serverUrl: URL;
	private readonly plainFetch: FetchLike;
	private readonly authorization: Authorization;
	private readonly keeper: TokenKeeper;
	private readonly guard: EndpointGuard;
	private readonly note: LenientNote;

	constructor({ serverUrl, plainFetch, authorization, onNote }: AccessOptions) {
		const told = new Set<string>();
		this.note = (text) => {
			if (told.size < maxNotes && !told.has(text)) onNote?.(text);
			told.add(text);
		};
		this.serverUrl = serverUrl;
		this.plainFetch = plainFetch;
		this.authorization = authorization;
		this.keeper = new TokenKeeper(authorization, serverUrl);
		this.guard = new EndpointGuard(serverUrl);
	}

	/** The tokens to send now; undefined when nobody is signed in. */
	tokens(): Promise<KeptTokens | undefined> {
		return this.keeper.tokens();
	}

	/** The key that tokens are bound to; undefined for bearer tokens. */
	async sessionFor(tokens: KeptTokens): Promise<DpopSession | undefined> {
		return isBound(tokens) ? this.keeper.session(tokens.issuer) : undefined;
	}

	/**
	 * Gets better tokens after the server refused a request with the ones that were `used`. Returns immediately when
	 * there are other ones by now.
	 * @throws HostError `needs-sign-in` when nobody may be asked or the user declines; `denied` and `cancelled` in the
	 * same cases of a step-up, which concerns this request only; or the error that occurred.
	 */
	async renew(
		challenge: Challenge,
		used: KeptTokens | undefined,
		isRepeated: boolean,
		waiter: AbortSignal,
	): Promise<void> {
		const now = await this.tokens();
		if (now !== undefined && now.access_token !== used?.access_token) return;
		await this.keeper.renewal.join((signal) => this.obtain(challenge, used, isRepeated, signal), waiter);
	}

	private async obtain(
		challenge: Challenge,
		used: KeptTokens | undefined,
		isRepeated: boolean,
		signal: AbortSignal,
	): Promise<void> {
		const { serverUrl, keeper, authorization } = this;
		requireEncryption(serverUrl);
		const isNewer = (kept: KeptTokens | undefined): boolean =>
			kept !== undefined && kept.access_token !== used?.access_token;
		const kept = await keeper.reload();
		// Another window was faster.
		if (isNewer(kept)) return;
		const { config } = authorization;
		const { grant = { kind: "authorization_code" } } = config;
		const needsUser = grant.kind === "authorization_code";
		const provider = needsUser ? await this.provider() : undefined;
		if (needsUser && provider === undefined && kept?.refresh_token === undefined) this.requireUser(challenge);

		const guarded = this.guard.guarding(this.plainFetch, signal);
		const discovery = await discover(serverUrl, challenge, guarded, {
			wantedIssuer: config.issuer,
			hasPage: needsUser && (provider === undefined || (config.enterpriseManaged === undefined && "unless-vouched")),
			note: this.note,
		});
		await keeper.requireBinding(discovery.issuer);
		// As late as can be: a refresh token that two windows use may end the sign-in of both.
		if (isNewer(await keeper.reload())) return;
		const former = await keeper.former(discovery.issuer);
		const usesKey = discovery.usesDpop || (former !== undefined && isBound(former));
		const renewal: Renewal = {
			challenge,
			discovery,
			former,
			scope: this.scopeFor(challenge, former, discovery),
			dpop: usesKey ? await keeper.session(discovery.issuer) : undefined,
			isRefused: isRepeated && used !== undefined && keeper.hasObtained(used),
			fetch: readingAnswers(guarded, this.note),
			signal,
		};
		if (provider !== undefined && (config.enterpriseManaged === true || acceptsAssertions(discovery)))
			await this.obtainVouched(provider, renewal);
		else if (grant.kind === "authorization_code") await this.obtainForUser(renewal);
		else {
			await this.confirmIssuer(discovery, challenge, signal);
			await this.obtainForMachine(grant, renewal);
		}
	}

	/** The identity provider of the user's organization, where it may vouch for them at this server. */
	private async provider(): Promise<IdentityProvider | undefined> {
		const { enterpriseManaged } = this.authorization.config;
		if (enterpriseManaged === false) return undefined;
		const provider = await this.authorization.identityProvider?.();
		if (provider !== undefined || enterpriseManaged === undefined) return provider;
		throw new HostError(
			"invalid",
			'The server is reached through an identity provider ("enterpriseManaged" in its "oauth"), but none is configured. Set "mcpHost.identityProvider".',
		);
	}

	/** Gets tokens by the user's sign-in at their identity provider, however much they are asked there. */
	private async obtainVouched(provider: IdentityProvider, renewal: Renewal): Promise<void> {
		const { challenge, discovery, isRefused, signal } = renewal;
		if (isRefused && challenge.kind === "sign-in") throw stillRefused(challenge);
		const { authorization, plainFetch, keeper, note } = this;
		const { config } = authorization;
		if (config.clientSecret !== undefined) await this.confirmIssuer(discovery, challenge, signal);
		const { vouchedTokens } = await import("./vouchedTokens.ts");
		const { credentials } = keeper;
		const { tokens, by } = await vouchedTokens({
			...renewal,
			provider,
			authorization,
			plainFetch,
			note,
			config,
			credentials,
		});
		const { scope } = renewal;
		await keeper.keep({ ...(scope === undefined ? {} : { scope }), ...tokens }, discovery, undefined, by);
	}

	/**
	 * Asks the user once to confirm that the configured credentials may be sent to an authorization server that only the
	 * server names.
	 * @throws HostError `needs-sign-in` when nobody may be asked, `cancelled` when they do not agree.
	 */
	private async confirmIssuer({ issuer }: Discovery, challenge: Challenge, signal: AbortSignal): Promise<void> {
		const { authorization, keeper } = this;
		const { config, server, browser } = authorization;
		if (config.issuer !== undefined) return;
		// Another window may have bound them meanwhile, to this one or to another one.
		if ((await keeper.credentials.boundIssuer()) !== undefined) return keeper.requireBinding(issuer);
		if (!authorization.isInteractive())
			throw new HostError(
				"needs-sign-in",
				`The server wants its credentials to be sent to ${shownAddress(issuer)}, which you have not confirmed. Start the server yourself to confirm it, or set "issuer" in its "oauth".${saysOf(challenge.reason)}`,
			);
		const request = { server, url: new URL(issuer), issuer, scopes: [], reason: "credentials" } as const;
		await authorization.whileAsking((asking) => browser.open(request, asking), signal);
		await keeper.bind(issuer);
		await keeper.requireBinding(issuer);
	}

	private async obtainForMachine(grant: MachineGrant, renewal: Renewal): Promise<void> {
		const { challenge, discovery, scope, dpop, isRefused, fetch, signal } = renewal;
		if (isRefused && challenge.kind === "sign-in") throw stillRefused(challenge);
		const { config } = this.authorization;
		const trustedFetch = readingAnswers(limited(this.plainFetch, signal), this.note);
		const tokens = await requestMachineTokens(grant, { config, discovery, scope, dpop, fetch, trustedFetch });
		await this.keeper.keep({ ...(scope === undefined ? {} : { scope }), ...tokens }, discovery);
	}

	private async obtainForUser(renewal: Renewal): Promise<void> {
		const { challenge, discovery, former, scope, dpop, isRefused, fetch, signal } = renewal;
		const { authorization, serverUrl, keeper, guard } = this;
		if (authorization.config.allowMissingPkce !== true) requirePkce(discovery);
		// Tokens that are on their way are used even when nobody waits for them: they may have invalidated the former ones.
		const tokenFetch = readingAnswers(guard.guarding(this.plainFetch), this.note);
		// A refresh gives no scope that was not granted before (RFC 6749, section 6).
		const needsMore = challenge.kind === "step-up" && isStrictScopeSuperset(scope, former?.scope);
		if (former !== undefined && !needsMore && !isRefused) {
			if (await this.refresh(former, discovery, dpop, tokenFetch)) return;
		}
		this.requireUser(challenge);
		const reason = challenge.kind === "step-up" && former !== undefined ? "step-up" : "sign-in";
		const tokens = await signIn({
			authorization,
			serverUrl,
			discovery,
			credentials: keeper.credentials,
			confirmed: async () => keeper.bind(discovery.issuer),
			scope,
			reason,
			dpop,
			guard,
			fetch,
			tokenFetch,
			signal,
		});
		await this.keeper.keep(tokens, discovery);
	}

	/**
	 * Refreshes tokens; false when they are no longer useful and a user must sign in.
	 * @throws HostError `unreachable` when the authorization server cannot be reached: this signs nobody out.
	 */
	private async refresh(
		former: KeptTokens,
		discovery: Discovery,
		dpop: DpopSession | undefined,
		fetch: FetchLike,
	): Promise<boolean> {
		const { refresh_token: refreshToken } = former;
		const { issuer, authorizationServerUrl, metadata, resource } = discovery;
		const client =
			configuredClient(this.authorization.config, issuer) ?? (await this.keeper.credentials.client(issuer));
		if (refreshToken === undefined || client === undefined) return false;
		let tokens: OAuthTokens;
		try {
			tokens = await refreshAuthorization(authorizationServerUrl, {
				...(metadata === undefined ? {} : { metadata }),
				clientInformation: client,
				addClientAuthentication: clientAuthentication(client),
				refreshToken,
				...(resource === undefined ? {} : { resource }),
				...(dpop === undefined ? {} : { dpop }),
				fetchFn: fetch,
			});
		} catch (error) {
			const failure = describeAuthorizationFailure(error, issuer);
			if (failure.code === "unreachable") throw failure;
			this.note(`The sign-in could not be renewed. ${failure.message}`);
			return this.keeper.isReplaced(error, former);
		}
		await this.keeper.keep(tokens, discovery, former);
		return true;
	}

	private scopeFor(challenge: Challenge, former: KeptTokens | undefined, discovery: Discovery): string | undefined {
		const configured = this.authorization.config.scopes?.join(" ");
		if (challenge.kind === "sign-in") return configured ?? challenge.scope;
		const wanted = challenge.scope ?? discovery.resourceMetadata?.scopes_supported?.join(" ");
		return computeScopeUnion(former?.scope, configured, wanted);
	}

	private requireUser({ kind, reason }: Challenge): void {
		if (this.authorization.isInteractive()) return;
		const says = saysOf(reason);
		// With a step-up only this request fails; the others need no more than was granted.
		throw kind === "step-up"
			? new HostError("denied", `The server needs more permissions than you granted. Restart it to grant them.${says}`)
			: new HostError("needs-sign-in", `The server requires you to sign in. Start it yourself to sign in.${says}`);
	}
}

function isBound({ token_type: type }: KeptTokens): boolean {
	return type.toLowerCase() === "dpop";
}

/** @throws HostError `denied` where a token would travel in plain text. */
function requireEncryption(serverUrl: URL): void {
	if (isProtected(serverUrl)) return;
	throw new HostError(
		"denied",
		"The server asks for sign-in, but its connection is not encrypted (http). Anybody on the network path could steal the token. Use its https address.",
	);
}

/** A server that refuses the scopes that it requested: trying again would never end (TRN-37). */
export function stillRefused({ kind, reason }: Challenge): HostError {
	const says = saysOf(reason);
	return kind === "step-up"
		? new HostError(
				"denied",
				`The server still refuses access (403), although you granted the permissions that it asked for. Contact its operator.${says}`,
			)
		: new HostError(
				"needs-sign-in",
				`The server still asks for sign-in (401), although you have just signed in. Sign in again, perhaps with another account.${says}`,
			);
}
