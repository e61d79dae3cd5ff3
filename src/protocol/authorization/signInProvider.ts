import type {
	OAuthClientMetadata,
	OAuthClientProvider,
	OAuthDiscoveryState,
	StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { randomBytes } from "node:crypto";
import { HostError } from "../../base/errors.ts";
import type { OAuthConfig } from "../authorization.ts";
import type { Discovery } from "./discovery.ts";
import type { KeptClient, StoredCredentials } from "./storedCredentials.ts";

/**
 * The provider that the SDK uses to prepare one sign-in: it registers the client and makes the authorization URL, which
 * is kept here. State and PKCE verifier live no longer than this object.
 */
export class SignInProvider implements OAuthClientProvider {
	readonly redirectUrl: string;
	readonly clientMetadata: OAuthClientMetadata;
	readonly clientMetadataUrl?: string;
	private readonly config: OAuthConfig;
	private readonly discovery: Discovery;
	private readonly credentials: StoredCredentials;
	private readonly stateText = randomBytes(32).toString("base64url");
	private verifier: string | undefined;
	/** Registered for this sign-in. */
	private registered: KeptClient | undefined;
	private url: URL | undefined;
	private readonly nonce: string | undefined;

	/** `nonce`: what the ID token must repeat (OpenID Connect Core 1.0, section 3.1.2.1). */
	constructor(
		config: OAuthConfig,
		discovery: Discovery,
		credentials: StoredCredentials,
		redirectUrl: string,
		nonce?: string,
	) {
		this.nonce = nonce;
		this.config = config;
		this.discovery = discovery;
		this.credentials = credentials;
		this.redirectUrl = redirectUrl;
		if (config.clientMetadataUrl !== undefined) this.clientMetadataUrl = config.clientMetadataUrl;
		const methods = discovery.metadata?.token_endpoint_auth_methods_supported ?? [];
		this.clientMetadata = {
			client_name: "MCP Host",
			redirect_uris: [redirectUrl],
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
			application_type: "native",
			// A host on users' machines keeps no secret unless it must (RFC 8252, section 8.4).
			...(methods.includes("none") ? { token_endpoint_auth_method: "none" } : {}),
		};
	}

	/** Where the user is sent; complete once the SDK has made it. */
	get authorizationUrl(): URL {
		if (this.url === undefined) throw new HostError("protocol", "The sign-in was not prepared.");
		return this.url;
	}

	state(): string {
		return this.stateText;
	}

	/** Whether a client is configured or registered. */
	async hasClient(): Promise<boolean> {
		return (await this.clientInformation()) !== undefined;
	}

	async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
		const { issuer } = this.discovery;
		const configured = configuredClient(this.config, issuer);
		if (configured !== undefined) return configured;
		const kept = this.registered ?? (await this.credentials.client(issuer));
		return kept !== undefined && this.isUsable(kept) ? kept : undefined;
	}

	async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
		// For the way back that it was asked for, however the authorization server writes that down.
		const redirects = client.client_id === this.clientMetadataUrl ? {} : { redirect_uris: [this.redirectUrl] };
		this.registered = { ...client, ...redirects };
		// Where the key store does not work, the client lasts as long as the sign-in.
		await this.credentials.saveClient(this.discovery.issuer, this.registered).catch(() => undefined);
	}

	discoveryState(): OAuthDiscoveryState {
		const { authorizationServerUrl, metadata, resourceMetadata, resourceMetadataUrl } = this.discovery;
		return {
			authorizationServerUrl,
			...(metadata === undefined ? {} : { authorizationServerMetadata: metadata }),
			...(resourceMetadata === undefined ? {} : { resourceMetadata }),
			...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: resourceMetadataUrl.href }),
		};
	}

	/** The discovery was made before, and is kept where it was made. */
	saveDiscoveryState(): void {}

	/** None: whether there are tokens that may be refreshed was decided before. */
	tokens(): undefined {
		return undefined;
	}

	saveTokens(): void {
		throw new HostError("protocol", "The authorization server sent tokens before you signed in.");
	}

	/** The resource was checked before (`discover`). */
	validateResourceURL(): Promise<URL | undefined> {
		const { resource } = this.discovery;
		return Promise.resolve(resource === undefined ? undefined : new URL(resource));
	}

	redirectToAuthorization(url: URL): void {
		// As the metadata spells it: the parser may add a slash.
		if (this.discovery.resource !== undefined) url.searchParams.set("resource", this.discovery.resource);
		if (this.nonce !== undefined) url.searchParams.set("nonce", this.nonce);
		this.url = url;
	}

	saveCodeVerifier(verifier: string): void {
		this.verifier = verifier;
	}

	codeVerifier(): string {
		if (this.verifier === undefined) throw new HostError("protocol", "The sign-in was not prepared.");
		return this.verifier;
	}

	/** A registration is for one way back and may end. */
	private isUsable(client: KeptClient): boolean {
		const endsAt = "client_secret_expires_at" in client ? Number(client.client_secret_expires_at) : 0;
		if (endsAt > 0 && endsAt * 1000 <= Date.now()) return false;
		return client.client_id === this.clientMetadataUrl || client.redirect_uris?.includes(this.redirectUrl) === true;
	}
}

/** The client that the configuration names, if it names one. */
export function configuredClient(config: OAuthConfig, issuer: string): StoredOAuthClientInformation | undefined {
	if (config.clientId === undefined) return undefined;
	const secret = config.clientSecret === undefined ? {} : { client_secret: config.clientSecret };
	return { client_id: config.clientId, ...secret, issuer };
}
