import { DpopSession, generateDpopKeyPair } from "@modelcontextprotocol/client";
import type { StoredCredentials } from "./storedCredentials.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/**
 * The key with which tokens of an issuer are bound to this host (RFC 9449), made at first use. It is kept in the key
 * store with the tokens: without it the refresh token would be lost with the window.
 */
export async function dpopSession(credentials: StoredCredentials, issuer: string): Promise<DpopSession> {
	const kept = await credentials.dpopKey(issuer);
	if (kept !== undefined) {
		try {
			const { privateJwk, publicJwk, thumbprint } = kept;
			const [privateKey, publicKey] = await Promise.all([
				crypto.subtle.importKey("jwk", privateJwk, algorithm, false, ["sign"]),
				crypto.subtle.importKey("jwk", publicJwk, algorithm, true, ["verify"]),
			]);
			return await DpopSession.create({ keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: "ES256" } });
		} catch {
			// A damaged key is of no use; tokens that are bound to it end in a new sign-in.
		}
	}
	const keyPair = await generateDpopKeyPair({ alg: "ES256", extractable: true });
	const privateJwk = { ...(await crypto.subtle.exportKey("jwk", keyPair.privateKey)) };
	const { alg, thumbprint } = keyPair;
	const publicJwk = { ...keyPair.publicJwk };
	// Where the key store does not work, the key lasts as long as the connection.
	await credentials.saveDpopKey(issuer, { alg, privateJwk, publicJwk, thumbprint }).catch(() => undefined);
	return DpopSession.create({ keyPair });
}
