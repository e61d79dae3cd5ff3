import type { OAuthConfig } from "../../src/protocol/authorization.ts";
import type { ScenarioContext } from "./context.ts";

/** The address that the suite accepts as a client-id metadata document. */
const clientMetadataUrl = "https://conformance-test.local/client-metadata.json";

/** The configuration of a user for the server of a scenario. */
export function signInConfig(scenario: string, context: ScenarioContext): OAuthConfig {
	const { client_id, client_secret } = context;
	const client = {
		...(client_id === undefined ? {} : { clientId: client_id }),
		...(client_secret === undefined ? {} : { clientSecret: client_secret }),
	};
	switch (scenario) {
		case "auth/client-credentials-jwt":
			return {
				...client,
				grant: {
					kind: "client_credentials",
					privateKey: required(context.private_key_pem),
					algorithm: required(context.signing_algorithm),
				},
			};
		case "auth/client-credentials-basic":
			return { ...client, grant: { kind: "client_credentials" } };
		case "auth/wif-jwt-bearer":
			return { ...client, grant: { kind: "jwt_bearer", assertion: required(context.valid_jwt) } };
		case "auth/enterprise-managed-authorization":
			return {
				...client,
				grant: {
					kind: "cross_app_access",
					idpIssuer: required(context.idp_issuer),
					idpTokenEndpoint: required(context.idp_token_endpoint),
					idpClientId: required(context.idp_client_id),
					idpIdToken: required(context.idp_id_token),
				},
			};
		default:
			return { clientMetadataUrl, ...client };
	}
}

function required(value: string | undefined): string {
	if (value === undefined) throw new Error("The suite left out a part of the scenario's context.");
	return value;
}
