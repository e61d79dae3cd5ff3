import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { HostError } from "../../base/errors.ts";
import { hostOf } from "./authorizationFailure.ts";

/** The values that an ID token must have. */
export interface IdTokenExpectation {
	/** As the metadata spells it. */
	readonly issuer: string;
	readonly clientId: string;
	/** The value of the request; absent for a token of a refresh. */
	readonly nonce?: string;
	/** The user of the token before it; absent for that of a sign-in. */
	readonly subject?: string;
	/** The keys of the issuer (RFC 7517). */
	readonly keys: JsonObject;
}

/** Signatures with a key that only the issuer has; never `none`, nor one with the secret of a client. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** How much the clock of the issuer may differ, in seconds. */
const clockToleranceSeconds = 60;

/**
 * Checks an ID token (OpenID Connect Core 1.0, section 3.1.3.7): signature, issuer, audience, time, and the nonce or the
 * subject. Returns whom it names, and when it ends.
 * @throws HostError `denied` that says what is wrong.
 */
export async function checkIdToken(
	idToken: string | undefined,
	expected: IdTokenExpectation,
): Promise<{ readonly subject: string; readonly expiresAt: number }> {
	const { issuer, clientId, nonce, keys } = expected;
	if (idToken === undefined) throw refused(issuer, "it sent none");
	const { createLocalJWKSet, jwtVerify } = await import("jose");
	const keySet = keys["keys"];
	if (!Array.isArray(keySet)) throw refused(issuer, "its signing keys cannot be read");
	let payload: Readonly<Record<string, unknown>>;
	try {
		({ payload } = await jwtVerify(idToken, createLocalJWKSet({ keys: keySet.filter(isJsonObject) }), {
			issuer,
			audience: clientId,
			algorithms,
			requiredClaims: ["sub", "exp", "iat"],
			clockTolerance: clockToleranceSeconds,
		}));
	} catch (error) {
		// The error itself may hold claims of the token.
		throw refused(issuer, whyOf(error));
	}
	const { sub, exp, azp, aud } = payload;
	if (nonce !== undefined && payload["nonce"] !== nonce)
		throw refused(issuer, "it does not belong to this sign-in (nonce)");
	if (Array.isArray(aud) && aud.length > 1 && azp !== clientId)
		throw refused(issuer, "it is meant for another client (azp)");
	if (typeof sub !== "string" || typeof exp !== "number") throw refused(issuer, "it names no user");
	if (expected.subject !== undefined && sub !== expected.subject) throw refused(issuer, "it names another user (sub)");
	return { subject: sub, expiresAt: exp };
}

function refused(issuer: string, why: string): HostError {
	return new HostError("denied", `The ID token of ${hostOf(issuer)} was not accepted: ${why}. Nobody is signed in.`);
}

function whyOf(error: unknown): string {
	const { code, claim } = readError(error);
	switch (code) {
		case "ERR_JWT_EXPIRED":
			return "it has expired";
		case "ERR_JWT_CLAIM_VALIDATION_FAILED":
			return claim === "iss"
				? "it names another issuer (iss)"
				: claim === "aud"
					? "it is meant for another client (aud)"
					: "a required claim is missing or wrong";
		case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
			return "its signature is wrong";
		case "ERR_JWKS_NO_MATCHING_KEY":
			return "it is signed with a key that the identity provider does not publish";
		case "ERR_JOSE_ALG_NOT_ALLOWED":
			return "it is not signed in an accepted way";
		case undefined:
		default:
			return "it cannot be read";
	}
}

function readError(error: unknown): { readonly code?: unknown; readonly claim?: unknown } {
	return typeof error === "object" && error !== null ? error : {};
}
