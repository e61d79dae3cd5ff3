import type { JsonObject } from "../../src/base/json.ts";

/** The input of some scenarios for the client: credentials, or calls to make. */
export interface ScenarioContext {
	readonly client_id?: string;
	readonly client_secret?: string;
	readonly private_key_pem?: string;
	readonly signing_algorithm?: string;
	readonly valid_jwt?: string;
	readonly idp_client_id?: string;
	readonly idp_id_token?: string;
	readonly idp_issuer?: string;
	readonly idp_token_endpoint?: string;
	readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

/** The scenario that the suite runs this client in. */
export const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
/** Its context; empty where it has none. */
export const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as ScenarioContext;
