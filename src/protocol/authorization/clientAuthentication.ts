import {
	selectClientAuthMethod,
	type AddClientAuthentication,
	type OAuthClientInformationMixed,
} from "@modelcontextprotocol/client";

/**
 * Identifies a client in a request to an authorization server, in the best of the supported ways. Replaces the SDK's
 * own, which does not encode the values of the Basic header (RFC 6749, section 2.3.1), so that secrets with other
 * characters than letters and digits may be refused.
 */
export function identifyClient(
	client: OAuthClientInformationMixed,
	methods: readonly string[],
	headers: Headers,
	body: URLSearchParams,
): void {
	const { client_id: id, client_secret: secret } = client;
	if (secret !== undefined && selectClientAuthMethod(client, [...methods]) === "client_secret_basic") {
		const pair = [id, secret].map(encodeURIComponent).join(":");
		headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
		return;
	}
	body.set("client_id", id);
	if (secret !== undefined) body.set("client_secret", secret);
}

/** The same as the SDK's token requests take it. */
export function clientAuthentication(client: OAuthClientInformationMixed): AddClientAuthentication {
	return (headers, body, _url, metadata) =>
		identifyClient(client, metadata?.token_endpoint_auth_methods_supported ?? [], headers, body);
}
