import type { CredentialStore, SignedIn } from "./authorization.ts";
import { StoredCredentials, type KeptTokens } from "./storedCredentials.ts";

/** Who is signed in at a server, as its kept tokens tell it; undefined when nobody is. Asks no network. */
export async function signedIn(credentials: CredentialStore): Promise<SignedIn | undefined> {
	const tokens = await new StoredCredentials(credentials).currentTokens();
	return tokens === undefined ? undefined : describeTokens(tokens);
}

/** What tokens say for display. */
export function describeTokens({ issuer, account, scope }: KeptTokens): SignedIn {
	return { issuer, account, scopes: scope?.split(/\s+/).filter((word) => word !== "") ?? [] };
}
