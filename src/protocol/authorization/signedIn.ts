import { parseJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { CredentialStore, SignedIn } from "../authorization.ts";
import { type KeptTokens, StoredCredentials } from "./storedCredentials.ts";

/** Who is signed in at a server, as its kept tokens tell it; undefined when nobody is. Asks no network. */
export async function signedIn(credentials: CredentialStore): Promise<SignedIn | undefined> {
	const tokens = await new StoredCredentials(credentials).currentTokens();
	return tokens === undefined ? undefined : describeTokens(tokens);
}

/** What tokens say for display. */
export function describeTokens({ issuer, account, scope }: KeptTokens): SignedIn {
	return { issuer, account, scopes: scope?.split(/\s+/).filter((word) => word !== "") ?? [] };
}

/**
 * Who an ID token is about, for display only: its signature is not checked, and nothing is decided by it. Undefined when
 * there is none or it does not say.
 */
export function accountOf(idToken: string | undefined): string | undefined {
	const claims = parseJsonObject(Buffer.from(idToken?.split(".")[1] ?? "", "base64url").toString("utf8"));
	const found = [claims?.["email"], claims?.["preferred_username"], claims?.["name"]].find(
		(claim) => typeof claim === "string" && claim.trim() !== "",
	);
	return typeof found === "string" ? oneLine(found, 100) : undefined;
}
