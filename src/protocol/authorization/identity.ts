import { parseJsonObject } from "../../base/json.ts";
import type { IdentityProvider } from "../authorization.ts";
import type { KeptTokens } from "./storedCredentials.ts";

/** A user's sign-in at an identity provider, as it is kept: only in the key store. */
export interface Identity extends Pick<KeptTokens, "revocationEndpoint" | "revocationMethods"> {
	readonly issuer: string;
	readonly clientId: string;
	/** Made at the sign-in, and kept by refreshes: what was obtained by it ends with it. */
	readonly session: string;
	readonly subject: string;
	readonly id_token: string;
	/** When the ID token ends, in seconds since 1970. */
	readonly expiresAt: number;
	readonly refresh_token?: string;
}

const identityKey = "identity";

/** The sign-in at an identity provider; undefined if nobody is signed in, or not with the client that is configured now. */
export async function keptIdentity({ config, credentials }: IdentityProvider): Promise<Identity | undefined> {
	const value: unknown = parseJsonObject((await credentials.get(identityKey)) ?? "");
	return isIdentity(value) && value.issuer === config.issuer && value.clientId === config.clientId ? value : undefined;
}

/** Keeps a sign-in; false if somebody signed out after `since`. */
export function keepIdentity(
	{ credentials }: IdentityProvider,
	identity: Identity,
	since: string | undefined,
): Promise<boolean> {
	return credentials.set(identityKey, JSON.stringify(identity), since);
}

/** Deletes a sign-in. */
export function dropIdentity({ credentials }: IdentityProvider): Promise<void> {
	return credentials.delete(identityKey);
}

function isIdentity(value: unknown): value is Identity {
	const read: Partial<Record<keyof Identity, unknown>> = value ?? {};
	return (
		[read.issuer, read.clientId, read.session, read.subject, read.id_token].every((one) => typeof one === "string") &&
		typeof read.expiresAt === "number"
	);
}
