import { parseJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { CredentialStore, SignedIn } from "../authorization.ts";
import { type KeptTokens, StoredCredentials } from "./storedCredentials.ts";

/** The account that is signed in at a server, by its stored tokens; undefined when there is none. Uses no network. */
export async function signedIn(credentials: CredentialStore): Promise<SignedIn | undefined> {
	const tokens = await new StoredCredentials(credentials).currentTokens();
	return tokens === undefined ? undefined : describeTokens(tokens);
}

/** The data in tokens for display. */
export function describeTokens({ issuer, account, scope, provider }: KeptTokens): SignedIn {
	const scopes = scope?.split(/\s+/).filter((word) => word !== "") ?? [];
	return { issuer, account, scopes, ...(provider === undefined ? {} : { provider }) };
}

/**
 * The user whom an ID token names, for display only: its signature is not checked, and nothing is decided by it.
 * Undefined when there is no token or it names nobody.
 */
export function accountOf(idToken: string | undefined): string | undefined {
	const claims = parseJsonObject(Buffer.from(idToken?.split(".")[1] ?? "", "base64url").toString("utf8"));
	const found = [claims?.["email"], claims?.["preferred_username"], claims?.["name"]].find(
		(claim) => typeof claim === "string" && claim.trim() !== "",
	);
	return typeof found === "string" ? oneLine(found, 100) : undefined;
}
